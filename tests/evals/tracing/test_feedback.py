"""What a diagnosis found reaches the traces of a run that is over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.feedback import main
from tests.evals.tracing.conftest import command
from tests.fakes import answering_model
from tests.servers.langsmith_like import LangSmithLike


def diagnose(folder: Path, **kinds: list[str] | None) -> None:
    """A ``diagnosis.jsonl`` that finds these kinds in these videos; None where diagnosing failed."""
    lines = [
        json.dumps(
            {
                "video_id": video_id,
                "epoch": 1,
                "outcome": "infrastructure" if found is None else "ok",
                "diagnosis": None if found is None else {"deficiencies": [{"kind": kind} for kind in found]},
            }
        )
        for video_id, found in kinds.items()
    ]
    (folder / "diagnosis.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_counts_of_deficiencies_become_feedback_and_repeating_changes_it(
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = langsmith()
    data("first", "second")
    play(answering_model())
    assert command("baseline") == 0
    scores = {"outcome": "ok", "strict": 1.0, "loose": 10.0}
    diagnose(tmp_path / "r", first=["missing_mapping", "missing_mapping", "wrong_recognition"], second=None)
    assert main(["r"]) == 0
    counts = {
        "wrong_recognition": 1.0,
        "missing_mapping": 2.0,
        "superficial_mapping": 0.0,
        "improper_mapping": 0.0,
        "deficiencies": 3.0,
    }
    assert server.scores(server.roots["baseline:first"]) == scores | counts
    assert server.scores(server.roots["baseline:second"]) == scores
    number = len(server.feedback)
    diagnose(tmp_path / "r", first=["missing_mapping"], second=[])
    assert main(["r"]) == 0
    assert server.scores(server.roots["baseline:first"])["missing_mapping"] == 1.0
    assert server.scores(server.roots["baseline:second"])["deficiencies"] == 0.0
    assert len(server.feedback) == number + 5
    assert main(["r", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"event": "end", "sent": 16, "lost": 0}
    assert len(server.feedback) == number + 5


def test_what_can_not_be_sent_is_said(
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = langsmith()
    data("first")
    play(answering_model())
    assert command("baseline") == 0
    server.fails = 403
    capsys.readouterr()
    assert main(["r"]) == 1
    assert "was not sent 3 of 3 feedback: " in capsys.readouterr().err
    monkeypatch.delenv("LANGSMITH_API_KEY")
    assert main(["r"]) == 2
    assert main(["nowhere"]) == 2


def test_a_run_that_was_not_traced_has_nothing_to_be_sent_to(
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    langsmith()
    data("first")
    play(answering_model())
    assert command("baseline", "--trace", "none") == 0
    assert main(["r"]) == 2
    assert "None of the 1 records in r was traced" in capsys.readouterr().err
