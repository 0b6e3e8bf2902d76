"""Synthetic frames whose light, color and cutting are known to the letter."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
image = pytest.importorskip("PIL.Image")

from agents.embedded.measures import measure  # noqa: E402
from agents.embedded.wording import FORM, describe  # noqa: E402


def textured(seed: int, level: float = 120.0, tint: tuple[float, float, float] = (1.0, 1.0, 1.0)):
    """A picture of random blocks around a level of brightness, 0 to 255."""
    blocks = np.random.default_rng(seed).uniform(-60, 60, (12, 9)).repeat(8, 0).repeat(8, 1)
    gray = np.clip(level + blocks * level / 120, 0, 255)
    return image.fromarray(np.clip(gray[..., None] * np.asarray(tint), 0, 255).astype("uint8"))


def scaled(picture, factor: float):
    return image.fromarray((np.asarray(picture) * factor).astype("uint8"))


def words(frames, every: float = 0.2) -> list[str]:
    return [cue.text for cue in describe(measure(frames, [i * every for i in range(len(frames))]))]


def test_a_scene_that_gets_darker():
    found = words([scaled(textured(1), 1 - i / 25) for i in range(20)])
    assert found[0] == "darkening scene"
    assert "brightening scene" not in found
    assert "juxtaposed shots" not in found


def test_a_scene_that_gets_brighter():
    found = words([scaled(textured(1), (i + 5) / 25) for i in range(20)])
    assert found[0] == "brightening scene"
    assert "darkening scene" not in found


def test_a_fade_to_black_is_no_cut():
    frames = [scaled(textured(1), max(0.0, 1 - i / 15)) for i in range(20)]
    assert "fade to black" in words(frames)
    assert not measure(frames).cuts.any()


def test_light_that_goes_out_at_once():
    frames = [scaled(textured(1), 1.0 if i < 15 else 0.4) for i in range(20)]
    assert words(frames)[:2] == ["darkening scene", "light going out"]


def test_rapid_cuts_are_counted_where_they_lie():
    frames = [textured(i // 2) for i in range(20)]
    measured = measure(frames, [i * 0.2 for i in range(20)])
    assert [int(i) for i in np.flatnonzero(measured.cuts)] == list(range(1, 19, 2))
    assert "rapid cuts" in words(frames)


def test_one_cut_sets_two_shots_side_by_side():
    found = words([textured(0 if i < 10 else 1) for i in range(20)])
    assert "juxtaposed shots" in found
    assert "rapid cuts" not in found


def test_shots_that_return_are_parallel_editing():
    found = words([textured(i // 3 % 2, 80 + 100 * (i // 3 % 2)) for i in range(24)])
    assert "parallel editing" in found


def test_a_camera_that_stands_still_and_one_that_moves():
    still = []
    for i in range(20):
        frame = np.asarray(textured(1)).copy()
        frame[40:60, 20 + i : 35 + i] = 250
        still.append(image.fromarray(frame))
    assert "still camera" in words(still)
    wide = np.concatenate([np.asarray(textured(seed)) for seed in range(3)], 1)
    moving = [image.fromarray(wide[:, 3 * i : 3 * i + 72]) for i in range(20)]
    found = words(moving)
    assert "still camera" not in found
    assert {"moving camera", "handheld shake"} & set(found)


def test_a_cut_to_a_darker_place_is_no_darkening():
    found = words([textured(1, 160) if i < 10 else textured(2, 60) for i in range(20)])
    assert "juxtaposed shots" in found
    assert not {"darkening scene", "light going out"} & set(found)


def test_nothing_moves():
    assert "static scene" in words([textured(1)] * 10)


@pytest.mark.parametrize(
    ("tint", "word"),
    [
        ((0.5, 0.7, 1.0), "cold blue light"),
        ((1.0, 0.75, 0.5), "warm color tone"),
        ((0.6, 1.0, 0.6), "green tint"),
        ((1.0, 1.0, 1.0), "black-and-white picture"),
    ],
)
def test_the_color_of_the_light(tint, word):
    assert word in words([textured(1, tint=tint)] * 10)


def test_color_that_fades_and_returns():
    frames = []
    for i in range(20):
        rest = 1 - i / 22
        frames.append(textured(1, tint=(1.0, 1 - 0.6 * rest, 1 - 0.6 * rest)))
    assert "fading color" in words(frames)
    assert "color returning" in words(frames[::-1])


def test_one_red_thing_in_a_gray_picture():
    frame = np.asarray(textured(1)).copy()
    frame[30:50, 30:50] = (220, 20, 25)
    found = words([image.fromarray(frame)] * 8)
    assert {"red", "single color accent"} <= set(found)


def test_streaks_that_last_a_frame_are_rain():
    rng = np.random.default_rng(3)
    frames = []
    for _ in range(16):
        frame = np.linspace(30, 110, 320)[:, None, None].repeat(180, 1).repeat(3, 2).astype("uint8")
        for x, y in zip(rng.integers(0, 180, 60), rng.integers(0, 290, 60), strict=True):
            frame[y : y + 24, x : x + 2] = 190
        frames.append(image.fromarray(frame))
    found = words(frames)
    assert "rain" in found
    assert "rapid cuts" not in found


def test_without_moments_nothing_is_said_of_pace():
    measured = measure([textured(i) for i in range(10)])
    assert not measured.timed
    assert measured.duration == 0
    assert not {"rapid cuts", "long take", "still camera"} & {cue.text for cue in describe(measured)}


def test_a_single_picture_has_no_pairs():
    measured = measure([textured(1)])
    assert measured.cuts.shape == (0,)
    assert measured.circle == 0
    assert not {cue.text for cue in describe(measured)} & (
        FORM - {"high contrast lighting", "blurred picture"}
    )
