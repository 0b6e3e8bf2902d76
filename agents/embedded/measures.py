"""Measures light, color, contrast, motion and cutting of frames, as numbers; numpy alone, no model.

Every number is a mean over a frame at a small size, so that 50 frames take some milliseconds.
"""

# ruff: noqa: PLR2004 - shares, each beside what it bounds
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.embedded.colors import accent, blue_sky
from agents.embedded.motion import streaks, vertical_drift
from agents.embedded.runtime import library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float32]

__all__ = ["Measures", "measure"]

_SIDE = 64  # longest side in pixels that is measured
_FINE = 160  # longest side for what is thin
_COARSE = 40  # and for the layout of a picture, in which drops and leaves don't count
_LEAST_CUT = 0.15  # 1 - correlation of the brightness of neighbors, below which nothing is a cut
_SURE_CUT = 0.75  # above which anything is
_TIMES_USUAL = 3.0  # a cut changes so many times more than the median of its neighbors,
_WINDOW = 4  # of which so many on each side are looked at
_LASTING = 0.65  # share of a cut's change that is still there one frame on, and was one frame before
_FLAT = 0.004  # standard deviation of brightness below which a picture has no layout
_CHANGED = 0.06  # change of brightness that counts as motion of a pixel


@dataclass(frozen=True)
class Measures:
    """What was measured, a number a frame (n) or a pair of neighbors (n - 1).

    Attributes:
        seconds: moment of each frame; its ordinal where none was given.
        timed: whether the moments were given.
        light: mean brightness, 0 black to 1 white.
        contrast: standard deviation of brightness, 0 to 0.5.
        color: mean saturation weighted by brightness, 0 gray to 1.
        warmth: red less blue, -1 to 1.
        green: green less the mean of red and blue, -1 to 1.
        sharpness: mean step between neighboring pixels, 0 to 1.
        middle: brightness of the middle less that of the rim.
        motion: share of pixels that changed within a shot; 0 at a cut.
        rim: the same on the outer fifth, which moves when the camera does.
        cuts: whether a cut lies between the two frames.
        circle: how alike the last frame is to the first, 0 to 1.
        drift: how steadily things move up (1) or down (-1).
        streaks: share of the frames that are full of falling streaks, 0 to 1.
        accent: name of the one strong color in frames that have little else; empty when there is none.
        sky: share of the frames whose upper part is a bright blue.
        returns: how often a shot looks like the one before the last, 0 to 1 of the shots that could.
    """

    seconds: Numbers
    timed: bool
    light: Numbers
    contrast: Numbers
    color: Numbers
    warmth: Numbers
    green: Numbers
    sharpness: Numbers
    middle: Numbers
    motion: Numbers
    rim: Numbers
    cuts: NDArray[np.bool_]
    circle: float
    returns: float
    drift: float
    streaks: float
    accent: str
    sky: float

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last; 0 when not timed."""
        return float(self.seconds[-1] - self.seconds[0]) if self.timed else 0.0

    @property
    def spacing(self) -> float:
        """Seconds between neighbors; infinite when not timed or a single frame."""
        return self.duration / (len(self.light) - 1) if self.timed and len(self.light) > 1 else float("inf")


def measure(images: Sequence[Any], seconds: Sequence[float | None] = ()) -> Measures:
    """Measure frames in the order of time.

    Args:
        images: PIL images, at least one, any sizes.
        seconds: their moments; not timed unless all are given.
    """
    np: Any = library("numpy")
    shape = _small(images[0].size)
    frames = np.stack([np.asarray(image.resize(shape), np.float32) / 255.0 for image in images])
    red, green, blue = frames[..., 0], frames[..., 1], frames[..., 2]
    gray = 0.299 * red + 0.587 * green + 0.114 * blue
    peak, low = frames.max(-1), frames.min(-1)
    steps = np.abs(np.diff(gray, axis=1)).mean((1, 2)) + np.abs(np.diff(gray, axis=2)).mean((1, 2))
    rim = _rim(np, shape)
    fine, coarse = (_grays(np, images, _small(images[0].size, side)) for side in (_FINE, _COARSE))
    cuts = _cuts(np, frames, coarse)
    changed = np.abs(np.diff(gray, axis=0)) > _CHANGED
    timed = len(seconds) == len(images) and all(moment is not None for moment in seconds)
    return Measures(
        seconds=np.asarray(seconds if timed else range(len(images)), np.float32),
        timed=timed,
        light=gray.mean((1, 2)),
        contrast=gray.std((1, 2)),
        color=(peak - low).sum((1, 2)) / np.maximum(peak.sum((1, 2)), 1e-3),
        warmth=_toned(np, red - blue, peak),
        green=_toned(np, green - (red + blue) / 2, peak),
        sharpness=steps / 2,
        middle=gray[:, ~rim].mean(1) - gray[:, rim].mean(1),
        motion=np.where(cuts, 0.0, changed.mean((1, 2))),
        rim=np.where(cuts, 0.0, changed[:, rim].mean(1)),
        cuts=cuts,
        circle=_alike(np, frames[0], frames[-1]) if len(images) > 1 else 0.0,
        returns=_returns(np, frames, cuts),
        drift=vertical_drift(fine, cuts),
        streaks=streaks(fine, cuts),
        accent=accent(frames),
        sky=blue_sky(frames),
    )


def _small(size: tuple[int, int], side: int = _SIDE) -> tuple[int, int]:
    scale = side / max(size)
    return max(8, round(size[0] * scale)), max(8, round(size[1] * scale))


def _grays(np: Any, images: Sequence[Any], size: tuple[int, int]) -> Any:
    return np.stack([np.asarray(image.convert("L").resize(size), np.float32) / 255.0 for image in images])


def _rim(np: Any, shape: tuple[int, int]) -> Any:
    """The outer fifth of a picture of width and height `shape`, as a mask."""
    width, height = shape
    mask = np.ones((height, width), bool)
    mask[height // 10 : height - height // 10, width // 10 : width - width // 10] = False
    return mask


def _toned(np: Any, difference: Any, peak: Any) -> Any:
    return difference.sum((1, 2)) / np.maximum(peak.sum((1, 2)), 1e-3)


def _classes(np: Any, frames: Any) -> Any:
    """Histogram of 64 color classes a frame, shares that sum to 1."""
    classes = np.minimum((frames * 4).astype(np.int64), 3) @ np.asarray([16, 4, 1])
    counts = np.stack([np.bincount(frame.ravel(), minlength=64) for frame in classes])
    return counts / counts.sum(1, keepdims=True)


def _cuts(np: Any, frames: Any, gray: Any) -> Any:
    """A cut changes the layout of light and dark, at once and more than its neighbors do.

    Correlation is blind to level and contrast, so that a fade or a flash is no cut; two flat pictures have no
    layout, there the colors decide.
    """
    shares = _classes(np, frames)
    change = _changes(np, gray, shares, 1)
    lasting = _changes(np, gray, shares, 2)  # a beam of light or a flash is gone in the frame after the next
    return np.asarray(
        [_is_peak(np, change, i) and _lasts(lasting, change, i) for i in range(len(change))], bool
    )


def _changes(np: Any, gray: Any, shares: Any, apart: int) -> Any:
    """How little each frame has to do with the one so many frames on, 0 to 2."""
    if len(gray) <= apart:
        return np.zeros(0, np.float32)
    level = gray.mean((1, 2), keepdims=True)
    spread = gray.std((1, 2))
    product = ((gray - level)[apart:] * (gray - level)[:-apart]).mean((1, 2))
    both = spread[apart:] * spread[:-apart]
    colors = np.abs(shares[apart:] - shares[:-apart]).sum(1) / 2
    flat = (spread[apart:] < _FLAT) | (spread[:-apart] < _FLAT)
    return np.where(flat, np.where(colors > 0.5, 0.5, 0.0) * colors, 1 - product / np.maximum(both, 1e-9))


def _lasts(lasting: Any, change: Any, place: int) -> bool:
    beside = [lasting[i] for i in (place - 1, place) if 0 <= i < len(lasting)]
    return all(value > _LASTING * change[place] for value in beside)


def _is_peak(np: Any, change: Any, place: int) -> bool:
    around = np.concatenate(
        [change[max(0, place - _WINDOW) : place], change[place + 1 : place + 1 + _WINDOW]]
    )
    usual = float(np.median(around)) if len(around) else 0.0
    return bool(change[place] > _SURE_CUT or change[place] > max(_LEAST_CUT, _TIMES_USUAL * usual))


def _alike(np: Any, one: Any, other: Any) -> float:
    return float(max(0.0, 1.0 - np.abs(one - other).mean() / 0.2))


def _returns(np: Any, frames: Any, cuts: Any) -> float:
    """How many shots look like the one before the last: the mark of parallel editing."""
    starts = [0, *(int(i) + 1 for i in np.flatnonzero(cuts))]
    if len(starts) < 4:
        return 0.0
    ends = [*starts[1:], len(frames)]
    shots = _classes(np, np.stack([frames[(a + b - 1) // 2] for a, b in zip(starts, ends, strict=True)]))
    near = [1 - np.abs(shots[i] - shots[i - 2]).sum() / 2 for i in range(2, len(shots))]
    far = [1 - np.abs(shots[i] - shots[i - 1]).sum() / 2 for i in range(2, len(shots))]
    return float(np.mean([a > 0.6 and a > b + 0.15 for a, b in zip(near, far, strict=True)]))
