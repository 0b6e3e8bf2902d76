"""Small grammar of English for the entries: articles, and a ground as a clause."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

__all__ = ["because", "the_concept", "with_article"]

_VOWEL = re.compile(r"[aeio](?!ne\b)|u(?!ni[cft]|s[eu])|hour|honest|heir", re.IGNORECASE)
_COLORS = frozenset({"red", "yellow", "green", "blue", "purple", "orange", "black", "white", "gray"})
_BARE = re.compile(
    r"^(?:a|an|the|two|three|four|five|several|many|some|no|people|his|her|their)\b|(?:[^s]s|ing)$"
    r"|^[a-z]+ing (?:a|an|the|up|down|with|to|from|against|over|out|one's)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _words() -> dict[str, frozenset[str]]:
    """Word lists by name, from a file of a word and its list a line."""
    text = files("agents.embedded").joinpath("data/words.tsv").read_text(encoding="utf-8")
    pairs = [line.split("\t") for line in text.splitlines()[1:]]
    return {name: frozenset(word for word, other in pairs if other == name) for name in ("bare", "verb")}


def with_article(phrase: str) -> str:
    """`candle` as `a candle`; plurals, masses and gerunds stay bare."""
    if phrase in _COLORS:
        return f"the color {phrase}"
    last = phrase.rpartition(" ")[2].lower()
    if (
        ((last in _words()["bare"] or last.endswith("ness")) and " in " not in phrase)
        or _BARE.search(phrase)
        or phrase.endswith(("blue light", "white light", "color", "editing", "fog"))
    ):
        return phrase
    return ("an " if _VOWEL.match(phrase) else "a ") + phrase


def the_concept(concept: str) -> str:
    """`passing of time` as `the passing of time`; other concepts stay as they are."""
    if re.match(r"^(?:a|an|the|one's|no|being|having)\b", concept):
        return concept
    return f"the {concept}" if re.search(r"\w of \w", concept) else concept


def because(element: str, ground: str) -> str:
    """A ground as a clause about its element: `, since a candle burns down as time passes`.

    Empty when the ground does not begin with a verb, and so says nothing of the element itself.
    """
    if not ground:
        return ""
    if ground.split(maxsplit=1)[0] in _words()["verb"]:
        return f", since {with_article(element)} {ground}"
    return ""
