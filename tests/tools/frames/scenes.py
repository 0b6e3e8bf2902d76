"""Scenes that change as films do: still, panned, lit by a flash, faded, in noise; to be cut together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.tools.frames.clips import Picture

WIDTH, HEIGHT = 256, 144
Pictures = list[NDArray[np.float64]]


@cache
def place(seed: int, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.float64]:
    """A landscape of soft blobs of a few colours, some large and some small, under a light of its own."""
    random = np.random.default_rng(seed)
    whole = np.zeros((height, width, 3))
    light = random.uniform(30, 180, 3)
    for cells, strength in ((3, 50), (8, 35), (24, 25)):
        coarse = random.uniform(-1, 1, (cells, cells * width // height + 1, 3))
        rows = np.linspace(0, coarse.shape[0] - 1.001, height)
        columns = np.linspace(0, coarse.shape[1] - 1.001, width)
        whole += strength * _bilinear(coarse, rows, columns)
    drawn = np.clip(whole + light, 0, 255)
    drawn.flags.writeable = False  # it is kept, and many scenes are made of it
    return drawn


def _bilinear(coarse: NDArray[np.float64], rows: NDArray[np.float64], columns: NDArray[np.float64]):
    top, left = rows.astype(int), columns.astype(int)
    down, right = (rows - top)[:, None, None], (columns - left)[None, :, None]
    upper = coarse[top][:, left] * (1 - right) + coarse[top][:, left + 1] * right
    lower = coarse[top + 1][:, left] * (1 - right) + coarse[top + 1][:, left + 1] * right
    return upper * (1 - down) + lower * down


def still(seed: int, count: int) -> Pictures:
    return [place(seed)] * count


def pan(seed: int, count: int, step: int) -> Pictures:
    """The camera moves on by `step` pixels a picture."""
    wide = place(seed, WIDTH + step * count)
    return [wide[:, step * number : step * number + WIDTH] for number in range(count)]


def walk(seed: int, count: int, step: int = 3) -> Pictures:
    """Something large and bright crosses a still picture."""
    pictures: Pictures = []
    for number in range(count):
        picture = place(seed).copy()
        left = step * number % WIDTH
        picture[30:120, left : left + 60] = (230, 60, 40)
        pictures.append(picture)
    return pictures


def rushed(pictures: Pictures, start: int) -> Pictures:
    """Something bright is there from one picture to the next, before a third of the view, and stays."""
    hand = np.zeros((HEIGHT, WIDTH, 1))
    hand[20:130, 60:170] = 1
    return [p * (1 - hand) + 240 * hand if n >= start else p for n, p in enumerate(pictures)]


def lit(pictures: Pictures, start: int, count: int) -> Pictures:
    """A flash whitens `count` pictures from `start` on."""
    return [p * 0.1 + 230 if start <= n < start + count else p for n, p in enumerate(pictures)]


def relit(pictures: Pictures, start: int, gains: tuple[float, float, float]) -> Pictures:
    """A lamp of another colour goes on at picture `start`, and stays."""
    return [p * gains if n >= start else p for n, p in enumerate(pictures)]


def faded(pictures: Pictures, count: int, *, at_start: bool = False) -> Pictures:
    """The last (or first) `count` pictures go to (or come from) black."""
    total = len(pictures)
    place_of = [n if at_start else total - 1 - n for n in range(total)]
    return [p * min(1.0, place_of[n] / count) for n, p in enumerate(pictures)]


def dissolved(first: Pictures, second: Pictures, count: int) -> Pictures:
    """The last `count` pictures of the one scene go over into the first of the other."""
    shares = [(number + 1) / (count + 1) for number in range(count)]
    pairs = zip(first[-count:], second[:count], shares, strict=True)
    return [*first[:-count], *(a * (1 - share) + b * share for a, b, share in pairs), *second[count:]]


def grainy(pictures: Pictures, strength: float, seed: int = 0) -> Pictures:
    random = np.random.default_rng(seed)
    return [p + random.normal(0, strength, p.shape) for p in pictures]


def film(*scenes: Pictures) -> tuple[list[Picture], list[int]]:
    """All pictures in a row, and the numbers of those at which a new scene begins."""
    lengths = [len(scene) for scene in scenes]
    cuts = [sum(lengths[:number]) for number in range(1, len(lengths))]
    return as_pictures([picture for scene in scenes for picture in scene]), cuts


def as_pictures(pictures: Sequence[NDArray[np.float64]]) -> list[Picture]:
    return [np.clip(picture, 0, 255).astype(np.uint8) for picture in pictures]
