"""Where shots begin: cuts found by a measured change in content, against what is usual around them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, NamedTuple

from tools.frames.terms import Glance, Source

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

__all__ = ["cut_times", "find_cuts"]

_SHORTEST = 0.2
"""Seconds that a shot lasts at least: of cuts nearer to each other, or to an end of the video, one is left."""

_FLASH = 1 / 3
"""Seconds within which content comes back after a flash."""

_FLOOR = 8.0
"""Grey levels that a cut changes at least, in place and in tone together."""

_RATIO = 3.0
"""How many times more a cut changes than the second largest change near it: motion, pans, fades and noise
change several pictures in a row alike."""

_NEAR = 3
"""Pictures on either side whose changes are compared."""

_PLAIN_PIXELS, _PLAIN_TONES = 30.0, 12.0
"""Grey levels, in place and in tone, above which a change is a cut whatever is near it: in fast montage,
and in folders with one picture a scene, every change is a cut."""

_BACK, _ALIKE = 0.35, 25.0
"""The content came back where a picture differs from one before the change by less than this share of it,
and by less than so many grey levels: other content may lie nearer to the old one than a white flash did."""

_REACH = 16
"""Pictures on either side among which content may come back."""


class _Look(NamedTuple):
    """A glance, and by how many grey levels it differs from the one before: in place, and in tone."""

    timestamp: float
    pixels: NDArray[int16]
    tones: NDArray[int16]
    moved: float
    toned: float

    @property
    def change(self) -> float:
        return self.moved + self.toned


def cut_times(source: Source) -> tuple[float, ...]:
    """Look through a whole source at small size for its cuts.

    Args:
        source: a video file, a WebP or a folder.

    Returns:
        Timestamps in seconds of the first picture of each shot but the first, ascending. In videos they are
        exact where the encoder began a group of pictures at the cut, else late by the few pictures, if any,
        on which no others lean, since those are not decoded here.

    Raises:
        Fault: if the source can't be read.
    """
    if source.kind == "video":
        from tools.frames.pyav_reader import glances
    elif source.kind == "webp":
        from tools.frames.webp_reader import glances
    else:
        from tools.frames.folder_reader import glances
    return tuple(find_cuts(glances(source)))


def find_cuts(glances: Iterable[Glance]) -> list[float]:
    """Timestamps of the glances at which a new shot begins, ascending.

    Two numbers measure a change, both the mean over the pixels of very small pictures: how much changed in
    place, and how much the tones changed, sorted by brightness, so that it doesn't matter where they lie.
    A cut changes both; motion leaves the tones. A change is a cut if it is far larger than those around it,
    and if nothing of what was seen before it comes back soon, as it does after a flash. Slow dissolves and
    fades are no cuts. Holds 33 glances at a time.
    """
    cuts: list[_Look] = []
    start = end = 0.0
    window: deque[_Look | None] = deque([None] * (2 * _REACH + 1), maxlen=2 * _REACH + 1)
    for look in chain(_looks(glances), repeat(None, _REACH)):
        window.append(look)
        before, centre = window[_REACH - 1], window[_REACH]
        if centre is None:
            continue
        if before is None:
            start = centre.timestamp
            continue
        end = 2 * centre.timestamp - before.timestamp  # the last picture stays as long as the one before
        if centre.timestamp - start < _SHORTEST or not _is_cut(centre, window):
            continue
        if not cuts or centre.timestamp - cuts[-1].timestamp >= _SHORTEST:
            cuts.append(centre)
        elif centre.change > cuts[-1].change:
            cuts[-1] = centre
    return [cut.timestamp for cut in cuts if end - cut.timestamp >= _SHORTEST]


def _looks(glances: Iterable[Glance]) -> Iterator[_Look]:
    import numpy as np

    before: _Look | None = None
    for glance in glances:
        pixels = np.frombuffer(glance.rgb, np.uint8).astype(np.int16).reshape(-1, 3)
        look = _Look(glance.timestamp, pixels, np.sort(pixels, axis=0), 0.0, 0.0)
        if before is not None:
            moved, toned = _difference(before, look)
            look = look._replace(moved=moved, toned=toned)
        yield look
        before = look


def _difference(a: _Look, b: _Look) -> tuple[float, float]:
    import numpy as np

    return float(np.abs(a.pixels - b.pixels).mean()), float(np.abs(a.tones - b.tones).mean())


def _is_cut(centre: _Look, window: Sequence[_Look | None]) -> bool:
    if centre.change < _FLOOR:
        return False
    near = islice(window, _REACH - _NEAR, _REACH + _NEAR + 1)
    changes = sorted(look.change for look in near if look is not None and look is not centre)
    rival = changes[-2] if len(changes) > 1 else 0.0
    is_plain = centre.moved >= _PLAIN_PIXELS and centre.toned >= _PLAIN_TONES
    if centre.change < _RATIO * rival and not is_plain:
        return False
    return not _comes_back(centre, window)


def _comes_back(centre: _Look, window: Sequence[_Look | None]) -> bool:
    """Whether a picture shortly before the change is like one shortly after it."""
    like = min(_BACK * centre.change, _ALIKE)
    looks = [look for look in window if look is not None]
    middle = next(place for place, look in enumerate(looks) if look is centre)
    before = [look for look in looks[:middle] if centre.timestamp - look.timestamp <= _FLASH]
    after = [look for look in looks[middle:] if look.timestamp - centre.timestamp <= _FLASH]
    return any(sum(_difference(a, b)) < like for a in before for b in after)
