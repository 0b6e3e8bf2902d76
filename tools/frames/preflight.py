"""Why decord would go wrong on a video: it gives wrong frames without a word, so its packets are asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from tools.frames.container import Track, display_matrix, open_video
from tools.frames.turns import odd_angle, turn_of

if TYPE_CHECKING:
    from av.video.stream import VideoStream

__all__ = ["doubts"]

_CODECS = frozenset(("h264", "hevc", "mpeg4", "mjpeg", "vp8", "prores", "mpeg2video"))
_CONTAINERS = ("mov", "matroska")
_SMALLEST, _LARGEST = 32, 4096 * 4096
_MAX_PTS = 2**31 - 1


def doubts(path: str, track: Track) -> list[str]:
    """Reasons not to trust decord (0.6) with this video; none on files where it was always found right."""
    return [*_stream_doubts(track), *_packet_doubts(track), *_matrix_doubts(path, track)]


def _stream_doubts(track: Track) -> Iterator[str]:
    if track.codec not in _CODECS:
        yield f"codec {track.codec}"
    if not any(known in track.container for known in _CONTAINERS):
        yield f"container {track.container}"
    if min(track.width, track.height) < _SMALLEST or track.width * track.height > _LARGEST:
        yield f"size {track.width}x{track.height}"
    yield from track.damage


def _packet_doubts(track: Track) -> Iterator[str]:
    packets = track.packets
    shown = [packet.pts for packet in packets if packet.is_shown]
    stamps = [pts for pts in shown if pts is not None]
    if len(shown) < len(packets):
        yield f"an edit list or hidden frames: {len(packets) - len(shown)} packets are not shown"
    if len(stamps) < len(shown):
        yield "missing timestamps"
    if len(set(stamps)) < len(stamps):
        yield "doubled timestamps"
    if any(not 0 <= pts < _MAX_PTS for pts in stamps):
        yield "timestamps that are negative or overflow"
    if not packets[0].is_key:
        yield "it doesn't start on a key frame"
    leading = _leading(track)
    if leading:
        yield f"open groups of pictures: {leading} pictures are shown before their key frame"


def _leading(track: Track) -> int:
    count, key = 0, None
    for packet in track.packets:
        if packet.is_key:
            key = packet.pts
        elif key is not None and packet.pts is not None and packet.pts < key:
            count += 1
    return count


def _matrix_doubts(path: str, track: Track) -> Iterator[str]:
    from av.error import FFmpegError
    from PIL.Image import Transpose

    try:
        with open_video(path) as container:
            frame = next(container.decode(cast("VideoStream", container.streams[track.stream])))
            matrix = display_matrix(frame)
    except (FFmpegError, StopIteration):
        yield "its first frame can't be decoded"
        return
    turn = turn_of(matrix)
    if turn in (
        Transpose.FLIP_LEFT_RIGHT,
        Transpose.FLIP_TOP_BOTTOM,
        Transpose.TRANSPOSE,
        Transpose.TRANSVERSE,
    ):
        yield "a mirrored picture"
    elif odd_angle(matrix):
        yield "a picture turned by an odd angle"
    elif turn is not None and "mov" not in track.container:
        yield f"a turned picture in {track.container}"
