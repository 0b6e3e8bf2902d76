"""Words that a camera's keywords exchange freely: "shattered mirror" and "broken mirror" are one picture.

They decide only when nothing nearer does, and only when the whole name agrees apart from them.
"""

from __future__ import annotations

import re

__all__ = ["alike"]

#: One group a line; the first word stands for the others.
_GROUPS = """
wilted withered wilting withering dying drooping
broken shattered cracked smashed fractured splintered
dim dark darkened gloomy dimly shadowy
old elderly aged aging ancient
abandoned derelict dilapidated disused
empty vacant deserted unoccupied
burning flaming blazing
giant huge enormous gigantic massive oversized colossal
tiny small little miniature minuscule
lonely lone solitary
bare leafless barren
torn ripped tattered
rotten rotting decaying decayed
bound tied
closed shut
crowded packed
looking staring gazing peering glancing look stare gaze
crying weeping sobbing tearful
climbing ascending
fighting brawling
photo photos photograph photographs picture pictures image images footage video snapshot
child children kid kids toddler
baby infant newborn
mother mom mum
father dad
money cash banknotes banknote bills
pile stack heap mound piles stacks heaps
garbage trash rubbish litter
stair stairs staircase stairway
sea ocean
phone phones smartphone smartphones cellphone
ship boat vessel
surveillance security cctv
forest woods woodland
rain rainfall
suit suits tuxedo tailcoat
"""
_PHRASES = {"cell phone": "phone", "mobile phone": "phone", "smart phone": "phone", "dimly lit": "dim"}
_FIRST = {word: group[0] for group in map(str.split, _GROUPS.split("\n")) if group for word in group}


def alike(text: str) -> str:
    """A normal form with each word of a group as the group's first.

    >>> alike("shattered mirror"), alike("cracked smart phone screen"), alike("huge kite")
    ('broken mirror', 'broken phone screen', 'giant kite')
    """
    for phrase, word in _PHRASES.items():
        text = re.sub(rf"\b{phrase}(?=s?\b)", word, text)
    return " ".join(_FIRST.get(word, word) for word in text.split())
