# ruff: noqa: RUF001 - text has curly quotes
"""What of a model's answer holds, and why the rest does not. The same answer always gives the same pairs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from agents.asked import METAPHOR_KINDS, ExtractedItem
from agents.state import ExtractState
from graphs.extraction.splitting import is_chinese

__all__ = ["REASONS", "Checked", "Pair", "Rejected", "check_items", "check_node", "is_english"]

REASONS: Mapping[str, str] = {
    "unknown_sentence": "names a sentence that was not asked about",
    "literal": "the sentence means no more than it says",
    "incomplete": "has no source or no target",
    "not_english": "source, target or ground is not in English letters",
    "too_long": "source or target is no short phrase, or the ground no short clause",
    "same": "source and target are the same",
    "source_not_found": "the source's words are not in the sentence",
    "duplicate": "says again what another item of this sentence says",
    "left_out": "the model left the sentence out, also when it was asked alone",
    "failed": "asking failed",
}
"""Why something was rejected; the last two are about whole sentences."""

_MOST_WORDS, _MOST_CHARS = 8, 80  # of a source or target
_MOST_GROUND = 200  # characters
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SMALL_WORDS = (
    "a an and are as at be been being by for from had has have he her his i in into is it its like my of on "
    "one one's or our out over she s so some someone someone's something that the their them they this those "
    "to under up us was we were with you your"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_ENDINGS = ("'s", "’s", "s", "es", "d", "ed", "ing", "er", "ers", "est", "n", "en", "ly", "y")
_EDGES = ' \t.,;:!?"“”‘’`*'


@dataclass(frozen=True, slots=True)
class Pair:
    """A metaphor that holds: the sentence's number from 1, and its parts."""

    number: int
    source: str
    target: str
    ground: str
    kind: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item that does not hold: one of :data:`REASONS`, and what it said."""

    number: int
    reason: str
    source: str
    target: str


@dataclass
class Checked:
    """What became of the items of one answer.

    Attributes:
        pairs: what holds, by sentence.
        rejected: what does not.
        translations: of the Chinese sentences, by number.
        left_out: numbers of sentences without an item.
        untranslated: Chinese sentences that were answered without a translation.
        other_kinds: pairs whose kind was none of ours and became ``symbol``.
        by_meaning: pairs of Chinese sentences, whose source can't be looked for in the sentence.
    """

    pairs: list[Pair] = field(default_factory=list[Pair])
    rejected: list[Rejected] = field(default_factory=list[Rejected])
    translations: dict[int, str] = field(default_factory=dict[int, str])
    left_out: list[int] = field(default_factory=list[int])
    untranslated: int = 0
    other_kinds: int = 0
    by_meaning: int = 0


def check_items(sentences: Sequence[str], items: Sequence[ExtractedItem]) -> Checked:
    """Check an answer item by item.

    Args:
        sentences: as they were numbered, from 1.
        items: the model's.
    """
    checked, said = Checked(), set[tuple[int, str, str]]()
    for item in items:
        source, target, ground = (_tidy(text) for text in (item.source, item.target, item.ground))
        reason = _fault(item, sentences, source, target, ground)
        key = (item.number, _lemmas(source), _lemmas(target))
        if reason is None and key in said:
            reason = "duplicate"
        if reason is not None:
            checked.rejected.append(Rejected(item.number, reason, source, target))
            continue
        said.add(key)
        kind = item.kind.strip().lower()
        checked.other_kinds += kind not in METAPHOR_KINDS
        checked.by_meaning += is_chinese(sentences[item.number - 1])
        checked.pairs.append(
            Pair(item.number, source, target, ground, kind if kind in METAPHOR_KINDS else "symbol")
        )
    _sentences(checked, sentences, items)
    return checked


def _sentences(checked: Checked, sentences: Sequence[str], items: Sequence[ExtractedItem]) -> None:
    """Fill in what is known of whole sentences."""
    answered = {item.number for item in items}
    for item in items:
        translation = " ".join(item.translation.split())
        if 1 <= item.number <= len(sentences) and translation and is_english(translation):
            checked.translations.setdefault(item.number, translation)
    for number, sentence in enumerate(sentences, 1):
        if number not in answered:
            checked.left_out.append(number)
        elif not is_chinese(sentence):
            checked.translations.pop(number, None)
        elif number not in checked.translations:
            checked.untranslated += 1


def _fault(  # noqa: PLR0911 - a reason each
    item: ExtractedItem, sentences: Sequence[str], source: str, target: str, ground: str
) -> str | None:
    if not 1 <= item.number <= len(sentences):
        return "unknown_sentence"
    if item.literal:
        return "literal"
    if not (source and target):
        return "incomplete"
    if not all(is_english(text) for text in (source, target, ground)):
        return "not_english"
    if any(len(text) > _MOST_CHARS or len(text.split()) > _MOST_WORDS for text in (source, target)):
        return "too_long"
    if len(ground) > _MOST_GROUND:
        return "too_long"
    if _lemmas(source) == _lemmas(target):
        return "same"
    sentence = sentences[item.number - 1]
    return None if is_chinese(sentence) or _holds(sentence, source) else "source_not_found"


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(_EDGES)


def is_english(text: str) -> bool:
    """Whether all letters of a text are Latin, the nearest to English that letters tell.

    >>> is_english("naïve hope"), is_english("iron 锁链")
    (True, False)
    """
    return all("LATIN" in unicodedata.name(letter, "") for letter in text if letter.isalpha())


def _lemmas(text: str) -> str:
    """A phrase's words that carry meaning, each as it stands in a dictionary."""
    words = [word.lower() for word in _WORD.findall(text)]
    telling = [word for word in words if word not in _SMALL] or words
    return " ".join(_lemma(word) for word in telling) or text.casefold()


@lru_cache(maxsize=1 << 16)
def _lemma(word: str) -> str:
    import simplemma

    return simplemma.lemmatize(word, lang="en").casefold()


@lru_cache(maxsize=1 << 16)
def _forms(word: str) -> frozenset[str]:
    """A word, its lemma, and what is left without an ending: the lemma of ``burning`` is ``burning``."""
    forms = {word, _lemma(word)}
    for form in tuple(forms):
        for ending in _ENDINGS:
            stem = form.removesuffix(ending)
            if stem != form and len(stem) > 2:  # noqa: PLR2004 - shorter ones are shared by too many words
                forms |= {stem, stem + "e"}
                if stem[-1] == stem[-2]:
                    forms.add(stem[:-1])
                if stem[-1] == "i":
                    forms.add(stem[:-1] + "y")
    return frozenset(forms)


def _holds(sentence: str, phrase: str) -> bool:
    """Whether every word of a phrase that carries meaning is in a sentence, in whatever form."""
    there: set[str] = set()
    for word in _WORD.findall(sentence):
        there |= _forms(word.lower())
    words = [word.lower() for word in _WORD.findall(phrase)]
    telling = [word for word in words if word not in _SMALL] or words
    return bool(telling) and all(not there.isdisjoint(_forms(word)) for word in telling)


async def check_node(state: ExtractState) -> dict[str, Any]:
    """Check what the extracting node answered; plain data, as Studio shows it."""
    checked = check_items(state["sentences"], state.get("items", []))
    return {
        "checked": {
            "pairs": [_plain(pair) for pair in checked.pairs],
            "rejected": [_plain(item) for item in checked.rejected],
            "translations": checked.translations,
            "left_out": checked.left_out,
        }
    }


def _plain(part: Pair | Rejected) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__dataclass_fields__}
