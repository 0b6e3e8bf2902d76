"""What makes two forms one concept: their keys agree.

A key forgets spaces, hyphens and apostrophes ("hour-glass") and the endings of plurals and of the third
person ("leaves", "burns"). It keeps participles and comparatives, since "frightening" is not "frightened"
and "brighter" is not "bright".
"""

# ruff: noqa: SIM905  (a list of words reads better as text)

from __future__ import annotations

import re
from functools import lru_cache

from tools.knowledge.linking import chinese
from tools.knowledge.linking.names import lemma

__all__ = ["key_of"]

#: Names in -s that mean something else than the word without; in a longer name they are plurals.
_APART = frozenset(
    """
    arms ashes brains clothes colors contents customs glasses goods grounds heavens irons letters looks
    manners means minutes news pains pants premises shorts spectacles spirits stairs times works woods
    """.split()
)
_PLURALS: dict[str, str] = {
    pair.partition(":")[0]: pair.partition(":")[2]
    for pair in """
    children:child men:man women:woman people:person feet:foot teeth:tooth geese:goose mice:mouse lice:louse
    oxen:ox leaves:leaf lives:life wolves:wolf knives:knife wives:wife shelves:shelf halves:half loaves:loaf
    thieves:thief calves:calf hooves:hoof scarves:scarf selves:self elves:elf cacti:cactus fungi:fungus
    axes:axe skies:sky criteria:criterion phenomena:phenomenon crises:crisis oases:oasis
    """.split()
}
_LEAST = 4
"""Letters of a word whose -s may be an ending; "gas" and "bus" are words."""


@lru_cache(maxsize=65_536)
def key_of(form: str) -> str:
    """The key of a form that `cleaning.clean` gave.

    >>> key_of("hour-glasses") == key_of("hourglass"), key_of("burns out") == key_of("burn out")
    (True, True)
    >>> key_of("frightened") == key_of("frightening"), key_of("glasses") == key_of("glass")
    (False, False)
    """
    if chinese.has_han(form):
        return chinese.bare(form)
    words = re.split(r"[\s-]+", form)
    if form in _APART:
        return form
    return "".join(map(_uninflected, words)).replace("'", "") or form


def _uninflected(word: str) -> str:
    """A word without the ending of its plural or of the third person."""
    if word in _PLURALS:
        return _PLURALS[word]
    if len(word) < _LEAST or not word.endswith("s") or word.endswith("ss"):
        return word
    found = lemma(word)
    regular = {f"{found}s", f"{found}es", f"{found[:-1]}ies", f"{found[:-1]}ves", f"{found[:-2]}ves"}
    return found if word in regular else word
