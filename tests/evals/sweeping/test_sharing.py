"""What cells ask alike is asked once: counted by the server that is asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.store.folders import run_folders
from evals.store.run_store import read_records
from evals.sweep import main
from tests.servers.openai_like import OpenAILike

SOURCES = "knowledge.source=none,self,texts,conceptnet,graph"
KNOWN = ("--knowledge-texts", "said.txt", "--conceptnet", "conceptnet.csv")


@pytest.fixture
def server() -> Iterator[OpenAILike]:
    with OpenAILike(delay=0.01) as opened:
        yield opened


def sweep(server: OpenAILike, *argv: str) -> int:
    given = ("--model", "openai:pretend", "--base-url", server.base_url, "--judge-k", "1", "--dataset", "ds")
    return main([*argv, *(given if "--graph" in argv else ())])


def steps(server: OpenAILike) -> Counter[str]:
    """Requests by what they asked for."""
    found: Counter[str] = Counter()
    for ask in server.asks:
        fields = set((ask.wanted or {}).get("properties", {}))
        found["tools" if ask.wanted is None else "+".join(sorted(fields))] += 1
    return found


@pytest.mark.parametrize("cache", [("--cache-dir", "kept"), ("--no-cache",)])
def test_a_video_is_perceived_once_for_all_cells(
    data: Path, server: OpenAILike, cache: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ("--graph", "boost_retrieval", "--over", "retrieval.z=0,5", "--over", "few_shot=on,off")
    more = ("--over", SOURCES, *KNOWN, "--temperature", "0.7", "--concurrency", "8", "--run-dir", "r")
    assert sweep(server, *argv, *more, *cache) == 0
    asked = steps(server)
    cells = [each.name for each in run_folders(data / "r")]
    assert len(cells) == 12  # of 20: none, and z = 0 with any source, are one each
    assert asked["keywords"] == 3  # not 36
    assert asked["associations"] == 3  # self, asked once for both few_shot
    assert all(len(list(read_records(data / "r" / cell / "records.jsonl"))) == 3 for cell in cells)
    assert (data / "r" / "shared" / "answers").exists() == ("--no-cache" in cache)
    assert not (data / "r" / "shared" / "frames").exists()
    said = capsys.readouterr()
    assert "8 of 20 combinations differ from another only in settings without effect" in said.err
    assert "knowledge.source" in said.out
    before = len(server.asks)
    assert sweep(server, "--run-dir", "r", "--markdown") == 0
    assert len(server.asks) == before
    assert capsys.readouterr().out.startswith("| retrieval.z | few_shot | knowledge.source | n |")


def test_a_value_that_is_added_pays_only_for_itself(data: Path, server: OpenAILike) -> None:
    assert sweep(server, "--graph", "boost_retrieval", "--over", "z=0,5", "--run-dir", "r", "--no-cache") == 0
    names = [each.name for each in run_folders(data / "r")]
    before = steps(server)
    assert sweep(server, "--run-dir", "r", "--over", "z=3") == 0
    asked = steps(server) - before
    assert "keywords" not in asked
    assert asked["entries"] == 3
    found = [each.name for each in run_folders(data / "r")]
    assert found == [names[0], "boost_retrieval-pretend-limit-3", names[1]]
    saved = json.loads((data / "r" / "sweep.json").read_text())
    assert saved["factors"] == {"context.retrieval.limit": [0, 5, 3]}
    # a whole command with fewer values runs these alone; the others stay
    fewer = ("--graph", "boost_retrieval", "--over", "z=5", "--run-dir", "r", "--no-cache", "--epochs", "2")
    assert sweep(server, *fewer) == 0
    numbers = [len(list(read_records(data / "r" / name / "records.jsonl"))) for name in found]
    assert numbers == [3, 3, 6]


def test_a_dry_run_takes_off_what_is_shared(
    data: Path, server: OpenAILike, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = (
        "--graph",
        "boost,boost_retrieval",
        "--over",
        "few_shot=on,off",
        "--run-dir",
        "r",
        "--json",
        "--cache-dir",
        "kept",
    )
    assert sweep(server, *argv, "--dry-run") == 0
    assert not server.asks
    assert not (data / "r").exists()
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (told,) = [event for event in events if event["event"] == "dry_run"]
    # boost explores once to 4 times; its second cell shares that, all share perceiving
    assert [cell["calls"] for cell in told["cells"]] == [[9, 18], [3, 3], [3, 3], [3, 3]]
    assert [cell["calls_alone"] for cell in told["cells"]] == [[9, 18], [9, 18], [6, 6], [6, 6]]
    assert sweep(server, *argv) == 0
    asked = steps(server)
    assert (asked["keywords"], asked["entries"]) == (3, 12)


def test_evals_run_leaves_a_sweep_alone(
    data: Path, server: OpenAILike, capsys: pytest.CaptureFixture[str]
) -> None:
    from evals.run import main as run

    assert sweep(server, "--graph", "baseline", "--over", "few_shot=on,off", "--run-dir", "r") == 0
    assert run(["--run-dir", "r"]) == 2
    assert "r holds a sweep: continue it with python -m evals.sweep --run-dir r" in capsys.readouterr().err
