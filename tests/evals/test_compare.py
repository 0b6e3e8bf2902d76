"""``evals.compare`` as a command."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evals.compare import main
from evals.comparison.terminal import drawn
from evals.run import main as run
from tests.evals.records_for_tests import failed, scored
from tests.fakes import answering_model

ROOT = Path(__file__).resolve().parents[2]
TYPES = ("Body_Language", "Causal_Montage")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs a, b (two points better a video, one failure) and c (the same as a), of 24 videos."""
    monkeypatch.chdir(tmp_path)
    for name, shift in (("a", 0), ("b", 2), ("c", 0)):
        (tmp_path / name).mkdir()
        records = [
            scored(f"v{i:02d}", i % 2, i % 7 + shift, types=(TYPES[i % 2],), graph=name) for i in range(24)
        ]
        if name == "b":
            records[5] = failed("v05", types=(TYPES[1],), graph=name)
        lines = [record.line() + "\n" for record in records]
        (tmp_path / name / "records.jsonl").write_text("".join(lines))
        (tmp_path / name / "summary.json").write_text('{"missing": 0}')
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> tuple[str, str]:
    assert main(list(argv)) == code
    found = capsys.readouterr()
    return found.out, found.err


def cells(out: str, first: str) -> list[str]:
    (line,) = (line for line in out.splitlines() if line.strip().startswith(first))
    return [cell for cell in line.split("  ") if cell.strip()]


