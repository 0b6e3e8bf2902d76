"""The benchmark of decoding under the evaluator runs whole, at a small size."""

from __future__ import annotations

import sys

import pytest

from evals.benchmarks import frames_async


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="costs are read from /proc")
def test_it_runs_and_prints(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["frames_async", "--clips", "9", "--seconds", "1", "--frames", "4"]
    monkeypatch.setattr(sys, "argv", arguments)
    frames_async.main()
    told = capsys.readouterr().out
    assert "9 of 9 samples ok" in told
    assert "cores busy: " in told
    assert "event loop: longest stall " in told
