"""What a sample's input looks like, so that a change of it is seen without reading it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from evals.datasets.sample import Sample

__all__ = ["input_digest"]


def input_digest(sample: Sample) -> str:
    """Names title, gold, and the video's files with size and time: 16 hex digits."""
    whole = hashlib.sha256(repr((sample.title, sample.gold)).encode("utf-8", "replace"))
    for path in _files(sample.video):
        try:
            told = path.stat()
        except OSError:
            continue
        whole.update(f"{path.name}\0{told.st_size}\0{told.st_mtime_ns}\n".encode("utf-8", "replace"))
    return whole.hexdigest()[:16]


def _files(video: Path | None) -> list[Path]:
    if video is None:
        return []
    return sorted(video.iterdir()) if video.is_dir() else [video]
