"""Whether a quotation occurs: in the words of the text, whatever was done to its dress.

Two texts count as the same where they differ only in case; in white space (a run counts as one space, and
none counts between two Chinese characters); in the form of quotation marks, dashes and full-width characters;
in marks of emphasis (``*``, ``_``, a backtick), which count for nothing. Marks around a whole quotation, and
punctuation at its end, are dropped. An ellipsis (``...``, ``…``, ``[...]``) stands for anything: the parts
around it must occur in this order in one piece of the text, and each must hold two words, or four Chinese
characters. A quotation begins and ends with whole words, and one of them says something ("of the" is none).
Nothing else is forgiven: no other word, no other order.
"""

# ruff: noqa: RUF001, SIM905  (marks of every script are meant; lists of words read better as text)

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["find", "head_of", "mentioned"]

_QUOTES = frozenset("\"'´‘’‚‛“”„‟«»‹›「」『』〝〞＂＇")
_DASHES = frozenset("-‐‑‒–—―−﹣－")
_EMPHASIS = frozenset("*_`")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…+|\. \. \.)\s*")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_ENDS = " .,;:!?。，、；：！？'"
_ANYWHERE = frozenset(
    "a an the and or but of to in on at by for with is are was it its this that as be not".split()
)
_LEAST_WORDS, _LEAST_HAN = 2, 4
_RELATIVE = re.compile(
    r"(?:of|in|on|at|with|without|by|from|to|into|onto|over|under|between|against|beside|behind|before|after|"
    r"across|around|through|near|for|as|that|which|who|whose|where|when|while|until|and|or|but|is|are|was|"
    r"were|has|have|being|laid|held|left|lost|kept|gone|given|caught|\w{3,}(?:ing|ed|ly))"
)
_NOUNS = frozenset(
    "building evening morning ceiling wedding painting clothing string spring ring king wing swing thing "
    "lightning railing earring offspring duckling sibling darling dumpling speed family butterfly belly lily "
    "assembly dragonfly seaweed firefly breed bleed".split()
)
"""Nouns that end like participles and adverbs."""
_ARTICLES = frozenset(
    "a an the his her its their some two three several many one this that these those".split()
)


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text in plain dress.

    Attributes:
        text: the same words.
        places: for each of its characters, where it stands in the original.
    """

    text: str
    places: tuple[int, ...]


@lru_cache(maxsize=4096)
def _plain(text: str) -> _Plain:
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for letter in _undressed(character):
            if letter == " " and (not letters or letters[-1] == " "):
                continue
            if letters and letters[-1] == " " and _between_han(letters, letter):
                letters.pop()
                places.pop()
            letters.append(letter)
            places.append(place)
    return _Plain("".join(letters), tuple(places))


def _undressed(character: str) -> str:
    if character in _EMPHASIS:
        return ""
    if character in _QUOTES:
        return "'"
    if character in _DASHES:
        return "-"
    if character == "…":
        return character
    if character.isspace():
        return " "
    return unicodedata.normalize("NFKC", character).casefold()


def _between_han(letters: list[str], letter: str) -> bool:
    return len(letters) > 1 and bool(_HAN.match(letter)) and bool(_HAN.match(letters[-2]))


def find(quotation: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text: start and end in the original; None where it does not occur."""
    parts = [part for part in _ELLIPSIS.split(quotation.strip()) if part.strip()]
    wanted = [_plain(part).text.strip(_ENDS) for part in parts]
    wanted = [part for part in wanted if part]
    if not any(map(_says_something, wanted)) or (len(wanted) > 1 and not all(map(_says_enough, wanted))):
        return None
    whole = _plain(text)
    return _in_order(wanted, whole)


def _in_order(wanted: list[str], whole: _Plain) -> tuple[int, int] | None:
    first, at = None, 0
    for part in wanted:
        start = _place(part, whole.text, at)
        if start < 0:
            return None
        first = start if first is None else first
        at = start + len(part)
    return whole.places[first or 0], whole.places[at - 1] + 1


def _place(part: str, text: str, start: int) -> int:
    """The first place from a start where a part stands as whole words; -1 for none."""
    while (at := text.find(part, start)) >= 0:
        if _is_edge(text, at) and _is_edge(text, at + len(part)):
            return at
        start = at + 1
    return -1


def _is_edge(text: str, at: int) -> bool:
    """Whether a word may begin or end here; Chinese has no such marks, so anywhere between its characters."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    return bool(_HAN.match(before)) or bool(_HAN.match(after))


def _says_something(part: str) -> bool:
    """Whether a part holds more than words that occur anywhere."""
    words = re.findall(r"[^\W_]+", part)
    return bool(_HAN.search(part)) or any(word not in _ANYWHERE and len(word) > 1 for word in words)


def _says_enough(part: str) -> bool:
    return len(part.split()) >= _LEAST_WORDS or len(_HAN.findall(part)) >= _LEAST_HAN


def head_of(phrase: str) -> str:
    """The noun that a phrase is about: the last word before what only says more of it; in Chinese after 的.

    A rule of thumb without a dictionary: "an old man who waits" gives "man", "burning candle" gives "candle".

    >>> head_of("a candle burning on a table"), head_of("two figures in one light"), head_of("燃烧的蜡烛")
    ('candle', 'figures', '蜡烛')
    """
    words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", _plain(phrase).text)
    if _HAN.search(phrase):
        return re.split("[的之]", _plain(phrase).text.strip(_ENDS))[-1].strip()
    while len(words) > 1 and words[0] in _ARTICLES:
        words.pop(0)
    end = next((i for i, word in enumerate(words) if i and _says_more(word)), len(words))
    return words[end - 1] if words else ""


def _says_more(word: str) -> bool:
    return word not in _NOUNS and word.removesuffix("s") not in _NOUNS and bool(_RELATIVE.fullmatch(word))


def mentioned(element: str, text: str) -> tuple[int, int] | None:
    """Where an element is named: the whole of it, or its head noun, in the singular or the plural."""
    forms = [element, *_numbers(head_of(element))]
    places = (find(form, text) for form in forms if form.strip())
    return next((place for place in places if place), None)


def _numbers(noun: str) -> list[str]:
    """A noun in the singular and the plural, by the regular endings of English."""
    if not noun or _HAN.search(noun):
        return [noun]
    forms = [noun, f"{noun}s", f"{noun}es"]
    if noun.endswith("y"):
        forms.append(f"{noun[:-1]}ies")
    if noun.endswith("ies"):
        forms.append(f"{noun[:-3]}y")
    if noun.endswith("s") and not noun.endswith("ss"):
        forms.append(noun[:-1])
    if noun.endswith("es"):
        forms.append(noun[:-2])
    return forms
