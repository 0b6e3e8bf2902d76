"""Chinese phrases to nodes by their parts: the head, and what describes it; foreign words among them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tools.knowledge.edges import Link
from tools.knowledge.linking import chinese
from tools.knowledge.linking.phrases import (
    HEAD,
    MODIFIER,
    OF_SOMEBODY,
    SOMEBODY,
    SUFFIX,
    english_parts,
    weaker,
)

if TYPE_CHECKING:
    from tools.knowledge.linking.matching import Matcher

__all__ = ["chinese_parts"]


def chinese_parts(matcher: Matcher, name: str) -> list[Link]:
    """Links of the head of a Chinese phrase, and weaker ones of what describes it.

    Args:
        matcher: looks up whole names.
        name: the keyword's normal form; foreign words in it are linked by themselves.
    """
    *runs, last = re.findall(r"[a-z][a-z' -]*[a-z]|[^a-z\s]+", name) or [""]
    head, worth = "", MODIFIER
    if chinese.has_han(last):
        head, described = chinese.described(_counted(last))
        runs += described
        found = _head(matcher, head)
        worth = OF_SOMEBODY if chinese.is_person(head) else MODIFIER
    else:
        found = [weaker(link, HEAD, "head") for link in matcher.whole(last)[:1]]
        found = found or english_parts(matcher, last)
    for run in reversed(runs):
        found += [Link(link.node, worth, "modifier") for link in _modifier(matcher, _counted(run))]
    return found


def _counted(text: str) -> str:
    return chinese.counted(chinese.simplified(text)) if chinese.has_han(text) else text


def _head(matcher: Matcher, head: str) -> list[Link]:
    """Links of the longest end of a head that is a name, then of what stands before that."""
    worth = SOMEBODY if chinese.is_person(head) else HEAD
    if hits := matcher.whole(head) if head else []:
        return [weaker(link, worth, "head") for link in hits]
    for start in range(1, len(head)):
        if chinese.ends_in(head, start) and (hits := matcher.whole(head[start:])):
            before = [Link(link.node, MODIFIER, "modifier") for link in _modifier(matcher, head[:start])]
            return [weaker(link, SUFFIX, "suffix") for link in hits] + before
    return []


def _modifier(matcher: Matcher, text: str) -> list[Link]:
    """The nodes of the longest known words in a part that describes, from left to right."""
    bare = chinese.trimmed(text) if chinese.has_han(text) else text
    for form in (text, bare):
        if hits := matcher.whole(form) if form else []:
            return hits[:1]
    found: list[Link] = []
    start = 0
    while chinese.has_han(bare) and start < len(bare) - 1:
        # Single characters are parts of words that aren't known rather than words.
        ends = range(len(bare), start + 1, -1)
        known = ((hits[0], end) for end in ends if (hits := matcher.whole(bare[start:end])))
        link, start = next(known, (None, start + 1))
        found += [link] if link else []
    return found
