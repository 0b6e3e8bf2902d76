"""``evals.agreement`` as a command."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evals.agreement import main
from evals.store.published import export_published
from evals.store.records import RunRecord
from tests.evals.records_for_tests import failed, scored, verdict

ROOT = Path(__file__).resolve().parents[3]
TYPES = ("Body_Language", "Causal_Montage")
N = 30


def loose_of(i: int) -> list[int]:
    return [(i * 7) % 11, min((i * 7) % 11 + 1, 10), (i * 7) % 11]


def score_of(i: int, rater: str) -> int:
    return max(0, min(10, (i * 7) % 11 + {"ann": i % 3 - 1, "ben": (i % 5) // 2 - 1}[rater]))


def put(folder: Path, records: Sequence[RunRecord]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "records.jsonl").write_text("".join(record.line() + "\n" for record in records))


def rate(path: Path, rows: Sequence[Sequence[object]], head: str = "video_id,rater,score") -> None:
    path.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of 30 videos and one failure; two people rated 28 of them, and one that is not there."""
    monkeypatch.chdir(tmp_path)
    records = [
        scored(
            f"v{i:02d}",
            types=(TYPES[i % 2],),
            verdict=verdict([int(j > 8) for j in loose_of(i)], loose_of(i)),
        )
        for i in range(N)
    ]
    put(tmp_path / "run", [*records, failed("w1")])
    rows = [(f"v{i:02d}", rater, score_of(i, rater)) for i in range(28) for rater in ("ann", "ben")]
    rate(tmp_path / "h.csv", [*rows[:-1], ("nowhere", "ann", 4), ("w1", "ann", 4)])
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> tuple[str, str]:
    assert main(["run", "--human", "h.csv", "--resamples", "500", *argv]) == code
    found = capsys.readouterr()
    return found.out, found.err


