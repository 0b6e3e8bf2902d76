"""The same picture as SVG, as a page and as PNG."""

from __future__ import annotations

import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from tools.errors import KnowledgeError
from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.drawing import Element, along, around, fonts, html, picture_of, png, svg
from tools.knowledge.drawing.look import DARK, LIGHT
from tools.knowledge.edges import Sentence

EDGES = [
    Edge("candle", "time", "symbol", None, 0.8, "burns down", provenance="mine.tsv"),
    Edge("candle", "hope", "symbol", None, 0.7, "a light in the dark"),
    Edge("candle", "prayer", "cultural", "Christian", 0.5, "lit in church", (Sentence("A.", "b", "MIT"),)),
    Edge("time", "mortality", "conceptual", None, 0.9, "runs out"),
    Edge("prayer", "hope", "causal", None, 0.6, "asks for it"),
    Edge("dawn", "hope", "symbol", None, 0.9, "night is over"),
]
GRAPH = MetaphorGraph(EDGES)
EVIL = "</script><img src=x onerror=alert(1)>\"'&"


def data_of(page: str) -> dict:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


def test_around_gathers_what_a_walk_finds() -> None:
    picture, walk = around(GRAPH, ["candles"], 2, 10)
    assert walk.linked == {"candles": "candle"}
    assert picture.title == "candle"
    assert [(element.name, element.steps) for element in picture.elements] == [
        ("candle", 0), ("time", 1), ("hope", 1), ("prayer", 1), ("mortality", 2),
    ]  # fmt: skip
    assert [element.is_seen for element in picture.elements] == [True, False, False, False, False]
    assert [element.hidden for element in picture.elements] == [0, 0, 1, 0, 0]  # dawn is not reached
    assert [edge[:2] for edge in picture.associations] == [
        ("candle", "time"), ("candle", "hope"), ("candle", "prayer"), ("time", "mortality"),
        ("prayer", "hope"),
    ]  # fmt: skip
    assert picture.left_out == 0
    assert picture.is_directed


def test_around_keeps_to_its_limit() -> None:
    picture, _ = around(GRAPH, ["candle"], 2, 2)
    assert len(picture.elements) == 3
    assert picture.left_out == 2
    nothing, walk = around(GRAPH, ["xyzzy"])
    assert nothing.elements == nothing.associations == ()
    assert walk.unknown == {"xyzzy": []}


def test_along_shows_a_walk_and_nothing_else() -> None:
    picture = along(GRAPH, [("candle", "time", "mortality"), ("dawn", "hope")], "a clip")
    assert [element.name for element in picture.elements] == ["candle", "dawn", "time", "hope", "mortality"]
    assert {edge[:2] for edge in picture.associations} == {
        ("candle", "time"), ("time", "mortality"), ("dawn", "hope"), ("candle", "hope"),
    }  # fmt: skip


def test_a_graph_without_directions_has_no_arrows() -> None:
    both = [Edge("a", "b"), Edge("b", "a")]
    picture, _ = around(MetaphorGraph(both, symmetric=True), ["a"])
    assert len(picture.associations) == 1
    assert "marker-end" not in svg(picture)
    assert not any(element.is_seen for element in picture.elements)
    assert data_of(html(picture))["directed"] is False


def test_the_svg_draws_every_element_and_association() -> None:
    picture, _ = around(GRAPH, ["candle"])
    drawn = ET.fromstring(svg(picture))
    space = {"s": "http://www.w3.org/2000/svg"}
    nodes = drawn.findall(".//s:g[@class='nodes']/s:g", space)
    assert [node.find("s:title", space).text for node in nodes] == [one.name for one in picture.elements]
    lines = drawn.findall(".//s:g[@class='lines']/s:g", space)
    assert [line.find("s:title", space).text for line in lines][2] == (
        "candle \N{RIGHTWARDS ARROW} prayer (Christian): lit in church"
    )
    first = lines[0].find("s:path", space)
    assert first.get("class") == "line symbol"
    assert first.get("stroke-width") == "3.4"
    assert first.get("marker-end") == "url(#symbol)"
    assert drawn.find(".//s:marker[@id='symbol']", space) is not None
    assert svg(picture) == svg(picture)


