from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.context import Context, KnowledgeSettings, RetrievalSettings
from agents.errors import UserError
from evals.spec import RunSpec
from evals.sweeping.design import Design, design_of
from evals.sweeping.effect import idle
from evals.sweeping.saved import SweepFile
from graphs.catalog import expected_calls

Z, H, SOURCE, SHOTS = (
    "context.retrieval.limit",
    "context.retrieval.hops",
    "context.knowledge.source",
    "context.few_shot",
)
SPEC = RunSpec(graph="boost_retrieval", context=Context(model="openai:m", judge_model="openai:j"))
TOOLS = "context.tools"
SOURCES = ("none", "self", "texts", "conceptnet", "graph")


def laid(factors: dict[str, tuple[Any, ...]], before: SweepFile | None = None, **more: Any) -> Design:
    spec = more.pop("spec", SPEC)
    return design_of(spec, SweepFile(factors=factors, **more), before)


def chosen(design: Design) -> list[dict[str, Any]]:
    return [cell.chosen for cell in design.file.cells]


def test_settings_without_effect_are_one_run() -> None:
    design = laid({Z: (0, 5), H: (1, 2), SOURCE: SOURCES})
    assert design.combinations == 20
    assert chosen(design) == [
        {Z: 0},  # whatever the source, and the hops
        *({Z: 5, H: hops, SOURCE: source} for hops in (1, 2) for source in ("conceptnet", "graph")),
        *({Z: 5, SOURCE: source} for source in ("self", "texts")),
        {SOURCE: "none"},
    ]
    cells = {cell.name: cell.spec.context for cell in design.cells()}
    assert cells["boost_retrieval-m-source-none"].retrieval == RetrievalSettings()
    assert cells["boost_retrieval-m-limit-5-source-texts"].retrieval == RetrievalSettings(limit=5)


def test_worked_examples_left_to_the_variant_are_those_it_shows() -> None:
    assert chosen(laid({SHOTS: (None, True, False)})) == [{SHOTS: True}, {SHOTS: False}]
    design = laid({"graph": ("boost", "boost_retrieval"), SHOTS: (None, False)})
    assert chosen(design) == [
        {"graph": "boost", SHOTS: False},
        {"graph": "boost_retrieval", SHOTS: False},
        {"graph": "boost_retrieval", SHOTS: True},
    ]


@pytest.mark.parametrize(
    ("graph", "context", "without", "with_"),
    [
        ("baseline", {}, {"knowledge.source", "retrieval.limit", "max_hops", "tools"}, {"few_shot"}),
        ("boost", {}, {"knowledge.texts"}, {"max_hops", "tools", "retrieval.max_tokens"}),
        ("boost", {"tools": ()}, {"max_hops"}, {"tools", "knowledge.source"}),
        (
            "boost",
            {"retrieval": {"limit": 0}, "knowledge": {"source": "self"}},
            {"tools"},
            {"knowledge.source"},
        ),
        ("boost", {"knowledge": {"source": "none"}}, {"max_hops", "tools", "knowledge.graph"}, set()),
        (
            "boost",
            {"knowledge": {"source": "none"}, "tools": ("hop", "m:t")},
            {"retrieval.hops"},
            {"max_hops", "knowledge.graph", "retrieval.max_tokens"},
        ),
        ("boost_retrieval", {"retrieval": {"mode": "published_h1"}}, {"retrieval.hops"}, {"retrieval.limit"}),
        ("cot", {"input": "video"}, {"frames.max_side", "frames.quality"}, {"frames.max_frames"}),
        ("cot", {}, {"frames.fps"}, {"frames.max_side", "judge_k"}),
        ("cot", {"frames": {"method": "fps"}}, set(), {"frames.fps"}),
        ("m:own", {}, set(), {"knowledge.source", "max_hops", "few_shot"}),
        ("m:own", {"judge_model": "embedded"}, {"judge_k"}, {"tools"}),
    ],
)
def test_what_has_an_effect(graph: str, context: dict[str, Any], without: set[str], with_: set[str]) -> None:
    settings = {"model": "openai:m", "judge_model": "openai:j"} | context
    found = {
        name.removeprefix("context.") for name in idle(RunSpec(graph=graph, context=Context(**settings)))
    }
    assert without <= found
    assert not with_ & found


