"""Very small pictures as numbers: how much two of them differ, and whether they show the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tools.frames.terms import Glance

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

__all__ = ["Look", "correlation", "difference", "looks", "spread"]


class Look(NamedTuple):
    """A glance, and by how many grey levels it differs from the one before.

    Attributes:
        timestamp: seconds since the first frame that is shown.
        pixels: 1,024 rows of red, green and blue.
        tones: the same, each colour sorted by itself: what is left when nothing matters but how much there
            is of each tone.
        moved: mean change of the pixels since the look before.
        toned: mean change of the tones.
    """

    timestamp: float
    pixels: NDArray[int16]
    tones: NDArray[int16]
    moved: float
    toned: float

    @property
    def change(self) -> float:
        """Change since the look before, in place and in tone together."""
        return self.moved + self.toned

    @property
    def rearranged(self) -> float:
        """Change in place beyond what the change of tones explains; next to none where the light changes."""
        return self.moved - self.toned


def looks(glances: Iterable[Glance]) -> Iterator[Look]:
    """Glances, each compared to the one before."""
    import numpy as np

    before: Look | None = None
    for glance in glances:
        pixels = np.frombuffer(glance.rgb, np.uint8).astype(np.int16).reshape(-1, 3)
        look = Look(glance.timestamp, pixels, np.sort(pixels, axis=0), 0.0, 0.0)
        if before is not None:
            moved, toned = difference(before, look)
            look = look._replace(moved=moved, toned=toned)
        yield look
        before = look


def difference(a: Look, b: Look) -> tuple[float, float]:
    """Mean difference in grey levels: in place, and in tone."""
    import numpy as np

    return float(np.abs(a.pixels - b.pixels).mean()), float(np.abs(a.tones - b.tones).mean())


def spread(a: Look, b: Look) -> float:
    """How evenly a difference lies over the picture: median over mean, 0 where half of it is alike."""
    import numpy as np

    differences = np.abs(a.pixels - b.pixels).mean(axis=1)
    return float(np.median(differences) / (differences.mean() or 1.0))


def correlation(a: Look, b: Look) -> float:
    """Pearson's r of the pixels, whatever the light and its colour; 0 where a picture is all of one tone.

    Taken over all channels together and over each by itself, weighted by its contrast, as a lamp of another
    colour changes no shape; the larger of the two counts.
    """
    return max(_correlation(a, b, None), _correlation(a, b, 0))


def _correlation(a: Look, b: Look, axis: int | None) -> float:
    import numpy as np

    x, y = (look.pixels - look.pixels.mean(axis=axis) for look in (a, b))
    scale = float(np.sqrt((x * x).sum(axis=axis) * (y * y).sum(axis=axis)).sum())
    return float((x * y).sum()) / scale if scale > 0 else 0.0
