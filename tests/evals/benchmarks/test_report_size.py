from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evals.benchmarks import report_size


@pytest.mark.slow
def test_it_prints_how_large_the_page_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report_size, "_open", lambda _path: None)
    monkeypatch.setattr(sys, "argv", ["report_size", "--samples", "5", "--keep", str(tmp_path / "kept")])
    report_size.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["read", "thumbnails", "write", "page"]
    assert lines[-1].endswith(" MB of it thumbnails")
    assert "for 5 samples x 2 runs" in lines[-1]
    pages = [(tmp_path / "kept" / "report.html").read_bytes()]
    monkeypatch.setattr(sys, "argv", ["report_size", "--samples", "5", "--keep", str(tmp_path / "again")])
    report_size.main()
    pages.append((tmp_path / "again" / "report.html").read_bytes())
    assert pages[0] == pages[1]
