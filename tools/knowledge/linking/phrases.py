"""English phrases to nodes by their parts: what is done, the head, and what modifies it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tools.knowledge.edges import Link
from tools.knowledge.linking.names import (
    PREPOSITIONS,
    action,
    action_start,
    is_container,
    is_somebody,
    lemma,
    normal,
    phrase_parts,
    remainders,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.knowledge.linking.matching import Matcher

__all__ = ["HEAD", "MODIFIER", "OF_SOMEBODY", "SOMEBODY", "SUFFIX", "english_parts", "weaker"]

HEAD, SUFFIX, MODIFIER = 0.85, 0.8, 0.6
#: "Man with an umbrella" is rather about the umbrella.
SOMEBODY, OF_SOMEBODY = 0.65, 0.74
_ACTION, _BY_THE_WAY, _REMAINDER, _TOGETHER, _WORD = 0.88, 0.7, 0.84, 0.9, 0.55
#: From this score a word that describes counts as the node itself: "open" is not "opening".
_AS_IT_STANDS = 0.96
#: Below this the parts of a phrase don't name a node together, they only have its words.
_AS_ONE = 0.87
#: A word that stands in more names than so many says little about any of them.
_RARE = 6
_VAGUE = frozenset({"something", "thing", "one's", "another's", "others", "all", "own", "up", "off", "two"})
#: A last word that says when, not what: "screen time" is not about time.
_WHEN = frozenset({"time", "times"})


def english_parts(matcher: Matcher, name: str) -> list[Link]:
    """Links of what is done and of the head noun, and weaker ones of what modifies it.

    Args:
        matcher: looks up whole names.
        name: the keyword's normal form.
    """
    head, *others = phrase_parts(name) or [""]
    if not head:
        return []
    somebody = is_somebody(head) and name.startswith(head)
    if not somebody and (found := _at_work(matcher, name)):
        return found
    found = _done(matcher, name, somebody=somebody)
    if not others:
        return found + (
            _without_container(matcher, head) or _ending(matcher, head) or _by_word(matcher, head)
        )
    worth = OF_SOMEBODY if somebody else MODIFIER
    if somebody:
        hits = [hit for rest in remainders(name) if " " in rest for hit in matcher.whole(rest)[:1]]
        best = [max(hits, key=lambda hit: hit.score)] if hits else []
        found += [weaker(link, _REMAINDER, "modifier") for link in best]
    heads = [weaker(link, SOMEBODY if somebody else HEAD, "head") for link in matcher.whole(head)[:1]]
    heads = heads or _ending(matcher, _turned(head))
    modifiers = [_part(matcher, phrase, worth) for phrase in others]
    found += _together(matcher, name, (head, *others[:1]), [*heads[:1], *modifiers[:1]])
    return found + heads + [link for link in modifiers if link]


def weaker(link: Link, factor: float, how: str) -> Link:
    """The same node at a part of the score."""
    return Link(link.node, round(link.score * factor, 4), how)


def _at_work(matcher: Matcher, name: str) -> list[Link]:
    """Links of a thing, then of the one word at the end that says what it does: "flock of birds flying"."""
    *before, last = name.split()
    if not before or action_start([*before, last]) != len(before):
        return []
    doer = " ".join(before)
    somebody = is_somebody(doer)
    worth = SOMEBODY if somebody else HEAD
    found = [weaker(link, worth, "head") for link in matcher.whole(doer)[:1]] or english_parts(matcher, doer)
    acts = matcher.whole(last)[:1] if found else []
    return found + [weaker(link, _ACTION if somebody else _BY_THE_WAY, "action") for link in acts]


def _done(matcher: Matcher, name: str, *, somebody: bool) -> list[Link]:
    """Links of what is done."""
    words = name.split()
    acts = action(name)
    if not acts:
        return []
    more = [phrase for phrase in acts if " " in phrase]
    if somebody:
        # What it is done to, without what stands between: "looking ... mirror".
        verb = words[action_start(words)]
        more += [f"{verb} {part}" for part in phrase_parts(name)[1:]]
    if found := _first(matcher, more):
        return [weaker(link, _ACTION, "action") for link in found]
    factor = _ACTION if somebody or action_start(words) == 0 else _BY_THE_WAY
    return [weaker(link, factor, "action") for link in _first(matcher, acts[-1:])]


def _together(matcher: Matcher, name: str, phrases: tuple[str, ...], links: list[Link | None]) -> list[Link]:
    """The node that two parts name together once each goes by its node's name: "hog in a suit" is the pig."""
    first, second = phrases
    between = re.search(rf"\b(\w+) (?:\w+ )?{re.escape(second)}\b", name)
    word = between[1] if between and between[1] in PREPOSITIONS else ""
    ones = [first, *(link.node for link in links[:1] if link)]
    if _turned(first) != first:
        ones += [_turned(first), first.rpartition(" ")[0]]
    twos = [second, *(link.node for link in links[1:] if link)]
    tries = dict.fromkeys(normal(f"{one} {word} {two}") for one in ones for two in twos)
    hits = [hit for phrase in tries for hit in matcher.whole(phrase)[:1] if hit.score >= _AS_ONE]
    return [weaker(max(hits, key=lambda hit: hit.score), _TOGETHER, "gist")] if hits else []


