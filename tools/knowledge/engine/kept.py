"""Graphs compiled once a user: kept in the user's cache folder by what their files hold, of bounded size.

Any number of processes may share the folder. An entry is written aside and moved into place; one that is torn
is made again; one in use by any process is never removed. A folder that can't be written to is told once, in
the log, and graphs stay in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from importlib.resources.abc import Traversable

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["BOUND", "default_directory", "kept"]

BOUND = 2 << 30
"""Bytes that the compiled graphs take at most: the published one takes about a twentieth of it."""

_ROOM = 0.9
_ABANDONED = 3600.0
"""Seconds after which a folder that was never finished is taken for that of a process that died."""

_SETTLED = 2_000_000_000
"""Nanoseconds: a file that was changed less than this ago may change again within one tick of its clock."""

_SEEN, _ENTRY = ".seen", ".graph"
_LOG = logging.getLogger(__name__)


def default_directory() -> Path:
    """The folder of the user's cache that compiled graphs are kept in."""
    from platformdirs import user_cache_path

    return user_cache_path("metaphorboost") / "graphs"


def kept(
    files: Iterable[Path | Traversable], name: str, read: Callable[[], MetaphorGraph], bound: int = BOUND
) -> MetaphorGraph:
    """A graph from the cache, or read, compiled and kept there.

    Args:
        files: what the graph is read from, in the order that matters.
        name: what the graph is called.
        read: reads it; only called when the cache has none of the same content.
        bound: bytes that all entries take at most.

    Raises:
        KnowledgeError: as `read`, or if a file can't be read.
    """
    directory = default_directory()
    entry = directory / f"{_digest(list(files), directory)}{_ENTRY}"
    if (found := _opened(entry, name)) is not None:
        return found
    graph = read()
    try:
        from tools.knowledge.engine.compiled import write_compiled

        write_compiled(graph, entry, replace=False)
        _make_room(directory, bound, entry)
    except (OSError, sqlite3.Error) as error:
        _tell(directory, str(error))
        return graph
    return _opened(entry, name) or graph


def _opened(entry: Path, name: str) -> MetaphorGraph | None:
    """The graph that an entry holds; None if there is none, or a torn one, which is removed."""
    from tools.knowledge.engine.compiled import is_compiled, open_compiled

    if not is_compiled(entry):
        return None
    try:
        graph = open_compiled(entry, name)
    except KnowledgeError as error:
        _LOG.warning("a compiled graph is made again: %s", error)
        _remove(entry)
        return None
    with contextlib.suppress(OSError):  # an entry of somebody else's
        os.utime(entry, ns=(time.time_ns(), entry.stat().st_mtime_ns))
    return graph


def _digest(files: list[Path | Traversable], directory: Path) -> str:
    """A digest of the files' names and contents, and of the versions of what is made of them.

    A file that has not changed since it was last looked at, by size, times and place, is not read again.
    """
    from tools.knowledge.engine.manifest import VERSION
    from tools.knowledge.formats.files import refuse_endless
    from tools.knowledge.linking.index import VERSION as INDEX

    facts = _facts(files)
    note = directory / f"{hashlib.sha256(facts.encode()).hexdigest()}{_SEEN}" if facts else None
    versions = f"{VERSION}.{INDEX}."
    if note is not None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            told = note.read_text(encoding="ascii")
            if told.startswith(versions) and len(told) == len(versions) + 64:
                return told.removeprefix(versions)
    sha = hashlib.sha256(versions.encode())
    for file in files:
        try:
            refuse_endless(file, str(file))
            content = file.read_bytes()
        except OSError as error:
            msg = f"{file}: can't be read: {error.strerror or error}."
            raise KnowledgeError(msg) from error
        sha.update(f"{file.name}\n{len(content)}\n".encode("utf-8", "surrogatepass"))
        sha.update(content)
    if note is not None:
        _write_note(note, versions + sha.hexdigest())
    return sha.hexdigest()


def _facts(files: list[Path | Traversable]) -> str:
    """What the system tells of files that have been at rest for a while; nothing if one has not."""
    told: list[str] = []
    for file in files:
        if not isinstance(file, Path):
            return ""
        try:
            facts = file.stat()
        except OSError:
            return ""
        changed = max(facts.st_mtime_ns, facts.st_ctime_ns)
        if time.time_ns() - changed < _SETTLED:
            return ""
        told.append(
            f"{file.absolute()!r} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns} {facts.st_ino}"
        )
    return "\n".join(told)


def _write_note(note: Path, text: str) -> None:
    with contextlib.suppress(OSError):  # the next process reads the files again
        note.parent.mkdir(parents=True, exist_ok=True)
        descriptor, part = tempfile.mkstemp(suffix=".part", dir=note.parent)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        Path(part).replace(note)


class _Kept(NamedTuple):
    """An entry as the folder lists it: when it was last used (ns), its size in bytes, its path."""

    used: int
    size: int
    path: Path


def _make_room(directory: Path, bound: int, newest: Path) -> None:
    entries = sorted(_entries(directory))
    total = sum(entry.size for entry in entries)
    if total <= bound:
        return
    for entry in entries:
        if entry.path != newest and _remove(entry.path):
            total -= entry.size
        if total <= bound * _ROOM:
            break


def _entries(directory: Path) -> Iterator[_Kept]:
    """The entries; what was left unfinished long ago is removed on the way."""
    for path in directory.iterdir():
        with contextlib.suppress(FileNotFoundError, PermissionError, NotADirectoryError):
            facts = path.stat()
            if path.suffix == _ENTRY:
                yield _Kept(facts.st_atime_ns, sum(file.stat().st_size for file in path.iterdir()), path)
            elif path.suffix in {".part", ".old"} and time.time() - facts.st_mtime > _ABANDONED:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
            elif path.suffix == _SEEN and time.time() - facts.st_mtime > 30 * 24 * _ABANDONED:
                path.unlink()


def _remove(entry: Path) -> bool:
    """Remove an entry, unless a process has it open; says whether it is gone."""
    from tools.knowledge.engine.mapped import unheld

    with unheld(entry) as is_free:
        if not is_free:
            return False
        try:
            aside = Path(tempfile.mkdtemp(suffix=".old", dir=entry.parent))
            entry.rename(aside / entry.name)
        except OSError:  # another process was first, or the system keeps open files where they are
            return not entry.exists()
        shutil.rmtree(aside, ignore_errors=True)
        return True


def _tell(directory: Path, reason: str) -> None:
    if directory not in _TOLD:
        _TOLD.add(directory)
        _LOG.warning("graphs are not kept compiled: %s can't be written to (%s)", directory, reason)


_TOLD: set[Path] = set()
