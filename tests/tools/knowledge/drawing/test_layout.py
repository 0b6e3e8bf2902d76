"""Where things stand: inside the canvas, apart from each other, and the same every time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge import Edge
from tools.knowledge.drawing import TALL, WIDE, Element, Picture, layout, picture_of
from tools.knowledge.drawing.labels import box_of, lines_of, width_of
from tools.knowledge.drawing.rings import rings
from tools.knowledge.drawing.routes import at_share, curve, points

NAMES = st.text(min_size=1, max_size=60)


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    names = draw(st.lists(NAMES, min_size=0, max_size=25, unique=True))
    elements = [Element(name, draw(st.integers(0, 3)), draw(st.booleans())) for name in names]
    ends = st.integers(0, max(len(names) - 1, 0))
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=40)) if names else []
    edges = [Edge(names[one], names[other]) for one, other in pairs if one != other]
    return picture_of("a", elements, edges)


@given(pictures(), st.sampled_from([WIDE, TALL]))
@settings(max_examples=60)
def test_boxes_are_inside_and_apart(picture: Picture, shape: tuple[int, int]) -> None:
    at = layout(picture, shape)
    again = layout(picture, shape)
    assert at.centers.shape == at.sizes.shape == (len(picture.elements), 2)
    assert len(at.bends) == len(picture.associations)
    assert np.isfinite(at.centers).all()
    assert np.isfinite(at.bends).all()
    assert np.array_equal(at.centers, again.centers)
    assert np.array_equal(at.bends, again.bends)
    assert (at.width, at.height) == (again.width, again.height)
    assert (at.centers - at.sizes / 2 >= 0).all()
    assert (at.centers + at.sizes / 2 <= [at.width, at.height]).all()
    for one in range(len(at.centers)):
        for other in range(one):
            gaps = np.abs(at.centers[one] - at.centers[other]) - (at.sizes[one] + at.sizes[other]) / 2
            assert (gaps > 0).any()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_no_two_begin_at_one_spot(steps: Sequence[int]) -> None:
    places = rings(steps, [(at, at + 1) for at in range(len(steps) - 1)])
    assert len(np.unique(np.round(places, 9), axis=0)) == len(steps)


def test_what_it_is_about_stands_between_its_concepts() -> None:
    edges = [Edge("candle", f"concept {number}") for number in range(8)]
    at = layout(picture_of("candle", [Element("candle")], edges))
    assert (at.centers[0] > at.centers[1:].min(axis=0)).all()
    assert (at.centers[0] < at.centers[1:].max(axis=0)).all()


def test_the_canvas_keeps_its_proportions_and_shrinks_for_few() -> None:
    lone = layout(picture_of("candle", [Element("candle")], []))
    assert (lone.width, lone.height) == (800, 500)
    assert lone.centers.tolist() == [[400, 250]]
    many = picture_of("a", [Element("a")], [Edge("a", f"concept number {n}") for n in range(120)])
    wide, tall = layout(many, WIDE), layout(many, TALL)
    assert wide.width > 1.4 * wide.height
    assert tall.width < 1.2 * tall.height
    nothing = layout(Picture("a", (), ()))
    assert nothing.centers.shape == (0, 2)


def test_a_line_goes_from_border_to_border() -> None:
    centers = np.array([[100.0, 100.0], [400.0, 100.0]])
    sizes = np.array([[80.0, 30.0], [100.0, 30.0]])
    assert curve(centers, sizes, (0, 1), 0.0).tolist() == [[140, 100], [250, 100], [347, 100]]
    bent = curve(centers, sizes, (0, 1), 0.2)
    assert bent[1].tolist() == [250, 40]
    back = curve(centers, sizes, (1, 0), 0.2)
    assert back[1].tolist() == [250, 160]  # to its own left, so that two ways between two boxes part
    assert points(bent, 3)[1].tolist() == pytest.approx(((bent[0] + 2 * bent[1] + bent[2]) / 4).tolist())


def test_a_line_bends_around_a_box() -> None:
    elements = [Element("a"), Element("b", 1), Element("c", 2)]
    at = layout(picture_of("a", elements, [Edge("a", "b"), Edge("b", "c"), Edge("a", "c")]))
    ways = points(curve(at.centers, at.sizes, (0, 2), float(at.bends[2])), 50)
    assert not (np.abs(ways - at.centers[1]) < at.sizes[1] / 2).all(axis=1).any()


def test_several_lines_between_two_boxes_part() -> None:
    edges = [Edge("a", "b", "symbol"), Edge("a", "b", "cultural", "Greek"), Edge("b", "a", "causal")]
    bends = layout(picture_of("a", [], edges)).bends
    # Seen from the same end: the third line runs the other way.
    assert len({float(bends[0]), float(bends[1]), -float(bends[2])}) == 3


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("candle", ("candle",)),
        ("remembrance of the dead", ("remembrance of the dead",)),
        ("holy ash on a forehead at the river", ("holy ash on a", "forehead at the river")),
        ("教师的奉献", ("教师的奉献",)),
        ("\x00\n ", ("\N{HORIZONTAL ELLIPSIS}",)),
    ],
)
def test_names_as_lines(name: str, lines: tuple[str, ...]) -> None:
    assert lines_of(name) == lines


@given(st.text(max_size=400) | st.text("ab ", max_size=400))
def test_a_name_takes_three_lines_at_most(name: str) -> None:
    lines = lines_of(name)
    assert 1 <= len(lines) <= 3
    assert all(lines)
    width, height = box_of(name, 1)
    assert width >= max(width_of(line, 16) for line in lines)
    assert height >= len(lines) * 16
    assert width <= 320


def test_an_element_is_given_once() -> None:
    with pytest.raises(ValueError, match="'a' is drawn once"):
        picture_of("a", [Element("a"), Element("a")], [])


def test_cultures_are_written_where_there_is_room() -> None:
    edges = [Edge("dragon", f"concept {n}", "cultural", "Chinese" if n % 2 else "Western") for n in range(6)]
    picture = picture_of("dragon", [Element("dragon")], [*edges, Edge("dragon", "fear")])
    at = layout(picture)
    assert np.isnan(at.notes[-1])
    written = [number for number in range(6) if not np.isnan(at.notes[number])]
    assert len(written) >= 5
    places = []
    for number in written:
        share = float(at.notes[number])
        place = at_share(curve(at.centers, at.sizes, (0, number + 1), float(at.bends[number])), share)
        assert not (np.abs(at.centers - place) < at.sizes / 2).all(axis=1).any()
        places.append(place)
    gaps = [np.abs(one - other) for one, other in combinations(places, 2)]
    assert all(gap[0] > width_of("Western", 12) or gap[1] > 12 for gap in gaps)
