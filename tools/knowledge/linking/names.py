"""Names of nodes and keywords: one normal form, American spelling, lemmas, and the parts of a phrase.

A camera's keyword ("The burning candles", "grey-haired man") and a node of the graph ("candle", "gray
hair") rarely agree letter by letter. Everything here is pure and deterministic.
"""

# ruff: noqa: SIM905  (a list of words reads better as text)

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from tools.knowledge.linking.alike import alike
from tools.knowledge.linking.spelling import american

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "CONTAINERS",
    "PREPOSITIONS",
    "action",
    "action_start",
    "compact",
    "gist",
    "is_container",
    "is_somebody",
    "is_word",
    "lemma",
    "normal",
    "phrase_parts",
    "remainders",
    "unordered",
]

_DETERMINERS = frozenset("a an the his her their its my our your some".split())
_FILLERS = frozenset("a an the his her their its and or very who that is are".split())
PREPOSITIONS = frozenset(
    """
    across against along among and around as at before behind beneath beside between by from in inside into
    near of on onto or over through to toward towards under while with without
    """.split()
)
#: Words that may be exchanged or left out; "from" and "to", or "under" and "over", may not.
_NEUTRAL = frozenset("a an the his her their its in into on onto at of with by wear dress".split())
_PERSONS = frozenset(
    "adult figure guy human individual lady man people person somebody someone woman".split()
)
#: Up to so many words may change places: "fist clenched" is "clenched fist".
_MOVABLE = range(2, 6)
#: Heads that only hold what follows: "crowd of people" is about people.
CONTAINERS = frozenset(
    """
    background bunch close-up closeup cluster collection crowd depiction display flock foreground glimpse
    group herd heap image kind line lot mass montage pair part picture piece pile pool row scene sense series
    set shot sight sort stack stream swarm symbol thread type view
    """.split()
)
#: Nouns that the dictionary takes for verbs or for other words.
_NOUNS = {
    **{word: word for word in ("eraser", "lei", "saw", "stranger")},
    "axes": "axe",
    "leaves": "leaf",
    "lives": "life",
    "skies": "sky",
}
#: Words for a person that say less than others.
_PLAIN = {
    "lady": "woman",
    "ladies": "woman",
    "guy": "man",
    "guys": "man",
    "gentleman": "man",
    "gentlemen": "man",
}
#: Nouns that look like participles.
_NOUNS_IN_ING = frozenset(
    """
    being blessing building ceiling clothing crossing earring ending evening feeling gathering lightning
    meeting morning offering opening painting parting railing warning wedding
    """.split()
)


@lru_cache(maxsize=65_536)
def normal(text: str) -> str:
    """The normal form of a name: no case, accents, outer punctuation, leading article or doubled space.

    Half a surrogate pair, as cut emoji leave behind, becomes a question mark.

    >>> normal("  The Café's  Door. ")
    "cafe's door"
    """
    whole = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    folded = unicodedata.normalize("NFKD", whole).replace("\u2019", "'").replace("_", " ")
    # Only marks on Latin letters go; those of kana or Devanagari are letters of their own.
    bare = "".join(char for char in folded if not "\u0300" <= char <= "\u036f")
    words = unicodedata.normalize("NFC", bare).casefold().split()
    while len(words) > 1 and words[0] in _DETERMINERS:
        words.pop(0)
    return " ".join(words).strip(" \t.,;:!?\"'`()[]{}<>*#-")


def compact(text: str) -> str:
    """A normal form in American spelling with no space, hyphen or apostrophe: "hour-glass" is "hourglass"."""
    return re.sub(r"[\s'-]+", "", american(text))


@lru_cache(maxsize=65_536)
def lemma(text: str) -> str:
    """Each word of a normal form reduced to its dictionary form, articles left out.

    >>> lemma("wilted flowers"), lemma("breaking the mirrors"), lemma("broken mirror"), lemma("mice")
    ('wilt flower', 'break mirror', 'break mirror', 'mouse')
    """
    words = [word for word in re.split(r"[\s-]+", american(text)) if word]
    return " ".join(_lemma_word(word) for word in words if word not in _DETERMINERS or len(words) == 1)


@lru_cache(maxsize=65_536)
def gist(text: str) -> str:
    """The lemmas of a normal form without the words that seldom matter, with any person as "person".

    Words that exchange freely (`alike`) are one.

    >>> gist("a woman gazing in the mirror"), gist("person looking into a mirror")
    ('person look mirror', 'person look mirror')
    """
    kept = [word for word in lemma(alike(american(text))).split() if word not in _NEUTRAL]
    return " ".join("person" if word in _PERSONS else word for word in kept)


