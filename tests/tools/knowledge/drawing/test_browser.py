"""The page in a real browser, where one is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.knowledge.drawing.browser import CHROMIUM, Browser
from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.drawing import Element, around, html, layout, picture_of
from tools.knowledge.drawing.routes import curve

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

EVIL = "</script><img src=x onerror=\"window.hurt=1\"><b onclick='window.hurt=1'>"
EDGES = [
    Edge("candle", "time", "symbol", None, 0.8, "burns down", provenance="mine.tsv"),
    Edge("candle", "hope", "symbol", None, 0.7, "a light in the dark"),
    Edge("candle", "prayer", "cultural", "Christian", 0.5, "lit in church", ("She lit a candle.",)),
    Edge("time", "mortality", "conceptual", None, 0.9, "runs out"),
    Edge("prayer", "hope", "causal", None, 0.6, "asks for it"),
]
MIDDLE = (
    "(() => {{ const room = document.querySelectorAll('{0}')[{1}].getBoundingClientRect();"
    " return [room.x + room.width / 2, room.y + room.height / 2]; }})()"
)
SHOWN = (
    "[...document.querySelectorAll('{0}:not(.dim):not(.gone)')]"
    ".map((one) => one.querySelector('title').textContent)"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    opened = Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    picture, _ = around(MetaphorGraph(EDGES), ["candle"])
    file = tmp_path / "candle.html"
    file.write_text(html(picture), encoding="utf-8")
    browser.size(1200, 800)
    browser.open(file)
    yield browser
    assert browser.faults() == []


def panel(page: Browser) -> str:
    return page.run("document.getElementById('panel').innerText")


def test_a_click_tells_why(page: Browser) -> None:
    assert page.run("document.getElementById('panel').hidden") is True
    page.click(*page.run(MIDDLE.format(".node", 3)))
    told = panel(page)
    assert told.splitlines()[1] == "prayer"
    assert "lit in church" in told
    assert "cultural \N{MIDDLE DOT} Christian \N{MIDDLE DOT} weight 0.5" in told
    assert "She lit a candle." in told
    assert "asks for it" in told
    assert page.run(SHOWN.format(".node")) == ["candle", "hope", "prayer"]
    page.key("Escape")
    assert page.run("document.getElementById('panel').hidden") is True
    assert len(page.run(SHOWN.format(".node"))) == 5


def test_a_line_is_chosen_by_a_click_near_it(page: Browser) -> None:
    x, y = page.run(
        "(() => { const line = document.querySelector('.edge .line'), at = line.getPointAtLength("
        "line.getTotalLength() / 2).matrixTransform(line.getScreenCTM()); return [at.x, at.y]; })()"
    )
    page.click(x + 2, y + 2)
    assert (
        panel(page)
        .replace("\n", "")
        .endswith("burns downsymbol \N{MIDDLE DOT} weight 0.8 \N{MIDDLE DOT} mine.tsv")
    )


def test_filters_and_search(page: Browser) -> None:
    page.run("document.querySelector('#kinds input[value=symbol]').click()")
    assert len(page.run(SHOWN.format(".edge"))) == 3
    page.run("document.querySelector('#kinds input[value=symbol]').click()")
    page.run(
        "(() => { const select = document.getElementById('culture'); select.value = 'Christian';"
        " select.dispatchEvent(new Event('change')); })()"
    )
    assert page.run(SHOWN.format(".edge")) == [
        "candle \N{RIGHTWARDS ARROW} prayer (Christian): lit in church"
    ]
    assert page.run(SHOWN.format(".node")) == ["candle", "prayer"]
    page.key("/")
    for letter in "MORT":
        page.key(letter)
    assert page.run("document.getElementById('find').value") == "MORT"
    page.key("Enter")
    assert "runs out" in panel(page)


def test_keys_go_from_name_to_name(page: Browser) -> None:
    assert page.run("document.querySelectorAll('.node[tabindex=\"0\"]').length") == 1
    page.run("document.querySelector('.node').focus()")
    hope = page.run(
        "(() => { const nodes = [...document.querySelectorAll('.node')], x = (one) => "
        "one.getBoundingClientRect().x; return x(nodes[2]) > x(nodes[0]); })()"
    )
    page.key("ArrowRight" if hope else "ArrowLeft")
    assert page.run("document.activeElement.classList.contains('near')") is True
    assert page.run("document.activeElement.getAttribute('role')") == "button"
    page.key("Enter")
    assert page.run("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert "stands for" in panel(page) or "is shown by" in panel(page)


def test_dragging_moves_a_box_with_its_lines_and_zooming_the_view(page: Browser) -> None:
    line = "document.querySelector('.edge .line').getAttribute('d')"
    (x, y), before = page.run(MIDDLE.format(".node", 1)), page.run(line)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x + 40, y + 30, button="left", buttons=1)
    page.mouse("mouseReleased", x + 40, y + 30, button="left", clickCount=1)
    assert page.run(MIDDLE.format(".node", 1)) == pytest.approx([x + 40, y + 30], abs=1)
    assert page.run(line) != before
    assert page.run("document.getElementById('panel').hidden") is True  # a drag is no click
    width = "document.getElementById('drawing').viewBox.baseVal.width"
    wide = page.run(width)
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100)
    page.run("new Promise((done) => setTimeout(done, 50))")
    assert page.run(width) < wide
    page.key("0")
    assert page.run(width) == pytest.approx(wide)


def test_the_lines_are_where_python_drew_them(page: Browser) -> None:
    drawn = page.run("[...document.querySelectorAll('.edge .line')].map((one) => one.getAttribute('d'))")
    picture, _ = around(MetaphorGraph(EDGES), ["candle"])
    at = layout(picture)
    numbers = {element.name: number for number, element in enumerate(picture.elements)}
    for path, edge, bend in zip(drawn, picture.associations, at.bends, strict=True):
        told = [float(number) for number in path.replace("M", " ").replace("Q", " ").split()]
        mine = curve(at.centers, at.sizes, (numbers[edge.source], numbers[edge.target]), float(bend))
        assert told == pytest.approx(mine.ravel().tolist(), abs=0.2)


def test_a_phone_reads_it_without_scrolling_sideways(browser: Browser, tmp_path: Path) -> None:
    edges = [Edge("candle", f"concept of some length {number}") for number in range(30)]
    picture, _ = around(MetaphorGraph(edges), ["candle"], limit=30)
    (tmp_path / "phone.html").write_text(html(picture), encoding="utf-8")
    browser.size(390, 844, phone=True)
    browser.open(tmp_path / "phone.html")
    assert browser.run("document.documentElement.scrollWidth") == 390
    height = browser.run("document.querySelector('.node text').getBoundingClientRect().height")
    assert height >= 12  # legible at once
    x, y = browser.run(MIDDLE.format(".node", 0))
    assert 0 < x < 390
    assert 0 < y < 844
    assert browser.faults() == []


def test_dark_is_dark(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "dark.html").write_text(html(picture_of("a", [Element("a")], [])), encoding="utf-8")
    colors = []
    for dark in (False, True):
        browser.size(800, 600, dark=dark)
        browser.open(tmp_path / "dark.html")
        colors.append(browser.run("getComputedStyle(document.body).backgroundColor"))
    assert colors == ["rgb(251, 250, 247)", "rgb(20, 23, 28)"]


def test_hostile_text_does_nothing(browser: Browser, tmp_path: Path) -> None:
    edges = [Edge(EVIL, "b" + EVIL, "cultural", EVIL, 0.5, EVIL, (EVIL,), EVIL)]
    (tmp_path / "evil.html").write_text(
        html(picture_of(EVIL, [Element(EVIL)], edges), EVIL), encoding="utf-8"
    )
    browser.size(1200, 800)
    browser.open(tmp_path / "evil.html")
    browser.click(*browser.run(MIDDLE.format(".node", 0)))
    assert browser.run("document.getElementById('panel').innerText").count("onerror") >= 3
    assert browser.run("document.querySelectorAll('img, b').length") == 0
    assert browser.run("typeof window.hurt") == "undefined"
    assert browser.run("document.title") == EVIL
    assert browser.faults() == []
    # Were a text to slip through once, the page's own policy would still let no script run.
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hurt=1\">')")
    browser.run("new Promise((done) => setTimeout(done, 100))")
    assert browser.run("typeof window.hurt") == "undefined"


def test_a_graph_without_directions_joins(browser: Browser, tmp_path: Path) -> None:
    edges = [Edge("a", "b", ground="A said b.", sentences=("A said b.",)), Edge("c", "a")]
    both = [*edges, *(edge._replace(source=edge.target, target=edge.source) for edge in edges)]
    picture, _ = around(MetaphorGraph(both, symmetric=True), ["a"])
    (tmp_path / "joined.html").write_text(html(picture), encoding="utf-8")
    browser.size(1200, 800)
    browser.open(tmp_path / "joined.html")
    browser.click(*browser.run(MIDDLE.format(".node", 0)))
    told = panel(browser)
    assert told.count("is joined to") == 1
    assert told.count("A said b.") == 1
    assert "stands for" not in told
    assert browser.faults() == []
