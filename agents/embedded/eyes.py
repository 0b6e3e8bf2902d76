"""Names what is in frames: EfficientNet-Lite2 on 1000 everyday classes, voted across frames."""

from __future__ import annotations

import csv
import json
import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from agents.embedded import efficientnet
from agents.embedded.runtime import library, session
from agents.embedded.weights import PARTS, require
from agents.embedded.wording import Cue

__all__ = ["Eyes", "eyes", "plain_names", "spread"]

_LOOKS = 10  # frames classified at most, each in four views
_LEAST = 0.05  # vote below which a name is a guess
_PEAK = 0.25  # share in one frame that lets a name in although it was not seen in the others
_NOISE = 0.004  # share of a class below which it adds nothing to a name that many classes have


@lru_cache(maxsize=1)
def plain_names() -> tuple[tuple[str, float], ...]:
    """The classes' names in plain words, and how telling each is (0 to 1); classes may share a name."""
    listed: list[str] = json.loads(require(PARTS["names"]).read_text(encoding="utf-8"))
    named = [(re.split(r"\s*[/(,]| or ", name.lower())[0].strip(), 1.0) for name in listed]
    table = files("agents.embedded").joinpath("data/plain_names.tsv").read_text(encoding="utf-8")
    for row in csv.DictReader(table.splitlines(), delimiter="\t"):
        for span in row["classes"].split(","):
            first, _, last = span.partition("-")
            for number in range(int(first), int(last or first) + 1):
                named[number] = (row["name"], float(row["telling"]))
    return tuple(named)


def spread(count: int, most: int) -> list[int]:
    """Positions of at most `most` of `count` things, first and last included."""
    if count <= most:
        return list(range(count))
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)})


class Eyes:
    """The classifier, opened once; looks at whole frames and at their middle."""

    def __init__(self) -> None:
        self._np: Any = library("numpy")
        self._image: Any = library("PIL.Image")
        self._session = session(efficientnet.build(require(PARTS["eyes"])))
        self._names = plain_names()
        self._lock = threading.Lock()
        words = list(dict.fromkeys(name for name, _ in self._names))
        self._words = words
        self._fold = self._np.zeros((len(self._names), len(words)), self._np.float32)
        for number, (name, telling) in enumerate(self._names):
            self._fold[number, words.index(name)] = telling

    def look(self, images: Sequence[Any]) -> list[Cue]:
        """Name what the frames hold, most telling first.

        Args:
            images: PIL images in the order of time.

        Returns:
            Cues whose weight is the vote, 0 to 1, and whose first and last say where in time it was seen.
        """
        chosen = spread(len(images), _LOOKS)
        if not chosen:
            return []
        with self._lock:
            shares = self._np.stack([self._shares(images[i]) for i in chosen])  # frames x words
        votes = shares.mean(0)
        peaks = shares.max(0)
        found: list[Cue] = []
        for number in self._np.argsort(-(votes + 0.3 * peaks)):
            if votes[number] >= _LEAST or (peaks[number] >= _PEAK and votes[number] >= _LEAST / 3):
                weight = float(0.6 * votes[number] + 0.4 * peaks[number])
                found.append(Cue(self._words[number], weight, "object"))
        return found[:8]

    def _shares(self, image: Any) -> Any:
        """Shares of the words in one frame: the whole of it counts as much as its best third."""
        views = self._np.stack([self._pixels(view) for view in (image, *_thirds(image))])
        shares = self._session.run(None, {"pixels": views})[0]
        words = self._np.where(shares > _NOISE, shares, 0.0) @ self._fold
        return (words.mean(0) + words[0] + words[1:].max(0)) / 3

    def _pixels(self, image: Any) -> Any:
        small = image.resize((efficientnet.SIDE, efficientnet.SIDE), self._image.Resampling.BILINEAR)
        return ((self._np.asarray(small, self._np.float32) - 127.0) / 128.0).transpose(2, 0, 1)


def _thirds(image: Any) -> list[Any]:
    """Three squares along the longer side, overlapping where the frame is not three times as long."""
    side = min(image.size)
    left, top = (image.width - side) / 2, (image.height - side) / 2
    corners = [(round(left * step), round(top * step)) for step in (0, 1, 2)]
    return [image.crop((x, y, x + side, y + side)) for x, y in corners]


_OPENING = threading.Lock()
_OPEN: list[Eyes] = []


def eyes() -> Eyes:
    """The process's one classifier, opened on first use.

    Raises:
        UserError: when the extra ``embedded`` is not installed.
    """
    with _OPENING:
        if not _OPEN:
            _OPEN.append(Eyes())
        return _OPEN[0]
