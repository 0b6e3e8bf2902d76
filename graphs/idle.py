"""Flags that were given and change nothing: said before a run, so that nobody waits for a difference."""

from __future__ import annotations

import argparse

from agents.context import Context
from graphs.catalog import explores, variants
from graphs.knowledge_options import idle_knowledge

__all__ = ["idle_flags"]


def idle_flags(chosen: argparse.Namespace, context: Context) -> list[str]:
    """One sentence for each reason why flags have no effect.

    Args:
        chosen: the parsed flags, with ``graph``; of a graph of one's own, nothing is known.
        context: what they say.
    """
    found: list[str] = []
    if context.input == "video":
        names = ("max_side", "reader", "reader_fallback")
        given = [f"--{name.replace('_', '-')}" for name in names if getattr(chosen, name)]
        if given:
            found.append(f"--input video shows the file as it is: {' and '.join(given)} has no effect.")
    variant = variants().get(chosen.graph)
    if variant is None:
        return found
    if not (variant.per_hop and explores(context)):
        flags = {"--max-hops": chosen.max_hops, "--tool": chosen.tool}
        idle = [flag for flag, given in flags.items() if given]
        why = f" with the knowledge source {context.knowledge.source}" if variant.per_hop else ""
        if idle:
            found.append(f"{chosen.graph} does not explore{why}: {' and '.join(idle)} has no effect.")
    return [*found, *idle_knowledge(chosen, context.knowledge, looks_up=variant.associate > 0)]
