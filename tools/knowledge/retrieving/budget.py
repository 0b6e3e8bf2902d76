"""References within a number of tokens: whole lines, the best first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tools.knowledge.retrieving.lines import association_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.knowledge.edges import Reference

__all__ = ["fit_references", "reference_lines"]


def reference_lines(reference: Reference) -> list[str]:
    """A reference as lines for a prompt, one for each way: `candle -> passing of time (burns down)`."""
    return [association_line(association) for association in reference.associations]


def fit_references(
    references: Sequence[Reference], max_tokens: int, count: Callable[[str], int] | None = None
) -> list[Reference]:
    """As many references as their lines' tokens allow, the best first.

    Of the last one, the weaker ways may be left out, but no line is cut and no reference is without one.

    Args:
        references: the best first.
        max_tokens: tokens of all lines together.
        count: counts a text's tokens; by o200k_base unless given.
    """
    if count is None:
        from tools.tokens import count_tokens as count
    lines: list[str] = []
    kept: list[Reference] = []
    for reference in references:
        own = reference_lines(reference)
        fits = next((n for n in range(len(own), 0, -1) if count("\n".join(lines + own[:n])) <= max_tokens), 0)
        if fits or not own:
            kept.append(replace(reference, associations=reference.associations[:fits]))
            lines += own[:fits]
        if fits < len(own):
            break
    return kept
