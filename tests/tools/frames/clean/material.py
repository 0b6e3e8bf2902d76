"""Clips with sound and with text, made on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

import av
import numpy as np
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream

Text = tuple[float, float, str, tuple[float, float]]
"""First and last second, words, and the place of their middle in parts of width and height."""

SIZE = (384, 288)


def scene(time: float, size: tuple[int, int] = SIZE, shots: Sequence[float] = ()) -> Image.Image:
    """Soft hills that drift; another colour in each shot."""
    width, height = size
    x, y = np.meshgrid(np.arange(width) / 40, np.arange(height) / 30)
    shot = sum(time >= cut for cut in shots)
    grey = 90 + 30 * np.sin(x + time * 1.5) + 20 * np.sin(y * 0.7 - time + shot)
    tint = [(1.0, 0.8, 0.6), (0.4, 0.7, 1.2), (0.7, 1.3, 0.5)][shot % 3]
    return Image.fromarray(np.clip(np.stack([grey * t for t in tint], axis=2), 0, 255).astype(np.uint8))


def written(image: Image.Image, words: str, place: tuple[float, float]) -> Image.Image:
    """The image with words in white, with a black outline."""
    font = ImageFont.load_default(image.height // 14)
    spot = (place[0] * image.width, place[1] * image.height)
    ImageDraw.Draw(image).text(
        spot, words, fill="white", font=font, anchor="mm", stroke_width=2, stroke_fill="black"
    )
    return image


def movie(
    path: Path,
    seconds: float = 5.0,
    texts: Sequence[Text] = (),
    *,
    rate: int = 12,
    shots: Sequence[float] = (),
    matrix: Sequence[int] | None = None,
    sideways: bool = False,
    sound: bool = True,
    codec: str = "libx264",
) -> Path:
    """Encode a scene with texts; `sideways` stores it turned a quarter against the clock."""
    pictures: list[Image.Image] = []
    for number in range(round(seconds * rate)):
        image = scene(number / rate, shots=shots)
        for first, last, words, place in texts:
            if first <= number / rate < last:
                written(image, words, place)
        pictures.append(image.transpose(Image.Transpose.ROTATE_90) if sideways else image)
    with av.open(str(path), "w") as container:
        stream = cast("VideoStream", container.add_stream(codec, rate=rate, options={"crf": "16"}))
        stream.width, stream.height, stream.pix_fmt = *pictures[0].size, "yuv420p"
        if matrix is not None:
            stream.set_display_matrix(matrix)
        voice = (
            container.add_stream("libopus" if path.suffix == ".webm" else "aac", rate=48000)
            if sound
            else None
        )
        for number, image in enumerate(pictures):
            frame = av.VideoFrame.from_image(image)
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if voice is not None:
            _speak(container, voice, seconds)
    return path


def _speak(container: OutputContainer, voice: object, seconds: float) -> None:
    size = 960 if "opus" in voice.codec_context.name else 1024  # pyright: ignore[reportAttributeAccessIssue]
    for number in range(int(seconds * 48000) // size):
        frame = av.AudioFrame.from_ndarray(np.zeros((2, size), np.float32), format="fltp", layout="stereo")
        frame.sample_rate, frame.pts = 48000, number * size
        container.mux(voice.encode(frame))  # pyright: ignore[reportAttributeAccessIssue]
    container.mux(voice.encode(None))  # pyright: ignore[reportAttributeAccessIssue]


def sounds(path: Path) -> int:
    """How many sound tracks a file has."""
    with av.open(str(path)) as container:
        return len(container.streams.audio)
