"""Which packets must be decoded to get at a few frames: the groups of pictures that hold them, no more."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from tools.frames.container import Packet, Track

__all__ = ["can_skip", "plan", "shown_order"]

_TRUSTED = frozenset(("h264", "hevc", "vp8", "vp9", "av1", "mjpeg", "prores"))
"""Codecs whose key frame flags can be relied on; H.263 in 3GP, for one, sets them wrongly."""


def can_skip(track: Track) -> bool:
    """Whether frames can be told by their timestamps, and decoding may start at any key frame."""
    times = [packet.pts for packet in track.packets if packet.is_shown]
    return track.codec in _TRUSTED and bool(times) and None not in times and len(set(times)) == len(times)


def shown_order(packets: Sequence[Packet]) -> list[int]:
    """Numbers of the packets whose frames are shown, by presentation time."""
    shown = [(packet.pts or 0, number) for number, packet in enumerate(packets) if packet.is_shown]
    return [number for _, number in sorted(shown)]


def plan(packets: Sequence[Packet], wanted: Iterable[int]) -> list[range]:
    """The runs of packets to decode, each from a key frame to the last packet that is needed after it.

    A frame shown before the key frame of its group (a leading picture of an open group) also leans on the
    group before, which is then decoded whole.

    Args:
        packets: all packets, in the order of decoding.
        wanted: numbers of the packets whose frames are wanted.

    Returns:
        Ranges of packet numbers, ascending, none overlapping; neighbours that touch need no flush between.
    """
    keys = [number for number, packet in enumerate(packets) if packet.is_key]
    if not keys or keys[0] != 0:
        keys.insert(0, 0)
    ends = [*keys[1:], len(packets)]
    stops: dict[int, int] = {}
    for number in wanted:
        group = bisect_right(keys, number) - 1
        stops[group] = max(stops.get(group, 0), number + 1)
        if group > 0 and (packets[number].pts or 0) < (packets[keys[group]].pts or 0):
            stops[group - 1] = ends[group - 1]
    return [range(keys[group], stops[group]) for group in sorted(stops)]