def unordered(text: str) -> str:
    """The gist of two to five words in alphabetical order, marked; empty for others.

    >>> unordered("fist clenched"), unordered("clenched fists"), unordered("walking from door to door")
    ('~clench fist', '~clench fist', '')
    """
    words = gist(text).split()
    movable = len(words) in _MOVABLE and not PREPOSITIONS.intersection(words)
    return "~" + " ".join(sorted(words)) if movable else ""


def is_container(word: str) -> bool:
    """Whether a word only holds what a phrase is about: "rows", "close-up"."""
    return word in CONTAINERS or lemma(word) in CONTAINERS


def is_somebody(phrase: str) -> bool:
    """Whether a phrase names a person and says nothing about whom: "the man", "people"."""
    return gist(phrase) == "person"


def remainders(text: str) -> list[str]:
    """What follows each preposition or participle of a normal form, to its end, with and without it.

    >>> remainders("man behind the bars of a cell")
    ['behind the bars of a cell', 'bars of a cell', 'of a cell', 'cell']
    """
    words = text.split()
    splits = [
        at for at in range(len(words) - 1) if words[at] in PREPOSITIONS or (at > 0 and _acts(words, at))
    ]
    return [normal(" ".join(words[start:])) for at in splits for start in (at, at + 1)]


@lru_cache(maxsize=65_536)
def is_word(token: str) -> bool:
    """Whether a token is an English word (and so no misspelling of another)."""
    import simplemma

    return simplemma.is_known(token, lang="en")


def phrase_parts(text: str) -> list[str]:
    """The noun phrases of a normal form, head first.

    Split at prepositions and at participles that follow a noun; a head that only holds what follows
    ("crowd of people", "view of a city") gives its place to the next part.

    >>> phrase_parts("candle in the wind"), phrase_parts("crowd of people")
    (['candle', 'wind'], ['people', 'crowd'])
    >>> phrase_parts("old man standing alone under an umbrella")
    ['old man', 'alone', 'umbrella']
    """
    parts: list[list[str]] = [[]]
    words = text.replace(",", " and ").replace("close up", "close-up").split()
    for at, word in enumerate(words):
        if word in PREPOSITIONS or (0 < at < len(words) - 1 and _acts(words, at)):
            parts.append([])
        elif word not in _FILLERS:
            parts[-1].append(word)
    phrases = [" ".join(part) for part in parts if part]
    if len(phrases) > 1 and is_container(phrases[0].split()[-1]):
        phrases[:2] = [phrases[1], phrases[0]]
    return phrases


def action(text: str) -> list[str]:
    """What somebody does in a normal form, the longest wording first; empty when nobody does anything.

    >>> action("woman sitting alone on a bench")
    ['sitting alone on a bench', 'sitting alone', 'sitting']
    >>> action("burning candle"), action("old wedding ring")
    (['burning candle'], [])
    """
    words = text.split()
    start = action_start(words)
    # In front of a noun a participle describes it ("burning candle"), and "opening" alone is a noun.
    alone = 0 < start < len(words) and _is_participle(words[start])
    weak = PREPOSITIONS | _FILLERS
    ends = range(len(words), start + (0 if alone else 1), -1)
    return [" ".join(words[start:end]) for end in ends if words[end - 1] not in weak]


def action_start(words: Sequence[str]) -> int:
    """Where it begins to say what is done, or the number of words; "on a melting floe" does not say it."""
    described = _DETERMINERS | PREPOSITIONS
    starts = (
        at for at in range(len(words)) if _acts(words, at) and (not at or words[at - 1] not in described)
    )
    return next(starts, len(words))


def _lemma_word(word: str) -> str:
    import simplemma

    if word in _NOUNS or word in _PLAIN:
        return _NOUNS.get(word) or _PLAIN[word]
    found = simplemma.lemmatize(word, lang="en").casefold()
    return _stem(word) if found == word and _is_participle(word) else found


def _acts(words: Sequence[str], at: int) -> bool:
    """Whether a word says what somebody does: "holding flowers", "opening a door", not "grand opening"."""
    governs = at + 1 < len(words) and words[at + 1] in _DETERMINERS
    return _is_participle(words[at]) or (governs and words[at] in _NOUNS_IN_ING)


def _is_participle(word: str) -> bool:
    """Whether a word is a verb in -ing, and no noun by itself."""
    return word not in _NOUNS_IN_ING and _stem(word) != word


def _stem(word: str) -> str:
    """A word in -ing without it, if that leaves a word; else the word itself."""
    stem = word.removesuffix("ing")
    if stem == word or len(stem) <= 2 or not re.search("[aeiouy]", stem):  # noqa: PLR2004  (king, spring)
        return word
    undoubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return next((form for form in (stem, undoubled, f"{stem}e") if is_word(form)), word)
