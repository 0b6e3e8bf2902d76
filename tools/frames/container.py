"""Opening a video with PyAV and looking at its packets, before anything is decoded."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from tools.frames.encryption import is_encrypted
from tools.frames.terms import MAX_PIXELS, Fault, is_too_large
from tools.frames.unreadable import reason

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    import av
    from av.buffer import Buffer
    from av.container.input import InputContainer
    from av.error import FFmpegError
    from av.video.codeccontext import VideoCodecContext
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

__all__ = ["Packet", "Track", "display_matrix", "open_video", "plain", "scan"]

_FOLLOWERS = frozenset(
    ("concat", "concatf", "dash", "hls", "image2", "imf", "lavfi", "rtp", "rtsp", "sap", "sdp", "vapoursynth")
)
"""Formats that open other files than the one that was named, or run scripts."""

_DURATION_IN_HEADER = ("matroska", "flv")
"""Formats without an index that is read first: a file cut short shows in the duration that it announces."""

_MICRO = 1_000_000
"""Ticks a second of a container's own clock."""

_PATIENCE = 1.0
"""Seconds by which a file may end before its announced end: a last picture that stays has no packet more."""


class Packet(NamedTuple):
    """What counts of a packet: presentation time, duration (in ticks), and three flags."""

    pts: int | None
    ticks: int
    is_key: bool
    is_shown: bool
    is_corrupt: bool


class Track(NamedTuple):
    """The video stream that is read.

    Attributes:
        stream: number of the stream in the container.
        container: FFmpeg's name of the format, e.g. "mov,mp4,m4a,3gp,3g2,mj2".
        codec: FFmpeg's name of the codec, whichever decoder is used, e.g. "h264".
        width: coded width in pixels, before rotation.
        height: coded height in pixels.
        tick: seconds a tick of the packets' clock lasts.
        rate: frames a second, as guessed from the header; 0 when unknown.
        announced: number of frames in the header; 0 when it names none.
        packets: all packets of the stream, in the order of decoding.
        damage: signs of damage, in words.
    """

    stream: int
    container: str
    codec: str
    width: int
    height: int
    tick: Fraction
    rate: float
    announced: int
    packets: list[Packet]
    damage: list[str]


@contextmanager
def open_video(path: str) -> Generator[InputContainer]:
    """Open one local file, and never another one that it names; closed at the end of the block.

    Raises:
        Fault: if FFmpeg knows no format that fits, or PyAV is not installed.
    """
    try:
        import av
        import av.logging
        from av.error import FFmpegError
    except ImportError as error:
        raise Fault(f"PyAV can't be loaded ({error}): pip install av") from error
    av.logging.set_level(None)
    options = {
        "protocol_whitelist": "file",
        "format_whitelist": _formats(),
        "max_pixels": str(MAX_PIXELS),
    }
    with ExitStack() as stack:
        try:
            # Tags are not always UTF-8. (Names need not be either: PyAV encodes them as the system does.)
            container = av.open(_named(path, stack), "r", options=options, metadata_errors="ignore")
        except FFmpegError as error:
            raise Fault(f"not a readable video: {reason(path) or plain(error)}") from error
        yield stack.enter_context(container)


def _named(path: str, stack: ExitStack) -> str | BinaryIO:
    """What to open: the path, or the open file where FFmpeg would take the path for a pattern of names."""
    if "%" not in path:
        return f"file:{path}"  # the prefix keeps a colon from being taken for the end of a protocol's name
    return stack.enter_context(os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0)), "rb"))


@cache
def _formats() -> str:
    import av

    return ",".join(sorted(set(av.formats_available) - _FOLLOWERS))


def plain(error: FFmpegError) -> str:
    """FFmpeg's own words for an error."""
    return error.strerror or type(error).__name__


