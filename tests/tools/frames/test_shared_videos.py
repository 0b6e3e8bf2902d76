"""Videos of many makes, against what the ffmpeg command line decodes from them; where they lie beside us."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.tools.frames.plugged import HERE
from tools.errors import FrameError
from tools.frames import FrameSet, Sampling, read_frames
from tools.frames.encode import fit

AT_EXPECTED = Sampling(reader=f"{HERE}:at_expected")

BOMBS = {"hostile/h_bomb_16384x8192.mp4": "16384x8192 is larger than the 38 megapixels that are decoded"}
"""Made to eat memory: ffmpeg decodes it all the same, but it is right to refuse it, and to say why."""

MISTAKEN = {"real/tc_nasa.mp4": (390, (480, 270), (320, 180))}
"""The frames expected, the size of the stream that has them, and the size expected: the other stream's."""

_LARGE_ENOUGH = 64
"""Pixels of width below which the expected averages are of a picture that was enlarged before."""


def test_frames_are_those_that_ffmpeg_decodes(shared: Path) -> None:
    videos = shared / "videos"
    if not (videos / "expected.json").is_file():
        pytest.skip("the shared videos are not there")
    expected = json.loads((videos / "expected.json").read_text())
    thumbs = np.load(videos / "thumbs.npz")
    with ThreadPoolExecutor(2) as threads:
        found = dict(zip(expected, threads.map(partial(_read, videos), expected), strict=True))
    differing = {
        name: difference
        for name, facts in expected.items()
        if (difference := _difference(name, facts, found[name], thumbs))
    }
    assert differing == {}


@pytest.mark.parametrize("name", MISTAKEN)
def test_what_is_expected_mixes_two_streams(shared: Path, name: str) -> None:
    count, size, mistaken = MISTAKEN[name]
    facts = json.loads((shared / "videos" / "expected.json").read_text())[name]
    with av.open(str(shared / "videos" / name)) as container:
        frames_of = {(video.width, video.height): video.frames for video in container.streams.video}
    assert (facts["frames"], (facts["width"], facts["height"])) == (count, mistaken)
    assert frames_of[size] == count != frames_of[mistaken]


def _read(videos: Path, name: str) -> FrameSet | str:
    try:
        return read_frames(videos / name, AT_EXPECTED)
    except FrameError as error:
        return error.fault


def _difference(
    name: str, facts: dict[str, object], read: FrameSet | str, thumbs: Mapping[str, NDArray[np.uint8]]
) -> str:
    """How a read differs from what is expected; empty if it does not."""
    if isinstance(read, str):
        is_right = facts["frames"] == 0 or read == BOMBS.get(name)
        return "" if is_right else read
    is_damaged = any(warning.startswith("damaged: ") for warning in read.warnings)
    if "trunc" in name and not is_damaged:
        return "nothing told of the damage"
    tolerance = 2 if is_damaged else 0  # who draws frames out of rubbish may draw one more or less
    return (
        _wrong_count(read, cast("int", facts["frames"]), tolerance)
        or _wrong_size(read, MISTAKEN[name][1] if name in MISTAKEN else _size(facts))
        or _wrong_pictures(read, facts, thumbs[name], tolerance)
    )


def _size(facts: dict[str, object]) -> tuple[int, int] | None:
    if "width" not in facts:
        return None
    return cast("int", facts["width"]), cast("int", facts["height"])


def _wrong_count(read: FrameSet, due: int, tolerance: int) -> str:
    count = int(read.warnings[-1])
    return f"{count} frames instead of {due}" if abs(count - due) > tolerance else ""


def _wrong_size(read: FrameSet, size: tuple[int, int] | None) -> str:
    got = (read.frames[0].width, read.frames[0].height)
    return "" if size is None or got == fit(*size, 1024) else f"{got} instead of {fit(*size, 1024)}"


def _wrong_pictures(
    read: FrameSet, facts: dict[str, object], thumbs: NDArray[np.uint8], tolerance: int
) -> str:
    shown = {frame.ordinal: frame.jpeg for frame in read.frames}
    ordinals = cast("list[int]", facts["ordinals"])
    pairs = zip(ordinals, thumbs, strict=False)
    off = [_distance(shown[ordinal], thumb) for ordinal, thumb in pairs if ordinal in shown]
    if len(off) < len(ordinals) - tolerance:
        return f"{len(off)} of {len(ordinals)} frames"
    return f"{max(off):.1f} grey levels off" if max(off) > 6 else ""


def _distance(jpeg: bytes, thumb: NDArray[np.uint8]) -> float:
    picture = Image.open(io.BytesIO(jpeg)).convert("RGB")
    if picture.width < _LARGE_ENOUGH:
        # A multiple of 16, so that no pixel lies in two of the averages.
        picture = picture.resize((picture.width * 16, picture.height * 16), Image.Resampling.BILINEAR)
    small = picture.resize((16, 16), Image.Resampling.BOX)
    return float(np.abs(np.asarray(small).astype(float) - thumb).mean())
