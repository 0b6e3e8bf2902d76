"""Associations and references as lines of text for a prompt or a tool's answer, never cut mid-line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.knowledge.edges import Association, Reference

__all__ = ["association_line", "fit_lines", "reference_lines"]

#: Longest ground that is shown; the published graph's sentences can be whole paragraphs.
_MAX_GROUND = 160


def association_line(association: Association) -> str:
    """One association: `candle -> time -> mortality (burns down; runs out for everyone)`."""
    notes = [f"{association.culture} culture"] if association.culture else []
    if ground := " ".join(association.ground.split()):
        notes.append(ground if len(ground) <= _MAX_GROUND else f"{ground[: _MAX_GROUND - 3].rstrip()}...")
    return " -> ".join(association.path) + (f" ({': '.join(notes)})" if notes else "")


def fit_lines(lines: Iterable[str], max_chars: int, left_out: int = 0) -> str:
    """As many whole lines as fit, and a last one that counts the rest ("12 more left out").

    Args:
        lines: one entry each, the most important first.
        max_chars: the longest text to return; below the last line's own length nothing is returned.
        left_out: entries that were left out before.

    Returns:
        The text, without a newline at its end.
    """
    every = list(lines)
    for kept in range(len(every), -1, -1):
        more = left_out + len(every) - kept
        text = "\n".join([*every[:kept], *([f"{more} more left out"] if more else [])])
        if len(text) <= max_chars:
            return text
    return ""


def reference_lines(references: Sequence[Reference], max_chars: int = 4000) -> str:
    """One line a concept, with the way to it and the keywords that led there.

    `candle -> time -> mortality (also from hourglass, wilting flower)`: the shortest way is shown whole, so
    that a concept two hops away does not look like a direct one.

    Args:
        references: from `retrieve_published`, in their order.
        max_chars: the longest text to return; whole lines are left out, and counted, to keep to it.

    Returns:
        The lines, joined by newlines; empty when there are no references.
    """
    return fit_lines([_reference_line(reference) for reference in references], max_chars)


def _reference_line(reference: Reference) -> str:
    shortest = min(range(len(reference.paths)), key=lambda at: len(reference.paths[at]))
    keyword, path = reference.keywords[shortest], reference.paths[shortest]
    others = [other for other in reference.keywords if other != keyword]
    line = " -> ".join([keyword, *path[1:]])
    return f"{line} (also from {', '.join(others)})" if others else line
