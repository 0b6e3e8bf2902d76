"""What is going on between a run and its servers, in words."""

from __future__ import annotations

from collections.abc import Iterable

from agents.calls import LineState, traffic

__all__ = ["traffic_line"]


def traffic_line(states: Iterable[LineState] | None = None) -> str:
    """Lines on which something failed: how often it was tried again, and how many calls may be in flight now.

    Args:
        states: the lines; all there are when None.
    """
    told = [
        f"{state.name} tried again {state.retries} times (last: {state.last_fault}), {state.width} at once"
        for state in (traffic() if states is None else states)
        if state.retries
    ]
    return "; ".join(told)
