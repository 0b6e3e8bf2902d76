"""A sample's calls on one time axis: when each began, as the record tells it, or as far as it can be said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from agents.schemas import ModelCall

__all__ = ["Starts", "starts_of"]

_JUDGE = "judge"
_SLACK = 1.05  # of a phase's time: calls that take longer one after another were made at once

Starts = tuple[list[float], bool]
"""Seconds after the sample began at which each call did, and whether the record tells them."""


def starts_of(calls: Sequence[ModelCall], timings: Mapping[str, float], started: str) -> Starts:
    """When calls began.

    Where the record doesn't tell of all of them, they are laid end to end, those of the judge after
    interpreting; where a phase was shorter than its calls together, they were made at once and all begin with
    it.

    Args:
        calls: of one record, in order.
        timings: seconds of its phases.
        started: when the sample was begun, ISO 8601.
    """
    told = [
        float(getattr(call, "began", 0.0) or 0.0) for call in calls
    ]  # records of earlier versions tell none
    begun = _moment(started)
    if calls and begun is not None and all(told):
        return [round(max(moment - begun, 0.0), 3) for moment in told], True
    interpret = timings.get("interpret", 0.0)
    places: list[float] = [0.0] * len(calls)
    judging = [call.step.startswith(_JUDGE) for call in calls]
    for phase, since in ((False, 0.0), (True, interpret)):
        own = [number for number, is_judging in enumerate(judging) if is_judging is phase]
        _lay(own, since, timings.get("judge" if phase else "interpret", 0.0), calls, places)
    return [round(place, 3) for place in places], False


def _lay(
    own: Sequence[int], since: float, lasted: float, calls: Sequence[ModelCall], places: list[float]
) -> None:
    """Calls of one phase, after one another if there was time for that."""
    whole = sum(calls[number].seconds for number in own)
    at_once = 0 < lasted * _SLACK < whole
    for number in own:
        places[number] = since
        if not at_once:
            since += calls[number].seconds


def _moment(text: str) -> float | None:
    try:
        return dt.datetime.fromisoformat(text).timestamp()
    except ValueError:
        return None
