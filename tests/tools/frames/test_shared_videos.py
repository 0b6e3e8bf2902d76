"""Videos of many makes, against what the ffmpeg command line decodes from them; where they lie beside us."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.tools.frames.plugged import HERE
from tools.errors import FrameError
from tools.frames import FrameSet, Sampling, read_frames
from tools.frames.encode import fit

AT_EXPECTED = Sampling(reader=f"{HERE}:at_expected")

REFUSED = {"hostile/h_bomb_16384x8192.mp4": "16384x8192 is larger than"}
"""Decodable, but refused on purpose."""

LEFT_ASKEW = {"hostile/h_rot45.mp4"}
"""Turned by 45 degrees by ffmpeg, left as it lies by us."""

OTHER_STREAM_MEASURED = {"real/tc_nasa.mp4"}
"""Has two streams: the frames are those of the larger, as with ffmpeg; the size was noted of the smaller."""

COARSE = {"hostile/h_tiny_16x16.mp4", "hostile/h_w22.mp4"}
"""So few pixels that how colour is scaled up makes more difference than a JPEG does."""


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
        is_right = facts["frames"] == 0 or read.startswith(REFUSED.get(name, "never"))
        return "" if is_right else read
    is_damaged = any(warning.startswith("damaged: ") for warning in read.warnings)
    if "trunc" in name and not is_damaged:
        return "nothing told of the damage"
    tolerance = 2 if is_damaged else 0  # who draws frames out of rubbish may draw one more or less
    return (
        _wrong_count(read, cast("int", facts["frames"]), tolerance)
        or ("" if name in OTHER_STREAM_MEASURED else _wrong_size(read, facts))
        or ("" if name in LEFT_ASKEW else _wrong_pictures(name, read, facts, thumbs[name], tolerance))
    )


def _wrong_count(read: FrameSet, due: int, tolerance: int) -> str:
    count = int(read.warnings[-1])
    return f"{count} frames instead of {due}" if abs(count - due) > tolerance else ""


def _wrong_size(read: FrameSet, facts: dict[str, object]) -> str:
    if "width" not in facts:
        return ""
    due = fit(cast("int", facts["width"]), cast("int", facts["height"]), 1024)
    got = (read.frames[0].width, read.frames[0].height)
    return "" if got == due else f"{got} instead of {due}"


def _wrong_pictures(
    name: str, read: FrameSet, facts: dict[str, object], thumbs: NDArray[np.uint8], tolerance: int
) -> str:
    shown = {frame.ordinal: frame.jpeg for frame in read.frames}
    ordinals = cast("list[int]", facts["ordinals"])
    pairs = zip(ordinals, thumbs, strict=False)
    off = [_distance(shown[ordinal], thumb) for ordinal, thumb in pairs if ordinal in shown]
    if len(off) < len(ordinals) - tolerance:
        return f"{len(off)} of {len(ordinals)} frames"
    return f"{max(off):.1f} grey levels off" if max(off) > (15 if name in COARSE else 6) else ""


def _distance(jpeg: bytes, thumb: NDArray[np.uint8]) -> float:
    small = Image.open(io.BytesIO(jpeg)).convert("RGB").resize((16, 16), Image.Resampling.BOX)
    return float(np.abs(np.asarray(small).astype(float) - thumb).mean())
