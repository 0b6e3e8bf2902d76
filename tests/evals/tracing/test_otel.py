"""The same traces to a collector, read back from its protobuf."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals.store.run_store import read_records
from tests.evals.tracing.conftest import KEYS, command
from tests.fakes import answering_model
from tests.servers.otlp_like import OtlpLike


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., OtlpLike]]:
    servers: list[OtlpLike] = []

    def start(**options: object) -> OtlpLike:
        servers.append(OtlpLike(**options))  # type: ignore[arg-type]
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", servers[-1].root)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=planted-header-of-ours")
        for name, value in KEYS.items():
            monkeypatch.setenv(name, value)
        return servers[-1]

    yield start
    for server in servers:
        server.close()
    assert [bug for server in servers for bug in server.bugs] == []


def test_the_tree_its_models_tools_and_scores_arrive_without_a_frame_or_key(
    collector: Callable[..., OtlpLike],
    data: Callable[..., None],
    play: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    server = collector()
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=lab")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    data("first", frames=3)
    model = answering_model()
    play(model)
    assert command("boost", "--trace", "otel") == 0
    (root,) = server.roots.values()
    assert root["name"] == "boost:first"
    steps = server.children(root)
    names = [each["name"] for each in steps]
    assert names[0] == "perceive"
    assert names[-2:] == ["interpret", "judge"]
    hop = next(each for each in steps if each["name"] == "hop")
    (tool,) = server.children(hop)
    assert tool["name"] == "execute_tool explore_metaphors"
    assert tool["attributes"]["gen_ai.tool.name"] == "explore_metaphors"
    (asked,) = server.children(steps[0])
    assert asked["kind"] == 3
    assert asked["attributes"]["gen_ai.operation.name"] == "chat"
    assert asked["attributes"]["gen_ai.usage.input_tokens"] == 100
    assert "Frame at 0.00 s [image/jpeg" in asked["attributes"]["gen_ai.input.messages"]
    assert root["attributes"]["metaphorboost.score.outcome"] == "ok"
    assert (
        "gen_ai.evaluation.result",
        {"gen_ai.evaluation.name": "loose", "gen_ai.evaluation.score.value": 0.0},
    ) in root["events"]
    assert {each["trace"] for each in server.spans} == {root["trace"]}
    assert all(root["began"] <= each["began"] <= each["ended"] <= root["ended"] for each in server.spans)
    assert server.resources[0]["service.name"] == "metaphorboost"
    assert server.resources[0]["deployment.environment"] == "lab"
    body = b"".join(server.bodies)
    assert b"/9j/" not in body
    assert not [value for value in (*KEYS.values(), "planted-header-of-ours") if value.encode() in body]
    (record,) = read_records(tmp_path / "r" / "records.jsonl")
    assert record.trace.replace("-", "") == root["trace"].hex()
    assert record.trace_project == ""


@pytest.mark.parametrize(("status", "told"), [(401, "refused access (401)"), (503, "answered 503")])
def test_an_unwell_collector_costs_nothing_but_a_sentence(  # noqa: PLR0917
    status: int,
    told: str,
    collector: Callable[..., OtlpLike],
    data: Callable[..., None],
    play: Callable[..., None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    collector(fails=status)
    data("first")
    play(answering_model())
    assert command("baseline", "--trace", "otel", "--quiet") == 0
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert said.startswith("The OpenTelemetry collector was not sent 1 of 1 trace: ")
    assert told in said


def test_missing_libraries_are_said_before_anything_runs(
    data: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    data("first")
    assert command("baseline", "--trace", "otel") == 2
    assert 'pip install "metaphorboost[otel]"' in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


def test_a_protocol_that_is_not_spoken_is_refused(
    data: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    data("first")
    assert command("baseline", "--trace", "otel") == 2
    assert "only http/protobuf" in capsys.readouterr().err
