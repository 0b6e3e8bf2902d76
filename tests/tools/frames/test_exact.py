"""Every frame is the very one that was asked for: in all makes of files, by each choice, with each reader."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.boxes import trimmed
from tests.tools.frames.clips import Picture, number_in, numbers_of, write_numbered
from tools.errors import FrameError
from tools.frames import FrameSet, Sampling, read_frames
from tools.frames.sampling import at_rate, uniform

COUNT = 91
STEADY = range(0, COUNT * 40, 40)
BURSTS = [40 * n + 700 * (n // 13) + (n % 3) * 9 for n in range(COUNT)]
"""Milliseconds of frames in a clip whose rate varies, with pauses."""


@dataclass(frozen=True)
class Kind:
    """A make of file.

    Attributes:
        name: the file's name.
        how: how the numbered frames are encoded.
        doubt: why decord would not be trusted with it; empty if it is.
        stamps: when the frames are shown, in milliseconds.
        trim: number of the first frame that is shown, and how many are; by an edit list.
    """

    name: str
    how: dict[str, object] = field(default_factory=dict[str, object])
    doubt: str = ""
    stamps: Sequence[int] = STEADY
    trim: tuple[int, int] | None = None


EDITED = "an edit list"
X264 = "open-gop=0:scenecut=0:"
X265 = "log-level=0:open-gop=0:"
PYRAMID = X264 + "bframes=8:b-adapt=0:b-pyramid=normal:keyint=40"
OPEN = "open-gop=1:keyint=10:bframes=3:scenecut=0"
AT_1S = [1000 + stamp for stamp in STEADY]
KINDS = [
    Kind("one-group.mp4", {"options": {"g": "250", "x264-params": X264}}),
    Kind("short-groups.mkv", {"options": {"g": "12", "x264-params": X264 + "bframes=2"}}),
    Kind("pyramid.mp4", {"options": {"x264-params": PYRAMID}}),
    Kind("no-b-frames.mov", {"options": {"g": "20", "bf": "0"}}),
    Kind("varying.mp4", {"stamps": BURSTS, "options": {"x264-params": X264}}, stamps=BURSTS),
    Kind("varying.mkv", {"stamps": BURSTS, "options": {"x264-params": X264}}, stamps=BURSTS),
    Kind(
        "open-groups.mp4",
        {"options": {"x264-params": OPEN}},
        "open groups of pictures",
    ),
    Kind(
        "hevc-open-groups.mkv",
        {"codec": "libx265", "options": {"x265-params": "log-level=0:open-gop=1:keyint=10"}},
        "open groups of pictures",
    ),
    Kind(
        "hevc-pyramid.mp4",
        {
            "codec": "libx265",
            "options": {"x265-params": X265 + "bframes=8:b-pyramid=1:keyint=40"},
        },
    ),
    Kind("av1.mp4", {"codec": "libsvtav1", "options": {"preset": "12", "g": "20"}}, "codec av1"),
    Kind("av1.mkv", {"codec": "libsvtav1", "options": {"preset": "12", "g": "250"}}, "codec av1"),
    Kind("vp9.webm", {"codec": "libvpx-vp9", "options": {"g": "20", "deadline": "realtime"}}, "codec vp9"),
    Kind(
        "vp9-hidden-frames.webm",
        {"codec": "libvpx-vp9", "options": {"auto-alt-ref": "6", "lag-in-frames": "16", "cpu-used": "8"}},
        "codec vp9",
    ),
    Kind("vp8.webm", {"codec": "libvpx", "options": {"g": "20", "lag-in-frames": "8"}}),
    Kind("b-frames.avi", {"codec": "mpeg4", "options": {"bf": "2"}}, "container avi"),
    Kind("mpeg2.ts", {"codec": "mpeg2video"}, "container mpegts"),
    Kind("animated.gif", {"codec": "gif", "pix_fmt": "rgb8"}, "codec gif"),
    Kind("stream.ts", {"options": {"g": "25", "x264-params": X264}}, "container mpegts"),
    Kind("hevc.ts", {"codec": "libx265", "options": {"x265-params": X265}}, "container mpegts"),
    Kind("late.mp4", {"stamps": AT_1S, "options": {"x264-params": X264}}),
    Kind("late.mkv", {"stamps": AT_1S, "options": {"x264-params": X264}}),
    Kind("late.ts", {"stamps": AT_1S, "options": {"x264-params": X264}}, "container mpegts"),
    Kind("trimmed-at-key.mp4", {"options": {"x264-params": X264 + "keyint=20"}}, trim=(40, 51)),
    Kind(
        "trimmed-in-group.mp4",
        {"options": {"x264-params": X264 + "keyint=40"}},
        EDITED,
        trim=(53, 38),
    ),
    Kind("trimmed-at-end.mp4", {"options": {"x264-params": X264 + "keyint=40"}}, EDITED, trim=(0, 50)),
    Kind(
        "trimmed-pyramid.mp4",
        {"options": {"x264-params": PYRAMID}},
        EDITED,
        trim=(47, 30),
    ),
    Kind(
        "trimmed-open-groups.mp4",
        {"options": {"x264-params": OPEN}},
        EDITED,
        trim=(8, 70),
    ),
    Kind(
        "trimmed-hevc.mp4",
        {"codec": "libx265", "options": {"x265-params": X265 + "bframes=4:keyint=40"}},
        EDITED,
        trim=(21, 60),
    ),
]
METHODS = [
    Sampling(max_frames=10),
    Sampling(max_frames=1000),
    Sampling(max_frames=13, method="shots"),
    Sampling(max_frames=40, method="fps", fps=4.0),
]


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param


@pytest.fixture(scope="module")
def clip(kind: Kind, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write_numbered(tmp_path_factory.mktemp("kinds") / kind.name, COUNT, **kind.how)
    if kind.trim is not None:
        path.write_bytes(trimmed(path.read_bytes(), *kind.trim))
    return path


@pytest.mark.parametrize("sampling", METHODS, ids=["uniform", "all", "shots", "fps"])
def test_the_very_frames(clip: Path, kind: Kind, sampling: Sampling) -> None:
    first, count = kind.trim or (0, COUNT)
    read = read_frames(clip, sampling)
    ordinals = [frame.ordinal for frame in read.frames]
    assert numbers_of(read.frames) == [first + ordinal for ordinal in ordinals]
    times = [(stamp - kind.stamps[first]) / 1000 for stamp in kind.stamps[first : first + count]]
    assert [frame.timestamp for frame in read.frames] == pytest.approx(
        [times[n] for n in ordinals], abs=0.002
    )
    assert all(before < after for before, after in pairwise(ordinals))
    assert (ordinals[0], ordinals[-1]) == (0, count - 1)
    if sampling.method != "shots":
        assert ordinals == _due(sampling, times)
    else:
        assert len(ordinals) == sampling.max_frames
    assert (read.reader, read.warnings) == ("pyav", ())


def _due(sampling: Sampling, times: Sequence[float]) -> list[int]:
    if sampling.method == "fps":
        return at_rate(times, sampling.max_frames, fps=sampling.fps)
    return uniform(times, sampling.max_frames)


@pytest.mark.skipif(find_spec("decord") is None, reason="decord has no wheel for this system")
def test_with_decord_the_same_or_a_refusal(clip: Path, kind: Kind) -> None:
    for sampling in METHODS:
        how = Sampling(sampling.max_frames, method=sampling.method, fps=sampling.fps, reader="decord")
        if kind.doubt:
            with pytest.raises(FrameError, match=rf"decord can't be trusted with it \(.*{kind.doubt}"):
                read_frames(clip, how)
            continue
        theirs, ours = read_frames(clip, how), read_frames(clip, sampling)
        assert theirs.reader == "decord"
        assert numbers_of(theirs.frames) == numbers_of(ours.frames)
        assert _places(theirs) == _places(ours)


def _places(read: FrameSet) -> list[tuple[int, float, int | None]]:
    return [(frame.ordinal, frame.timestamp, frame.shot) for frame in read.frames]


TURNS: dict[str, tuple[tuple[int, int, int, int], Callable[[Picture], Picture]]] = {
    "upright": ((1, 0, 0, 1), lambda picture: picture),
    "90": ((0, 1, -1, 0), np.rot90),
    "180": ((-1, 0, 0, -1), partial(np.rot90, k=2)),
    "270": ((0, -1, 1, 0), partial(np.rot90, k=-1)),
    "mirrored": ((-1, 0, 0, 1), np.fliplr),
    "upside down": ((1, 0, 0, -1), np.flipud),
    "transposed": ((0, 1, 1, 0), np.transpose),
    "transversed": ((0, -1, -1, 0), lambda picture: np.rot90(picture.T, 2)),
}
"""What the file asks for, and what undoes it."""


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", ["phone.mp4", "phone.mkv"])
def test_turned_and_mirrored(tmp_path: Path, name: str, turn: str) -> None:
    (a, b, c, d), undo = TURNS[turn]
    matrix = (a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
    clip = write_numbered(tmp_path / name, 60, matrix=matrix, options={"x264-params": X264 + "keyint=25"})
    for reader in ("auto", "decord"):
        read = read_frames(clip, Sampling(max_frames=12, reader=reader, reader_fallback=True))
        pictures = [np.asarray(Image.open(io.BytesIO(frame.jpeg)).convert("L")) for frame in read.frames]
        assert [number_in(undo(picture)) for picture in pictures] == [frame.ordinal for frame in read.frames]
        assert {undo(picture).shape for picture in pictures} == {(128, 192)}
        assert [frame.ordinal for frame in read.frames][:: len(read.frames) - 1] == [0, 59]
