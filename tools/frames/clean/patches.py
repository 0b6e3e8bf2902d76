"""What is painted over where and when, in the picture as it is stored (before it is turned)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from tools.frames.clean.looking import STEP
from tools.frames.clean.spotting import Box
from tools.frames.clean.strokes import letters, likeness, strokes
from tools.frames.clean.tracks import Track
from tools.frames.terms import Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image, Transpose

    Grey = NDArray[np.uint8]

__all__ = ["Patch", "patch_of", "pixels", "wanted_ordinals"]

_SEEN_FROM = 5
"""Pictures from which the shape of letters is taken."""

_PRESENT = 0.3
"""Likeness of strokes from which on the text counts as there, before its first reading and after its last."""

_BESIDE, _ABOVE = 0.35, 0.25
"""Room around the text for outline and shadow, in heights of the text."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A subtitle that is painted over.

    Attributes:
        left: first column of its box, even (colours are stored at half the size).
        top: first row, even.
        letters: 255 where letters are, for each pixel of the box.
        strokes: what the box looks like when the text is there.
        first: seconds at which it was first read.
        last: seconds at which it was last seen.
    """

    left: int
    top: int
    letters: Grey
    strokes: Grey
    first: float
    last: float

    def is_due(self, time: float, luma: Grey) -> bool:
        """Whether the text stands in the frame of this time, with this brightness of its pixels."""
        if self.first <= time <= self.last:
            return True
        if not self.first - STEP <= time <= self.last + STEP:
            return False
        height, width = self.letters.shape
        crop = luma[self.top : self.top + height, self.left : self.left + width]
        return likeness(strokes(crop), self.strokes) >= _PRESENT


def pixels(
    box: Box, size: tuple[int, int], beside: float = 0.0, above: float = 0.0
) -> tuple[int, int, int, int]:
    """A box in parts of a picture as whole pixels, with room around it, inside the picture.

    Args:
        box: in parts of the picture.
        size: width and height of the picture.
        beside: room to the left and right, in heights of the box.
        above: room above and below.

    Returns:
        Left, top, right, bottom.
    """
    width, height = size
    tall = box.height * height
    return (
        max(0, int(box.left * width - beside * tall)),
        max(0, int(box.top * height - above * tall)),
        min(width, round(box.right * width + beside * tall)),
        min(height, round(box.bottom * height + above * tall)),
    )


def patch_of(
    track: Track, frames: Sequence[Frame], full: Mapping[int, Frame], turn: Transpose | None
) -> Patch:
    """The patch for a subtitle.

    Args:
        track: the subtitle.
        frames: the pictures in which it was followed.
        full: some of these at full size, by ordinal.
        turn: by which stored pictures are turned to stand upright.
    """
    import numpy as np
    from PIL import Image

    seen = [full[frames[number].ordinal] for number in _some(track) if frames[number].ordinal in full]
    pictures = [Image.open(io.BytesIO(frame.jpeg)).convert("L") for frame in seen]
    size = pictures[0].size
    box = pixels(track.box, size, _BESIDE, _ABOVE)
    crops = [np.asarray(picture.crop(box)) for picture in pictures]
    mask = _stored(Image.fromarray(letters(crops)), box, size, turn)
    look = np.mean(np.stack([strokes(crop) for crop in crops]), axis=0).astype(np.uint8)
    left, top, right, bottom = _even(
        _stored(Image.new("L", _size(box), 255), box, size, turn).getbbox(), size, turn
    )
    looks = _stored(Image.fromarray(look), box, size, turn)
    return Patch(
        left,
        top,
        np.asarray(mask.crop((left, top, right, bottom))),
        np.asarray(looks.crop((left, top, right, bottom))),
        frames[track.first].timestamp,
        frames[track.last].timestamp,
    )


def wanted_ordinals(tracks: Sequence[Track], frames: Sequence[Frame]) -> list[int]:
    """The frames that are needed at full size."""
    return sorted({frames[number].ordinal for track in tracks for number in _some(track)})


def _some(track: Track) -> list[int]:
    numbers = sorted(track.lines)
    step = max(1, len(numbers) / _SEEN_FROM)
    return sorted(
        {numbers[int(place * step)] for place in range(_SEEN_FROM) if int(place * step) < len(numbers)}
    )


def _size(box: tuple[int, int, int, int]) -> tuple[int, int]:
    return box[2] - box[0], box[3] - box[1]


def _stored(
    part: Image, box: tuple[int, int, int, int], size: tuple[int, int], turn: Transpose | None
) -> Image:
    """A part of the upright picture at its place in the picture as it is stored; the rest is black."""
    from PIL import Image as Pillow
    from PIL.Image import Transpose

    whole = Pillow.new("L", size, 0)
    whole.paste(part, box[:2])
    back = {Transpose.ROTATE_90: Transpose.ROTATE_270, Transpose.ROTATE_270: Transpose.ROTATE_90}
    return whole if turn is None else whole.transpose(back.get(turn, turn))


def _even(
    box: tuple[int, int, int, int] | None, size: tuple[int, int], turn: Transpose | None
) -> tuple[int, int, int, int]:
    from PIL.Image import Transpose

    sideways = (Transpose.ROTATE_90, Transpose.ROTATE_270, Transpose.TRANSPOSE, Transpose.TRANSVERSE)
    width, height = size[::-1] if turn in sideways else size
    left, top, right, bottom = cast("tuple[int, int, int, int]", box)
    return left & ~1, top & ~1, min(width, right + (right & 1)), min(height, bottom + (bottom & 1))
