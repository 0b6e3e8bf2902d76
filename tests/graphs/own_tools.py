"""Tools of a user's own, as a test plugs them in."""

from __future__ import annotations

from langchain_core.tools import tool


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
