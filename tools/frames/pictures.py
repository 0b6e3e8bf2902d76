"""Still pictures through Pillow: upright RGB at the size that is wanted, or the JPEG as it lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tools.frames.encode import fit, jpeg
from tools.frames.terms import GLANCE, Fault, Frame, Glance, Sampling, is_too_large

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["frame_of", "glance_of", "opened", "rgb", "shrunk"]

_ORIENTATION = 0x0112
_UPRIGHT = (None, 1)


def opened(path: str) -> Image:
    """Open a picture and check its size; the pixels are not decoded yet.

    Raises:
        Fault: if Pillow knows no format that fits, or the picture is too large.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        image = Image.open(path)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise Fault(f"the picture is too large: {error}") from error
    except UnidentifiedImageError:
        raise Fault("not a picture that Pillow can read") from None
    fault = is_too_large(*image.size)
    if fault:
        image.close()
        raise Fault(fault)
    return image


def frame_of(path: str, ordinal: int, timestamp: float, sampling: Sampling) -> Frame:
    """Read one picture file as a frame. An upright RGB JPEG that is small enough passes as it is.

    Raises:
        Fault: if the picture can't be read, or is cut short.
    """
    from PIL import ImageOps

    with opened(path) as image:
        try:
            if _passes(image, sampling.max_side):
                image.load()  # decoded nevertheless: a picture that is cut short must not get through
                return Frame(ordinal, timestamp, Path(path).read_bytes(), *image.size)
            image.draft("RGB", fit(*image.size, sampling.max_side))  # JPEG decodes at 1/2, 1/4 or 1/8
            upright = rgb(ImageOps.exif_transpose(image))
            return jpeg(shrunk(upright, sampling.max_side), ordinal, timestamp, sampling.quality)
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise Fault(f"the picture can't be decoded: {error}") from error


def _passes(image: Image, max_side: int) -> bool:
    return (
        image.format == "JPEG"
        and image.mode in ("RGB", "L")
        and max(image.size) <= max_side
        and image.getexif().get(_ORIENTATION) in _UPRIGHT
    )


def shrunk(image: Image, max_side: int) -> Image:
    """The picture with its longer side at most `max_side` pixels."""
    from PIL.Image import Resampling

    size = fit(*image.size, max_side)
    return image if size == image.size else image.resize(size, Resampling.LANCZOS, reducing_gap=2.0)


def glance_of(image: Image, timestamp: float) -> Glance:
    """A very small look at a picture.

    Raises:
        OSError: if its pixels can't be decoded (or another error of Pillow's, as in `frame_of`).
    """
    from PIL.Image import Resampling

    image.draft("RGB", (GLANCE, GLANCE))  # decodes a JPEG at an eighth of its size, where that is enough
    return Glance(timestamp, rgb(image).resize((GLANCE, GLANCE), Resampling.BOX).tobytes())


def rgb(image: Image) -> Image:
    """The picture in RGB; what shows through is put on white, 16 bits a channel become 8."""
    from PIL import Image as Pillow

    if image.mode == "RGB":
        return image
    if image.mode.startswith("I;16") or image.mode == "I":
        return image.convert("I").point(lambda value: value / 256).convert("L").convert("RGB")
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        white = Pillow.new("RGBA", layer.size, "white")
        return Pillow.alpha_composite(white, layer).convert("RGB")
    return image.convert("RGB")
