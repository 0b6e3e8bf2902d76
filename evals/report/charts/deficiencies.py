"""Deficiencies of thinking by kind: a bar a run, or a model of the paper, whose parts make up 100 %."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evals.report.charts.svg import picture, rect, text

__all__ = ["STYLES", "DeficiencyBar", "deficiencies"]

_WIDTH, _BAR, _ROW, _HEAD, _LEGEND = 440, 22, 56, 20, 52
STYLES = ("s4", "s0", "s2", "s1")
"""The classes of the four kinds: seeing is pale, the missing mapping has the accent."""
_ROOM = 34  # pixels that a figure needs inside its part


@dataclass(frozen=True, slots=True)
class DeficiencyBar:
    """One bar.

    Attributes:
        name: of the run, or of a model of the paper.
        shares: of the kinds in percent, in the order of the labels; empty where there are no deficiencies.
        note: what stands at the right: deficiencies a sample, say.
    """

    name: str
    shares: tuple[float, ...]
    note: str = ""


def deficiencies(rows: Sequence[DeficiencyBar], labels: Sequence[str]) -> Markup:
    """Draw the bars, one under the other, with the kinds named above them.

    Args:
        rows: from top to bottom.
        labels: of the four kinds.
    """
    parts = _legend(labels)
    for place, row in enumerate(rows):
        parts += _bar(row, _LEGEND + place * _ROW)
    told = "; ".join(f"{row.name}: {_told(row, labels)}" for row in rows)
    height = _LEGEND + len(rows) * _ROW
    return picture(_WIDTH, height, f"Deficiencies by kind, in percent of all. {told}", parts)


def _legend(labels: Sequence[str]) -> list[Markup]:
    parts: list[Markup] = []
    for place, label in enumerate(labels):
        x, y = place % 2 * _WIDTH / 2, place // 2 * 20
        parts.append(rect((x, y + 2), (12, 12), f"fill {STYLES[place % len(STYLES)]}", 2))
        parts.append(text(x + 18, y + 12, label, "tick"))
    return parts


def _bar(row: DeficiencyBar, top: float) -> list[Markup]:
    parts = [text(0, top + 14, row.name, "label strong"), text(_WIDTH, top + 14, row.note, "tick", "end")]
    y, x = top + _HEAD, 0.0
    parts.append(rect((0, y), (_WIDTH, _BAR), "track", 2))
    for place, share in enumerate(row.shares):
        width = _WIDTH * share / 100
        if width > 0:
            parts.append(rect((x, y), (max(width - 1, 0.5), _BAR), f"fill {STYLES[place % len(STYLES)]}"))
        if width >= _ROOM:
            style = "value on-pale" if STYLES[place % len(STYLES)] == "s4" else "on"
            parts.append(text(x + width / 2, y + 15, f"{share:.1f}", style, "middle"))
        x += width
    return parts


def _told(row: DeficiencyBar, labels: Sequence[str]) -> str:
    if not row.shares:
        return "none"
    return ", ".join(f"{label} {share:.1f}" for label, share in zip(labels, row.shares, strict=True))
