"""A service that is away, slow or refuses costs no result, no noise, and no more than seconds at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.store.run_store import read_records
from evals.tracing import outbox
from tests.evals.tracing.conftest import command
from tests.fakes import answering_model
from tests.servers.langsmith_like import LangSmithLike

CASES = {
    "refused": ({}, "no connection to 127.0.0.1:9"),
    "hangs": ({"hangs": True}, "it does not answer, and "),
    "401": ({"fails": 401}, "refused access (401)"),
    "403": ({"fails": 403}, "refused access (403)"),
    "422": ({"fails": 422}, "refused the content (422)"),
    "429": ({"fails": 429}, "answered 429"),
    "500": ({"fails": 500}, "answered 500"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_run_ends_as_it_would_and_says_what_was_not_sent(  # noqa: PLR0917
    case: str,
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    options, told = CASES[case]
    langsmith(**options)
    if case == "refused":
        monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("evals.tracing.opened.AT_THE_END", 0.5)
    data("first", "second")
    play(answering_model())
    assert command("baseline", "--quiet") == 0
    assert all(record.ok for record in read_records(tmp_path / "r" / "records.jsonl"))
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert said.startswith("LangSmith was not sent 2 of 2 traces and 6 of 6 feedback: ")
    assert told in said
    assert said.endswith("No result is lost by it.")


def test_five_seconds_at_the_end_are_the_most() -> None:
    assert outbox.AT_THE_END == 5.0
