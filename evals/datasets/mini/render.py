"""Renders the clips of the mini benchmark from their scenes: POV-Ray for the frames, PyAV for the video.

    python evals/datasets/mini/render.py                     # all clips
    python evals/datasets/mini/render.py --only hourglass    # one clip (may be repeated)
    python evals/datasets/mini/render.py --only hourglass --preview  # one picture of each shot

Needs the Debian packages ``povray`` and ``povray-includes``, and PyAV built with libx264 (its wheels are).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
SCENES = HERE / "scenes"
VIDEOS = HERE / "videos"

FRAMES_PER_SECOND = 8
SMOOTH = 10  # frames a second of the clips with fine motion: flame, rain, sand, a drifting balloon
PORTRAIT = (360, 640)
LANDSCAPE = (480, 360)
PROCESSES = 2
X264 = {"crf": "26", "preset": "slow", "threads": "1", "g": "20"}


class RenderError(Exception):
    """A clip could not be made; the message names it and says what to do."""


@dataclass(frozen=True)
class Clip:
    """A clip: its scene's name, the seconds of each of its shots, its size in pixels, its frames a second.

    Shot ``i`` is rendered with ``Shot = i`` and a clock from 0 to 1; the clip is the shots in order, with a
    cut between two.
    """

    name: str
    shots: tuple[float, ...]
    size: tuple[int, int] = PORTRAIT
    rate: int = FRAMES_PER_SECOND


CLIPS = (
    Clip("burden", (2.0, 2.5), LANDSCAPE),
    Clip("turned_backs", (2.5, 2.0), LANDSCAPE),
    Clip("umbrella_rain", (2.5, 2.5), rate=SMOOTH),
    Clip("candle_chair", (2.0, 3.5), rate=SMOOTH),
    Clip("hourglass", (3.0, 2.0), rate=SMOOTH),
    Clip("cracked_mirror", (1.75, 2.25)),
    Clip("wilting_flower", (1.0, 3.0)),
    Clip("lighthouse_storm", (2.5, 2.5)),
    Clip("ball_vase", (1.25, 1.5, 1.25), LANDSCAPE),
    Clip("bottle_teddy", (1.5, 1.5, 2.0)),
    Clip("pawns_crowd", (1.25, 1.25, 1.25, 1.25), LANDSCAPE),
    Clip("clock_maze", (1.0, 1.0, 1.0, 1.0)),
    Clip("open_cage", (2.5, 2.5), rate=SMOOTH),
    Clip("teacup_storm", (1.5, 2.5), LANDSCAPE),
    Clip("puppet_strings", (2.0, 2.25)),
    Clip("mask_stage", (2.0, 2.0)),
)


def render_frames(clip: Clip, shot: int, frames: int, clock: tuple[float, float], folder: Path) -> list[Path]:
    """Ray-traces ``frames`` pictures of one shot, the clock running over ``clock``, into ``folder``.

    Raises:
        RenderError: POV-Ray is missing, or refused the scene.
    """
    povray = shutil.which("povray")
    if povray is None:
        message = "povray was not found; install it (Debian: apt install povray povray-includes)"
        raise RenderError(message)
    width, height = clip.size
    stem = f"{clip.name}_{shot}_"
    command = [
        *(povray, f"+I{clip.name}.pov", f"+O{folder / stem}.png", "+FN8", f"+W{width}", f"+H{height}"),
        *("+A0.3", "+R2", "-J", "+WT1", "-D", "-V", f"Declare=Shot={shot}"),
        *(f"+KFI{1}", f"+KFF{frames}", f"+KI{clock[0]}", f"+KF{clock[1]}"),
    ]
    done = subprocess.run(command, cwd=SCENES, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    pictures = sorted(folder.glob(f"{stem}*.png"))
    if done.returncode != 0 or len(pictures) != frames:
        fault = "\n".join(line for line in done.stderr.splitlines() if "Error" in line or "File '" in line)
        message = f"{clip.name}.pov, shot {shot}: POV-Ray stopped with code {done.returncode}\n{fault}"
        raise RenderError(message)
    return pictures


def encode(pictures: Sequence[Path], clip: Clip, target: Path) -> None:
    """Writes the pictures as an H.264 video (yuv420p, no sound) at the clip's rate."""
    import av
    from av.video.frame import PictureType

    with av.open(str(target), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=clip.rate, options=X264)
        stream.width, stream.height = clip.size
        stream.pix_fmt = "yuv420p"
        for number, picture in enumerate(pictures):
            with av.open(str(picture)) as source:
                frame = next(source.decode(video=0))
            frame.pts, frame.time_base = number, Fraction(1, clip.rate)
            frame.pict_type = PictureType.NONE  # a PNG calls itself a key frame; all of them would be
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def render_clip(clip: Clip, folder: Path) -> Path:
    """Renders every shot of a clip and writes ``videos/<name>.mp4``; the frames stay in ``folder``."""
    pictures: list[Path] = []
    for shot, seconds in enumerate(clip.shots):
        frames = round(seconds * clip.rate)
        pictures += render_frames(clip, shot, frames, (0.0, 1.0), folder)
    target = VIDEOS / f"{clip.name}.mp4"
    encode(pictures, clip, target)
    return target


def preview_clip(clip: Clip, folder: Path, clock: float) -> list[Path]:
    """Renders one picture of each shot, at ``clock``."""
    shots = range(len(clip.shots))
    return [p for shot in shots for p in render_frames(clip, shot, 1, (clock, clock), folder)]


def make(clip: Clip, folder: Path, options: argparse.Namespace) -> str:
    """Renders a clip or its preview; returns what to tell about it."""
    if options.preview:
        return "\n".join(str(picture) for picture in preview_clip(clip, folder, options.clock))
    video = render_clip(clip, folder)
    return f"{video.relative_to(HERE)}  {video.stat().st_size / 1000:.0f} kB"


def choose(names: Sequence[str] | None) -> list[Clip]:
    """Returns the named clips, or all of them.

    Raises:
        RenderError: A name is none of ours.
    """
    known = {clip.name: clip for clip in CLIPS}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        message = f"no clip is called {', '.join(unknown)}; the clips are {', '.join(known)}"
        raise RenderError(message)
    return [known[name] for name in names] if names else list(CLIPS)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Render the clips of the mini benchmark.")
    parser.add_argument("--only", action="append", metavar="NAME", help="render this clip (may be repeated)")
    parser.add_argument("--preview", action="store_true", help="one picture of each shot, no video")
    parser.add_argument("--clock", type=float, default=0.5, help="the moment of the preview, 0 to 1")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the frames in this folder")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code."""
    options = parse(arguments)
    try:
        clips = choose(options.only)
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(options.keep or ("." if options.preview else scratch)).resolve()
            folder.mkdir(parents=True, exist_ok=True)
            with ThreadPoolExecutor(PROCESSES) as pool:
                jobs = [pool.submit(make, clip, folder, options) for clip in clips]
                for job in jobs:
                    print(job.result())
    except RenderError as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