def scan(path: str) -> Track:
    """Look through the packets of the stream that a player would show.

    Raises:
        Fault: if there is no video stream, no packet in it, its pictures are too large, it is encrypted,
            or no decoder is known for it.
    """
    if is_encrypted(path):
        # A decoder would take what it can't decipher for damage, and show noise.
        raise Fault("the video is encrypted: decrypt it first")
    with open_video(path) as container:
        stream = _video_stream(container)
        context = cast("VideoCodecContext | None", stream.codec_context)
        if context is None:
            raise Fault("no decoder is known for its video stream")
        fault = is_too_large(context.width, context.height)
        if fault:
            raise Fault(fault)
        damage: list[str] = []
        packets, short_by = _packets(container, stream, damage)
        if not packets:
            raise Fault("the video stream is empty" if not damage else damage[0])
        damage += _damage(path, stream, packets, short_by)
        return Track(
            stream=stream.index,
            container=container.format.name,
            codec=context.codec.canonical_name,
            width=context.width,
            height=context.height,
            tick=cast("Fraction", stream.time_base),
            rate=float(stream.average_rate or stream.guessed_rate or 0),
            announced=stream.frames,
            packets=packets,
            damage=damage,
        )


def _packets(container: InputContainer, stream: VideoStream, damage: list[str]) -> tuple[list[Packet], float]:
    """All packets of a stream, and by how many seconds the file ends before the end that it announces."""
    from av.error import FFmpegError

    packets: list[Packet] = []
    announces = container.format.name.startswith(_DURATION_IN_HEADER)
    end = 0.0
    try:
        for packet in container.demux() if announces else container.demux(stream):
            if packet.size and packet.stream_index == stream.index:
                packets.append(_packet(packet, stream.codec_context.codec.canonical_name))
            if announces and packet.pts is not None:
                end = max(end, float((packet.pts + (packet.duration or 0)) * packet.time_base))
    except FFmpegError as error:
        damage.append(f"the file breaks off: {plain(error)}")
    return packets, (container.duration or 0) / _MICRO - end if announces else 0.0


def _video_stream(container: InputContainer) -> VideoStream:
    from av.stream import Disposition

    shown = [s for s in container.streams.video if not s.disposition & Disposition.attached_pic]
    if not shown:
        has_cover = "but a cover picture " if container.streams.video else ""
        sound = "it holds sound only" if container.streams.audio else "it holds no video stream"
        raise Fault(f"nothing to see {has_cover}in it: {sound}" if has_cover else sound)
    best = container.streams.best("video")
    return next((stream for stream in shown if best is not None and stream.index == best.index), shown[0])


def _packet(packet: av.Packet[Any], codec: str) -> Packet:
    shown = not packet.is_discard
    if codec == "vp8" and shown:
        # VP8 keeps hidden reference frames in packets of their own: bit 4 of the first byte (RFC 6386, 9.1).
        shown = bool(memoryview(packet)[0] & 0x10)
    return Packet(packet.pts, packet.duration or 0, packet.is_keyframe, shown, packet.is_corrupt)


def _damage(path: str, stream: VideoStream, packets: list[Packet], short_by: float) -> list[str]:
    signs: list[str] = []
    size = Path(path).stat().st_size
    beyond = sum(entry.pos + entry.size > size for entry in stream.index_entries)
    if beyond:
        signs.append(f"{beyond} of {len(stream.index_entries)} frames lie beyond the end of the file")
    elif short_by > _PATIENCE and len(packets) > 1:
        signs.append(f"the file ends {short_by:.1f} s before the end that it announces")
    corrupt = sum(packet.is_corrupt for packet in packets)
    if corrupt and not beyond:
        signs.append(f"{corrupt} of {len(packets)} packets are corrupt")
    return signs


def display_matrix(frame: VideoFrame) -> bytes | None:
    """The display matrix that comes with a frame. To be asked once a stream: PyAV leaks at each look."""
    from av.sidedata.sidedata import Type

    matrix = cast("Mapping[Type, Buffer]", frame.side_data).get(Type.DISPLAYMATRIX)
    return None if matrix is None else bytes(matrix)
