"""Cuts text into the word pieces of BERT (uncased), for the embedder and for counting tokens.

Greedy longest match first (Schuster & Nakajima 2012, as in Devlin et al. 2019): lower case, accents removed,
punctuation apart.
"""

# ruff: noqa: PLR2004 - code points
from __future__ import annotations

import gzip
import unicodedata
from functools import lru_cache
from importlib.resources import files

__all__ = ["count", "encode"]

_LONGEST_WORD = 100
_CLS, _SEP, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, int]:
    packed = files("agents.embedded").joinpath("data/wordpiece_vocab.txt.gz").read_bytes()
    return {piece: number for number, piece in enumerate(gzip.decompress(packed).decode().splitlines())}


def encode(text: str, limit: int = 256) -> list[int]:
    """Numbers of the pieces, with the marks for start and end; at most `limit` of them."""
    vocabulary = _vocabulary()
    pieces = [number for word in _words(text) for number in _pieces(word)]
    return [vocabulary[_CLS], *pieces[: limit - 2], vocabulary[_SEP]]


def count(text: str) -> int:
    """How many pieces a text has."""
    return sum(len(_pieces(word)) for word in _words(text))


@lru_cache(maxsize=20_000)
def _pieces(word: str) -> tuple[int, ...]:
    vocabulary = _vocabulary()
    if len(word) > _LONGEST_WORD:
        return (vocabulary[_UNKNOWN],)
    found: list[int] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                found.append(vocabulary[piece])
                start = end
                break
        else:
            return (vocabulary[_UNKNOWN],)
    return tuple(found)


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.lower())
    spaced: list[str] = []
    for sign in plain:
        kind = unicodedata.category(sign)
        if kind == "Mn" or (kind in ("Cc", "Cf") and not sign.isspace()):
            continue
        spaced.append(f" {sign} " if _stands_alone(sign, kind) else sign)
    return "".join(spaced).split()


def _stands_alone(sign: str, kind: str) -> bool:
    code = ord(sign)
    ascii_sign = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    ideograph = 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0x20000 <= code <= 0x2CEAF
    return ascii_sign or kind.startswith("P") or ideograph or 0xF900 <= code <= 0xFAFF
