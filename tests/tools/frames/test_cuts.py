"""Where shots begin: at cuts, and not where the camera, the light or the grain moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.tools.frames.clips import Picture, write_clip
from tests.tools.frames.scenes import (
    as_pictures,
    dissolved,
    faded,
    film,
    grainy,
    lit,
    pan,
    relit,
    rushed,
    still,
    walk,
)
from tools.frames.cuts import cut_times, find_cuts
from tools.frames.source import inspect
from tools.frames.terms import Glance


def found(path: Path, pictures: list[Picture], **how: object) -> list[int]:
    """Numbers of the pictures at which cuts are found in a clip of them, at 25 a second."""
    write_clip(path, pictures, **how)  # pyright: ignore[reportArgumentType]
    return [round(cut * 25) for cut in cut_times(inspect(path))]


@pytest.mark.parametrize(
    "scene",
    [still, walk, lambda seed, count: pan(seed, count, 3), lambda seed, count: grainy(walk(seed, count), 25)],
    ids=["still", "something moves", "the camera moves", "grain"],
)
def test_hard_cuts(tmp_path: Path, scene: Callable[..., list[np.ndarray]]) -> None:
    pictures, cuts = film(*(scene(seed, 25) for seed in (1, 2, 5, 7)))
    assert found(tmp_path / "clip.mp4", pictures) == cuts == [25, 50, 75]


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("clip.webm", {"codec": "libvpx-vp9", "options": {"deadline": "realtime", "cpu-used": "8"}}),
        ("clip.avi", {"codec": "mpeg4", "options": {"bf": "2"}}),
        ("clip.mkv", {"codec": "libx265", "options": {"x265-params": "log-level=0"}}),
        ("clip.gif", {"codec": "gif", "pix_fmt": "rgb8"}),
    ],
)
def test_in_every_codec(tmp_path: Path, name: str, how: dict[str, object]) -> None:
    pictures, cuts = film(*(walk(seed, 20) for seed in (1, 2, 5)))
    assert found(tmp_path / name, pictures, **how) == cuts


def test_without_a_key_frame_at_the_cut_it_is_late_by_three_pictures_at_most(tmp_path: Path) -> None:
    pictures, cuts = film(*(walk(seed, 21) for seed in (1, 2, 5, 7)))
    options = {"g": "250", "sc_threshold": "0", "bf": "3"}
    late = [a - b for a, b in zip(found(tmp_path / "clip.mp4", pictures, options=options), cuts, strict=True)]
    assert all(0 <= pictures_late <= 3 for pictures_late in late)


def test_fast_montage(tmp_path: Path) -> None:
    pictures, cuts = film(*(still(seed, 7) for seed in range(1, 11)))
    assert found(tmp_path / "clip.mp4", pictures) == pytest.approx(cuts, abs=1)


@pytest.mark.parametrize(
    "pictures",
    [
        walk(1, 60),
        pan(1, 40, 20),
        still(1, 20) + pan(1, 5, 40),
        grainy(walk(1, 40), 60),
        rushed(still(1, 50), 25),
        lit(walk(1, 50), 25, 1),
        lit(walk(1, 50), 25, 5),
        relit(still(1, 50), 25, (1.4, 0.8, 0.5)),
        relit(walk(2, 50), 25, (0.4, 0.45, 0.6)),
        faded(walk(1, 50), 25),
        faded(walk(1, 50), 8),
        faded(walk(2, 50), 12, at_start=True),
    ],
    ids=[
        "motion",
        "pan",
        "whip pan",
        "noise",
        "a hand",
        "flash",
        "long flash",
        "a lamp of another colour",
        "a darker light",
        "fade out",
        "fast fade",
        "fade in",
    ],
)
def test_one_shot_stays_one(tmp_path: Path, pictures: list[np.ndarray]) -> None:
    assert found(tmp_path / "clip.mp4", as_pictures(pictures)) == []


def test_a_cut_behind_a_flash(tmp_path: Path) -> None:
    pictures, _ = film(walk(1, 30), lit(walk(2, 30), 0, 3))
    (cut,) = found(tmp_path / "clip.mp4", pictures)
    assert 30 <= cut <= 33


@pytest.mark.parametrize("count", [12, 25])
def test_dissolves_have_a_middle(tmp_path: Path, count: int) -> None:
    for scene in (still, walk):
        pictures = as_pictures(dissolved(scene(1, 60), scene(2, 60), count))
        assert found(tmp_path / "clip.mp4", pictures) == pytest.approx([60 - count / 2], abs=3)


@pytest.mark.parametrize("count", [12, 25])
def test_fades_through_black_to_another_scene(tmp_path: Path, count: int) -> None:
    pictures, cuts = film(faded(walk(1, 50), count), faded(walk(2, 50), count, at_start=True))
    assert found(tmp_path / "clip.mp4", pictures) == pytest.approx(cuts, abs=3)


def test_a_fade_through_black_within_a_scene_is_none(tmp_path: Path) -> None:
    pictures = faded(still(1, 50), 12) + faded(still(1, 50), 12, at_start=True)
    assert found(tmp_path / "clip.mp4", as_pictures(pictures)) == []


def test_a_cut_to_a_scene_in_flickering_light(tmp_path: Path) -> None:
    flicker = [picture * (0.7 + 0.3 * np.sin(number * 1.1)) for number, picture in enumerate(still(2, 40))]
    pictures, cuts = film(still(5, 30), flicker)
    assert found(tmp_path / "clip.mp4", pictures) == pytest.approx(cuts, abs=3)


def test_what_is_shorter_than_a_fifth_of_a_second_is_no_shot(tmp_path: Path) -> None:
    pictures, _ = film(walk(1, 3), walk(2, 40), walk(5, 3), walk(7, 40), walk(8, 3))
    assert found(tmp_path / "clip.mp4", pictures) in ([43], [46])


def test_folders_and_webp(tmp_path: Path) -> None:
    pictures, cuts = film(still(1, 3), still(2, 1), still(5, 4), still(7, 1))
    images = [Image.fromarray(picture) for picture in pictures]
    folder = tmp_path / "shots"
    folder.mkdir()
    for number, image in enumerate(images):
        image.save(folder / f"{number}.{'png' if number % 2 else 'jpg'}")
    (folder / "8.png").write_bytes((folder / "7.png").read_bytes()[:500])
    assert cut_times(inspect(folder)) == (3, 4, 8) == tuple(cuts)
    images[0].save(tmp_path / "clip.webp", save_all=True, append_images=images[1:], duration=500)
    assert cut_times(inspect(tmp_path / "clip.webp")) == (1.5, 2.0, 4.0)


def test_memory_does_not_grow_with_the_video() -> None:
    alive: set[int] = set()
    most = 0

    class Tracked(bytes):
        def __del__(self) -> None:
            alive.discard(id(self))

    def glances():
        nonlocal most
        for number in range(500):
            rgb = Tracked(bytes([number // 100 * 50]) * (32 * 32 * 3))
            alive.add(id(rgb))
            most = max(most, len(alive))
            yield Glance(number / 25, rgb)

    assert find_cuts(glances()) == [4.0, 8.0, 12.0, 16.0]
    assert most < 80


def test_nothing_to_compare() -> None:
    assert find_cuts([]) == []
    assert find_cuts([Glance(0.0, bytes(32 * 32 * 3))]) == []
