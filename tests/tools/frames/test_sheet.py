"""The contact sheet: frames at their places, under bars in the colour of their shots."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from tools.frames.sheet import contact_sheet
from tools.frames.terms import Frame, FrameSet

AMBER, BLUE, GREY = (0xF2, 0xB1, 0x34), (0x4F, 0xA3, 0xE0), (0x6D, 0x74, 0x82)


def clip(count: int, size: tuple[int, int] = (320, 180), shots: list[int | None] | None = None) -> FrameSet:
    frames: list[Frame] = []
    for number in range(count):
        file = io.BytesIO()
        Image.new("RGB", size, (10 * number, 200, 30)).save(file, "JPEG", quality=95)
        shot = shots[number] if shots else None
        frames.append(Frame(number * 3, number * 0.5, file.getvalue(), *size, shot=shot))
    return FrameSet("clip.mp4", "", count * 0.5, "pyav", tuple(frames))


def colours(sheet: Image.Image) -> dict[tuple[int, int, int], int]:
    pixels, counts = np.unique(np.asarray(sheet).reshape(-1, 3), axis=0, return_counts=True)
    return {(int(r), int(g), int(b)): int(count) for (r, g, b), count in zip(pixels, counts, strict=True)}


def test_frames_stand_on_the_sheet() -> None:
    sheet = contact_sheet(clip(6), "clip.mp4", columns=3)
    found = colours(sheet)
    for number in range(6):
        near = sum(
            count
            for (r, g, b), count in found.items()
            if abs(r - 10 * number) < 4 and abs(g - 200) < 4 and abs(b - 30) < 4
        )
        assert near > 30_000
    assert AMBER not in found
    assert found[GREY] > 1000


def test_each_shot_has_its_colour() -> None:
    found = colours(contact_sheet(clip(4, shots=[0, 0, 1, 1]), "clip.mp4", columns=2))
    assert abs(found[AMBER] - found[BLUE]) < found[AMBER] / 3
    assert found.get(GREY, 0) < 50


@pytest.mark.parametrize(
    ("count", "size"), [(1, (320, 180)), (16, (320, 180)), (16, (180, 320)), (50, (640, 480))]
)
def test_sheets_have_a_pleasing_shape(count: int, size: tuple[int, int]) -> None:
    sheet = contact_sheet(clip(count, size), "clip.mp4")
    assert sheet.width < 4000
    if count > 1:
        assert 1.0 <= sheet.width / sheet.height <= 2.3


def test_long_and_foreign_names_fit() -> None:
    assert contact_sheet(clip(2), "蝋燭 \n" * 80, "uniform sampling").width < 1000


def test_columns_are_obeyed() -> None:
    narrow, wide = (contact_sheet(clip(6), "clip.mp4", columns=number) for number in (1, 6))
    assert narrow.height > 5 * narrow.width / 2
    assert wide.width > 5 * wide.height / 2
