"""When a run is traced, and what that costs where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.store.run_store import read_records
from evals.tracing.settings import langsmith_account
from graphs.untraced import asks_for_langsmith
from tests.evals.tracing.conftest import command
from tests.fakes import answering_model
from tests.servers.langsmith_like import LangSmithLike


def test_without_a_key_nothing_is_reached_and_one_sentence_says_so(
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    server = langsmith()
    monkeypatch.delenv("LANGSMITH_API_KEY")
    data("first")
    play(answering_model())
    assert command("baseline", "--quiet") == 0
    assert server.requests == []
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert said.startswith("LangSmith is asked for, but LANGSMITH_API_KEY is not set")


@pytest.mark.parametrize("flags", [("--trace", "langsmith"), ("--langsmith-dataset", "bench")])
def test_a_flag_without_a_key_can_not_be_kept(
    flags: tuple[str, str], data: Callable[..., None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data("first")
    assert command("baseline", *flags) == 2
    assert "LANGSMITH_API_KEY" in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("endpoint", ["http://[::bad", "not an address", "ftp://host", "http://host:port"])
def test_an_endpoint_that_is_no_address_costs_no_run(  # noqa: PLR0917
    endpoint: str,
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    langsmith()
    monkeypatch.setenv("LANGSMITH_ENDPOINT", endpoint)
    data("first")
    play(answering_model())
    assert command("baseline", "--langsmith-dataset", "bench") == 2
    assert "LANGSMITH_ENDPOINT is no address" in capfd.readouterr().err
    assert command("baseline", "--quiet") == 0
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert said.startswith("LANGSMITH_ENDPOINT is no address of a server")


def test_none_keeps_langchain_from_tracing_too(
    langsmith: Callable[..., LangSmithLike],
    data: Callable[..., None],
    play: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = langsmith()
    monkeypatch.setenv("LANGCHAIN_TRACING", "true")
    data("first")
    play(answering_model())
    assert command("baseline", "--trace", "none") == 0
    assert server.requests == []


def test_the_record_itself_holds_the_trace(
    data: Callable[..., None], play: Callable[..., None], tmp_path: Path
) -> None:
    data("first")
    play(answering_model())
    assert command("boost") == 0
    (record,) = read_records(tmp_path / "r" / "records.jsonl")
    assert (record.trace, record.trace_project) == ("", "")
    began = [call.began for call in record.calls if not call.step.startswith("judge")]
    assert began == sorted(began)
    assert all(began)
    ends = [call.began + call.seconds for call in record.calls]
    assert max(ends) - began[0] <= record.timings["total"] + 0.01
    steps = [call.step for call in record.calls]
    assert steps[:2] == ["perceive", "explore"]
    assert record.hops


def test_it_costs_nothing_where_it_is_off(root: Path) -> None:
    code = (
        "import sys, langchain_core.callbacks, langgraph.graph; before = set(sys.modules);"
        "from evals.command import run_command; import evals.running.wiring, evals.tracing;"
        "foreign = ('langsmith', 'opentelemetry', 'requests');"
        "print([name for name in set(sys.modules) - before if name.startswith('evals.tracing.')"
        " or name.split('.')[0] in foreign])"
    )
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment, cwd=root
    )
    assert set(eval(done.stdout)) == {f"evals.tracing.{name}" for name in ("handlers", "options", "settings")}


def test_the_environment_is_read_as_the_sdk_reads_it() -> None:
    assert asks_for_langsmith({"LANGSMITH_TRACING": "true"})
    assert asks_for_langsmith({"LANGCHAIN_TRACING_V2": "true"})
    assert not asks_for_langsmith({"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING": "true"})
    assert not asks_for_langsmith({})
    assert langsmith_account({}) is None
    account = langsmith_account({"LANGCHAIN_API_KEY": "k", "LANGSMITH_ENDPOINT": "http://here/api/ "})
    assert account is not None
    assert (account.endpoint, account.project, account.workspace) == ("http://here/api", "default", None)
    assert "'k'" not in repr(account)
