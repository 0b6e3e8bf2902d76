"""A picture as a page of its own: opens from disk, asks no network, and can be read without its script."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from tools.knowledge.drawing.layout import TALL, WIDE, layout
from tools.knowledge.drawing.look import MEANINGS
from tools.knowledge.drawing.svg import STYLE, clean, drawing, kinds_of, markers

if TYPE_CHECKING:
    from tools.knowledge.drawing.layout import Layout
    from tools.knowledge.drawing.picture import Picture
    from tools.knowledge.edges import Edge

__all__ = ["html"]

#: Sentences of an association that the page holds, and characters of each.
_SENTENCES, _CHARACTERS = 5, 600
_SCRIPTS = ("page_view.js", "page_panel.js", "page_hands.js")
#: A text between script tags is not escaped by HTML's rules, so these are by JSON's.
_UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def html(picture: Picture, summary: str = "") -> str:
    """A picture as one HTML file, for a screen and for a phone, light and dark.

    Every text is escaped, and the page's policy lets no script but its own run.

    Args:
        picture: what is drawn.
        summary: a line below the title; how much is drawn by default.
    """
    wide, tall = layout(picture, WIDE), layout(picture, TALL)
    style = STYLE + _resource("page.css")
    script = "\n".join(map(_resource, _SCRIPTS))
    cultures = sorted({edge.culture for edge in picture.associations if edge.culture})
    told = clean(picture.title)
    return Template(_resource("page.html")).substitute(
        title=escape(told),
        label=escape(f"Associations around {told}"),
        summary=escape(clean(summary or _summary(picture))),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        width=f"{wide.width:g}",
        height=f"{wide.height:g}",
        markers=markers(picture),
        drawing=drawing(picture, wide),
        options="".join(f'<option value="{_text(element.name)}">' for element in picture.elements),
        cultures="".join(f"<option>{_text(culture)}</option>" for culture in cultures),
        kinds="".join(map(_kind, kinds_of(picture))),
        count=len(picture.associations),
        rows="".join(map(_row, picture.associations)),
        data=json.dumps(_data(picture, wide, tall), ensure_ascii=False).translate(_UNSAFE),
    )


def _resource(name: str) -> str:
    return (files("tools.knowledge.drawing") / name).read_text("utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _text(text: str) -> str:
    return escape(clean(text))


def _summary(picture: Picture) -> str:
    more = f"; {picture.left_out} more left out" if picture.left_out else ""
    return f"{len(picture.elements)} elements, {len(picture.associations)} associations{more}"


def _kind(kind: str) -> str:
    return (
        f'<label><input type="checkbox" value="{kind}" checked>'
        f'<svg aria-hidden="true"><path class="line {kind}" d="M1 4h28" stroke-width="2.5"/></svg>'
        f'<span>{kind}<span class="words">, {MEANINGS[kind]}</span></span></label>'
    )


def _row(edge: Edge) -> str:
    cells = (edge.target, edge.ground, edge.kind, edge.culture or "", f"{edge.weight:g}", edge.provenance)
    rest = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{_text(edge.source)}</th>{rest}</tr>\n'


def _data(picture: Picture, wide: Layout, tall: Layout) -> dict[str, Any]:
    """What the script needs: places for both canvases, and all that is told of an association."""
    numbers = {element.name: number for number, element in enumerate(picture.elements)}
    elements = [
        {
            "name": clean(element.name),
            "hidden": element.hidden,
            "size": wide.sizes[number].tolist(),
            "wide": wide.centers[number].tolist(),
            "tall": tall.centers[number].tolist(),
        }
        for number, element in enumerate(picture.elements)
    ]
    associations = [
        {
            "source": numbers[edge.source],
            "target": numbers[edge.target],
            "kind": edge.kind,
            "culture": clean(edge.culture or ""),
            "weight": round(edge.weight, 4),
            "ground": clean(edge.ground),
            "provenance": clean(edge.provenance),
            "sentences": [_sentence(sentence) for sentence in edge.sentences[:_SENTENCES]],
            "more": max(len(edge.sentences) - _SENTENCES, 0),
            "wide": round(float(wide.bends[number]), 3),
            "tall": round(float(tall.bends[number]), 3),
            "wideNote": _share(wide, number),
            "tallNote": _share(tall, number),
        }
        for number, edge in enumerate(picture.associations)
    ]
    canvas = {"wide": [wide.width, wide.height], "tall": [tall.width, tall.height]}
    return {
        "directed": picture.is_directed,
        "canvas": canvas,
        "elements": elements,
        "associations": associations,
    }


def _share(at: Layout, number: int) -> float | None:
    """Where an association's culture is written; None where there is no room."""
    share = float(at.notes[number])
    return None if math.isnan(share) else share


def _sentence(sentence: str) -> dict[str, str]:
    whole = clean(sentence)
    text = whole if len(whole) <= _CHARACTERS else f"{whole[:_CHARACTERS]}\N{HORIZONTAL ELLIPSIS}"
    told = {name: clean(getattr(sentence, name, "")) for name in ("source", "licence")}
    return {"text": text, **told}
