from __future__ import annotations

from pathlib import Path

import pytest

from evals.report import report_run
from evals.report.__main__ import main
from evals.report.finished import MOST
from tests.evals.records_for_tests import scored
from tests.evals.report.making import make_run, make_set


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "r", [scored("a"), scored("b")], make_set(tmp_path / "ds", ["a", "b"]))


def test_a_single_run_gets_its_page_in_its_directory(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run)]) == 0
    said = capsys.readouterr()
    assert said.out == f"Report: {run / 'report.html'} (0.1 MB, 2 samples)\n"
    assert said.err.splitlines() == [
        "No frames are shown of 2 samples:",
        "  The video was not found, so there are no frames to show.",
    ]
    assert (run / "report.html").read_text().startswith("<!doctype html>")


def test_tables_alone_write_no_page(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {name: tmp_path / f"t.{name}" for name in ("csv", "markdown", "latex")}
    assert main([str(run), *(part for name, path in names.items() for part in (f"--{name}", str(path)))]) == 0
    assert all(path.stat().st_size for path in names.values())
    assert not (run / "report.html").exists()
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no"], "error: There is no run directory no;"),
        (["r", "--out", "no/page.html"], "there is no folder no."),
        (["r", "--out", "ds"], "ds is a folder; name a file to write."),
        (["r", "--dataset", "nothing"], "There is no data set or path 'nothing'."),
    ],
)
def test_what_cannot_be_used_is_said(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments, message
) -> None:
    monkeypatch.chdir(run.parent)
    assert main([*arguments, "--no-frames"]) == 2
    assert message in capsys.readouterr().err


def test_a_finished_run_writes_its_own(run: Path) -> None:
    assert report_run(run, 2).startswith(f"Report: {run / 'report.html'} ")
    assert (run / "report.html").exists()
    assert report_run(run, MOST + 1) == f"Look at it with: python -m evals.report {run}"
    assert report_run(run.parent / "a b", MOST + 1).endswith(f"'{run.parent / 'a b'}'")
    assert report_run(run.parent / "no", 2).startswith("No report was written: There is no run directory")
