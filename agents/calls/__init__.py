"""The one place through which models are asked: limits, tries and waiting, and answers that are kept.

A :class:`Line` leads to one model on one server. It lets calls through in the order in which they come, as
many at once as the server bears and as often as you allow, and tries again what failed for a passing reason.
"""

from __future__ import annotations

from agents.calls.account import Account, accounting
from agents.calls.draws import drawing
from agents.calls.lines import Line, LineState, Patience, open_line, traffic

__all__ = [
    "Account",
    "Line",
    "LineState",
    "Patience",
    "accounting",
    "drawing",
    "open_line",
    "traffic",
]
