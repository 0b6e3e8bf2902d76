"""Many comparisons at once: how small a p must be then."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction: the chance of one false find among all is held at the level.

    Args:
        p_values: of one family; None where there was nothing to test, which stays None and isn't counted.

    Returns:
        Corrected values in the same order, each from its own p to 1.
    """
    tested = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for done, (p, i) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - done)))
        corrected[i] = largest
    return corrected
