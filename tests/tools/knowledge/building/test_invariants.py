"""What holds of any pairs: order does not matter, merging twice is merging once, counts are conserved."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge.building.assembling import Assembled, assemble
from tools.knowledge.building.cleaning import clean
from tools.knowledge.building.gathering import Gathered, Gatherer
from tools.knowledge.building.licences import Licences
from tools.knowledge.building.merging import Concepts, Overrule, merge_forms
from tools.knowledge.building.pairs import Pair

_WORDS = ("candle", "Candles", "the candle", "grey sea", "gray seas", "sea", "ice-cream", "ice cream", "leaf",
          "leaves", "to burn", "burns", "love", "Love", "蜡烛", "一支蜡烛", "you", "42")  # fmt: skip
_NAME = st.one_of(st.sampled_from(_WORDS), st.text(min_size=1, max_size=5))


@st.composite
def _pair(draw: st.DrawFn) -> Pair:
    datasets = draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=2, unique=True))
    return Pair(
        draw(st.sampled_from(["x", "y"])), draw(st.integers(1, 9)), draw(_NAME), draw(_NAME),
        draw(st.sampled_from([(), ("bright",), ("it is bright",), ("bright", "hot")])),
        draw(st.sampled_from(["", "symbol", "causal"])), times=draw(st.integers(len(datasets), 4)),
        sentences=draw(st.sampled_from([(), ("One.",), ("Two.",)])), datasets=tuple(datasets),
        licence=draw(st.sampled_from(["", "MIT", "NC"])),
    )  # fmt: skip


def through(pairs: list[Pair], **options: Any) -> tuple[Gathered, Concepts, Assembled]:
    gatherer = Gatherer(Licences(drop=options.pop("drop", ())))
    for pair in pairs:
        gatherer.take(pair)
    counts: Counter[str] = Counter()
    for (_, form), count in gatherer.gathered.wordings.items():
        counts[form] += count
    concepts = merge_forms(counts, options.pop("overrule", Overrule()))
    return gatherer.gathered, concepts, assemble(list(gatherer.gathered.evidence), concepts.node, **options)


@settings(max_examples=150)
@given(st.lists(_pair(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(pairs: list[Pair], shuffled: random.Random) -> None:
    other = list(pairs)
    shuffled.shuffle(other)
    one_gathered, one, one_made = through(pairs)
    two_gathered, two, two_made = through(other)
    assert one_made.edges == two_made.edges
    told = [
        [
            [(str(s), getattr(s, "source", ""), getattr(s, "licence", "")) for s in edge.sentences]
            for edge in made.edges
        ]
        for made in (one_made, two_made)
    ]
    assert told[0] == told[1]
    assert one.audit(one_gathered.wordings) == two.audit(two_gathered.wordings)
    assert sorted(one_gathered.rejected) == sorted(two_gathered.rejected)


@settings(max_examples=150)
@given(st.lists(_pair(), max_size=12), st.integers(1, 3))
def test_counts_are_conserved(pairs: list[Pair], least: int) -> None:
    gathered, concepts, made = through(pairs, least_count=least, drop=("NC",))
    lost = {(row.file, row.line, row.source, row.target) for row in gathered.rejected}
    taken = [p for p in pairs if (p.file, p.line, p.source, p.target) not in lost and p.licence != "NC"]
    pieces = [piece for piece in gathered.evidence if not piece.said_of]
    assert sum(piece.times for piece in pieces) == sum(pair.times for pair in taken)
    whole = made.counted + made.repeats + made.same + made.rare
    assert whole == sum(piece.times for piece in gathered.evidence)
    told = [count for count, _ in made.evidence]
    assert sum(told) == made.counted == sum(made.licences.values())
    assert all(0 < edge.weight <= 1 and edge.source != edge.target for edge in made.edges)
    assert sum(concepts.counts.values()) == sum(gathered.wordings.values())


@settings(max_examples=150)
@given(st.lists(_pair(), max_size=12))
def test_merging_again_changes_nothing(pairs: list[Pair]) -> None:
    _, concepts, made = through(pairs)
    again = merge_forms(concepts.counts, Overrule())
    assert again.node == {name: name for name in concepts.counts}
    back = [Pair("z", 1, e.source, e.target, times=1, datasets=("z",)) for e in made.edges]
    _, _, second = through(back)
    assert {e[:2] for e in second.edges} == {e[:2] for e in made.edges}


@settings(max_examples=500)
@given(st.text(max_size=12))
def test_cleaning_again_changes_nothing(name: str) -> None:
    assert clean(clean(name)) == clean(name)
