"""Tools of a user's own, as a test plugs them in."""

from __future__ import annotations

from collections.abc import Callable

from langchain_core.tools import BaseTool, tool

from tools.knowledge.sources import Findings, Passage, Query, SourceSettings


@tool
def rhyme(word: str) -> str:
    """Find a word that rhymes."""
    return f"{word} rhymes with handle"


@tool
def halved(word: str) -> str:
    """Answer with half a character."""
    return f"{word} \ud83d"


@tool
def leaving(word: str) -> str:
    """End the process."""
    raise SystemExit(3)


@tool
def broken(word: str) -> str:
    """Divide by nothing."""
    return str(1 // (len(word) - len(word)))


class _Classy(BaseTool):
    name: str = "classy"
    description: str = "Divide by nothing, as a class."

    def _run(self, word: str) -> str:
        return str(1 // (len(word) - len(word)))


classy = _Classy()


def proverbs(settings: SourceSettings) -> Proverbs:
    """A source of knowledge of one's own."""
    return Proverbs()


class Proverbs:
    name, digest, graph = "proverbs", "1", None

    def find(self, query: Query) -> Findings:
        return Findings(passages=tuple(Passage(f"{word}: a proverb of it") for word in query.keywords))

    def tool(self, count: Callable[[str], int]) -> None:
        return None
