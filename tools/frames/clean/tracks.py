"""Texts over time: the same words at the same place, in one picture after the other."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tools.frames.clean.spotting import Box, Line
from tools.frames.clean.strokes import likeness, strokes
from tools.frames.terms import Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grey = NDArray[np.uint8]

__all__ = ["Track", "follow"]

_SAME_PLACE, _SAME_TEXT = 0.5, 60.0
_STILL_THERE = 0.6


@dataclass(slots=True)
class Track:
    """One text from its first picture to its last.

    Attributes:
        lines: what was read, by the number of the picture.
        last: the last picture in which it stands, read or not.
    """

    lines: dict[int, Line] = field(default_factory=dict[int, Line])
    last: int = 0

    @property
    def first(self) -> int:
        """The first picture in which it was read."""
        return min(self.lines)

    @property
    def text(self) -> str:
        """The reading that was met most often; of equals, the longest."""
        counts = Counter(line.text for line in self.lines.values())
        return max(counts, key=lambda text: (counts[text], len(text)))

    @property
    def box(self) -> Box:
        """A box around all readings, in parts of the picture."""
        boxes = [line.box for line in self.lines.values()]
        whole = boxes[0]
        for box in boxes[1:]:
            whole = whole.around(box)
        return whole

    @property
    def drift(self) -> float:
        """How far its middle moved from the first reading to the last, in heights of the text."""
        start, end = self.lines[self.first].box, self.lines[max(self.lines)].box
        across = abs(start.left + start.right - end.left - end.right) / 2
        down = abs(start.top + start.bottom - end.top - end.bottom) / 2
        return max(across, down) / start.height


def follow(read: Sequence[Sequence[Line]], frames: Sequence[Frame]) -> list[Track]:
    """Follow texts through pictures.

    A text that isn't read in a picture is still there if its strokes are: readers overlook some.

    Args:
        read: the lines of each picture.
        frames: the pictures.

    Returns:
        Tracks by the time at which they begin.
    """
    tracks: list[Track] = []
    going: list[Track] = []
    before: Grey | None = None
    for number, (lines, frame) in enumerate(zip(read, frames, strict=True)):
        now = _grey(frame)
        free = list(lines)
        kept: list[Track] = []
        for track in going:
            line = _match(track, free)
            if line is not None:
                free.remove(line)
                track.lines[number] = line
            if line is not None or (before is not None and _stands(track, before, now)):
                track.last = number
                kept.append(track)
        fresh = [Track({number: line}, number) for line in free]
        tracks += fresh
        going = kept + fresh
        before = now
    return tracks


def _match(track: Track, lines: Sequence[Line]) -> Line | None:
    from rapidfuzz import fuzz

    last = track.lines[max(track.lines)]
    near = [line for line in lines if line.box.overlap(last.box) >= _SAME_PLACE]
    alike = [line for line in near if fuzz.ratio(line.text.casefold(), last.text.casefold()) >= _SAME_TEXT]
    return max(alike, key=lambda line: line.box.overlap(last.box), default=None)


def _stands(track: Track, before: Grey, now: Grey) -> bool:
    box = track.lines[max(track.lines)].box
    height, width = now.shape
    rows = slice(int(box.top * height), max(int(box.bottom * height), int(box.top * height) + 4))
    columns = slice(int(box.left * width), max(int(box.right * width), int(box.left * width) + 4))
    if before.shape != now.shape:
        return False
    return likeness(strokes(before[rows, columns]), strokes(now[rows, columns])) >= _STILL_THERE


def _grey(frame: Frame) -> Grey:
    import numpy as np
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(frame.jpeg)).convert("L"))
