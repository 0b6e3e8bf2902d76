"""Where text stands in pictures, and what it says: RapidOCR's detector and reader, without a network."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.errors import ToolboxError
from tools.frames.terms import Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grey = NDArray[np.uint8]

__all__ = ["Box", "Line", "Spotter", "check_installed", "joined"]

_INSTALL = 'pip install "metaphorboost[clean]"'
_PARTS = {"rapidocr": "rapidocr", "onnxruntime": "onnxruntime", "cv2": "opencv-python-headless"}
_MODELS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx")
_SIDE = 800
"""Longest side of the picture in which text is looked for."""

_SURE = 0.6
"""Below this confidence of the reader, it's texture rather than text."""


class Box(NamedTuple):
    """A rectangle in pixels; right and bottom are the first that don't belong to it."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    def overlap(self, other: Box) -> float:
        """Area in common divided by area of both (intersection over union)."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        if width <= 0 or height <= 0:
            return 0.0
        common = width * height
        return common / (self.width * self.height + other.width * other.height - common)

    def around(self, other: Box) -> Box:
        """The smallest box that holds both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in one picture, with its box in parts of the picture's width and height."""

    text: str
    box: Box


def check_installed() -> None:
    """Check that the detector is there, with its models.

    Raises:
        ToolboxError: with the command that installs what is missing.
    """
    missing = [name for module, name in _PARTS.items() if find_spec(module) is None]
    if missing:
        what = ", ".join(missing)
        raise ToolboxError(
            f"Finding subtitles needs {what}: {_INSTALL}. (With --keep-text, videos are only muted.)"
        )
    for model in _models():
        # Without its models, RapidOCR would fetch them.
        if not model.is_file():
            raise ToolboxError(f"rapidocr was installed without its model {model.name}: {_INSTALL}")


def _models() -> list[Path]:
    spec = find_spec("rapidocr")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return [folder / "models" / name for name in _MODELS]


class Spotter:
    """Reads the lines of pictures; opening it takes a second."""

    def __init__(self) -> None:
        """Load the models.

        Raises:
            ToolboxError: if a part is missing.
        """
        check_installed()
        rapidocr: Any = import_module("rapidocr")  # of an extra that a type checker need not have
        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        detector, reader = _models()
        settings = {
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Det.limit_type": "max",
            "Det.limit_side_len": _SIDE,
            "Det.model_path": str(detector),
            "Rec.model_path": str(reader),
            "EngineConfig.onnxruntime.intra_op_num_threads": 2,
        }
        self._engine = rapidocr.RapidOCR(params=settings)

    def lines(self, frame: Frame) -> list[Line]:
        """The lines of a frame, words that stand side by side joined."""
        import numpy as np
        from PIL import Image

        picture = np.asarray(Image.open(io.BytesIO(frame.jpeg)).convert("RGB"))[:, :, ::-1]
        found = self._engine(np.ascontiguousarray(picture), use_cls=False)
        if found.boxes is None or found.txts is None:
            return []
        words = [
            Line(text.strip(), _box(corners, picture.shape[1], picture.shape[0]))
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
            if score >= _SURE and text.strip()
        ]
        return joined(words, picture.shape[1] / picture.shape[0])


def _box(corners: Any, width: int, height: int) -> Box:
    left, top = corners.min(axis=0).tolist()
    right, bottom = corners.max(axis=0).tolist()
    return Box(left / width, top / height, right / width, bottom / height)


def joined(words: Sequence[Line], ratio: float) -> list[Line]:
    """Join words that stand in one row with no more than one and a half of their height between them.

    Args:
        words: with boxes in parts of the picture.
        ratio: width to height of the picture.
    """
    lines: list[Line] = []
    for word in sorted(words, key=lambda word: word.box.left):
        for place, line in enumerate(lines):
            if _continues(line.box, word.box, ratio):
                lines[place] = Line(f"{line.text} {word.text}", line.box.around(word.box))
                break
        else:
            lines.append(word)
    return sorted(lines, key=lambda line: line.box.top)


def _continues(line: Box, word: Box, ratio: float) -> bool:
    common = min(line.bottom, word.bottom) - max(line.top, word.top)
    lower = min(line.height, word.height)
    gap = (word.left - line.right) * ratio
    return common > 0.6 * lower and gap < 1.5 * lower
