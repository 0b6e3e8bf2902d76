"""What is wanted of a cleaning."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["DEADLINE", "Batch", "Wishes"]

DEADLINE = 1800.0
"""Seconds a file may take."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What to do with a file.

    Attributes:
        mute: drop the sound.
        erase: paint over burnt-in subtitles.
        band: where subtitles are looked for, as parts of the picture's height: (top, bottom).
        crf: quality of what must be re-encoded; lower is better and larger.
        is_dry: look only, write nothing.
    """

    mute: bool = True
    erase: bool = True
    band: tuple[float, float] = (0.6, 1.0)
    crf: int = 18
    is_dry: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Many files.

    Attributes:
        inputs: video files, or folders of video files.
        out: the folder that gets the cleaned ones, under their own names.
        wishes: what to do with each.
        report: where a line of JSON for each file goes; nowhere if None.
        overwrite: whether files in `out` are replaced.
        deadline: seconds a file may take.
    """

    inputs: tuple[str, ...]
    out: Path
    wishes: Wishes
    report: Path | None = None
    overwrite: bool = False
    deadline: float = DEADLINE
