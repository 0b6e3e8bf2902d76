"""One node a file: an async function of the state and a desk that returns the state's new part."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agents.desk import Desk
from agents.nodes.associate import associate
from agents.nodes.diagnose import check_evidence, diagnose
from agents.nodes.explore import explore
from agents.nodes.extract import extract
from agents.nodes.interpret import interpret
from agents.nodes.judge import judge
from agents.nodes.perceive import perceive

__all__ = [
    "Node",
    "associate",
    "check_evidence",
    "diagnose",
    "explore",
    "extract",
    "interpret",
    "judge",
    "perceive",
]

Node = Callable[[Mapping[str, Any], Desk], Awaitable[dict[str, Any]]]
"""What every node is, ours and yours."""
