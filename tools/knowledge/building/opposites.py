"""Tells names apart that embeddings hold for near: opposites, negations, numbers, colors, days, kin.

What stands near in meaning is often what is set against it: "hot" and "cold" share every context.
"""

# ruff: noqa: SIM905  (a list of words reads better as text)

from __future__ import annotations

import re

from tools.knowledge.linking.names import lemma

__all__ = ["apart", "rests"]

#: Each line's words exclude one another.
_SETS = """
hot cold warm cool lukewarm
good bad evil
love hate hatred affection indifference
life death birth
light dark darkness heavy
day night morning afternoon evening noon midnight dawn dusk
up down
high low
top bottom
left right
black white gray red blue green yellow orange purple violet pink brown gold golden silver crimson scarlet
old young new
big small large little tiny huge giant
long short
tall short low
fast slow quick
rich poor wealth poverty
happy sad happiness sadness joy sorrow grief
strong weak strength weakness
hard soft
hard easy difficult simple
wet dry moist damp
clean dirty
full empty
open closed shut
inside outside
beginning end start finish
first last second third
rise fall ascent descent
success failure victory defeat
win lose winner loser
peace war
friend enemy foe
hero villain coward
truth lie falsehood
freedom captivity slavery
hope despair
courage fear cowardice
beauty ugliness
beautiful ugly
safety danger
safe dangerous
order chaos
calm storm
wisdom folly foolishness
wise foolish stupid
smart stupid
knowledge ignorance
past present future
heaven hell earth
god devil angel demon
sun moon star
summer winter spring autumn fall
north south east west
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
man woman boy girl child baby
male female
husband wife
king queen prince princess
father mother parent
son daughter
brother sister
uncle aunt
grandfather grandmother
he she
master slave servant
teacher student
buyer seller
more less
many few
always never
all none
with without
before after
above below
near far
deep shallow
thick thin
wide narrow
sharp blunt dull
bright dim dull
loud quiet silent
sweet bitter sour salty
smooth rough
tight loose
giver taker
increase decrease
growth decline
gain loss
pride shame humility
optimism pessimism
optimist pessimist
majority minority
maximum minimum
arrival departure
entrance exit
one two three four five six seven eight nine ten eleven twelve hundred thousand million billion
once twice
second minute hour day week month year decade century
flower petal leaf root stem thorn
knife sword spear axe gun
half double triple
"""
_EXCLUDED: dict[str, set[int]] = {}
for _number, _line in enumerate(_SETS.strip().split("\n")):
    for _word in _line.split():
        _EXCLUDED.setdefault(_word, set()).add(_number)
_PREFIXES = (
    "anti", "counter", "de", "dis", "down", "il", "im", "in", "ir", "mal", "mis", "non", "over", "un",
    "under", "up",
)  # fmt: skip
_NEGATIONS = frozenset(
    "no not non never without lack lacking loss absence end nothing none fake false anti free less".split()
)
_SUFFIXES = ("less", "ful", "free")


def rests(one: str, other: str) -> tuple[str, str]:
    """What is left of two names without the words that both have.

    >>> rests("sports car", "racing car"), rests("old car", "car")
    (('sports', 'racing'), ('old', ''))
    """
    left, right = one.split(), other.split()
    shared = {lemma(word) for word in left} & {lemma(word) for word in right}
    return (
        " ".join(word for word in left if lemma(word) not in shared),
        " ".join(word for word in right if lemma(word) not in shared),
    )


def apart(one: str, other: str) -> bool:
    """Whether two names are set against each other, whatever their cosine.

    That is: one has a number that the other has not; a word of one excludes a word of the other (`_SETS`);
    one negates ("no", "without"); a word of one is one of the other with a prefix or an ending that turns it
    ("un-", "dis-", "-less" and "-ful").

    >>> apart("hot water", "cold water"), apart("happy", "unhappy"), apart("careful", "careless")
    (True, True, True)
    >>> apart("2 candles", "3 candles"), apart("a way", "no way"), apart("car", "automobile")
    (True, True, False)
    """
    if re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return True
    left, right = _words(one), _words(other)
    if bool(left & _NEGATIONS) != bool(right & _NEGATIONS):
        return True
    mine, yours = left - right, right - left
    return any(_exclude(word, against) for word in mine for against in yours)


def _words(name: str) -> set[str]:
    words = re.split(r"[\s-]+", name)
    return {lemma(word) for word in words} | {word for word in words if word in _EXCLUDED}


def _exclude(one: str, other: str) -> bool:
    if _EXCLUDED.get(one, set()) & _EXCLUDED.get(other, set()):
        return True
    return _turned(one, other) or _turned(other, one) or _ending(one, other)


def _turned(one: str, other: str) -> bool:
    """Whether a word is the other with a prefix before it."""
    return any(one == prefix + other or one == f"{prefix}-{other}" for prefix in _PREFIXES)


def _ending(one: str, other: str) -> bool:
    """Whether two words part in an ending that says with or without: "hopeful", "hopeless", "hope"."""
    stems = [
        (word.removesuffix(suffix), suffix) for word in (one, other) for suffix in _SUFFIXES
        if word.endswith(suffix)
    ]  # fmt: skip
    if len(stems) == 2:  # noqa: PLR2004
        return stems[0][0] == stems[1][0] and stems[0][1] != stems[1][1]
    return any(suffix in {"less", "free"} and stem in {one, other} for stem, suffix in stems)
