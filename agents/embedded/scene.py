"""Puts together what was seen in one set of frames: the visual keywords, most telling first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from agents.embedded.eyes import eyes
from agents.embedded.measures import measure
from agents.embedded.people import people
from agents.embedded.pictures import Picture, digest, open_picture
from agents.embedded.wording import Cue, describe

__all__ = ["Scene", "see"]

_MOST = 14
_REMEMBERED = 32


@dataclass(frozen=True)
class Scene:
    """What was seen.

    Attributes:
        cues: most telling first, each text once.
    """

    cues: tuple[Cue, ...]

    @property
    def keywords(self) -> list[str]:
        """The cues' texts."""
        return [cue.text for cue in self.cues]


_LOCK = threading.Lock()
_SEEN: OrderedDict[str, Scene] = OrderedDict()


def see(pictures: tuple[Picture, ...]) -> Scene:
    """Look at frames; the same frames are looked at once.

    Args:
        pictures: in the order of time.

    Raises:
        UserError: when a picture can't be decoded, or the extra ``embedded`` is not installed.
    """
    key = digest(pictures)
    with _LOCK:
        if key not in _SEEN:
            _SEEN[key] = _look(pictures)
            if len(_SEEN) > _REMEMBERED:
                _SEEN.popitem(last=False)
        _SEEN.move_to_end(key)
        return _SEEN[key]


def _look(pictures: tuple[Picture, ...]) -> Scene:
    if not pictures:
        return Scene(())
    images = [open_picture(picture) for picture in pictures]
    things = eyes().look(images)
    persons = people().look(images)
    moods = describe(measure(images, [picture.seconds for picture in pictures]))
    return Scene(_ordered(things, persons, moods))


def _ordered(things: list[Cue], persons: list[Cue], moods: list[Cue]) -> tuple[Cue, ...]:
    """Sort by weight; a picture nobody can name keeps at least the names of its light."""
    best: dict[str, Cue] = {}
    for cue in (*things, *persons, *moods[:6]):
        if cue.text not in best or best[cue.text].weight < cue.weight:
            best[cue.text] = cue
    return tuple(sorted(best.values(), key=lambda cue: -cue.weight)[:_MOST])
