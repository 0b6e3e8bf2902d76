"""One name for "these frames of this content": the key of caches and run records."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

from tools.frames.source import is_file
from tools.frames.terms import Sampling, Source

__all__ = ["content_digest", "digest_of"]

_SCHEME = "frames/3"
"""Changes whenever the same video and sampling give other frames than before."""


def digest_of(source: Source, sampling: Sampling) -> str:
    """Hex SHA-256 over the content and the sampling; the same wherever the file lies and whatever its name.

    Raises:
        OSError: if the content can't be read.
    """
    parts = {"scheme": _SCHEME, "content": content_digest(source), "sampling": asdict(sampling)}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def content_digest(source: Source) -> str:
    """Hex SHA-256 of a file's bytes; of a folder, over the names and digests of the files right inside it."""
    if source.kind != "folder":
        return _file_digest(source.path)
    whole = hashlib.sha256()
    with os.scandir(source.path) as entries:
        names = sorted(entry.name for entry in entries if is_file(entry) and not entry.name.startswith("."))
    for name in names:
        try:
            content = _file_digest(f"{source.path}/{name}")
        except OSError as error:  # the others are read nevertheless, and it is told which one is left out
            content = error.strerror or str(error)
        whole.update(f"{len(name)}:{name}:{content}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _file_digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
