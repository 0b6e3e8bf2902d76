"""Writing a video anew: its packets copied as they are, or its frames painted and encoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tools.frames.clean.painting import painted
from tools.frames.clean.patches import Patch
from tools.frames.container import Track, display_matrix, open_video

if TYPE_CHECKING:
    from fractions import Fraction

    from av.container.input import InputContainer
    from av.container.output import OutputContainer
    from av.packet import Packet
    from av.stream import Stream
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

__all__ = ["Encoder", "copy", "encode", "encoder_for", "format_of", "sound_of"]

_MP4 = {".mov": "mov", ".3gp": "3gp"}
_PLANES = {"yuv420p", "yuvj420p", "yuv444p", "yuvj444p"}


class Encoder(NamedTuple):
    """An encoder of FFmpeg's, and its options."""

    name: str
    options: dict[str, str]


def format_of(path: str, container: str) -> str:
    """FFmpeg's name of the format in which a file like this one is written.

    Args:
        path: the file; only its ending counts.
        container: FFmpeg's name of the format as it was read, which may be several.
    """
    suffix = Path(path).suffix.lower()
    if container.startswith("mov"):
        return _MP4.get(suffix, "mp4")
    if container.startswith("matroska"):
        return "webm" if suffix == ".webm" else "matroska"
    return container.split(",", maxsplit=1)[0]


def encoder_for(form: str, crf: int) -> Encoder | None:
    """The encoder for painted videos of a format; None where there is none that keeps the file's kind."""
    if form in ("mp4", "mov", "matroska"):
        return Encoder("libx264", {"crf": str(crf), "preset": "medium"})
    if form == "webm":
        return Encoder("libvpx-vp9", {"crf": str(crf), "b": "0", "cpu-used": "4", "row-mt": "1"})
    return None


def sound_of(path: str) -> tuple[str, ...]:
    """The codecs of a file's sound tracks."""
    with open_video(path) as container:
        return tuple(
            stream.codec_context.name if stream.codec_context else "unknown"
            for stream in container.streams.audio
        )


def copy(path: str, out: str, track: Track, *, with_sound: bool) -> None:
    """Copy the packets of pictures and subtitle tracks (and of sound, if wanted) to a new file.

    Raises:
        FFmpegError: if the format can't take them.
    """
    last = max(number for number, packet in enumerate(track.packets) if packet.is_shown)
    with ExitStack() as stack:
        source, target = _opened(stack, path, out, track)
        streams = {
            index: target.add_stream_from_template(stream, opaque=True)
            for index, stream in _kept(source, track, with_sound=with_sound).items()
        }
        for index, stream in streams.items():
            stream.metadata.update(source.streams[index].metadata)
        number = 0
        for packet in source.demux(*(source.streams[index] for index in streams)):
            if packet.size and packet.stream_index == track.stream:
                number += 1
                if number > last + 1:  # cut off by an edit list at the end, which copies don't have
                    continue
            _forward(packet, streams, target)


def encode(  # noqa: PLR0913 - each a part of its own
    path: str, out: str, track: Track, patches: Sequence[Patch], encoder: Encoder, *, with_sound: bool
) -> None:
    """Decode all frames, paint over the patches, and encode them with their own timestamps, size and turn.

    Raises:
        FFmpegError: if it can't be decoded or encoded.
    """
    with ExitStack() as stack:
        source, target = _opened(stack, path, out, track)
        stream = cast("VideoStream", source.streams[track.stream])
        stream.codec_context.thread_count = 2
        frames = source.decode(stream)
        first = next(frames)
        made = _add_encoder(target, stream, first, encoder, track.tick)
        sound = source.streams.audio if with_sound else ()
        streams = {s.index: target.add_stream_from_template(s, opaque=True) for s in sound}
        start = first.pts or 0
        for frame in chain([first], frames):
            time = float(((frame.pts or 0) - start) * track.tick)
            ready = painted(_in_planes(frame), time, patches)
            ready.pict_type = 0  # the encoder decides anew
            target.mux(made.encode(ready))
        target.mux(made.encode(None))
        if streams:
            other = stack.enter_context(open_video(path))
            for packet in other.demux(*(other.streams[index] for index in streams)):
                _forward(packet, streams, target)


def _opened(stack: ExitStack, path: str, out: str, track: Track) -> tuple[InputContainer, OutputContainer]:
    import av

    source = stack.enter_context(open_video(path))
    form = format_of(path, track.container)
    options = {"movflags": "+faststart"} if form in ("mp4", "mov") else {}
    target = stack.enter_context(av.open(f"file:{out}", "w", format=form, options=options))
    target.metadata.update(source.metadata)
    return source, target


def _kept(source: InputContainer, track: Track, *, with_sound: bool) -> dict[int, Stream]:
    kept: list[Stream] = [source.streams[track.stream], *source.streams.subtitles]
    if with_sound:
        kept += source.streams.audio
    return {stream.index: stream for stream in sorted(kept, key=lambda stream: stream.index)}


def _forward(packet: Packet[Any], streams: Mapping[int, Stream], target: OutputContainer) -> None:
    if packet.size or packet.dts is not None:  # the end of a stream is told by an empty packet
        packet.stream = streams[packet.stream_index]
        target.mux_one(packet)


def _in_planes(frame: VideoFrame) -> VideoFrame:
    name = _planes_of(frame)
    return frame if frame.format.name == name else frame.reformat(format=name)


def _planes_of(frame: VideoFrame) -> str:
    if frame.format.name in _PLANES:
        name = frame.format.name
    else:
        name = "yuv444p" if "444" in frame.format.name or "rgb" in frame.format.name else "yuv420p"
    # Colours at half the size need even sides.
    return name.replace("420", "444") if frame.width % 2 or frame.height % 2 else name


def _add_encoder(
    target: OutputContainer, stream: VideoStream, first: VideoFrame, encoder: Encoder, tick: Fraction
) -> VideoStream:
    made = cast(
        "VideoStream",
        target.add_stream(
            encoder.name, rate=stream.average_rate or stream.guessed_rate or 25, options=encoder.options
        ),
    )
    context, old = made.codec_context, stream.codec_context
    context.width, context.height, context.pix_fmt = first.width, first.height, _planes_of(first)
    context.time_base = tick
    aspect = stream.sample_aspect_ratio or old.sample_aspect_ratio
    if aspect:
        context.sample_aspect_ratio = aspect
    context.color_range, context.colorspace = old.color_range, old.colorspace
    context.color_primaries, context.color_trc = old.color_primaries, old.color_trc
    made.metadata.update(stream.metadata)
    matrix = display_matrix(first)
    if matrix is not None:
        made.set_display_matrix(memoryview(matrix).cast("i").tolist())
    return made
