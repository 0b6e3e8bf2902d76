"""No knowledge: the base that every other source is measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.knowledge.sources.protocol import Findings, Query, SourceSettings

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NoKnowledge", "no_knowledge"]


class NoKnowledge:
    """Finds nothing and lends no tool. Of `self` too it is all there is here: there, the model knows."""

    name = ""
    digest = ""
    graph = None

    def find(self, query: Query) -> Findings:
        """Nothing."""
        del query
        return Findings()

    def tool(self, count: Callable[[str], int]) -> None:
        """No tool."""
        del count


def no_knowledge(settings: SourceSettings) -> NoKnowledge:
    """The source `none`, whatever the settings."""
    del settings
    return NoKnowledge()
