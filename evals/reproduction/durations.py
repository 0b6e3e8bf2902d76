"""How long videos are: looked up in their files, once, and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from graphs.durable.files import write_whole

__all__ = ["Lengths", "cache_file", "video_lengths"]

_BATCH = 16  # videos that one process looks at: starting it takes longer than one look
_WORKERS = 2
_DEADLINE = 20.0  # seconds of one video

Lengths = dict[Path, float | str]
"""Seconds of each video, or why they aren't known."""


def cache_file() -> Path:
    """Where lengths are kept: by path, size and time of change, so that another file is looked at anew."""
    from platformdirs import user_cache_path

    return user_cache_path("metaphorboost") / "durations.json"


def video_lengths(videos: Sequence[Path], told: Callable[[int], None] = lambda _done: None) -> Lengths:
    """Seconds of each video, from the first frame to the end of the last.

    Files of unknown origin are opened in another process. What can't be read has its fault instead, and is
    looked at again the next time.

    Args:
        videos: files, or folders of frames.
        told: is called with the number of videos that are done.
    """
    kept, found = _kept(), Lengths()
    marks = {video: _mark(video) for video in dict.fromkeys(videos)}
    found |= {video: kept[mark] for video, mark in marks.items() if mark in kept}
    missing = [video for video in marks if video not in found]
    batches = [missing[start : start + _BATCH] for start in range(0, len(missing), _BATCH)]
    pool = ThreadPoolExecutor(_WORKERS)
    try:
        for looked in pool.map(_looked, batches):
            found |= looked
            told(len(found))
    finally:
        pool.shutdown(cancel_futures=True)
        fresh = {marks[video]: found[video] for video in missing if isinstance(found.get(video), float)}
        if fresh:
            _keep(kept | {mark: value for mark, value in fresh.items() if isinstance(value, float)})
    return {video: found[video] for video in marks}


def _mark(video: Path) -> str:
    try:
        state = video.stat()
    except OSError:
        return str(video.absolute())
    return f"{video.absolute()}|{state.st_size}|{state.st_mtime_ns}"


def _looked(videos: Sequence[Path]) -> Lengths:
    """A batch in one process; each alone where that ended by a video."""
    from tools.errors import ToolboxError
    from tools.frames.apart import apart
    from tools.frames.terms import Fault

    names = [os.fspath(video) for video in videos]
    try:
        seen = apart(lengths_here, names, deadline=_DEADLINE * (1 + len(names) / 4))
    except (Fault, ToolboxError) as fault:
        if len(videos) == 1:
            return {videos[0]: f"{videos[0]}: {fault}"}
        return {video: length for each in videos for video, length in _looked([each]).items()}
    return dict(zip(videos, seen, strict=True))


def lengths_here(names: Sequence[str]) -> list[float | str]:
    """Look at videos in this process; called in one of its own."""
    from tools.frames.probe import probe
    from tools.frames.terms import Fault

    found: list[float | str] = []
    for name in names:
        try:
            found.append(round(float(probe(name).duration), 4))
        except (Fault, OSError) as fault:
            found.append(f"{name}: {fault}")
    return found


def _kept() -> dict[str, float]:
    try:
        raw: object = json.loads(cache_file().read_bytes())
    except (OSError, ValueError):  # absent, or torn by hand: looked up again
        return {}
    if not isinstance(raw, dict):
        return {}
    return {str(mark): float(value) for mark, value in raw.items() if isinstance(value, int | float)}


def _keep(lengths: dict[str, float]) -> None:
    try:
        cache_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(cache_file(), json.dumps(lengths, indent=0))
    except OSError:  # a home that can't be written to: they are looked up each time
        return