def test_one_at_a_time_goes_around_the_base() -> None:
    factors: dict[str, tuple[Any, ...]] = {Z: (0, 5, 20), H: (1, 2, 3), SHOTS: (True, False)}
    design = laid(factors, one_at_a_time=True)
    assert design.combinations == 7  # the base is one of the values of two settings
    base = {Z: 10, H: 2, SHOTS: True}
    assert design.base().chosen == base
    assert {tuple(cell.items()) for cell in chosen(design)} == {
        tuple(each.items())
        for each in [
            base,
            {Z: 0, SHOTS: True},
            *({**base, **one} for one in ({Z: 5}, {Z: 20}, {H: 1}, {H: 3}, {SHOTS: False})),
        ]
    }
    assert laid(factors, one_at_a_time=True, base={Z: 20}).base().chosen == {**base, Z: 20}


def test_the_base_is_named_or_the_default_or_the_first() -> None:
    factors: dict[str, tuple[Any, ...]] = {Z: (0, 5, 10), SOURCE: ("none", "graph")}
    assert laid(factors).base().chosen == {Z: 10, SOURCE: "graph"}
    assert laid({Z: (5, 20), SOURCE: ("texts", "graph")}).base().chosen == {Z: 5, SOURCE: "graph"}
    assert laid(factors, base={Z: 5}).base().chosen == {Z: 5, SOURCE: "graph"}
    assert laid(factors, base={SOURCE: "none"}).base().chosen == {SOURCE: "none"}
    with pytest.raises(UserError, match=r"--base retrieval\.limit: the sweep has no 7; it has 0, 5, 10"):
        laid(factors, base={Z: 7})
    with pytest.raises(UserError, match="it is not varied, and is 2"):
        laid(factors, base={H: 3})


def test_names_stay_when_values_and_settings_are_added() -> None:
    first = laid({Z: (5, 10)}).file
    more = laid({Z: (0, 5, 10, 20)}, first)
    assert {cell.name for cell in first.cells} <= {cell.name for cell in more.file.cells}
    assert [cell.chosen[Z] for cell in more.file.cells] == [0, 5, 10, 20]
    wider = laid({Z: (0, 5, 10, 20), SHOTS: (True, False)}, more.file)
    names = {cell.name: cell.chosen for cell in wider.file.cells}
    assert names["boost_retrieval-m-limit-5"] == {Z: 5, SHOTS: True}  # as the variant has them
    assert names["boost_retrieval-m-limit-5-few_shot-off"] == {Z: 5, SHOTS: False}
    assert len(names) == 8
    fewer = laid({Z: (5,)}, wider.file)
    assert fewer.asked == {"boost_retrieval-m-limit-5"}
    assert fewer.file.cells == wider.file.cells


def test_too_many_and_impossible_combinations_are_refused() -> None:
    many = tuple(range(1, 101))
    with pytest.raises(UserError, match="more than 256 runs"):
        laid({"context.frames.max_frames": many, Z: (1, 2, 3)})
    with pytest.raises(UserError, match="Nothing is varied"):
        laid({})


@settings(max_examples=25)
@given(
    z=st.lists(st.sampled_from([0, 1, 10]), min_size=1, unique=True),
    sources=st.lists(st.sampled_from(SOURCES), min_size=1, unique=True),
    graphs=st.lists(st.sampled_from(["baseline", "boost", "boost_retrieval"]), min_size=1, unique=True),
    tools=st.lists(st.sampled_from(["", "hop", "m:t", "hop m:t"]), min_size=1, max_size=2, unique=True),
)
def test_every_combination_is_of_one_cell_that_does_the_same(
    z: list[int], sources: list[str], graphs: list[str], tools: list[str]
) -> None:
    factors: dict[str, tuple[Any, ...]] = {
        "graph": tuple(graphs),
        Z: tuple(z),
        SOURCE: tuple(sources),
        TOOLS: tuple(each.split() for each in tools),
    }
    cells = {cell.name: cell for cell in laid(factors).cells()}
    assert len({name.casefold() for name in cells}) == len(cells)
    for values in itertools.product(*factors.values()):
        combination = dict(zip(factors, values, strict=True))
        context = SPEC.context.model_copy(
            update={
                "retrieval": RetrievalSettings(limit=combination[Z]),
                "knowledge": KnowledgeSettings(source=combination[SOURCE]),
                "tools": tuple(combination[TOOLS]),
            }
        )
        whole = RunSpec(graph=combination["graph"], context=context)
        effective = {name: value for name, value in combination.items() if name not in idle(whole)}
        (cell,) = [each for each in cells.values() if each.chosen == effective]
        assert set(factors) - idle(cell.spec) == set(effective)  # with defaults in place of what is idle
        assert expected_calls(whole.graph, cell.spec.context) == expected_calls(whole.graph, context)
