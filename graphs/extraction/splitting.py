# ruff: noqa: RUF001, RUF002 - Chinese punctuation is full-width
"""Split English and Chinese text into sentences, each with the line that it begins on.

Libraries for it are either heavy (they carry models) or no longer kept. This one prefers a cut too few
to a cut inside an abbreviation: two sentences in one are still read rightly, half a sentence is not.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

__all__ = ["is_chinese", "paragraphs", "split_sentences"]

_ABBREVIATED = (
    "adm al approx apr aug ave ca capt cf ch co col corp dec dept dr e.g ed eds eq esq est etc feb fig figs "
    "fr gen gov hon i.e inc jan jr jul jun lt ltd maj mar messrs mr mrs ms mt no nos nov oct op p.m a.m "
    "ph.d pp prof pt rep rev sec sen sep sept sgt sr st u.k u.s viz vol vs"
)
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_CLOSING = "\"'”’」』）)】》〉]"
_OPENING = "\"'“‘「『（([【《〈¿¡—–-"
_END = re.compile(rf"[。！？]+[{re.escape(_CLOSING)}]*|(?:[.!?…]+)[{re.escape(_CLOSING)}]*(?=\s|$)")
_OTHER_WORD = re.compile(r"(?:(?![㐀-鿿豈-﫿\U00020000-\U0003134f])[^\W\d_])+")
_HAN = re.compile(r"[㐀-鿿豈-﫿\U00020000-\U0003134f]")
_TERMINAL = re.compile(rf"[.!?…。！？][{re.escape(_CLOSING)}]*\s*$")
_WIDE = 40  # columns from which a line may be one of a wrapped paragraph
_FILLED = 0.6  # share of the longest line that every line of a wrapped paragraph fills, save the last


def is_chinese(text: str) -> bool:
    """Whether Chinese characters make up a good part of a text, each counted like a word of another script.

    >>> is_chinese("人生如旅。"), is_chinese("He said 你好 and went home again.")
    (True, False)
    """
    characters = len(_HAN.findall(text))
    return characters > 0.35 * (characters + len(_OTHER_WORD.findall(text)))


def _ends(text: str) -> Iterator[int]:
    """Where sentences end, the text's own end not among them."""
    for found in _END.finditer(text):
        rest = text[found.end() :].lstrip()
        if not rest:
            return
        if found[0][0] in "。！？" or _is_end(text[: found.start()], found[0], rest):
            yield found.end()


def _is_end(before: str, mark: str, rest: str) -> bool:
    """Whether Western punctuation ends a sentence here: not after "Mr", not before a small letter."""
    if rest.lstrip(_OPENING)[:1].islower():
        return False
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    words = before.split()
    word = words[-1].lstrip(_OPENING) if words else ""
    initial = len(word) == 1 and word.isalpha() and word != "I"
    return not (initial or word.lower() in _ABBREVIATIONS)


def split_sentences(text: str) -> list[str]:
    """Sentences of one paragraph, white space made single, nothing lost.

    >>> split_sentences("Mr. Wu is a fox. “Is he?” She laughed.")
    ['Mr. Wu is a fox.', '“Is he?”', 'She laughed.']
    >>> split_sentences("时间是河流。它带走一切！")
    ['时间是河流。', '它带走一切！']
    """
    text = " ".join(text.split())
    cuts = [0, *_ends(text), len(text)]
    pieces = (text[start:end].strip() for start, end in itertools.pairwise(cuts))
    return [piece for piece in pieces if piece]


def paragraphs(lines: Iterable[tuple[int, str]], *, a_line_each: bool = False) -> Iterator[tuple[int, str]]:
    """Lines put together as their writer meant them, each with the number of its first line.

    A paragraph between blank lines counts as wrapped when its lines are long and about equally so; else
    every line stands for itself (verse, lists, a sentence a line).

    Args:
        lines: number and text of each.
        a_line_each: never put lines together.
    """
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if line.strip() and not a_line_each:
            block.append((number, line.strip()))
            continue
        yield from _joined(block)
        block = []
        if line.strip():
            yield number, line.strip()
    yield from _joined(block)


def _joined(block: list[tuple[int, str]]) -> list[tuple[int, str]]:
    lengths = [len(line) for _, line in block[:-1]]
    longest = max(lengths, default=0)
    even = longest >= _WIDE and min(lengths) >= _FILLED * longest
    if not even or all(_TERMINAL.search(line) for _, line in block[:-1]):
        return block
    text = block[0][1]
    for _, line in block[1:]:
        text += line if _HAN.match(text[-1]) and _HAN.match(line[0]) else f" {line}"
    return [(block[0][0], text)]
