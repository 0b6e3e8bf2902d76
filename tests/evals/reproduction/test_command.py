"""The command: what it prints and writes."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from evals.reproduce import main
from evals.reproduction import durations
from evals.reproduction.formats import csv_text, latex_text, markdown_text
from evals.reproduction.page import page_text
from evals.reproduction.published import published
from evals.reproduction.runs import read_runs
from evals.reproduction.score_table import score_table
from evals.reproduction.tables import Figure, Line, Origin, Standing, Table
from tests.browser import chromium, opened_browser
from tests.evals.records_for_tests import failed, scored
from tests.evals.reproduction.making import make_run, make_set

HOSTILE = r"a|b & 50% $x_1$ #{\end{table}} ~^<script>window.hit=1</script>[--]"
TYPES = ("Body_Language", "Causal_Montage", "Surreal_Narrative")


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(durations, "cache_file", lambda: tmp_path / "durations.json")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    ids = [f"v{i:02}" for i in range(18)]
    data = make_set(tmp_path / "ds", {name: [TYPES[i % 3]] for i, name in enumerate(ids)})
    kinds = [{"types": (TYPES[i % 3],), "model": "openai:gpt-5"} for i in range(18)]
    one = [scored(name, 0, i % 4, graph="baseline", **kinds[i]) for i, name in enumerate(ids)]
    two = [scored(name, i % 2, i % 11, **kinds[i] | {"model": HOSTILE}) for i, name in enumerate(ids)]
    two[3] = failed(ids[3], **kinds[3] | {"model": HOSTILE})
    make_run(tmp_path / "runs" / "one", one, data)
    make_run(tmp_path / "runs" / "two", two, data)
    return tmp_path / "runs"


def test_every_form_of_all_tables(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"html": "p.html", "csv": "t.csv", "latex": "t.tex", "markdown": "t.md"}
    given = [part for name, file in files.items() for part in (f"--{name}", file)]
    assert main([str(runs), *given, "--differences"]) == 0
    said = capsys.readouterr().out
    assert all(
        f"{label}: " in said for label in ("Table 1", "Table 2", "Table 3", "Table 4", "Page", "LaTeX")
    )
    assert re.search(r"A: baseline, openai:gpt-5 † +15\.0▼ +- ", said)
    assert "A less GPT-5 †" in said
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    overall = [r for r in rows if (r["table"], r["run"], r["column"]) == ("table2", "A", "All")]
    assert {(r["measure"], r["failures"]) for r in overall} == {
        ("loose", "zero"),
        ("loose", "excluded"),
        ("strict", "zero"),
        ("strict", "excluded"),
        ("n", ""),
        ("failed", ""),
    }
    (main_row,) = [r for r in overall if (r["measure"], r["failures"]) == ("loose", "zero")]
    assert (float(main_row["value"]), main_row["against"], main_row["published"], main_row["standing"]) == (
        pytest.approx(250 / 18),
        "GPT-5",
        "63.7",
        "below",
    )
    text = (tmp_path / "t.md").read_text()
    assert "### Table 2: Scores by type of metaphor, 0 to 100" in text
    cells = {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("|")}
    assert cells == {11, 7}
    assert [line.split("|")[1].strip() for line in text.splitlines() if "scored only |" in line] == [
        "&nbsp;&nbsp;loose, scored only",  # of the run that has failures alone
        "&nbsp;&nbsp;strict, scored only",
    ]


def test_some_tables_alone_and_nothing_printed(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(runs), "--table", "4", "--as", f"self={runs / 'two'}"]) == 0
    said = capsys.readouterr().out
    assert "Table 4" in said
    assert "Table 2" not in said
    assert "B: ask the model itself †" in said
    assert main([str(runs), "--table", "2", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no"], "error: There is no run directory no;"),
        (["runs", "--against", "gpt-6"], "'gpt-6' is no published row."),
        (["runs", "--csv", "no/t.csv", "--table", "2"], "can't be written: No such file"),
        (["runs", "--dataset", "nothing"], "There is no data set or path 'nothing'."),
    ],
)
def test_what_cannot_be_used_is_said(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments, message
) -> None:
    monkeypatch.chdir(runs.parent)
    assert main([*arguments, "--quiet"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["runs", "--as", "full"], ["runs", "--seed", "-1"]])
def test_arguments_that_mean_nothing_end_it(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)


def test_figures_as_text() -> None:
    up = Figure(61.25, 58, 64.06, against=52.0, standing=Standing.ABOVE)
    small = Figure(-0.04, -0.2, 0.1, signed=True)
    assert (up.text, up.bounds) == ("61.2", "[58.0, 64.1]")
    assert (small.text, small.bounds) == ("0.0", "[-0.2, +0.1]")
    assert (Figure(None).text, Figure(1234.0, digits=0).text) == ("-", "1,234")
    line = Line("x", Origin.OURS, {"All": up}, run="A")
    table = Table("t", "Table 9", "T", (("Body_Language", "B"), ("All", "All")), (line,), ("▲ is up",))
    assert "| **x** | - | 61.2▲ [58.0, 64.1] |" in markdown_text([table])
    assert r"x & - & 61.2$^{\uparrow}$ \\" in latex_text([table])
    assert csv_text([table]).splitlines()[1:] == ["t,ours,A,x,,,All,61.25,58,64.06,,,52.0,above"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(runs: Path, tmp_path: Path) -> None:
    assert main([str(runs), "--quiet", "--latex", str(tmp_path / "t.tex")]) == 0
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False).returncode == 0
    rules = "".join(f"\\newcommand\\{name}rule{{\\hline}}" for name in ("top", "mid", "bottom"))
    head = "\\documentclass{article}" + ("\\usepackage{booktabs}" if found else rules)
    (tmp_path / "d.tex").write_text(
        f"{head}\\begin{{document}}\n{(tmp_path / 't.tex').read_text()}\\end{{document}}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "d.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "d.pdf").stat().st_size > 1000


@pytest.mark.skipif(chromium() is None, reason="Chromium and ChromeDriver are not installed")
@pytest.mark.slow
def test_the_page_renders_wide_and_on_a_phone_and_markup_does_nothing(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    assert main([str(runs), "--quiet", "--html", str(page)]) == 0
    with opened_browser() as view:
        for dark in (False, True):
            view.resize(390, 844, dark=dark, phone=True)
            view.open(page.as_uri())
            assert view.run("return document.documentElement.scrollWidth") == 390
        assert view.run("return document.querySelectorAll('figure svg').length") == 3
        assert view.run("return [...document.querySelectorAll('h2')].length") == 5
        assert view.run("return document.querySelectorAll('.paper .outside').length") > 0
        assert view.run("return document.body.textContent.includes(arguments[0])", HOSTILE)
        assert view.run("return window.hit ?? null") is None
        assert view.run("return document.scripts.length") == 0
        assert view.console() == []


def test_a_page_without_scores_has_no_figure(runs: Path) -> None:
    known = published()
    found = read_runs([runs], known)
    assert "<svg" in page_text(found, [score_table(found, known)], known)
    assert "<svg" not in page_text(found, [], known)
