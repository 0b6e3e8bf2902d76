"""What a video file is, without reading its frames: codec, size, turn, time, and what is odd about it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, cast

from tools.frames.container import Track, display_matrix, open_video, scan
from tools.frames.gops import can_skip, shown_order
from tools.frames.preflight import doubts
from tools.frames.sampling import uniform
from tools.frames.source import inspect, is_file
from tools.frames.terms import Fault, Sampling, Source
from tools.frames.turns import odd_angle, turn_of

if TYPE_CHECKING:
    from av.container.input import InputContainer
    from av.video.stream import VideoStream
    from PIL.Image import Transpose

__all__ = ["Probe", "probe", "turn_in_words"]

_WIDE_RANGE = {16: "PQ", 18: "HLG"}
"""FFmpeg's numbers of the transfer curves of high dynamic range (ITU-T H.273, table 3)."""

_UNEVEN = 0.1
"""Share of the usual step by which steps may differ and still count as constant; clocks are coarse."""

_COARSE = 0.0015

_OTHERS = 8
"""Pictures that are tried where the first one can't be decoded."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What is known of a video.

    Attributes:
        path: as it was given.
        kind: "video", "webp" or "folder".
        container: FFmpeg's name of the format.
        codec: FFmpeg's name of the codec, with its profile where it tells one.
        pixels: FFmpeg's name of the pixel format.
        coded: width and height as they are stored.
        shown: width and height of frames, after the turn that the file asks for.
        rotation: degrees clockwise by which frames are turned: 0, 90, 180 or 270.
        is_mirrored: whether they are mirrored (left and right) before that.
        duration: seconds from the first frame to the end of the last.
        frames: how many are shown.
        rate: frames a second on average; 0 of a single frame.
        is_constant: whether frames follow each other in equal steps.
        steps: the shortest and the longest step in seconds.
        key_frames: at how many packets decoding may start.
        sound: codecs of the sound tracks.
        size: bytes of the file.
        warnings: what may surprise in the frames, in plain words.
        decord: why the reader "decord" would refuse the file; nothing if it is safe.
    """

    path: str
    kind: str
    container: str
    codec: str
    pixels: str
    coded: tuple[int, int]
    shown: tuple[int, int]
    rotation: int
    is_mirrored: bool
    duration: float
    frames: int
    rate: float
    is_constant: bool
    steps: tuple[float, float]
    key_frames: int
    sound: tuple[str, ...]
    size: int
    warnings: tuple[str, ...]
    decord: tuple[str, ...]


class _Look(NamedTuple):
    codec: str
    pixels: str
    turn: Transpose | None
    sound: tuple[str, ...]
    notes: list[str]


def probe(path: str) -> Probe:
    """Look at a file or folder. In this process: call it through `apart` for files of unknown origin.

    Raises:
        Fault: if it holds no video that could be read.
    """
    source = inspect(path)
    return _probe_video(path, source) if source.kind == "video" else _probe_pictures(path, source)


def _probe_video(path: str, source: Source) -> Probe:
    track = scan(source.path)
    look = _look(source.path, track)
    times = _times(track)
    rotation, is_mirrored = turn_in_words(look.turn)
    size = (track.width, track.height)
    duration = times[-1] + float(track.packets[shown_order(track.packets)[-1]].ticks * track.tick)
    rate, is_constant, steps = _pace(times, track.rate)
    return Probe(
        path=path,
        kind=source.kind,
        container=track.container,
        codec=look.codec,
        pixels=look.pixels,
        coded=size,
        shown=(size[1], size[0]) if rotation in (90, 270) else size,
        rotation=rotation,
        is_mirrored=is_mirrored,
        duration=duration or 1 / (track.rate or 25),
        frames=len(times),
        rate=rate,
        is_constant=is_constant,
        steps=steps,
        key_frames=sum(packet.is_key for packet in track.packets),
        sound=look.sound,
        size=os.stat(source.path).st_size,  # noqa: PTH116 - one look, whatever the path's type
        warnings=tuple(look.notes),
        decord=tuple(doubts(source.path, track)),
    )


def _look(path: str, track: Track) -> _Look:
    from av.error import FFmpegError

    with open_video(path) as container:
        stream = cast("VideoStream", container.streams[track.stream])
        context = stream.codec_context
        codec = f"{track.codec} ({context.profile})" if context.profile else track.codec
        sound = tuple(
            audio.codec_context.codec.canonical_name if audio.codec_context else "an unknown codec"
            for audio in container.streams.audio
        )
        pixels = context.pix_fmt or "unknown"
        notes = [*(f"damaged: {sign}" for sign in track.damage), *_stream_notes(stream, track)]
        try:
            matrix = _matrix(container, stream)
        except (FFmpegError, StopIteration):
            return _Look(codec, pixels, None, sound, ["its first frame can't be decoded", *notes])
        if odd_angle(matrix):
            notes.append(f"it asks to be turned by {odd_angle(matrix)}°: its corners are cut off")
        return _Look(codec, pixels, turn_of(matrix), sound, notes)


