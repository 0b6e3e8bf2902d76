"""Ways from a video file to base64 JPEGs, each run in a process of its own by `evals.benchmarks.frames`."""

from __future__ import annotations

import base64
import io
import json
import shutil
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["CONTENDERS", "spread"]

FRAMES, SIDE, QUALITY = 50, 1024, 85


def spread(count: int) -> list[int]:
    """Ordinals of the frames that a video at a constant rate is to give, by the rule of `tools.frames`."""
    times = [number / 30 for number in range(count)]
    step = times[-1] / (FRAMES - 1)
    if count <= FRAMES:
        return list(range(count))

    def nearest(instant: float) -> int:
        after = min(bisect_left(times, instant), count - 1)
        is_before = after > 0 and instant - times[after - 1] <= times[after] - instant
        return after - 1 if is_before else after

    return sorted({0, count - 1, *(nearest(step * place) for place in range(1, FRAMES - 1))})


def _jpeg(image: Image) -> bytes:
    from PIL.Image import Resampling

    if max(image.size) > SIDE:
        scale = SIDE / max(image.size)
        image = image.resize((round(image.width * scale), round(image.height * scale)), Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def _decord(path: str, **size: int) -> list[bytes]:
    import decord
    from PIL import Image

    library = cast("Any", decord)
    video = library.VideoReader(path, ctx=library.cpu(0), **size)
    batch = video.get_batch(spread(len(video))).asnumpy()
    return [_jpeg(Image.fromarray(picture)) for picture in batch]


def naive(path: str) -> list[bytes]:
    """What most harnesses do: decord's batch at full size, then Pillow."""
    return _decord(path)


def sized(path: str) -> list[bytes]:
    """The same with decord told of the size that is wanted."""
    import av

    with av.open(path) as container:
        stream = container.streams.video[0]
        scale = min(1.0, SIDE / max(stream.width, stream.height))
        return _decord(path, width=round(stream.width * scale), height=round(stream.height * scale))


def sequential(path: str) -> list[bytes]:
    """PyAV's plain loop over all frames, with the count from the header."""
    import av

    with av.open(path) as container:
        stream = container.streams.video[0]
        wanted = set(spread(stream.frames))
        frames = enumerate(container.decode(stream))
        return [_jpeg(frame.to_image()) for number, frame in frames if number in wanted]


def ours(path: str) -> list[bytes]:
    """`tools.frames`, its process included."""
    from tools.frames import Sampling, read_frames

    sampling = Sampling(max_frames=FRAMES, max_side=SIDE, quality=QUALITY)
    return [frame.jpeg for frame in read_frames(path, sampling).frames]


def floor(path: str) -> list[bytes]:
    """The ffmpeg command, which decodes all of it and encodes what is wanted."""
    import av

    with av.open(path) as container:
        wanted = spread(container.streams.video[0].frames)
    chosen = "+".join(f"eq(n,{number})" for number in wanted)
    ways = f"select='{chosen}',scale='min({SIDE},iw)':-2:flags=area"
    with tempfile.TemporaryDirectory() as folder:
        command = [shutil.which("ffmpeg") or "ffmpeg", "-v", "error", "-i", path, "-vf", ways]
        command += ["-fps_mode", "passthrough", "-q:v", "4", f"{folder}/%05d.jpg"]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)  # noqa: S603 - our own clip
        return [file.read_bytes() for file in sorted(Path(folder).iterdir())]


CONTENDERS: dict[str, tuple[str, Callable[[str], list[bytes]]]] = {
    "naive": ("decord + PIL, naive", naive),
    "sized": ("decord, sized", sized),
    "sequential": ("PyAV, sequential", sequential),
    "ours": ("tools.frames", ours),
    "floor": ("ffmpeg, all decoded", floor),
}


def run(name: str, path: str, rounds: int) -> dict[str, object]:
    """Run one of them in this process, and tell what it cost, and which frames came.

    The first round pays for loading libraries and starting processes. It is told apart, since a run over many
    videos pays that once.
    """
    from evals.benchmarks.costs import Watch

    took: list[tuple[float, float]] = []
    jpegs: list[bytes] = []
    with Watch() as watch:
        for _ in range(1 + rounds):
            since, spent = time.perf_counter(), watch.cpu()
            jpegs = CONTENDERS[name][1](path)
            encoded = [base64.b64encode(jpeg).decode() for jpeg in jpegs]
            took.append((time.perf_counter() - since, watch.cpu() - spent))
            if not all(encoded):
                raise ValueError("an empty frame")
    from evals.benchmarks.clips import number_in

    walls, cpus = zip(*took, strict=True)
    return {
        "first": cpus[0],
        "wall": min(walls[1:]),
        "cpu": min(cpus[1:]),
        "peak": watch.peak,
        "numbers": [number_in(jpeg) for jpeg in jpegs],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
