"""Finds people in frames with OpenCV's detectors: faces (Viola & Jones 2001), figures (Dalal & Triggs 2005).

The classifier has no class for a person; these have no word for anything else.
"""

# ruff: noqa: PLR2004 - shares of frames, each beside the word it decides
from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.embedded.eyes import spread
from agents.embedded.runtime import library
from agents.embedded.wording import Cue

__all__ = ["People", "people"]

_LOOKS = 8  # frames looked at
_FACE, _FIGURE = 28, (64, 128)  # pixels that a face needs; width and height that a figure needs
_SURE = 0.8  # margin of the figure detector


class People:
    """Both detectors, opened once."""

    def __init__(self) -> None:
        os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
        self._np: Any = library("numpy")
        self._cv: Any = library("cv2")
        self._cv.setNumThreads(1)
        self._faces = self._cv.CascadeClassifier(
            str(Path(self._cv.data.haarcascades, "haarcascade_frontalface_alt2.xml"))
        )
        self._figures = self._cv.HOGDescriptor()
        self._figures.setSVMDetector(self._cv.HOGDescriptor.getDefaultPeopleDetector())
        self._lock = threading.Lock()

    def look(self, images: Sequence[Any]) -> list[Cue]:
        """Name the people that at least a quarter of the frames show.

        Args:
            images: PIL images in the order of time.
        """
        chosen = spread(len(images), _LOOKS)
        if not chosen:
            return []
        with self._lock:
            counts = [self._count(images[i]) for i in chosen]
        faces = sum(bool(f) for f, _, _ in counts) / len(counts)
        figures = sum(bool(p) for _, p, _ in counts) / len(counts)
        most = max(max(f, p) for f, p, _ in counts)
        large = max(size for _, _, size in counts)
        found: list[Cue] = []
        if max(faces, figures) >= 0.25:
            word = "crowd" if most >= 5 else "two people" if self._pairs(counts) else "person"
            found.append(Cue(word, 0.35 + 0.3 * max(faces, figures), "person"))
        if faces >= 0.25:
            found.append(Cue("close-up" if large > 0.12 else "face", 0.3 + 0.2 * faces, "person"))
        if figures >= 0.5 and most == 1 and not faces:
            found.append(Cue("lone figure", 0.4, "person"))
        return found

    @staticmethod
    def _pairs(counts: Sequence[tuple[int, int, float]]) -> bool:
        return sum(max(f, p) >= 2 for f, p, _ in counts) >= max(2, len(counts) / 4)

    def _count(self, image: Any) -> tuple[int, int, float]:
        """Faces, figures and the largest face's share of the frame."""
        gray = self._cv.cvtColor(self._np.asarray(image), self._cv.COLOR_RGB2GRAY)
        height, width = gray.shape
        if min(height, width) < _FACE:
            return 0, 0, 0.0
        faces = self._faces.detectMultiScale(gray, scaleFactor=1.15, minNeighbors=6, minSize=(_FACE, _FACE))
        boxes: Any = ()
        margins: Any = ()
        if width >= _FIGURE[0] and height >= _FIGURE[1]:  # below its window OpenCV's detector corrupts memory
            boxes, margins = self._figures.detectMultiScale(
                gray, winStride=(8, 8), padding=(8, 8), scale=1.12
            )
        sure = [box for box, margin in zip(boxes, self._np.ravel(margins), strict=True) if margin > _SURE]
        share = max((w * h / gray.size for _, _, w, h in faces), default=0.0)
        return len(faces), len(sure), share


_OPENING = threading.Lock()
_OPEN: list[People] = []


def people() -> People:
    """The process's one people finder, opened on first use.

    Raises:
        UserError: when the extra ``embedded`` is not installed.
    """
    with _OPENING:
        if not _OPEN:
            _OPEN.append(People())
        return _OPEN[0]
