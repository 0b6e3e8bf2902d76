"""Associations as lines of text for a prompt or a tool's answer, never cut mid-line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tools.knowledge.edges import Association

__all__ = ["association_line", "fit_lines"]

#: Longest ground that is shown; the published graph's sentences can be whole paragraphs.
_MAX_GROUND = 160


def association_line(association: Association) -> str:
    """One association: `candle -> time -> mortality (burns down; runs out for everyone)`."""
    notes = [f"{association.culture} culture"] if association.culture else []
    if ground := " ".join(association.ground.split()):
        notes.append(ground if len(ground) <= _MAX_GROUND else f"{ground[: _MAX_GROUND - 3].rstrip()}...")
    return " -> ".join(association.path) + (f" ({': '.join(notes)})" if notes else "")


def fit_lines(lines: Iterable[str], room: int, left_out: int = 0, size: Callable[[str], int] = len) -> str:
    """As many whole lines as fit, and a last one that counts the rest ("12 more left out").

    Args:
        lines: one entry each, the most important first.
        room: the largest text to return; below the last line's own size nothing is returned.
        left_out: entries that were left out before.
        size: measures a text: its characters, or its tokens.

    Returns:
        The text, without a newline at its end.
    """
    every = list(lines)
    for kept in range(len(every), -1, -1):
        more = left_out + len(every) - kept
        text = "\n".join([*every[:kept], *([f"{more} more left out"] if more else [])])
        if size(text) <= room:
            return text
    return ""
