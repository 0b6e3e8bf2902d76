"""From texts to a graph that boost runs on: extract, build, check, interpret."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.context import Context
from graphs.catalog import load
from graphs.knowledge import main as extract
from tests.fakes import ScriptedChatModel
from tests.servers.brain import ToolCalls
from tests.servers.extractor import ExtractionServer, Extractor
from tools.knowledge import MetaphorGraph, open_knowledge
from tools.knowledge.__main__ import main

ENTRY = {"entries": [{"presents": "a candle burning down", "expresses": "the passing of time"}]}


def english(text: str) -> str:
    """A stand-in for a translation, the same for the same text."""
    return "".join(chr(ord("a") + byte % 26) for byte in hashlib.sha256(text.encode()).digest()[:9])


def sha(folder: Path) -> str:
    whole = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(file.name.encode() + b"\0" + file.read_bytes())
    return whole.hexdigest()


def built(out: Path, *pairs: Path) -> MetaphorGraph:
    assert main(["build", *map(str, pairs), "--out", str(out), "--quiet"]) == 0
    assert main(["check", str(out)]) == 0
    return open_knowledge(out)


async def boosted(frames: Path, knowledge: Path, keyword: str, play: Callable[..., None]) -> dict[str, Any]:
    hop = ToolCalls((("explore_metaphors", {"concepts": [keyword], "limit": 12}),))
    play(ScriptedChatModel.of({"keywords": [keyword]}, hop, "It is time.", ENTRY))
    state = {"video_path": str(frames), "video_id": "clip", "title": "Wax"}
    return await load("boost").ainvoke(state, context=Context(model="scripted", knowledge=str(knowledge)))


@pytest.mark.parametrize("texts", ["own", "cmdag"])
def test_texts_become_a_graph_that_boost_runs_on(
    texts: str, tmp_path: Path, frames: Path, play: Callable[..., None], request: pytest.FixtureRequest
) -> None:
    labels: dict[str, tuple[str, str, str, str]] = {}
    if texts == "own":
        path = tmp_path / "own.txt"
        path.write_text("Time is a candle. My heart is a candle.\nThe heart is a storm.\n")
    else:
        path = request.getfixturevalue("shared") / "metaphor" / "cmdag_subcorpus_1.json"
        if not path.exists():
            pytest.skip("no CMDAG beside this checkout")
        for row in json.loads(path.read_text(encoding="utf-8")):
            vehicle, tenor, ground = (
                english(row[f"final_{part}"]) for part in ("vehicle", "tenor", "ground")
            )
            text = " ".join(row["context"].split())
            labels.setdefault(text, (vehicle, tenor, ground, f"In English: {english(text)}"))
    with ExtractionServer(Extractor(labels)) as server:
        arguments = ["extract", str(path), "--model", "openai:pretend", "--base-url", server.base_url]
        out = ["--out", str(tmp_path / "p.jsonl.gz"), "--per-call", "20", "--quiet"]
        assert extract([*arguments, *out]) == 0
    graph = built(tmp_path / "graph", tmp_path / "p.jsonl.gz")
    built(tmp_path / "again", tmp_path / "p.jsonl.gz")
    assert sha(tmp_path / "graph") == sha(tmp_path / "again")
    pairs = {(v, t) for v, t, _, _ in labels.values()} or {
        ("candle", "time"),
        ("candle", "heart"),
        ("storm", "heart"),
    }
    found = {edge[:2]: edge for edge in graph.edges}
    assert pairs <= found.keys()
    for vehicle, tenor, ground, translation in labels.values():
        assert (vehicle, ground) in found
        assert translation in found[vehicle, tenor].sentences
    keyword, concept = min(pairs, key=lambda pair: (-graph.popularity(pair[1]), pair))
    state = asyncio.run(boosted(frames, tmp_path / "graph", keyword, play))
    assert (keyword, concept) in {(mapping.element, mapping.concept) for mapping in state["mappings"]}
    assert [hop.failed for hop in state["hops"]] == [False]


async def test_the_shared_pairs_become_a_graph_that_boost_runs_on(
    tmp_path: Path, shared: Path, frames: Path, play: Callable[..., None]
) -> None:
    path = shared / "metaphor" / "pairs_permissive.jsonl.gz"
    if not path.exists():
        pytest.skip("no pairs beside this checkout")
    graph = built(tmp_path / "graph", path)
    report = json.loads((tmp_path / "graph" / "report.json").read_text())
    assert report["rows"] == {path.name: 55_230}
    assert report["pairs"] + sum(report["rejected"].values()) - report["rejected"]["same"] == 55_230
    counts = report["counts"]
    assert counts["edges"] + counts["one_concept"] == sum(
        row[2] for row in _usable(path, tmp_path / "graph" / "rejected.jsonl")
    )
    assert {"hope", "fire", "heart"} <= {edge.target for edge in graph.edges_from("candle")}
    state = await boosted(frames, tmp_path / "graph", "burning candles", play)
    assert ("candle", "hope") in {(mapping.element, mapping.concept) for mapping in state["mappings"]}


def _usable(path: Path, rejected: Path) -> list[Any]:
    told = [json.loads(line) for line in rejected.read_text(encoding="utf-8").splitlines()]
    lost = {row["line"] for row in told if row["reason"] != "same"}
    lines = gzip.decompress(path.read_bytes()).splitlines()
    return [json.loads(line) for number, line in enumerate(lines, 1) if number not in lost]
