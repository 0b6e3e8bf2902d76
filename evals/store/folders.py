"""Which run directories a path stands for: itself, or those of the cells that it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from agents.errors import UserError
from evals.store.run_store import RECORDS
from graphs.durable.files import sync_folder
from graphs.durable.locking import Lock

__all__ = ["RUN_FILE", "SWEEP_FILE", "GridFolder", "holds_runs", "is_grid", "run_folders"]

RUN_FILE = "run.json"
"""Says what a run directory holds; ``cells`` in it names the directories of a run's parts."""

SWEEP_FILE = "sweep.json"
"""Says of a run directory that holds a sweep what is varied in it."""


def run_folders(path: Path, *, recorded: bool = False) -> list[Path]:
    """The run directories that a path stands for.

    Args:
        path: a run directory, one of a run of several cells, the ``records.jsonl`` or ``run.json`` in it, or
            a folder of run directories.
        recorded: leave out those of several that hold no record yet.

    Returns:
        The directory itself; or its cells in their order; or the run directories in a folder, by name, with
        the cells of each.

    Raises:
        UserError: when there is none.
    """
    if path.is_file() and path.name in (RECORDS, RUN_FILE):
        path = path.parent
    if not path.is_dir():
        raise UserError(f"There is no run directory {path}; give what evals.run called its run directory.")
    found = list(_found(path))
    if not found:
        raise UserError(f"{path} is no run directory: it holds no {RECORDS}.")
    if recorded and len(found) > 1:
        return [each for each in found if _has_records(each)] or found
    return found


def holds_runs(folder: Path) -> bool:
    """Whether a folder is a run directory, or holds some."""
    return folder.is_dir() and next(_found(folder), None) is not None


def is_grid(folder: Path) -> bool:
    """Whether a directory is that of a run of several cells."""
    return bool(_cells(folder))


def _found(folder: Path) -> Iterator[Path]:
    if (folder / RECORDS).is_file():
        yield folder
        return
    if cells := _cells(folder):
        yield from (folder / name for name in cells if (folder / name / RECORDS).is_file())
        return
    for inner in sorted(folder.iterdir()):
        if inner.is_dir() and ((inner / RECORDS).is_file() or _cells(inner)):
            yield from _found(inner)


def _cells(folder: Path) -> list[str]:
    """Names of a run's cells; none where the file is missing, or says nothing of them."""
    try:
        said: Any = json.loads((folder / RUN_FILE).read_bytes())
    except (OSError, ValueError):
        return []
    names: Any = cast("dict[str, Any]", said).get("cells") if isinstance(said, dict) else None
    if not isinstance(names, list):
        return []
    return [name for name in cast("list[Any]", names) if isinstance(name, str) and Path(name).name == name]


def _has_records(folder: Path) -> bool:
    return (folder / RECORDS).stat().st_size > 0


class GridFolder:
    """The directory of a run of several cells, held by one process; a context manager.

    Attributes:
        folder: the directory.
    """

    def __init__(self, folder: Path) -> None:
        """Make the directory where it is missing, and hold it.

        Raises:
            UserError: when it can't be made, or another process holds it.
        """
        self.folder = folder
        self._made = [each for each in (folder, *folder.parents) if not each.exists()]  # innermost first
        try:
            folder.mkdir(parents=True, exist_ok=True)
            sync_folder(folder)
        except OSError as error:
            raise UserError(f"{folder} can't be a run directory: {error.strerror}.") from error
        self._lock = Lock(
            folder / "run.lock",
            held=f"{folder} is in use by another run",
            way_out="wait for it, or give another --run-dir",
            local="use a run directory on a local disk",
        )

    def __enter__(self) -> Self:
        """Stay open for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go, whatever happened."""
        self._lock.release()

    def discard_new(self) -> None:
        """Remove the directory again where opening made it and nothing is in it."""
        if self._made and [each.name for each in self.folder.iterdir()] == [self._lock.path.name]:
            self._lock.release()
            self._lock.path.unlink()
            for folder in self._made:
                folder.rmdir()