def test_the_figures_are_those_of_scipy(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = said(capsys, "--json")
    found = json.loads(out)
    assert json.loads((run / "run/agreement.json").read_text()) == found
    types = [row["type"] for row in found["rows"]]
    assert types == [*TYPES, "All"]
    judge = np.array([np.mean(loose_of(i)) for i in range(28)])
    people = np.array(
        [np.mean([score_of(i, "ann"), score_of(i, "ben")]) for i in range(27)] + [score_of(27, "ann")]
    )
    row = found["rows"][-1]
    figures = {name: each["value"] for name, each in row["figures"].items()}
    pearson = stats.pearsonr(judge, people)
    assert figures["pearson"] == pytest.approx(pearson.statistic)
    assert row["pearson_p"] == pytest.approx(pearson.pvalue)
    assert figures["spearman"] == pytest.approx(stats.spearmanr(judge, people).statistic)
    assert figures["kendall"] == pytest.approx(stats.kendalltau(judge, people).statistic)
    assert figures["error"] == pytest.approx(np.mean(judge - people))
    expected = np.mean((judge[:, None] - people[None, :]) ** 2)
    assert figures["kappa"] == pytest.approx(1 - np.mean((judge - people) ** 2) / expected)
    for name, each in row["figures"].items():
        assert each["low"] <= each["value"] <= each["high"], name
    strict = [np.mean([j > 8 for j in loose_of(i)]) >= 0.5 for i in range(28)]
    wanted = sum(a and b >= 9 for a, b in zip(strict, people, strict=True))
    assert row["confusion"]["both"] == wanted
    assert sum(row["confusion"].values()) == 28
    assert "WARNING: 1 rated video is not in run and left out: nowhere" in err
    assert "WARNING: 1 rated video is without a verdict and left out: w1" in err
    assert "2 judged videos are not rated by anyone, and left out" in err
    assert "ben rated 27 of 28: what is missing is left out, not filled in" in err


def test_text_says_how_to_read_it(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = said(capsys)
    assert out.startswith("j against people, on 28 videos of run\n")
    for words in (
        "quadratic weighted kappa",
        "each the mean of 3 judgements",
        "the mean of their scores is 9 or more",
        "a correlation of 0.85 over 100 videos has an interval of 0.78 to 0.90",
        "- 1 rated video is not in run and left out: nowhere",
        "Krippendorff's alpha, the judge's own judgements",
    ):
        assert words in out
    assert err == "Page: run/agreement.html\n"
    assert "the mean of their scores is 7 or more" in said(capsys, "--threshold", "7")[0]


def test_csv_markdown_and_latex(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--csv")[0])))
    assert {row["type"] for row in rows} == {*TYPES, "All"}
    assert (
        float(next(row["p"] for row in rows if row["figure"] == "pearson" and row["type"] == "All")) < 0.001
    )
    out = said(capsys, "--markdown", "--no-by-type")[0]
    assert "| quadratic weighted kappa | 0." in out
    assert "Body_Language" not in out
    out = said(capsys, "--latex")[0]
    assert out.count(r"\begin{tabular}") == 3
    assert r"Body\_Language & 14 & " in out


def test_a_strict_column_and_strict_scores(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(f"v{i:02d}", "ann", score_of(i, "ann"), int(score_of(i, "ann") > 7)) for i in range(20)]
    rate(run / "h.csv", rows, "video_id,rater,score,strict")
    row = json.loads(said(capsys, "--json")[0])["rows"][-1]
    assert row["confusion"]["both"] + row["confusion"]["humans_only"] == sum(each[3] for each in rows)
    rate(run / "h.csv", [(name, rater, strict) for name, rater, _, strict in rows])
    found = json.loads(said(capsys, "--json")[0])
    assert (found["scale"], found["threshold"]) == ("strict", None)
    figures = found["rows"][-1]["figures"]
    strict = np.array([np.mean([j > 8 for j in loose_of(i)]) for i in range(20)])
    people = np.array([each[3] for each in rows])
    assert figures["error"]["value"] == pytest.approx(np.mean(strict - people))
    assert any("every score is 0 or 1" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("rows", "figure", "why"),
    [
        ([(f"v{i:02d}", "ann", 5) for i in range(9)], "pearson", "people gave every video the same score"),
        ([(f"v{i:02d}", "ann", i) for i in range(9)], "alpha_humans", "one rater has no one to agree with"),
        ([("v00", "ann", 5), ("v01", "ann", 6)], "kappa", "2 videos, and 3 are the fewest"),
        ([(f"v{i:02d}", "ab"[i % 2], i) for i in range(9)], "alpha_humans", "no video was rated twice"),
        ([(f"v{i:02d}", r, 4) for i in range(9) for r in "ab"], "alpha_humans", "all ratings are alike"),
        ([(f"v{i:02d}", "ann", 4) for i in range(9)], "strict_recall", "people call nothing strict"),
    ],
)
def test_what_is_not_defined_says_why(
    rows: list[tuple[str, str, int]], figure: str, why: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rate(run / "h.csv", rows)
    out = said(capsys, "--json")[0]
    found = json.loads(out)["rows"][-1]["figures"][figure]
    assert (found["value"], found["why"]) == (None, why)
    assert "NaN" not in out
    assert f"undefined: {why}" in said(capsys)[0]
    assert (run / "run/agreement.html").read_text().count("<circle") > 0


def test_epochs(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [scored(f"v{i:02d}", loose=(i + e) % 11, epoch=e) for i in range(9) for e in (1, 2)]
    put(run / "run", records)
    rate(run / "h.csv", [(f"v{i:02d}", "ann", i) for i in range(9)])
    found = json.loads(said(capsys, "--json")[0])
    assert found["rows"][-1]["figures"]["error"]["value"] == pytest.approx(
        np.mean([((i + 1) % 11 + (i + 2) % 11) / 2 - i for i in range(9)])
    )
    assert any("up to 2 epochs and the ratings name none" in note for note in found["notes"])
    found = json.loads(said(capsys, "--json", "--epoch", "2")[0])
    assert found["rows"][-1]["figures"]["error"]["value"] == pytest.approx(
        np.mean([(i + 2) % 11 - i for i in range(9)])
    )
    rows = [(f"v{i:02d}", "ann", i, e) for i in range(9) for e in (1, 2)]
    rate(run / "h.csv", rows, "video_id,rater,score,epoch")
    row = json.loads(said(capsys, "--json")[0])["rows"][-1]
    assert (row["videos"], row["predictions"], row["pearson_p"]) == (9, 18, None)


def test_ids_that_a_spreadsheet_has_spoilt(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(run / "run", [scored(name) for name in ("00123", "b", "c", "d")])
    rows = [("123", "ann", 5), ("7.1E+18", "ann", 5), *((name, "ann", i) for i, name in enumerate("bcd"))]
    rate(run / "h.csv", rows)
    _, err = said(capsys, "--csv")
    assert "2 rated videos are not in run and left out: 123 (is it 00123?), 7.1E+18 (a spreadsheet" in err


def test_scores_in_the_published_layout(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export_published([scored(f"v{i:02d}", loose=i) for i in range(10)], run)
    rate(run / "h.csv", [(f"v{i:02d}", "ann", i) for i in range(10)])
    assert main(["scores.jsonl", "--human", "h.csv", "--json", "--out", "page.html"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"][-1]["figures"]["kappa"]["value"] == 1.0
    assert found["rows"][-1]["figures"]["alpha_judge"]["why"] == "single judgements are not told"
    assert (run / "page.html").exists()
    assert not (run / "agreement.json").exists()


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("run", "--human", "nope.csv"), "nope.csv can't be read"),
        (("nowhere", "--human", "h.csv"), "nowhere does not exist"),
        (("run", "--human", "h.csv", "--judgements", "x"), "run has no judgements 'x'. Make some:"),
        (
            (".", "--human", "h.csv"),
            "and a rating is of one run's prediction: give one of run",
        ),
        (
            ("run", "--human", "other.csv"),
            "scored by both the judge and a person; 1 rated video is",
        ),
        (("run", "--human", "h.csv", "--out", "no/folder/page.html"), "can't be written"),
    ],
)
def test_what_can_not_be_used(
    argv: tuple[str, ...], words: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rate(run / "other.csv", [("x", "ann", 5)])
    assert main(list(argv)) == 2
    found = capsys.readouterr()
    assert words in found.err
    assert found.err.startswith("error: ")


def test_several_systems_in_one_file_are_told(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(run / "run", [scored("a"), scored("b", graph="cot")])
    assert main(["run", "--human", "h.csv"]) == 2
    assert "holds several systems (boost with m, cot with m)" in capsys.readouterr().err


def test_the_page_holds_markup_as_text(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "<img src=x onerror=alert(1)>"
    put(run / "run", [scored(f"{evil}{i}", loose=i, judge_model=evil, types=(evil,)) for i in range(9)])
    rate(run / "h.csv", [(f"{evil}{i}", evil, i) for i in range(9)])
    said(capsys)
    page = (run / "run/agreement.html").read_text()
    assert "<img" not in page
    assert "<script" not in page
    assert page.count("<title>&lt;img src=x onerror=alert(1)&gt;") == 19  # the page's own, and 9 dots in each
    assert "default-src 'none'" in page


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom evals.agreement import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('numpy', 'rich', 'pydantic', 'langgraph') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "exit codes:" in done.stdout
