"""The reader of folders: pictures in natural order, each one a frame."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from tools.frames.pictures import frame_of, glance_of, opened
from tools.frames.sampling import uniform
from tools.frames.source import is_file
from tools.frames.terms import Choose, Fault, Frame, Glance, Reading, Sampling, Source

__all__ = ["glances", "read"]

_RATE = 1.0
"""Pictures a second in a folder whose names tell no time."""

_NOT_PICTURES = frozenset({"BUFR", "EPS", "GRIB", "HDF5", "MPEG", "WMF"})
"""Pillow's formats that need another program to be drawn (EPS starts Ghostscript), or hold no picture."""

_SECONDS = re.compile(r"(?:^|[^0-9.])(\d+(?:\.\d+)?)s$")
_NUMBER = re.compile(r"(\d+)(?!.*\d)")
_SHOWN = 3


def read(source: Source, sampling: Sampling, choose: Choose = uniform) -> Reading:
    """Read the chosen pictures of a folder.

    Numbers may be missing; a warning then tells after which picture. Pictures that can't be decoded are left
    out with a warning. Files that are no pictures are named in a warning; hidden files are passed over.

    Raises:
        Fault: if the folder holds no picture, or none of the chosen ones can be decoded.
    """
    names, others = _pictures(source.path)
    warnings = _gaps(names)
    if others:
        warnings.append(f"not pictures: {_some(others)}")
    times, step = _times(names)
    frames: list[Frame] = []
    broken: list[str] = []
    for ordinal in choose(times, sampling.max_frames):
        try:
            path = f"{source.path}/{names[ordinal]}"
            frames.append(frame_of(path, ordinal, times[ordinal], sampling))
        except (Fault, OSError) as fault:
            broken.append(f"{names[ordinal]} ({fault})")
    if not frames:
        raise Fault(f"no picture can be decoded: {_some(broken)}")
    if broken:
        warnings.insert(0, f"damaged: {_some(broken)}")
    return Reading(tuple(frames), times[-1] + step, tuple(warnings))


def glances(source: Source) -> Iterator[Glance]:
    """Look at every picture that can be decoded, at very small size; `read` tells which can't.

    Raises:
        Fault: if the folder holds no picture.
    """
    names, _ = _pictures(source.path)
    for name, timestamp in zip(names, _times(names)[0], strict=True):
        # What a picture that is cut short raises differs by format, as in `frame_of`.
        with contextlib.suppress(Fault, OSError, ValueError, SyntaxError, EOFError):
            with opened(f"{source.path}/{name}") as image:
                glance = glance_of(image, timestamp)
            yield glance


def _pictures(folder: str) -> tuple[list[str], list[str]]:
    """The names of the pictures, at least one, and of what else is there."""
    from PIL import Image

    extensions = Image.registered_extensions()
    with os.scandir(folder) as entries:
        names = {entry.name: is_file(entry) for entry in entries if not entry.name.startswith(".")}

    def is_picture(name: str) -> bool:
        form = extensions.get(Path(name).suffix.lower())
        return names[name] and form in Image.OPEN and form not in _NOT_PICTURES

    ordered = sorted(names, key=_natural)
    pictures = [name for name in ordered if is_picture(name)]
    others = [name for name in ordered if not is_picture(name)]
    if not pictures:
        raise Fault("the folder is empty" if not others else f"no picture in the folder, but {_some(others)}")
    return pictures, others


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """Numbers count as numbers: "2.jpg" comes before "10.jpg"."""
    parts = re.split(r"(\d+)", Path(name).stem.casefold())
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(parts)], name


def _times(names: Sequence[str]) -> tuple[list[float], float]:
    """Seconds since the first picture, and for how long the last one stays."""
    found = [_SECONDS.search(Path(name).stem) for name in names]
    stamps = [float(match[1]) for match in found if match is not None]
    ascending = all(before < after for before, after in pairwise(stamps))
    if len(stamps) < len(names) or len(stamps) == 1 or not ascending:
        return [ordinal / _RATE for ordinal in range(len(names))], 1 / _RATE
    times = [stamp - stamps[0] for stamp in stamps]
    return times, times[-1] / (len(times) - 1)


def _gaps(names: Sequence[str]) -> list[str]:
    found = [_NUMBER.search(Path(name).stem) for name in names]
    numbers = [int(match[1]) for match in found if match is not None]
    if len(numbers) < len(names) or all(_SECONDS.search(Path(name).stem) for name in names):
        return []
    steps = [after - before for before, after in pairwise(numbers)]
    usual = min((step for step in steps if step > 0), default=1)
    after = [names[place] for place, step in enumerate(steps) if step > usual]
    return [f"numbers are missing after {_some(after)}"] if after else []


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
