"""The reader on decord, for those who ask for it: only on videos where the packets tell that it is safe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from tools.frames.container import Track, scan
from tools.frames.encode import jpeg
from tools.frames.gops import shown_order
from tools.frames.pictures import shrunk
from tools.frames.preflight import doubts
from tools.frames.sampling import uniform
from tools.frames.terms import Choose, Frame, Reading, Refused, Sampling, Source

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["read"]

_BATCH = 256 << 20
"""Bytes of decoded pictures that are held at once."""


def read(source: Source, sampling: Sampling, choose: Choose = uniform) -> Reading:
    """Read the chosen frames of a video file with decord.

    Raises:
        Fault: if it is no video.
        Refused: if decord isn't installed, fails, or would go wrong on this video: decord tells nothing then
            and hands out other frames than those asked for.
    """
    track = scan(source.path)
    reasons = doubts(source.path, track)
    if reasons:
        raise Refused(f"decord can't be trusted with it ({'; '.join(reasons)})")
    packets = [track.packets[number] for number in shown_order(track.packets)]
    start = packets[0].pts or 0
    times = [float(((packet.pts or 0) - start) * track.tick) for packet in packets]
    chosen = choose(times, sampling.max_frames)
    frames: list[Frame] = []
    for ordinal, image in zip(chosen, _images(source.path, track, chosen), strict=True):
        small = shrunk(image, sampling.max_side)
        frames.append(jpeg(small, ordinal, times[ordinal], sampling.quality))
    return Reading(tuple(frames), times[-1] + float(packets[-1].ticks * track.tick))


def _images(path: str, track: Track, ordinals: list[int]) -> Iterator[Image]:
    from PIL import Image

    decord = _decord()
    # It decodes ahead without bound, so it is dropped after use. With more threads, it fails now and then.
    try:
        video = decord.VideoReader(path, ctx=decord.cpu(0), num_threads=1)
        if len(video) != len(shown_order(track.packets)):
            raise Refused(f"decord counts {len(video)} frames instead of {len(shown_order(track.packets))}")
        size = max(1, _BATCH // (track.width * track.height * 3))
        for first in range(0, len(ordinals), size):
            for picture in video.get_batch(ordinals[first : first + size]).asnumpy():
                yield Image.fromarray(picture)
    except (decord.DECORDError, decord.DECORDLimitReachedError, IndexError) as error:
        raise Refused("decord can't decode it") from error


def _decord() -> Any:
    try:
        import decord
    except (ImportError, OSError) as error:
        raise Refused(f"decord can't be loaded here ({error})") from error
    return cast("Any", decord)