def _matrix(container: InputContainer, stream: VideoStream) -> bytes | None:
    return display_matrix(next(container.decode(stream)))


def _stream_notes(stream: VideoStream, track: Track) -> list[str]:
    notes: list[str] = []
    context = stream.codec_context
    aspect = stream.sample_aspect_ratio or context.sample_aspect_ratio
    if aspect and aspect != 1:
        notes.append(
            f"pixels are not square ({aspect.numerator}:{aspect.denominator}): frames look "
            + ("narrower" if aspect > 1 else "wider")
            + " than a player shows them"
        )
    if context.color_trc in _WIDE_RANGE:
        notes.append(f"high dynamic range ({_WIDE_RANGE[context.color_trc]}): frames look pale")
    if context.field_order > 1:  # 0 is unknown, 1 is progressive
        notes.append("interlaced: fast motion shows as a comb")
    hidden = sum(not packet.is_shown for packet in track.packets)
    if hidden:
        notes.append(f"an edit list or hidden frames: {hidden} of {len(track.packets)} are not shown")
    if not can_skip(track):
        notes.append("frames can't be told by their packets: all of it is decoded, which takes longer")
    return notes


def _times(track: Track) -> list[float]:
    order = shown_order(track.packets)
    if not order:
        raise Fault("none of its frames is shown")
    stamps = [track.packets[number].pts for number in order]
    known = [stamp for stamp in stamps if stamp is not None]
    if len(known) < len(stamps):
        return [number / (track.rate or 25) for number in range(len(stamps))]
    return [float((stamp - known[0]) * track.tick) for stamp in known]


def _pace(times: Sequence[float], announced: float) -> tuple[float, bool, tuple[float, float]]:
    steps = [after - before for before, after in pairwise(times)]
    if not steps or not times[-1]:
        return announced if len(times) > 1 else 0.0, True, (0.0, 0.0)
    usual = median(steps)
    slack = max(_COARSE, usual * _UNEVEN)
    is_constant = all(abs(step - usual) <= slack for step in steps)
    return len(steps) / times[-1], is_constant, (min(steps), max(steps))


def turn_in_words(turn: Transpose | None) -> tuple[int, bool]:
    """A turn as degrees clockwise, and whether left and right change places before it."""
    from PIL.Image import Transpose

    if turn is None:
        return 0, False
    return {
        Transpose.FLIP_LEFT_RIGHT: (0, True),
        Transpose.FLIP_TOP_BOTTOM: (180, True),
        Transpose.ROTATE_180: (180, False),
        Transpose.ROTATE_270: (90, False),
        Transpose.ROTATE_90: (270, False),
        Transpose.TRANSPOSE: (270, True),
        Transpose.TRANSVERSE: (90, True),
    }[turn]


def _probe_pictures(path: str, source: Source) -> Probe:
    from tools.frames.readers import reader_for

    met: list[float] = []

    def some(times: Sequence[float], limit: int) -> list[int]:
        met[:] = times
        return uniform(times, limit)

    name, reader = reader_for(source, "auto")
    try:
        reading = reader(source, Sampling(max_frames=1, max_side=1 << 16), some)
    except Fault:
        if len(met) < 2:  # noqa: PLR2004 - there is no other picture
            raise
        reading = reader(source, Sampling(max_frames=_OTHERS, max_side=1 << 16), some)
    if not reading.frames:
        raise Fault("no frame came out of it")
    size = (reading.frames[0].width, reading.frames[0].height)
    rate, is_constant, steps = _pace(met, 0.0)
    return Probe(
        path=path,
        kind=source.kind,
        container="a folder of pictures" if source.kind == "folder" else "webp",
        codec=name,
        pixels="rgb24",
        coded=size,
        shown=size,
        rotation=0,
        is_mirrored=False,
        duration=reading.duration,
        frames=len(met),
        rate=rate,
        is_constant=is_constant,
        steps=steps,
        key_frames=len(met),
        sound=(),
        size=_bytes(source),
        warnings=reading.warnings,
        decord=(f"a {source.kind}: decord reads videos only",),
    )


def _bytes(source: Source) -> int:
    if source.kind == "webp":
        return os.stat(source.path).st_size  # noqa: PTH116
    with os.scandir(source.path) as entries:
        return sum(entry.stat().st_size for entry in entries if is_file(entry))
