"""The protocol: what is installed, what a plug-in must be, and what the graph's source promises."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import PluginError
from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.linking.names import lemma, normal
from tools.knowledge.retrieving.ranking import DEFAULT_MODE, MODES
from tools.knowledge.sources import GROUP, Findings, Query, SourceSettings, installed_sources, open_source
from tools.knowledge.sources.graphs import GraphSource


def own(settings: SourceSettings) -> SimpleNamespace:
    """A source of somebody else's."""
    return SimpleNamespace(
        name=settings.graph, digest="d", graph=None, find=lambda _query: Findings(), tool=lambda _count: None
    )


def broken(settings: SourceSettings) -> None:
    raise ZeroDivisionError("nothing to divide by")


def poor(settings: SourceSettings) -> SimpleNamespace:
    return SimpleNamespace(name="poor")


def test_five_come_with_the_package(root: Path) -> None:
    assert list(installed_sources()) == ["graph", "texts", "conceptnet", "self", "none"]
    declared = (root / "pyproject.toml").read_text(encoding="utf-8").split(f'."{GROUP}"]')[1].split("\n\n")[0]
    assert declared.strip().splitlines() == [
        f'{name} = "{where}"' for name, where in installed_sources().items()
    ]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gaph", "'gaph' is no source of knowledge. Did you mean 'graph'"),
        ("nowhere:source", "can't be opened as a source"),
        ("tests.tools.knowledge.sources.test_sources:broken", "nothing to divide by"),
        ("tests.tools.knowledge.sources.test_sources:poor", "without digest, graph, find, tool"),
    ],
)
def test_what_is_no_source_is_refused(spec: str, told: str) -> None:
    with pytest.raises(PluginError, match=told):
        open_source(spec, SourceSettings())


def test_a_source_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    where = "tests.tools.knowledge.sources.test_sources:own"
    assert open_source(where, SourceSettings(graph="g")).name == "g"
    points = [EntryPoint("mine", where, GROUP)]
    monkeypatch.setattr("tools.declared.entry_points", lambda **_group: points)
    assert open_source("mine", SourceSettings(graph="h")).name == "h"
    points.append(EntryPoint("graph", where, GROUP))
    with pytest.raises(PluginError, match="declared twice"):
        installed_sources()


@pytest.mark.parametrize("name", ["none", "self"])
def test_nothing_is_nothing(name: str) -> None:
    source = open_source(name, SourceSettings())
    assert source.find(Query(("candle",))) == Findings()
    assert (source.tool(len), source.graph, source.digest) == (None, None, "")


def test_the_default_of_a_query_is_the_winning_mode() -> None:
    assert Query(()).mode == DEFAULT_MODE


WORDS = st.sampled_from(
    ["candle", "candles", "hope", "time", "passing of time", "chair", "wall", "empty chair"]
)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20),
    st.lists(WORDS, min_size=1, max_size=5, unique=True),
    st.sampled_from([name for name, mode in MODES.items() if not mode.counts]),
    st.integers(1, 3),
    st.integers(1, 6),
)
def test_references_never_hold_the_query_words(
    pairs: list[tuple[str, str]], keywords: list[str], mode: str, hops: int, limit: int
) -> None:
    graph = MetaphorGraph([Edge(one, two) for one, two in pairs if one != two], nodes=["candle"])
    found = GraphSource(graph).find(Query(tuple(keywords), mode=mode, hops=hops, limit=limit)).references
    assert len(found) <= limit
    asked = {lemma(normal(keyword)) for keyword in keywords}
    assert not {lemma(normal(reference.concept)) for reference in found} & asked


class Letters:
    """Embeds by counting letters."""

    name = "letters"

    def embed(self, texts):
        import numpy as np

        rows = [[0.01 + text.lower().count(chr(97 + at)) for at in range(26)] for text in texts]
        return np.array(rows, np.float32)


def test_with_embeddings_published_modes_link_as_published(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.knowledge.embedding.cache.embedding_cache_folder", lambda: tmp_path)
    graph = MetaphorGraph([Edge("candle", "hope"), Edge("hope", "patience"), Edge("wall", "border")])
    bare, source = GraphSource(graph), GraphSource(graph, Letters())
    query = Query(("zzz",), mode="published")
    assert bare.find(query).references == ()
    assert source.find(query).references, "each keyword has a nearest node, however far"
    assert source.find(query._replace(mode="shared")).references == ()
