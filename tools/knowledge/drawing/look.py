"""Colours and strokes, one for light and one for dark, and the same in every format."""

from __future__ import annotations

from typing import NamedTuple

from tools.knowledge.edges import KINDS

__all__ = ["DARK", "DASHES", "LIGHT", "MEANINGS", "Look", "stroke", "variables"]

#: What each kind of association is, in the words of a legend.
MEANINGS = {
    "symbol": "by convention",
    "conceptual": "as a metaphor",
    "cultural": "by a culture's custom",
    "bodily": "through the body",
    "causal": "as cause for effect",
}
#: Lengths of strokes and gaps, so that kinds are told apart without colours too.
DASHES = {"cultural": (9, 4), "bodily": (3, 4), "causal": (14, 4, 2, 4)}


class Look(NamedTuple):
    """Colours as #rrggbb.

    Attributes:
        paper: behind everything.
        ink: text.
        faint: text beside the point, and borders.
        focus: the box that the picture is about; its text is in `paper`.
        near: the boxes a step away.
        far: all other boxes.
        kinds: the lines, in the order of `KINDS`.
    """

    paper: str
    ink: str
    faint: str
    focus: str
    near: str
    far: str
    kinds: tuple[str, str, str, str, str]

    def kind(self, name: str) -> str:
        """The colour of a kind's lines."""
        return self.kinds[KINDS.index(name)] if name in KINDS else self.faint


LIGHT = Look(
    paper="#fbfaf7",
    ink="#1d2430",
    faint="#6a7280",
    focus="#1d2430",
    near="#ffffff",
    far="#f1efe8",
    kinds=("#2a6fb8", "#8848ae", "#c4520f", "#23814d", "#76706a"),
)
DARK = Look(
    paper="#14171c",
    ink="#eceff4",
    faint="#98a2b3",
    focus="#f2d38b",
    near="#232932",
    far="#1b2027",
    kinds=("#79b4f2", "#cb9df0", "#f2a06a", "#6fd09a", "#b3aca4"),
)


def stroke(weight: float) -> float:
    """How thick an association's line is, in pixels."""
    return round(1 + 3 * min(max(weight, 0.0), 1.0), 2)


def variables(look: Look) -> str:
    """The colours as variables of a style sheet."""
    named = {name: value for name, value in look._asdict().items() if name != "kinds"}
    named |= dict(zip(KINDS, look.kinds, strict=True))
    return " ".join(f"--{name}: {value};" for name, value in named.items())
