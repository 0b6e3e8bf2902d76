"""The reader on PyAV: exact frames by timestamp, decoding only the groups of pictures that hold them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from tools.frames.container import Track, display_matrix, open_video, plain, scan
from tools.frames.encode import Scaler, fit, jpeg
from tools.frames.gops import can_skip, plan, shown_order
from tools.frames.sampling import uniform
from tools.frames.terms import (
    GLANCE,
    Choose,
    Fault,
    Frame,
    Glance,
    Reading,
    Sampling,
    Source,
    is_too_large,
)
from tools.frames.turns import odd_angle, turned

if TYPE_CHECKING:
    from av.video.codeccontext import VideoCodecContext
    from av.video.frame import VideoFrame

__all__ = ["glances", "read"]

_USUAL_RATE = 25.0
"""Frames a second of a stream that tells neither timestamps nor a rate."""


def read(source: Source, sampling: Sampling, choose: Choose = uniform) -> Reading:
    """Read the chosen frames of a video file.

    Where the packets tell frames apart, only what is needed is decoded. Everything odd (missing or doubled
    timestamps, codecs whose key frames can't be trusted, frames that don't come out) is decoded whole.

    Raises:
        Fault: if it is no video, or no frame of it can be decoded.
    """
    track = scan(source.path)
    if can_skip(track):
        reading = _read_by_packets(source.path, track, sampling, choose)
        if reading is not None:
            return reading
    return _read_whole(source.path, track, sampling, choose)


def glances(source: Source) -> Iterator[Glance]:
    """Look at the pictures of a video file, at very small size, in one pass of decoding.

    Where the packets tell frames apart, pictures on which no other leans are left out, and so is the filter
    that smooths the edges of blocks: neither is seen at this size, and together they halve the cost.

    Raises:
        Fault: if it is no video, or its pictures are too large.
    """
    from av.video.reformatter import VideoReformatter

    track = scan(source.path)
    if can_skip(track):
        shown = [track.packets[number].pts or 0 for number in shown_order(track.packets)]
        times = {pts: float((pts - shown[0]) * track.tick) for pts in shown}
        frames = _decode_all(source.path, track, is_glance=True)
        timed = ((times[frame.pts], frame) for frame in frames if frame.pts in times)
    else:
        stamps = [frame.pts for frame in _decode_all(source.path, track)]
        timed = zip(_times(stamps, track)[0], _decode_all(source.path, track), strict=False)
    scaler = VideoReformatter()
    for timestamp, frame in timed:
        fault = is_too_large(frame.width, frame.height)
        if fault:
            raise Fault(fault)
        small = scaler.reformat(frame, GLANCE, GLANCE, "rgb24", interpolation="AREA", threads=1)
        yield Glance(timestamp, small.to_ndarray().tobytes())


class _Easel:
    """Scales, turns and encodes decoded frames; the stream's display matrix is looked up once."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._scaler = Scaler()
        self._matrix: bytes | None = None
        self._knows_matrix = False
        self._corrupt = 0
        self._taken = 0

    def encode(self, frame: VideoFrame, ordinal: int, timestamp: float) -> Frame:
        fault = is_too_large(frame.width, frame.height)
        if fault:
            raise Fault(fault)
        if not self._knows_matrix:
            self._matrix, self._knows_matrix = display_matrix(frame), True
        self._taken += 1
        self._corrupt += frame.is_corrupt
        width, height = fit(frame.width, frame.height, self._sampling.max_side)
        image = turned(self._scaler.image(frame, width, height), self._matrix)
        return jpeg(image, ordinal, timestamp, self._sampling.quality)

    def warnings(self, damage: list[str]) -> tuple[str, ...]:
        """What to tell of the stream, after the frames were taken; `damage` is what was found before."""
        if self._corrupt:
            damage = [*damage, f"{self._corrupt} of the {self._taken} frames taken show errors"]
        angle = odd_angle(self._matrix)
        askew = [f"it asks to be turned by {angle}°: its corners are cut off"] if angle else []
        return (*(f"damaged: {sign}" for sign in damage), *askew)


def _read_by_packets(path: str, track: Track, sampling: Sampling, choose: Choose) -> Reading | None:
    """Decode by groups of pictures; None if a frame did not come out or what it leans on is spoiled."""
    order = shown_order(track.packets)
    start = track.packets[order[0]].pts or 0
    times = [float(((track.packets[number].pts or 0) - start) * track.tick) for number in order]
    chosen = choose(times, sampling.max_frames)
    ordinals = {track.packets[order[ordinal]].pts: ordinal for ordinal in chosen}
    easel = _Easel(sampling)
    frames: dict[int, Frame] = {}
    errors: list[str] = []
    for frame in _decode_packets(path, track, [order[ordinal] for ordinal in chosen], errors):
        ordinal = ordinals.get(frame.pts)
        if ordinal is not None and ordinal not in frames:
            frames[ordinal] = easel.encode(frame, ordinal, times[ordinal])
    if errors or len(frames) < len(chosen):
        return None
    last = float(track.packets[order[-1]].ticks * track.tick) or _step(times, track.rate)
    taken = tuple(frames[ordinal] for ordinal in sorted(frames))
    return Reading(taken, times[-1] + last, easel.warnings(track.damage))


