"""Draws a part of a graph: places from numpy, and the same picture as SVG, as a page, and as PNG.

>>> from tools.knowledge import open_knowledge
>>> from tools.knowledge.drawing import around, svg
>>> picture, walk = around(open_knowledge(), ["candle"], hops=1, limit=5)
>>> svg(picture).startswith("<svg")
True
"""

from __future__ import annotations

from tools.knowledge.drawing.html import html
from tools.knowledge.drawing.layout import TALL, WIDE, Layout, layout
from tools.knowledge.drawing.picture import Element, Picture, along, around, picture_of
from tools.knowledge.drawing.png import png
from tools.knowledge.drawing.svg import svg

__all__ = [
    "TALL",
    "WIDE",
    "Element",
    "Layout",
    "Picture",
    "along",
    "around",
    "html",
    "layout",
    "picture_of",
    "png",
    "svg",
]
