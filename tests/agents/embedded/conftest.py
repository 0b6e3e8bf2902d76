from __future__ import annotations

import base64
import importlib.util
import io
from collections.abc import Callable, Sequence

import pytest

from agents.embedded.pictures import Picture
from agents.embedded.weights import PARTS, locate, require
from agents.errors import UserError

_LIBRARIES = ("numpy", "PIL", "onnxruntime", "cv2", "xllamacpp")


def _absent() -> str:
    """What of the extra is neither installed nor can be fetched; empty when all is here."""
    for name in _LIBRARIES:
        if importlib.util.find_spec(name) is None:
            return name
    for part in PARTS.values():
        if not part.fetched and locate(part) is None:
            return part.requirement
    try:
        for part in PARTS.values():
            require(part)
    except UserError as fault:
        return str(fault)
    return ""


@pytest.fixture(scope="session")
def whole() -> None:
    """Skips where a part of the embedded model is absent and can't be fetched."""
    missing = _absent()
    if missing:
        pytest.skip(f"the extra 'embedded' is not whole here: {missing}")


@pytest.fixture
def picture() -> Callable[..., Picture]:
    """Encodes rows of an array (height, width, 3), 0 to 255, as a picture at a moment."""
    image = pytest.importorskip("PIL.Image")

    def encode(array: object, seconds: float | None = None) -> Picture:
        held = io.BytesIO()
        image.fromarray(array).save(held, "PNG")
        return Picture(base64.b64encode(held.getvalue()).decode(), seconds)

    return encode


@pytest.fixture
def blocks() -> Callable[[Sequence[Picture]], list[dict[str, str]]]:
    """Pictures as the content of a message, each after its moment."""

    def content(pictures: Sequence[Picture]) -> list[dict[str, str]]:
        parts: list[dict[str, str]] = []
        for one in pictures:
            parts.append({"type": "text", "text": f"Frame at {one.seconds:.2f} s"})
            parts.append({"type": "image", "base64": one.data, "mime_type": "image/png"})
        return parts

    return content