def _turned(phrase: str) -> str:
    """A head with its participle in front: "bird trapped" is "trapped bird"."""
    words = phrase.split()
    if len(words) == 1 or not re.search("(ed|en|wn|rn|t)$", words[-1]) or lemma(words[-1]) == words[-1]:
        return phrase
    return " ".join([words[-1], *words[:-1]])


def _without_container(matcher: Matcher, phrase: str) -> list[Link]:
    """What a phrase is about whose last word only holds it: "slow motion shot"."""
    words = phrase.split()
    if len(words) == 1 or not is_container(words[-1]):
        return []
    return [weaker(link, HEAD, "head") for link in matcher.whole(" ".join(words[:-1]))[:1]]


def _by_word(matcher: Matcher, phrase: str) -> list[Link]:
    """The nodes with a phrase's last word in their names, which is no node itself: "chess"."""
    word = phrase.rpartition(" ")[2]
    if word in _VAGUE:
        return []
    nodes = [node for node in matcher.index.find("word", word) if word in normal(node).split()]
    return [Link(node, _WORD, "word") for node in nodes] if len(nodes) <= _RARE else []


def _ending(matcher: Matcher, phrase: str) -> list[Link]:
    """Links of the longest run of last words that is a node, then of the words before it."""
    words = phrase.split()
    if len(words) == 1:
        return [weaker(link, SUFFIX, "suffix") for link in matcher.whole(phrase)[:1]]
    found: list[Link] = []
    before = words[:-1] if words[-1] in _WHEN else words
    runs = [(words[start:], words[:start]) for start in range(1, len(words) - 1)]
    # Then without one word in between ("closed wooden door"), then the last word alone.
    runs += [([*words[:at], *words[at + 1 :]], words[at : at + 1]) for at in range(len(words) - 2, 0, -1)]
    if before is words:
        runs.append((words[-1:], words[:-1]))
    for run, rest in runs:
        if hits := matcher.whole(" ".join(run)):
            found, before = [weaker(hits[0], SUFFIX, "suffix")], rest
            break
    hits = [link for word in before for link in matcher.whole(word)[:1]]
    return found + [Link(link.node, MODIFIER, "modifier") for link in hits if link.score >= _AS_IT_STANDS]


def _part(matcher: Matcher, phrase: str, worth: float) -> Link | None:
    hits = matcher.whole(phrase) or _ending(matcher, phrase)
    return Link(hits[0].node, worth, "modifier") if hits else None


def _first(matcher: Matcher, phrases: Iterable[str]) -> list[Link]:
    """The best link of the first phrase that has one."""
    return next((hits[:1] for phrase in phrases if (hits := matcher.whole(phrase))), [])
