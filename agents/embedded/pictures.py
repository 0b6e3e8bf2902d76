"""Decodes the pictures of a message, small: what the eyes, the people finder and the measures look at."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
from dataclasses import dataclass
from typing import Any

from agents.embedded.runtime import library
from agents.errors import UserError

__all__ = ["Picture", "digest", "open_picture"]

_SIDE = 384  # longest side kept: enough for 260 pixels of the classifier and 128 of a person
_MOST_PIXELS = 60_000_000


@dataclass(frozen=True)
class Picture:
    """One still picture or frame, undecoded.

    Attributes:
        data: the encoded file, base64.
        seconds: its moment in the video, where one was given.
    """

    data: str
    seconds: float | None = None


def digest(pictures: tuple[Picture, ...]) -> str:
    """One hash over all pictures and their moments."""
    total = hashlib.sha256()
    for picture in pictures:
        total.update(f"{picture.seconds}:{len(picture.data)}:".encode())
        total.update(picture.data.encode())
    return total.hexdigest()


def open_picture(picture: Picture) -> Any:
    """Decode to a PIL image, RGB, longest side at most 384 pixels.

    Raises:
        UserError: when it is no picture that Pillow can read, or is unreasonably large.
    """
    image: Any = library("PIL.Image")
    try:
        raw = base64.b64decode(picture.data, validate=False)
        opened = image.open(io.BytesIO(raw))
        if opened.width * opened.height > _MOST_PIXELS:
            raise UserError(f"a picture of {opened.width}x{opened.height} pixels is too large to look at")
        scale = _SIDE / max(opened.width, opened.height)
        if scale < 1:
            size = (max(1, round(opened.width * scale)), max(1, round(opened.height * scale)))
            opened.draft("RGB", size)  # lets the JPEG decoder skip what is scaled away
            return opened.convert("RGB").resize(size, image.Resampling.BOX)
        return opened.convert("RGB")
    except (binascii.Error, OSError, ValueError) as fault:
        raise UserError(f"a picture in the message can't be decoded: {fault}") from fault
