from __future__ import annotations

import sys
from typing import Any

import pytest

from evals.benchmarks import evaluator


def test_it_prints_throughput_and_memory_of_processes_of_their_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--loads", "1:3", "--connections", "2", "--calls", "0", "--memory", "5"]
    monkeypatch.setattr(sys, "argv", ["evaluator", *options])
    evaluator.main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    load = next(row for row in rows if row[:2] == ["1", "3"])
    assert len(load) == 8
    assert (rows[-1][0], rows[-1][3]) == ("5", "1.00")


def test_without_inspect_ai_its_row_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(_python: str, _module: str, task: str, *_flags: object) -> dict[str, Any]:
        return {"seconds": 2.0, "cpu": {"sdk": 1.0, "langchain": 3.0, "one": 2.0}[task], "peak": 90.0}

    monkeypatch.setattr(sys, "argv", ["evaluator", "--loads", "--calls", "100", "--memory"])
    monkeypatch.setattr(evaluator, "find_spec", lambda _name: None)
    monkeypatch.setattr(evaluator, "_told", told)
    evaluator.main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert [row[:3] for row in rows[-1:]] == [["inspect_ai", "left", "out:"]]
    assert rows[-2] == ["evals.run", "2.00", "20.00", "2.00", "90"]
