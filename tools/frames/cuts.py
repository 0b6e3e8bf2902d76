"""Where shots begin: at changes in content that are large against what is usual around them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat

from tools.frames.blends import blend_of
from tools.frames.looks import Look, correlation, difference, looks, spread
from tools.frames.terms import Glance, Source

__all__ = ["cut_times", "find_cuts"]

_SHORTEST = 0.2
"""Seconds that a shot lasts at least: of cuts nearer to each other one is left, none so near to an end."""

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

_SAME_PICTURE = 0.9
"""Correlation from which on two pictures are the same one in another light, as in a fade."""

_EVERYWHERE = 0.25
"""How evenly a cut changes the picture; what rushes into it leaves most of it as it was."""

_REACH = 32
"""Pictures on either side that are compared."""

_SLOW = 1.0
"""Seconds around a blend within which there is no other; half as many around a cut."""


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
    if it is more than one of the light and of a part of the picture, and if nothing of what was seen before
    it comes back soon, as it does after a flash. A blend (a dissolve, or a fade through black to other
    content) is dated by its middle. Holds 65 glances at a time.
    """
    cuts: list[Look] = []
    blends: list[tuple[float, float]] = []
    start = end = 0.0
    for before, centre, window in _windows(looks(glances)):
        if before is None:
            start = centre.timestamp
            continue
        end = 2 * centre.timestamp - before.timestamp  # the last picture stays as long as the one before
        if centre.timestamp - start < _SHORTEST:
            continue
        if _is_cut(before, centre, window):
            _add_cut(cuts, centre)
        else:
            _add_blend(blends, centre.timestamp, blend_of(centre, window))
    hard = [cut.timestamp for cut in cuts if end - cut.timestamp >= _SHORTEST]
    soft = [blend for blend, _ in blends if all(abs(blend - cut) > _SLOW / 2 for cut in hard)]
    return sorted(hard + soft)


def _windows(found: Iterable[Look]) -> Iterator[tuple[Look | None, Look, Sequence[Look | None]]]:
    """Each look with the one before it, and with those around it."""
    window: deque[Look | None] = deque([None] * (2 * _REACH + 1), maxlen=2 * _REACH + 1)
    for look in chain(found, repeat(None, _REACH)):
        window.append(look)
        centre = window[_REACH]
        if centre is not None:
            yield window[_REACH - 1], centre, window


def _add_cut(cuts: list[Look], cut: Look) -> None:
    if not cuts or cut.timestamp - cuts[-1].timestamp >= _SHORTEST:
        cuts.append(cut)
    elif cut.change > cuts[-1].change:
        cuts[-1] = cut


def _add_blend(blends: list[tuple[float, float]], timestamp: float, doubt: float | None) -> None:
    if doubt is None:
        return
    if not blends or timestamp - blends[-1][0] >= _SLOW:
        blends.append((timestamp, doubt))
    elif doubt < blends[-1][1]:
        blends[-1] = timestamp, doubt


def _is_cut(before: Look, centre: Look, window: Sequence[Look | None]) -> bool:
    if centre.change < _FLOOR:
        return False
    near = islice(window, _REACH - _NEAR, _REACH + _NEAR + 1)
    others = [look for look in near if look is not None and look is not centre]
    is_plain = centre.moved >= _PLAIN_PIXELS and centre.toned >= _PLAIN_TONES
    stands_out = centre.change >= _RATIO * _second(look.change for look in others)
    # Where the light flickers, tones change all the time; what changes besides them still stands out.
    if not (is_plain or stands_out):
        rival = _second(look.rearranged for look in others)
        stands_out = centre.rearranged >= max(_FLOOR, _RATIO * rival)
    if not (is_plain or stands_out):
        return False
    if correlation(before, centre) >= _SAME_PICTURE or spread(before, centre) < _EVERYWHERE:
        return False
    return not _comes_back(centre, window)


def _second(changes: Iterable[float]) -> float:
    """The second largest, which one other cut nearby doesn't raise."""
    return sorted((0.0, 0.0, *changes))[-2]


def _comes_back(centre: Look, window: Sequence[Look | None]) -> bool:
    """Whether a picture shortly before the change is like one shortly after it."""
    like = min(_BACK * centre.change, _ALIKE)
    looks = [look for look in window if look is not None]
    middle = next(place for place, look in enumerate(looks) if look is centre)
    before = [look for look in looks[:middle] if centre.timestamp - look.timestamp <= _FLASH]
    after = [look for look in looks[middle:] if look.timestamp - centre.timestamp <= _FLASH]
    return any(sum(difference(a, b)) < like for a in before for b in after)
