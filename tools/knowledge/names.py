"""Names of nodes and keywords: one normal form, American spelling, lemmas, and the parts of a phrase.

A camera's keyword ("The burning candles", "grey-haired man") and a node of the graph ("candle", "gray
hair") rarely agree letter by letter. Everything here is pure and deterministic.
"""

# ruff: noqa: SIM905  (a list of words reads better as text)

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tools.knowledge.spelling import american

__all__ = ["action", "compact", "gist", "is_word", "lemma", "normal", "phrase_parts"]

_DETERMINERS = frozenset("a an the his her their its my our your some".split())
_FILLERS = frozenset("a an the his her their its and or very who that is are".split())
_PREPOSITIONS = frozenset(
    """
    across against along among and around as at before behind beneath beside between by from in inside into
    near of on onto or over through to toward towards under while with without
    """.split()
)
#: Words that may be exchanged or left out; "from" and "to", or "under" and "over", may not.
_NEUTRAL = frozenset("a an the his her their its in into on onto at of with by".split())
_PERSONS = frozenset("adult figure guy human individual lady man people somebody someone woman".split())
#: Heads that only hold what follows: "crowd of people" is about people.
_CONTAINERS = frozenset(
    """
    background bunch close-up closeup cluster collection crowd depiction display flock foreground glimpse
    group herd heap image kind line lot mass montage pair part picture piece pile pool row scene sense series
    set shot sight sort stack stream swarm symbol thread type view
    """.split()
)
#: Plurals that the dictionary takes for verbs or for other words.
_NOUNS = {"axes": "axe", "leaves": "leaf", "lives": "life", "skies": "sky"}
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

    >>> normal("  The Café's  Door. ")
    "cafe's door"
    """
    folded = unicodedata.normalize("NFKD", text).replace("\u2019", "'").replace("_", " ")
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
    """The lemmas of a normal form without the words that seldom matter, and with any person as "person".

    >>> gist("a woman looking in the mirror"), gist("person looking into a mirror")
    ('person look mirror', 'person look mirror')
    """
    kept = [word for word in lemma(text).split() if word not in _NEUTRAL]
    return " ".join("person" if word in _PERSONS else word for word in kept)


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
    words = text.replace(",", " and ").split()
    for at, word in enumerate(words):
        if word in _PREPOSITIONS or (0 < at < len(words) - 1 and _acts(words, at)):
            parts.append([])
        elif word not in _FILLERS:
            parts[-1].append(word)
    phrases = [" ".join(part) for part in parts if part]
    if len(phrases) > 1 and phrases[0].split()[-1] in _CONTAINERS:
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
    start = next((at for at in range(len(words)) if _acts(words, at)), len(words))
    # In front of a noun a participle describes it ("burning candle"), and "opening" alone is a noun.
    alone = 0 < start < len(words) and _is_participle(words[start])
    weak = _PREPOSITIONS | _FILLERS
    ends = range(len(words), start + (0 if alone else 1), -1)
    return [" ".join(words[start:end]) for end in ends if words[end - 1] not in weak]


def _lemma_word(word: str) -> str:
    import simplemma

    if word in _NOUNS:
        return _NOUNS[word]
    found = simplemma.lemmatize(word, lang="en").casefold()
    return _stem(word) if found == word and _is_participle(word) else found


def _acts(words: list[str], at: int) -> bool:
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