def test_two_runs(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = said(capsys, "a", "b")
    assert err == ""
    assert out.startswith("b against a: loose scores from 0 to 100, failures as zero, paired by video\n")
    # 23 videos gain 20 and one loses its 50: (23 * 20 - 50) / 24.
    assert "On 24 common videos b is 17.1 points above a (95 % interval +" in out
    assert "23/0/1" in out
    assert "Holm" in out
    assert "is found 8 times in 10" in out
    assert "├" in out


def test_by_type_and_excluded(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "a", "b", "--by-type", "--failures", "excluded")
    rows = [line.split() for line in out.splitlines()]
    assert ["Body_Language", "12"] in [row[:2] for row in rows]
    assert ["Causal_Montage", "11"] in [row[:2] for row in rows]
    assert "All videos differ by the same amount" in out
    assert "[+20.0, +20.0]*" in out
    assert "- 1 of 24 common videos are left out, since a score is missing" in out
    assert "- * all values are alike" in out


def test_one_run_prints_its_own(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "b")
    assert "b (b with m): strict and loose scores from 0 to 100, failures as zero and left out" in out
    assert "strict, scored only [95 %]" in out
    row = cells(out, "All")
    assert [cell.strip() for cell in row[:3]] == ["All", "24", "1"]
    assert row[3].strip().startswith("45.8 [")
    out, _ = said(capsys, "b", "--no-by-type", "--score", "loose", "--failures", "zero")
    assert "Body_Language" not in out
    assert "strict" not in out
    assert "scored only" not in out


def test_several_runs_and_a_base(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "a", "b", "c", "--base", "b")
    assert "all against b:" in out
    assert "a is 17.1 points below b" in out
    assert "corrected for 2 comparisons" in out
    out, _ = said(capsys, "a", "b", "c", "--all-pairs")
    assert "each against each:" in out
    assert "no difference between c and a is shown: 0.0 points" in out
    assert "corrected for 3 comparisons" in out


def test_json_says_everything(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "a", "b", "--json", "--by-type", "--seed", "3", "--resamples", "2000")
    found = json.loads(out)
    assert found["settings"]["seed"] == 3
    assert found["settings"]["resamples"] == 2000
    assert [each["name"] for each in found["runs"]] == ["a", "b"]
    (pair,) = found["comparisons"]
    assert (pair["base"], pair["run"], pair["common"]) == ("a", "b", 24)
    overall = pair["rows"][-1]
    assert overall["difference"] == pytest.approx(410 / 24)
    assert (overall["wins"], overall["ties"], overall["losses"]) == (23, 0, 1)
    assert overall["sign_p"] == pytest.approx(2 * 25 / 2**24)
    assert overall["low"] < 410 / 24 < overall["high"]
    assert overall["p_holm"] >= overall["p"]
    loose = found["runs"][1]["rows"][-1]["loose"]
    assert (loose["zero"]["n"], loose["excluded"]["n"]) == (24, 23)


def test_csv(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "a", "b", "--csv", "--by-type")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["type"] for row in rows] == [*TYPES, "All"]
    assert float(rows[-1]["difference"]) == pytest.approx(410 / 24)
    out, _ = said(capsys, "b", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 3 * 4
    assert {row["failures"] for row in rows} == {"zero", "excluded"}


def test_markdown_and_latex(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, "a", "b", "--markdown", "--by-type")
    lines = out.splitlines()
    assert lines[0].startswith("| type | n | base | mean | difference | 95 % |")
    assert lines[1].startswith("| --- | ---: |")
    assert lines[2].startswith("| Body_Language | 12 |")
    out, _ = said(capsys, "a", "b", "--latex", "--by-type")
    assert r"Body\_Language & 12 & " in out
    assert r"95 \%" in out
    assert out.index(r"\midrule", out.index("Causal")) < out.index("All &")
    assert out.rstrip().endswith(r"\end{tabular}")


def test_different_judges_are_told_on_stderr_and_in_documents(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = scored("v01", 1, 5, judge_model="k").line()
    (runs / "a" / "records.jsonl").write_text(line + "\n")
    out, err = said(capsys, "a", "b", "--markdown")
    assert err == (
        "WARNING: b against a: different judges (k; j): a comparison between different judges is no "
        "comparison. Judge both by one.\n"
    )
    assert "- WARNING: b against a: different judges" in out


def test_nothing_in_common_is_an_exit_code_of_its_own(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "a" / "records.jsonl").write_text(scored("elsewhere").line() + "\n")
    out, _ = said(capsys, "a", "b", code=3)
    assert "b and a have no scored video in common." in out
    assert "- 1 videos are in a only and left out: elsewhere" in out
    for form in ("--json", "--csv", "--markdown", "--latex"):
        said(capsys, "a", "b", form, code=3)
    said(capsys, "a", "b", "c", "--base", "b")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("a", "nope"), "error: nope does not exist: give a run directory"),
        (("a", "b", "--base", "x"), "error: --base: no run is named 'x'. Runs: a, b."),
        (("a", "b", "--reducer", "worst"), "error: 'worst' is no reducer"),
        (("a", "--reducer", "at-least:2"), "error: at-least:2@50 needs 2 epochs and a has 1"),
        (("a", "b", "--dataset", "mimi"), "Did you mean mini?"),
        (("a", "a"), "error: a is given twice"),
    ],
)
def test_what_can_not_be_used_is_said_in_a_sentence(
    argv: tuple[str, ...], words: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = said(capsys, *argv, code=2)
    assert words in err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "the following arguments are required: RUN"),
        (("a", "--seed", "-1"), "'-1' is no whole number from 0"),
        (("a", "--resamples", "10"), "'10' is no whole number from 100"),
        (("a", "--json", "--csv"), "not allowed with argument --json"),
        (("a", "b", "--all-pairs", "--base", "a"), "--all-pairs compares everyone with everyone"),
    ],
)
def test_arguments_that_can_not_be_used(
    argv: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(list(argv))
    assert raised.value.code == 2
    assert words in capsys.readouterr().err


def process(*argv: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from evals.compare import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *argv],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_processes_agree_to_the_last_digit_and_another_seed_differs(runs: Path) -> None:
    one = process("a", "b", "--json", "--by-type", cwd=runs, PYTHONHASHSEED="1")
    two = process("a", "b", "--json", "--by-type", cwd=runs, PYTHONHASHSEED="2")
    assert one.returncode == 0
    assert one.stdout == two.stdout
    assert process("a", "b", "--json", "--by-type", "--seed", "5", cwd=runs).stdout != one.stdout


def test_a_terminal_that_knows_ascii_only_is_spoken_to_in_ascii(runs: Path) -> None:
    done = process("a", "b", "--by-type", cwd=runs, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "o" in done.stdout
    assert done.stdout.isascii()


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom evals.compare import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('numpy', 'rich', 'pydantic', 'langgraph') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for part in ("exit codes:", "--all-pairs", "at-least:K@MARK", "detectable"):
        assert part in done.stdout


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_a_narrow_terminal_gets_fewer_columns_and_is_told(
    width: int, runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.comparison.terminal._FREE", width)
    out, _ = said(capsys, "a", "b", "--by-type")
    table = out[out.index("type") : out.index("On 24")]
    assert max(map(len, table.splitlines()[:-1])) <= width
    assert "difference" in table
    assert ("no room for" in out) is (width < 160)
    assert ("├" in out) is (width > 100)


def test_intervals_are_drawn_on_one_scale() -> None:
    pictures = drawn([(-1.0, 1.0, 2.0), None, (0.0, 0.0, 0.0)], plain=True)
    assert pictures == ["     +----|----o----+", "          |          ", "          o          "]
    assert drawn([(-2.0, -1.0, -0.5)])[0] == "├────●──┤ │          "


def test_runs_made_by_a_scripted_model(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    play: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    rows: list[dict[str, Any]] = []
    for number in range(6):
        folder = tmp_path / "ds" / "videos" / f"v{number}"
        folder.mkdir(parents=True)
        Image.new("RGB", (48, 32), (40 * number, 0, 0)).save(folder / "frame_000001.jpg")
        gold = {"analysis_1": "The video presents a candle, implicitly expressing the passing of time."}
        rows.append(
            {
                "video_id": f"v{number}",
                "title": "Wax",
                "metaphor_type": ["Surreal_Narrative"],
                "golden_answers": gold,
            }
        )
    (tmp_path / "ds" / "datas.jsonl").write_text("\n".join(map(json.dumps, rows)))
    play(answering_model())
    for graph in ("baseline", "boost"):
        command = ["--graph", graph, "--model", "openai:scripted", "--dataset", "ds", "--run-dir", graph]
        assert run([*command, "--epochs", "2", "--quiet"]) == 0
    capsys.readouterr()
    out, err = said(capsys, "baseline", "boost", "--json", "--by-type")
    found = json.loads(out)
    assert err == ""
    (pair,) = found["comparisons"]
    assert (pair["common"], pair["doubts"], pair["differing"]) == (6, [], ["graph"])
    assert [row["type"] for row in pair["rows"]] == ["Surreal_Narrative", "All"]
    assert [each["graph"] for each in found["runs"]] == ["baseline", "boost"]
    assert [each["epochs"] for each in found["runs"]] == [2, 2]
    for each in found["runs"]:
        summary = json.loads((tmp_path / each["path"] / "summary.json").read_text())
        assert each["rows"][-1]["loose"]["zero"]["mean"] == pytest.approx(summary["overall"]["loose"])
        assert each["rows"][-1]["strict"]["zero"]["mean"] == pytest.approx(summary["overall"]["strict"])
    out, err = said(capsys, "boost/scores.jsonl", "baseline", "--reducer", "best")
    assert "different numbers of epochs (1; 2) under best: more tries, more luck." in err
    assert "baseline against boost: loose scores from 0 to 100, failures as zero, epochs by best" in out
