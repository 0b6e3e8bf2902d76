"""Which texts are subtitles: only what behaves like one is taken away, and what is left has a reason."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tools.frames.clean.tracks import Track
from tools.frames.terms import Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Verdict", "judge"]

_CENTRED = 0.15
"""How far the middle of a subtitle may be from the picture's, in parts of the width."""

_STILL = 0.5
_WHOLE = 0.9
_CUT = 18.0
"""Mean difference in grey levels between pictures (32x32, the text left out) that have a cut between them."""

_TWICE = _SHORTEST = 2


class Verdict(NamedTuple):
    """Whether a text is a subtitle, and why or why not."""

    is_subtitle: bool
    reason: str


def judge(tracks: Sequence[Track], frames: Sequence[Frame], band: tuple[float, float]) -> list[Verdict]:
    """Judge the texts of a video.

    A subtitle stands still and centred in the band, is read at least twice, and doesn't last the whole video.
    It lies on the picture instead of in it: it comes or goes while the picture stays, it stays while the
    picture changes, or it stands in the row of another text that does.

    Args:
        tracks: the texts.
        frames: the pictures in which they were looked for.
        band: top and bottom of the band in parts of the height.
    """
    doubts = [_doubt(track, len(frames), band) for track in tracks]
    small = [_small(frame) for frame in frames]
    proofs = ["" if doubt else _proof(track, small) for track, doubt in zip(tracks, doubts, strict=True)]
    proven = [track for track, proof in zip(tracks, proofs, strict=True) if proof]
    verdicts: list[Verdict] = []
    for track, doubt, proof in zip(tracks, doubts, proofs, strict=True):
        if doubt:
            verdicts.append(Verdict(False, doubt))
        elif proof or any(_is_row(track, other) for other in proven):
            verdicts.append(Verdict(True, proof or "stands in the row of another subtitle"))
        else:
            verdicts.append(Verdict(False, "comes and goes with its picture: it may be a sign in the scene"))
    return verdicts


def _doubt(track: Track, count: int, band: tuple[float, float]) -> str:
    box = track.box
    across, down = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    doubts = (
        (not band[0] <= down <= band[1], "stands outside the subtitle band"),
        (len(track.lines) < _TWICE, "read in one of the pictures only"),
        (len("".join(track.text.split())) < _SHORTEST, "too short to be told from texture"),
        (track.drift > _STILL, "moves with the picture: part of the scene"),
        (
            track.last - track.first + 1 >= _WHOLE * count,
            "never changes: a sign, a logo or a watermark",
        ),
        (abs(across - 0.5) > _CENTRED, "isn't centred: a sign or a logo"),
    )
    return next((reason for is_so, reason in doubts if is_so), "")


def _proof(track: Track, small: Sequence[NDArray[np.float32]]) -> str:
    if track.first > 0 and not _cut(track, small, track.first):
        return "comes while the picture stays"
    if track.last + 1 < len(small) and not _cut(track, small, track.last + 1):
        return "goes while the picture stays"
    if any(_cut(track, small, number) for number in range(track.first + 1, track.last + 1)):
        return "stays while the picture changes"
    return ""


def _cut(track: Track, small: Sequence[NDArray[np.float32]], number: int) -> bool:
    """Whether the picture outside the text changes at once before picture `number`."""
    import numpy as np

    before, after = small[number - 1], small[number]
    outside = np.ones(before.shape, bool)
    side, box = before.shape[0], track.box
    rows = slice(int(box.top * side) - 1, int(box.bottom * side) + 2)
    outside[max(0, rows.start) : rows.stop, max(0, int(box.left * side) - 1) : int(box.right * side) + 2] = (
        False
    )
    return bool(np.abs(before - after)[outside].mean() >= _CUT)


def _is_row(track: Track, other: Track) -> bool:
    one, two = track.box, other.box
    common = min(one.bottom, two.bottom) - max(one.top, two.top)
    heights = sorted((one.height, two.height))
    return common > 0.6 * heights[0] and heights[0] > 0.6 * heights[1]


def _small(frame: Frame) -> NDArray[np.float32]:
    import numpy as np
    from PIL import Image

    image = Image.open(io.BytesIO(frame.jpeg)).convert("L").resize((32, 32), Image.Resampling.BOX)
    return np.asarray(image, np.float32)