def _decode_packets(
    path: str, track: Track, wanted: Sequence[int], errors: list[str]
) -> Iterator[VideoFrame]:
    """Decode what is needed for the wanted packets, and note the errors that were met."""
    from av.error import FFmpegError

    with open_video(path) as container:
        stream = container.streams[track.stream]
        context = cast("VideoCodecContext", stream.codec_context)
        context.thread_count = 1  # videos are decoded side by side, in processes
        packets = (packet for packet in container.demux(stream) if packet.size)
        number, previous = 0, 0
        exact = set(wanted)
        try:
            for run in plan(track.packets, wanted):
                if run.start != previous:
                    yield from _drain(context, errors)
                    context.flush_buffers()
                previous = run.stop
                for packet in packets:
                    if number in run:
                        # Pictures on which no other leans are skipped unless they are wanted themselves.
                        context.skip_frame = "DEFAULT" if number in exact else "NONREF"
                        yield from _decode(context, packet, errors)
                    number += 1
                    if number >= run.stop:
                        break
            yield from _drain(context, errors)
        except FFmpegError as error:
            errors.append(plain(error))


def _decode(context: VideoCodecContext, packet: object, errors: list[str]) -> list[VideoFrame]:
    from av.error import EOFError as EndOfStream
    from av.error import FFmpegError
    from av.error import MemoryError as OutOfMemory

    try:
        return context.decode(packet)  # pyright: ignore[reportArgumentType]
    except EndOfStream:
        return []
    except OutOfMemory:
        raise
    except FFmpegError as error:
        errors.append(plain(error))
        return []


def _drain(context: VideoCodecContext, errors: list[str]) -> list[VideoFrame]:
    context.skip_frame = "DEFAULT"
    return _decode(context, None, errors)


def _read_whole(path: str, track: Track, sampling: Sampling, choose: Choose) -> Reading:
    """Decode everything twice: to learn when frames are shown, then to take the chosen ones."""
    stamps = [frame.pts for frame in _decode_all(path, track)]
    if not stamps:
        raise Fault("; ".join(["no frame can be decoded", *track.damage]))
    times, notes = _times(stamps, track)
    chosen = choose(times, sampling.max_frames)
    easel = _Easel(sampling)
    frames: list[Frame] = []
    for ordinal, frame in enumerate(_decode_all(path, track)):
        place = bisect_left(chosen, ordinal)
        if place == len(chosen):
            break
        if chosen[place] == ordinal:
            frames.append(easel.encode(frame, ordinal, times[ordinal]))
    if not frames:
        raise Fault("its frames can be decoded once, but not twice")
    warnings = easel.warnings([*track.damage, *_missing(len(stamps), track)])
    return Reading(tuple(frames), times[-1] + _step(times, track.rate), (*warnings, *notes))


def _decode_all(path: str, track: Track, *, is_glance: bool = False) -> Iterator[VideoFrame]:
    from av.error import FFmpegError
    from av.error import MemoryError as OutOfMemory

    with open_video(path) as container:
        stream = container.streams[track.stream]
        context = cast("VideoCodecContext", stream.codec_context)
        context.thread_count = 1
        if is_glance:
            context.skip_frame, context.options = "NONREF", {"skip_loop_filter": "all"}
        try:
            for packet in container.demux(stream):
                # A packet that can't be decoded gives no frame; how many are missing is told by the caller.
                yield from _decode(context, packet if packet.size else None, [])
        except OutOfMemory:
            raise
        except FFmpegError:
            return  # `scan` met the same break and noted it


def _times(stamps: list[int | None], track: Track) -> tuple[list[float], list[str]]:
    known = [stamp for stamp in stamps if stamp is not None]
    ascending = all(before <= after for before, after in pairwise(known))
    if len(known) == len(stamps) and ascending:
        return [float((stamp - known[0]) * track.tick) for stamp in known], []
    rate = track.rate or _USUAL_RATE
    note = f"the stream has no usable timestamps: they are counted at {rate:g} frames a second"
    return [ordinal / rate for ordinal in range(len(stamps))], [note]


def _step(times: list[float], rate: float) -> float:
    """Seconds that the last frame stays: as long as frames do on average."""
    if len(times) > 1:
        return times[-1] / (len(times) - 1)
    return 1 / (rate or _USUAL_RATE)


def _missing(decoded: int, track: Track) -> list[str]:
    due = sum(packet.is_shown for packet in track.packets)
    return [f"only {decoded} of {due} frames can be decoded"] if decoded < due else []
