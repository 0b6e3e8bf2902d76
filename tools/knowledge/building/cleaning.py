"""Names as they are written to names of nodes, and what can't be one."""

# ruff: noqa: SIM905, RUF001, RUF002  (a list of words reads better as text; full-width marks are meant)

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tools.knowledge.linking import chinese
from tools.knowledge.linking.names import normal
from tools.knowledge.linking.spelling import american

__all__ = ["MOST_WORDS", "clean", "fault", "ground_concepts", "tidy_ground"]

#: Words that a name has at most, unless told otherwise: longer ones are clauses, met once and never again.
#: Two Chinese characters count as a word.
MOST_WORDS = 5
#: Words that a ground has at most to be a concept of its own; longer ones are told in words.
_GROUND_WORDS = 3
_MARKS = re.compile(r"[\"“”„«»‹›()\[\]{}<>*|\\]+")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*")
#: In front of a name these say how it is said, not what it is.
_BEFORE = frozenset(
    "to like as very really extremely quite this that these those is are was were be am".split()
)
#: At its end they were cut off from what followed.
_AFTER = frozenset(
    "to of with and or for the a an that which than as by from into is are was were like be".split()
)
_PRONOUNS = frozenset(
    """
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves this that these those
    who whom whose which what one ones someone somebody something anyone anybody anything everyone
    everybody everything nobody nothing each other another all both here there such none so same
    thing things stuff etc
    我 你 您 他 她 它 咱 俺 我们 你们 他们 她们 它们 咱们 自己
    这 那 这个 那个 这些 那些 什么 谁 大家 别人 此 其
    """.split()
)
#: A ground with one of these tells something; it names no concept.
_TELLING = frozenset(
    """
    i you he she it we they is are was were be been being am has have had do does did can could will would
    shall should may might must not who which that because when while if as both them him
    """.split()
)
_ROUNDS = 8
_GROUND_PARTS = re.compile(r"[,;，；、]")


@lru_cache(maxsize=65_536)
def clean(name: str) -> str:
    """The form of a name that a node may have; empty when nothing is left.

    >>> clean("The grey Candles."), clean("like a candle"), clean("resemblance to"), clean("一朵玫瑰（红）")
    ('gray candles', 'candle', 'resemblance', '玫瑰')
    """
    form = _cleaned(name)
    for _ in range(_ROUNDS):
        # What was under a mark or a word that went may have to go as well.
        before, form = form, _cleaned(form)
        if form == before:
            break
    return form


def _cleaned(name: str) -> str:
    told = unicodedata.normalize("NFKC", name)
    bare = _ASIDE.sub(" ", told).strip() or told
    if chinese.has_han(bare):
        plain = chinese.simplified(bare)
        return (chinese.counted(plain) or plain).removesuffix("的").casefold()
    words = normal(_MARKS.sub(" ", bare)).split()
    while len(words) > 1 and words[0] in _BEFORE:
        words = normal(" ".join(words[1:])).split()
    while len(words) > 1 and words[-1] in _AFTER:
        words = words[:-1]
    return american(normal(" ".join(words)))


def fault(form: str, most_words: int) -> str:
    """The reason why a form can't be a node's name, or nothing."""
    if not any(map(str.isalpha, form)):
        return "no_word"
    if form in _PRONOUNS:
        return "pronoun"
    return "long" if _words(form) > most_words else ""


def ground_concepts(grounds: tuple[str, ...]) -> list[str]:
    """The concepts that a row's grounds name; none when they tell something in words.

    A ground is a concept when it has up to three words (six Chinese characters) and none of them is a
    pronoun, an auxiliary or the like. A ground that is a list of such is several.

    >>> ground_concepts(("brief",)), ground_concepts(("bright, soon gone",))
    (['brief'], ['bright', 'soon gone'])
    >>> ground_concepts(("burns down as time passes",)), ground_concepts(("it is bright",))
    ([], [])
    """
    concepts: list[str] = []
    for ground in grounds:
        parts = [part for part in map(clean, _GROUND_PARTS.split(ground)) if part]
        if all(map(_is_concept, parts)):
            concepts += parts
    return list(dict.fromkeys(concepts))


def tidy_ground(grounds: tuple[str, ...]) -> str:
    """A row's grounds as one line."""
    return ", ".join(filter(None, (ground.strip(" .。;；,，") for ground in grounds)))


def _is_concept(form: str) -> bool:
    return not fault(form, _GROUND_WORDS) and not _TELLING.intersection(form.split())


def _words(form: str) -> int:
    if not chinese.has_han(form):
        return len(form.split())
    return (len(form) + 1) // 2
