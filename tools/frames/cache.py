"""Encoded frames kept on disk, so that a second graph on the same videos decodes nothing."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from tools.frames.terms import Frame, FrameSet

__all__ = ["BOUND", "FrameCache", "default_directory"]

BOUND = 2 << 30
"""Bytes that the entries take at most, unless told otherwise: some thousand videos at 50 frames."""

_MAGIC = b"frames1\n"
_LENGTH = struct.Struct(">I")
_SUM = hashlib.sha256().digest_size
_SUFFIX = ".frames"
_UNFINISHED = ".part"
_ABANDONED = 3600.0
"""Seconds after which a file that was never finished is taken for that of a process that died."""

_ROOM = 0.9
"""Share of the bound that is left after entries were removed, so that not every write removes some."""

_LOG = logging.getLogger(__name__)


def default_directory() -> Path:
    """The folder of the user's cache that frames are kept in."""
    from platformdirs import user_cache_path

    return user_cache_path("metaphorboost") / "frames"


class _Kept(NamedTuple):
    """An entry as the folder lists it: when it was last used (ns), its size in bytes, its path."""

    used: int
    size: int
    path: str


class FrameCache:
    """Frame sets by digest, one file each, in a folder of bounded size; the longest unused go first.

    Any number of processes may share the folder. An entry is written aside and then moved into place, and it
    carries a checksum: one that is torn or altered counts as missing and is removed. Failures of a video are
    not kept. A folder that can't be written to is told once, in the log, and nothing is kept any more.
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None, *, bound: int = BOUND) -> None:
        """Name the folder; it is made at the first write.

        Args:
            directory: the folder; the user's cache by default.
            bound: bytes that the entries take at most.
        """
        self.directory = default_directory() if directory is None else Path(directory)
        self.bound = bound
        self._lock = threading.Lock()
        self._is_given_up = False

    def get(self, digest: str, source: str) -> FrameSet | None:
        """The frames kept under a digest, as those of `source`; None if there are none that are whole."""
        path = self._path(digest)
        try:
            entry = path.read_bytes()
        except OSError:
            return None
        frames = _unpacked(entry, digest, source)
        with contextlib.suppress(OSError):  # an entry of somebody else's, or one just removed
            if frames is None:
                path.unlink()
            else:
                os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        return frames

    def holds(self, digest: str) -> bool:
        """Whether frames are kept under a digest, whole or not; or whether none can be kept any more."""
        return self._is_given_up or self._path(digest).exists()

    def put(self, frames: FrameSet) -> None:
        """Keep frames under their digest. What can't be written is not kept."""
        entry = _packed(frames)
        if self._is_given_up or len(entry) > self.bound:
            return
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._write(self._path(frames.digest), entry)
            self._make_room()
        except OSError as error:
            self._give_up(error)

    def _path(self, digest: str) -> Path:
        return self.directory / f"{digest}{_SUFFIX}"

    def _write(self, path: Path, entry: bytes) -> None:
        descriptor, part = tempfile.mkstemp(suffix=_UNFINISHED, dir=self.directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(entry)
            os.replace(part, path)  # noqa: PTH105 - the same as Path.replace
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.unlink(part)  # noqa: PTH108
            # Windows doesn't replace a file that another process reads: then it is there already.
            if not (isinstance(error, PermissionError) and path.exists()):
                raise

    def _make_room(self) -> None:
        kept = sorted(self._entries())
        total = sum(entry.size for entry in kept)
        if total <= self.bound:
            return
        for entry in kept:
            with contextlib.suppress(FileNotFoundError, PermissionError):  # removed, or read, by another
                os.unlink(entry.path)  # noqa: PTH108
            total -= entry.size
            if total <= self.bound * _ROOM:
                break

    def _entries(self) -> Iterator[_Kept]:
        """The entries; what was left unfinished long ago is removed on the way."""
        with os.scandir(self.directory) as files:
            for file in files:
                with contextlib.suppress(FileNotFoundError, PermissionError):
                    facts = file.stat()
                    if file.name.endswith(_SUFFIX):
                        yield _Kept(facts.st_atime_ns, facts.st_size, file.path)
                    elif file.name.endswith(_UNFINISHED) and time.time() - facts.st_mtime > _ABANDONED:
                        os.unlink(file.path)  # noqa: PTH108

    def _give_up(self, error: OSError) -> None:
        with self._lock:
            is_first, self._is_given_up = not self._is_given_up, True
        if is_first:
            reason = error.strerror or str(error)
            _LOG.warning("frames are not cached: %s can't be written to (%s)", self.directory, reason)


def _packed(frames: FrameSet) -> bytes:
    """Mark, checksum of the rest, length of the header, header in JSON, pictures one after the other."""
    facts = asdict(frames)
    pictures: list[bytes] = [frame.pop("jpeg") for frame in facts["frames"]]
    del facts["source"]  # the same content may lie under several names
    header = json.dumps({**facts, "sizes": [len(picture) for picture in pictures]}).encode()
    body = b"".join((_LENGTH.pack(len(header)), header, *pictures))
    return _MAGIC + hashlib.sha256(body).digest() + body


def _unpacked(entry: bytes, digest: str, source: str) -> FrameSet | None:
    """The frames of an entry; None if it isn't whole, or not the one that was asked for."""
    start = len(_MAGIC) + _SUM
    body = memoryview(entry)[start:]
    if not entry.startswith(_MAGIC) or hashlib.sha256(body).digest() != entry[len(_MAGIC) : start]:
        return None
    try:
        return _frame_set(body, digest, source)
    except (KeyError, TypeError, ValueError, struct.error):
        return None  # whole, but of another layout: the work of another version


def _frame_set(body: memoryview, digest: str, source: str) -> FrameSet:
    """The frames of a body.

    Raises:
        KeyError: (or TypeError, ValueError, struct.error) if it isn't laid out as `_packed` does.
    """
    first = _LENGTH.size + _LENGTH.unpack_from(body)[0]
    facts: dict[str, Any] = json.loads(bytes(body[_LENGTH.size : first]))
    if facts["digest"] != digest:
        raise ValueError(digest)
    frames: list[Frame] = []
    for frame, size in zip(facts.pop("frames"), facts.pop("sizes"), strict=True):
        frames.append(Frame(jpeg=bytes(body[first : first + size]), **frame))
        first += size
    warnings = tuple(facts.pop("warnings"))
    return FrameSet(source=source, frames=tuple(frames), warnings=warnings, **facts)
