"""Table 4 of the paper: the same wiring with other knowledge, one factor at a time, with scripted models."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from agents.asked import AssociationItem
from agents.context import Context, RetrievalSettings
from agents.errors import UserError
from agents.nodes.associate import to_mappings
from agents.tokens import count_tokens
from graphs import resources
from graphs.catalog import load
from tests.fakes import Call, ScriptedChatModel
from tests.graphs.test_variants import ENTRY, KEYWORDS, TSV
from tests.servers.brain import Ask, ToolCalls, answer
from tests.servers.fixtures import openai_server  # noqa: F401 - a fixture
from tests.servers.openai_like import OpenAILike

SLICE = (
    ("SymbolOf", "candle", "hope", 1.0),
    ("RelatedTo", "hourglass", "sand", 2.0),
)
ASSOCIATIONS = {
    "associations": [
        {"element": "Candle", "concept": "passing of time", "ground": "burns down."},
        {"element": "candle", "concept": "hourglass", "ground": "is one of the elements"},
        {"element": "lamp", "concept": "hope", "ground": "was not seen"},
        {"element": "hourglass", "concept": "Passing of time", "ground": "sand runs out"},
        {"element": "candle", "concept": "hope"},
    ]
}


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_KEPT", {})


@pytest.fixture
def given_knowledge(tmp_path: Path) -> dict[str, dict[str, Any]]:
    """Each source with what it reads."""
    (tmp_path / "small.tsv").write_text(TSV, encoding="utf-8")
    (tmp_path / "said.txt").write_text(
        "A candle burns down like a life. The hourglass ran out for him. Snow fell.\n", encoding="utf-8"
    )
    rows = (
        f"/a/x\t/r/{name}\t/c/en/{one}\t/c/en/{two}\t{json.dumps({'weight': weight})}\n"
        for name, one, two, weight in SLICE
    )
    (tmp_path / "slice.csv").write_text("".join(rows), encoding="utf-8")
    return {
        "graph": {"graph": str(tmp_path / "small.tsv")},
        "none": {"source": "none"},
        "self": {"source": "self"},
        "texts": {"source": "texts", "texts": [str(tmp_path / "said.txt")]},
        "conceptnet": {"source": "conceptnet", "conceptnet": str(tmp_path / "slice.csv")},
    }


def plays(call: Call) -> Any:
    """A model that calls the first tool once, and answers every schema."""
    if call.method == "tools":
        return "Done." if call.ask.rounds else ToolCalls(((call.tools[0], {"concepts": ["candle"]}),))
    fields = set((call.schema or {}).get("properties", {}))
    return {"keywords": KEYWORDS, "associations": ASSOCIATIONS, "entries": ENTRY}[fields.pop()]


async def run(name: str, frames: Path, knowledge: Any, **settings: Any) -> dict[str, Any]:
    state = {"video_path": str(frames), "video_id": "clip", "title": "Wax"}
    context = Context.model_validate({"model": "scripted", "knowledge": knowledge, **settings})
    return await load(name).ainvoke(state, context=context)


def shown(call: Call) -> str:
    """What the last prompt shows between the keywords and the worked examples."""
    return call.text.split("</keywords>\n")[1].split("Three worked")[0].split("Write one to four")[0].strip()


SOURCES = ["graph", "none", "self", "texts", "conceptnet"]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", ["boost", "boost_retrieval"])
async def test_each_source_in_each_wiring(  # noqa: PLR0917 - fixtures and cases
    name: str,
    source: str,
    given_knowledge: dict[str, dict[str, Any]],
    frames: Path,
    play: Callable[..., None],
    snapshot: SnapshotAssertion,
) -> None:
    model = ScriptedChatModel(script=plays)
    play(model)
    state = await run(name, frames, given_knowledge[source])
    assert shown(model.calls[-1]) == snapshot
    assert [call.step for call in state["calls"]] == snapshot
    said = ["exploration: no tool is offered (knowledge source none)"]
    assert state["notes"] == (said if (name, source) == ("boost", "none") else [])
    use = state["knowledge"]
    assert use.source == source
    assert bool(use.digest) is (source not in {"none", "self"})
    assert use.mode == {
        "none": "",
        "self": "asked",
        "texts": "bm25" if name == "boost_retrieval" else "explore",
    }.get(source, "published" if name == "boost_retrieval" else "explore")
    if source == "none":
        assert "<associations>" not in model.calls[-1].text
        assert "<sentences>" not in model.calls[-1].text
    tools = {name for call in model.calls for name in call.tools}
    expected = {"texts": {"find_sentences"}, "none": set(), "self": set()}.get(source, {"explore_metaphors"})
    assert tools == (expected if name == "boost" else set())


async def test_what_a_model_associates_is_kept_in_the_same_form(
    frames: Path, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ASSOCIATIONS, ENTRY)
    play(model)
    state = await run("boost_retrieval", frames, {"source": "self"})
    assert [(m.concept, m.path, m.ground, m.keywords) for m in state["mappings"]] == [
        ("passing of time", ("candle", "passing of time"), "burns down", ("candle", "hourglass")),
        ("hope", ("candle", "hope"), "", ("candle",)),
    ]
    assert "candle -> passing of time (burns down) [also from hourglass]" in model.calls[-1].text
    assert model.calls[1].images == ()
    play(ScriptedChatModel.of(KEYWORDS, {"associations": []}, ENTRY))
    state = await run("boost_retrieval", frames, {"source": "self"}, temperature=0.5)
    assert state["notes"] == ["associations: none that scripted gave could be used"]


async def test_the_embedded_model_is_not_asked_what_it_cannot_know(
    frames: Path, play: Callable[..., None]
) -> None:
    play(ScriptedChatModel.of(KEYWORDS))
    with pytest.raises(UserError, match="can't be asked for associations"):
        await run("boost_retrieval", frames, {"source": "self"}, model="embedded")


@pytest.mark.parametrize("source", SOURCES)
async def test_z_of_nothing_looks_nothing_up(
    source: str, given_knowledge: dict[str, dict[str, Any]], frames: Path, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ENTRY)
    play(model)
    state = await run("boost_retrieval", frames, given_knowledge[source], retrieval={"limit": 0})
    assert state["mappings"] == []
    assert "<associations>" not in model.calls[-1].text
    assert len(model.calls) == 2


async def test_a_mode_given_overrides_the_variants_own(
    given_knowledge: dict[str, dict[str, Any]], frames: Path, play: Callable[..., None]
) -> None:
    play(ScriptedChatModel.of(KEYWORDS, ENTRY))
    knowledge = given_knowledge["graph"]
    state = await run("boost_retrieval", frames, knowledge, retrieval={"mode": "shared", "hops": 1})
    assert (state["knowledge"].mode, state["knowledge"].hops, state["knowledge"].limit) == ("shared", 1, 10)
    assert not {"candle", "hourglass"} & {mapping.concept for mapping in state["mappings"]}
    assert all(len(mapping.path) == 2 for mapping in state["mappings"])


async def test_none_leaves_a_tool_of_ones_own(
    given_knowledge: dict[str, dict[str, Any]], frames: Path, play: Callable[..., None]
) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ToolCalls((("rhyme", {"word": "candle"}),)), "Done.", ENTRY)
    play(model)
    knowledge = {**given_knowledge["graph"], "source": "none"}
    state = await run("boost", frames, knowledge, tools=("hop", "tests.graphs.own_tools:rhyme"))
    assert model.calls[1].tools == ("rhyme",)
    assert (state["knowledge"].source, state["knowledge"].digest) == ("none", "")
    assert state["notes"] == []


async def test_a_source_of_ones_own(frames: Path, play: Callable[..., None]) -> None:
    model = ScriptedChatModel.of(KEYWORDS, ENTRY)
    play(model)
    state = await run("boost_retrieval", frames, {"source": "tests.graphs.own_tools:proverbs"})
    assert (
        "<sentences>\ncandle: a proverb of it\nhourglass: a proverb of it\n</sentences>"
        in model.calls[-1].text
    )
    assert state["knowledge"].name == "proverbs"


@pytest.mark.parametrize("source", ["graph", "texts", "self"])
async def test_the_budget_of_tokens_is_kept(
    source: str, tmp_path: Path, frames: Path, play: Callable[..., None]
) -> None:
    rows = [
        f"candle\tconcept {n} {chr(97 + n) * 4}\tsymbol\t\t0.5\t{'because of it ' * 9}" for n in range(26)
    ]
    path = tmp_path / "long.tsv"
    path.write_text("\n".join([TSV.partition("\n")[0], *rows]) + "\n", encoding="utf-8")
    (tmp_path / "long.txt").write_text("\n".join(row.replace("\t", " ") for row in rows), encoding="utf-8")
    knowledge = {"source": source, "graph": str(path), "texts": [str(tmp_path / "long.txt")]}
    own = [
        {"element": "candle", "concept": f"concept {n}", "ground": "because of it " * 9} for n in range(26)
    ]
    script = {"self": [KEYWORDS, {"associations": own}, ENTRY]}.get(source, [KEYWORDS, ENTRY])
    model = ScriptedChatModel.of(*script)
    play(model)
    settings = {"limit": 26, "max_tokens": 300, "mode": "shared"}
    state = await run("boost_retrieval", frames, knowledge, retrieval=settings)
    lines = shown(model.calls[-1]).splitlines()[2:-1]
    assert 200 < count_tokens("\n".join(lines)) <= 300
    found = state.get("passages") or state["mappings"]
    what = "sentences" if source == "texts" else "associations"
    assert state["notes"] == [f"{what}: the {len(found) - len(lines)} weakest were left out of the prompt"]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", ["boost", "boost_retrieval"])
async def test_each_source_over_http(
    name: str,
    source: str,
    given_knowledge: dict[str, dict[str, Any]],
    frames: Path,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    server = openai_server()
    state = await run(
        name,
        frames,
        given_knowledge[source],
        model=f"openai:pretend-{id(server)}",
        base_url=server.base_url,
        max_retries=0,
    )
    assert state["interpretation"].entries
    steps = [call.step for call in state["calls"]]
    assert (steps.count("associate"), len(server.asks)) == (int(source == "self"), len(steps))
    if source == "self":
        assert {mapping.concept for mapping in state["mappings"]} == {"the end of a day"}


async def test_embeddings_link_by_meaning_over_http(
    given_knowledge: dict[str, dict[str, Any]],
    frames: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    openai_server: Callable[..., OpenAILike],  # noqa: F811
) -> None:
    def brain(ask: Ask) -> Any:
        return {"keywords": ["burning wick"]} if "keywords" in str(ask.wanted) else answer(ask)

    server = openai_server(brain=brain)
    monkeypatch.setattr("tools.knowledge.embedding.cache.embedding_cache_folder", lambda: tmp_path / "e")
    by_meaning = {"embeddings": "openai:vectors", "embeddings_base_url": server.base_url}
    asked = {"model": f"openai:pretend-{id(server)}", "base_url": server.base_url}
    state = await run("boost_retrieval", frames, {**given_knowledge["graph"], **by_meaning}, **asked)
    assert state["mappings"], "as published, each keyword has a nearest node"
    assert state["knowledge"].embeddings == "openai:vectors"
    state = await run("boost_retrieval", frames, given_knowledge["graph"], **asked)
    assert state["mappings"] == []
    texts = {**given_knowledge["texts"], "texts_by": "embeddings"}
    state = await run("boost_retrieval", frames, {**texts, **by_meaning}, **asked)
    assert len(state["passages"]) == 3
    assert state["knowledge"].mode == "embeddings"


@pytest.mark.usefixtures("embedded_model")
@pytest.mark.parametrize("source", ["graph", "none", "texts", "conceptnet"])
async def test_the_embedded_model_reads_with_each_source(
    source: str, given_knowledge: dict[str, dict[str, Any]], root: Path
) -> None:
    clip = root / "evals/datasets/mini/videos/candle_chair.mp4"
    context = Context.model_validate(
        {"frames": {"max_frames": 4, "max_side": 256}, "knowledge": given_knowledge[source]}
    )
    given = {"video_path": str(clip), "video_id": "clip", "title": ""}
    state = await load("boost_retrieval").ainvoke(given, context=context)
    assert state["interpretation"].entries
    assert state["knowledge"].source == source


TEXT = st.sampled_from(["candle", "Candle ", "hourglass", "hope", "Hope", "time", " ", "wall."])


@given(
    st.lists(st.builds(AssociationItem, element=TEXT, concept=TEXT, ground=TEXT), max_size=12),
    st.lists(TEXT.filter(str.strip), min_size=1, max_size=4),
    st.integers(1, 4),
)
def test_associations_never_hold_the_query_words(
    items: list[AssociationItem], keywords: list[str], limit: int
) -> None:
    found = to_mappings(items, keywords, limit)
    asked = {keyword.strip(" .").casefold() for keyword in keywords}
    assert len(found) <= limit
    assert not {mapping.concept.casefold() for mapping in found} & asked
    assert {mapping.element for mapping in found} <= {keyword.strip() for keyword in keywords}


def test_an_old_record_is_told_what_became_of_parity() -> None:
    with pytest.raises(ValueError, match=r"retrieval\.parity: that is now retrieval\.mode"):
        RetrievalSettings.model_validate({"hops": 2, "limit": 10, "parity": True})
