"""A picture as SVG: whole as a file of its own, or its elements and lines for a page to hold."""

from __future__ import annotations

import math
import re
from html import escape
from typing import TYPE_CHECKING

from tools.knowledge.drawing.labels import LINE, lines_of, size_at, width_of
from tools.knowledge.drawing.layout import WIDE, layout
from tools.knowledge.drawing.look import DARK, DASHES, LIGHT, MEANINGS, stroke, variables
from tools.knowledge.drawing.notes import SIZE
from tools.knowledge.drawing.routes import at_share, curve
from tools.knowledge.edges import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from tools.knowledge.drawing.layout import Layout
    from tools.knowledge.drawing.picture import Element, Picture
    from tools.knowledge.edges import Edge

__all__ = ["STYLE", "clean", "drawing", "kinds_of", "legend", "markers", "svg"]

_HEADER, _FOOTER = 64, 56
_NO_XML = re.compile("[^\t\n\r -~\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

STYLE = f"""
:root {{ {variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}
.paper {{ fill: var(--paper); }}
text {{ font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; fill: var(--ink); }}
.faint {{ fill: var(--faint); }}
.node rect {{ fill: var(--far); stroke: var(--faint); stroke-width: 1; }}
.node text {{ text-anchor: middle; pointer-events: none; }}
.node.near rect {{ fill: var(--near); stroke: var(--ink); stroke-width: 1.25; }}
.node.focus rect {{ fill: var(--focus); stroke: var(--focus); }}
.node.focus text {{ fill: var(--paper); font-weight: 600; }}
.note {{ text-anchor: middle; stroke: var(--paper); stroke-width: 4; stroke-linejoin: round;
  paint-order: stroke; pointer-events: none; }}
.line {{ fill: none; stroke: var(--faint); opacity: .8; }}
""" + "".join(
    f".line.{kind} {{ stroke: var(--{kind});"
    + (f" stroke-dasharray: {' '.join(map(str, DASHES[kind]))};" if kind in DASHES else "")
    + f" }}\n.head.{kind}, .note.{kind} {{ fill: var(--{kind}); }}\n"
    for kind in KINDS
)  # fmt: skip


def svg(picture: Picture, places: Layout | None = None) -> str:
    """A picture as an SVG file with a title and a legend; it follows the reader's light or dark scheme.

    Args:
        picture: what is drawn.
        places: from `layout`; on a wide canvas by default.
    """
    at = places or layout(picture, WIDE)
    height = at.height + _HEADER + _FOOTER
    told = clean(picture.title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {at.width:g} {height:g}" '
        f'width="{at.width:g}" height="{height:g}" role="img" aria-label="{escape(told)}">\n'
        f"<title>{escape(told)}</title>\n<style>{STYLE}</style>\n"
        f"<defs>{markers(picture)}</defs>\n"
        f'<rect class="paper" width="100%" height="100%"/>\n'
        f'<text x="28" y="44" font-size="26" font-weight="600">{escape(_fitting(told, at.width))}</text>\n'
        f'<g transform="translate(0 {_HEADER})">\n'
    )
    below = "".join(_legend(picture, at))
    return f"{head}{drawing(picture, at)}</g>\n{below}</svg>\n"


def drawing(picture: Picture, at: Layout) -> str:
    """The lines and boxes alone, as elements of SVG; each knows its number by `data-at`."""
    numbers = {element.name: number for number, element in enumerate(picture.elements)}
    parts, notes = ['<g class="lines">\n'], ['<g class="notes">\n']
    for number, edge in enumerate(picture.associations):
        pair = numbers[edge.source], numbers[edge.target]
        ends = curve(at.centers, at.sizes, pair, float(at.bends[number]))
        (x, y), (cx, cy), (ex, ey) = ends.tolist()
        path = f"M{x:.1f} {y:.1f}Q{cx:.1f} {cy:.1f} {ex:.1f} {ey:.1f}"
        kind = _kind(edge)
        head = f' marker-end="url(#{kind})"' if picture.is_directed else ""
        parts.append(
            f'<g class="edge" data-at="{number}"><title>{escape(_told(edge))}</title>'
            f'<path class="line {kind}" d="{path}" stroke-width="{stroke(edge.weight):g}"{head}/></g>\n'
        )
        if edge.culture:
            notes.append(_note(edge, number, ends, float(at.notes[number])))
    parts += ["</g>\n", *notes, '</g>\n<g class="nodes">\n']
    for number, element in enumerate(picture.elements):
        parts.append(_node(element, number, at))
    return "".join([*parts, "</g>\n"])


def _note(edge: Edge, number: int, ends: NDArray[np.float64], share: float) -> str:
    """The culture of an association, on its line; hidden, for a script to show, where there is no room."""
    x, y = at_share(ends, 0.5 if math.isnan(share) else share).tolist()
    hidden = ' visibility="hidden"' if math.isnan(share) else ""
    return (
        f'<text class="note {_kind(edge)}" data-at="{number}" x="{x:.1f}" y="{y + SIZE * 0.35:.1f}" '
        f'font-size="{SIZE}"{hidden}>'
        f"{escape(clean(edge.culture or ''))}</text>\n"
    )


def _node(element: Element, number: int, at: Layout) -> str:
    x, y = at.centers[number].tolist()
    width, height = at.sizes[number].tolist()
    size, lines = size_at(element.steps), lines_of(clean(element.name))
    corner = 6 if element.is_seen else round(min(height / 2, 20), 1)
    first = -(len(lines) - 1) * size * LINE / 2 + size * 0.35
    text = "".join(
        f'<text y="{first + turn * size * LINE:.1f}" font-size="{size}">{escape(line)}</text>'
        for turn, line in enumerate(lines)
    )
    place = ("focus", "near", "far")[min(element.steps, 2)]
    return (
        f'<g class="node {place}" data-at="{number}" transform="translate({x:g} {y:g})">'
        f"<title>{escape(clean(element.name))}</title>"
        f'<rect x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" '
        f'rx="{corner:g}"/>'
        f"{text}</g>\n"
    )


def markers(picture: Picture) -> str:
    """An arrowhead for each kind of line."""
    return "".join(
        f'<marker id="{kind}" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="11" markerHeight="11" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="head {kind}" d="M0 1L10 5L0 9z"/></marker>'
        for kind in kinds_of(picture)
    )


def kinds_of(picture: Picture) -> list[str]:
    """The kinds that occur."""
    met = {edge.kind for edge in picture.associations}
    return [kind for kind in KINDS if kind in met]


def legend(picture: Picture, width: float) -> tuple[float, list[tuple[str, str, float]]]:
    """What the kinds of lines mean, in one line.

    Returns:
        The font size at which it fits the width, and for each kind that occurs its name, what is said of it,
        and where it begins. The last is told of no kind, when there is more than is drawn.
    """
    told = [(kind, f"{kind}: {MEANINGS[kind]}") for kind in kinds_of(picture)]
    if picture.left_out:
        told.append(("", f"{picture.left_out:,} more not drawn"))
    wide = sum((3.0 if kind else 0.0) + width_of(text, 1) + 1.5 for kind, text in told) or 1.0
    size = min((width - 56) / wide, 14.0)
    found: list[tuple[str, str, float]] = []
    x = 28.0
    for kind, text in told:
        found.append((kind, text, x))
        x += ((3.0 if kind else 0.0) + width_of(text, 1) + 1.5) * size
    return size, found


def _legend(picture: Picture, at: Layout) -> Iterator[str]:
    y = at.height + _HEADER + _FOOTER / 2
    size, entries = legend(picture, at.width)
    for kind, text, x in entries:
        if kind:
            yield f'<path class="line {kind}" d="M{x:.1f} {y:g}h{size * 2.4:.1f}" stroke-width="2.5"/>'
        begin = x + 3 * size if kind else x
        yield (
            f'<text class="faint" x="{begin:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}">'
            f"{escape(text)}</text>\n"
        )


def _told(edge: Edge) -> str:
    ground = f": {edge.ground}" if edge.ground else ""
    culture = f" ({edge.culture})" if edge.culture else ""
    return clean(f"{edge.source} \N{RIGHTWARDS ARROW} {edge.target}{culture}{ground}")


def _kind(edge: Edge) -> str:
    return edge.kind if edge.kind in KINDS else KINDS[0]


def _fitting(text: str, width: float) -> str:
    room = width - 56
    if width_of(text, 26) <= room:
        return text
    while text and width_of(text, 26) > room - 26:
        text = text[:-1]
    return f"{text}\N{HORIZONTAL ELLIPSIS}"


def clean(text: str) -> str:
    """The text without what XML has no place for: control characters, halves of pairs, noncharacters."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
