from __future__ import annotations

import sys

import pytest

from evals.benchmarks import runner_overhead


def test_the_comparison_prints_both_ways_side_by_side(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--samples", "20", "--ms", "1", "--concurrency", "4", "--rounds", "1"]
    monkeypatch.setattr(sys, "argv", ["runner_overhead", *options])
    runner_overhead.main()
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["concurrency", "ideal", "s", "plain", "s", "ours", "s", "ratio"]
    concurrency, _, plain, ours, ratio = map(float, line.split())
    assert concurrency == 4
    assert min(plain, ours, ratio) > 0