def test_the_page_tells_all_and_asks_nobody() -> None:
    picture, _ = around(GRAPH, ["candle"])
    page = html(picture, "four of them")
    assert "four of them" in page
    assert not re.findall(r"(?:src|href)=", page)
    assert "http" not in page.replace("http-equiv", "")
    data = data_of(page)
    assert [element["name"] for element in data["elements"]] == [one.name for one in picture.elements]
    told = data["associations"][2]
    assert told["culture"] == "Christian"
    assert told["sentences"] == [{"text": "A.", "source": "b", "licence": "MIT"}]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>', page)
    assert rows[0] == ("candle", "time", "burns down")
    assert len(rows) == len(picture.associations)


def test_sentences_are_few_and_short() -> None:
    said = tuple(Sentence(f"{number} " + "x" * 700) for number in range(8))
    (told,) = data_of(html(picture_of("a", [], [Edge("a", "b", sentences=said)])))["associations"]
    assert len(told["sentences"]) == 5
    assert told["more"] == 3
    assert len(told["sentences"][0]["text"]) == 601


@given(st.text(max_size=30), st.text(max_size=30))
@settings(max_examples=40)
def test_any_text_is_escaped(name: str, ground: str) -> None:
    hostile = EVIL + name
    edges = [Edge(hostile, "b" + name, "cultural", EVIL, 0.5, ground + EVIL, (EVIL,), EVIL)]
    picture = picture_of(hostile, [Element(hostile)], edges)
    drawn = svg(picture)
    ET.fromstring(drawn)
    page = html(picture, EVIL)
    for text in (drawn, page):
        assert "<img" not in text
    assert page.count("</script>") == 2
    page.encode()
    (told,) = data_of(page)["associations"]
    assert told["culture"] == EVIL


@pytest.mark.parametrize("dark", [False, True])
def test_the_png_has_its_width_and_colors(dark: bool) -> None:
    picture, _ = around(GRAPH, ["candle"])
    drawn = png(picture, width=800, dark=dark)
    image = Image.open(io.BytesIO(drawn))
    assert image.format == "PNG"
    assert image.width == 800
    look = DARK if dark else LIGHT
    counts = {color: count for count, color in image.convert("RGB").getcolors(1 << 20) or []}
    rgb = [tuple(bytes.fromhex(color[1:])) for color in (look.paper, look.focus, *look.kinds[:3])]
    assert max(counts, key=lambda color: counts[color]) == rgb[0]
    assert all(color in counts for color in rgb)
    assert drawn == png(picture, width=800, dark=dark)


def test_a_png_of_any_script() -> None:
    picture = picture_of(
        "蜡烛 🕯", [Element("蜡烛 🕯")], [Edge("蜡烛 🕯", "教师的奉献", "bodily"), Edge("蜡烛 🕯", "希望 \x00")]
    )
    image = Image.open(io.BytesIO(png(picture)))
    assert image.width == 1600


def test_a_png_that_is_too_large() -> None:
    with pytest.raises(KnowledgeError, match=r"pixels is too large; give a smaller width or limit, or \.svg"):
        png(picture_of("a", [Element("a")], []), width=20_000)


def test_letters_of_two_scripts_come_from_two_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    image = Image.new("RGB", (400, 40), "white")
    draw = ImageDraw.Draw(image)
    style = fonts.Style(20, "#000000", "lm", 400)
    latin = fonts.draw_text(draw, (0, 20), "and ", style)
    assert latin == pytest.approx(draw.textlength("and ", font=ImageFont.load_default(20)))
    monkeypatch.setattr(fonts, "_wider", lambda: ())
    monkeypatch.setattr(fonts, "_name_for", fonts._name_for.__wrapped__)  # what was found before is not asked
    assert fonts.draw_text(draw, (0, 20), "and \u8721", style) == pytest.approx(
        latin + draw.textlength("?", font=ImageFont.load_default(20))
    )
    narrow = fonts.draw_text(draw, (0, 20), "a long line of text", style._replace(room=60))
    assert narrow <= 66
