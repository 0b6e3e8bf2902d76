"""The run directory: records that survive a kill, and files that are whole or absent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import BaseModel, ValidationError

from agents.errors import UserError
from agents.schemas import ModelCall
from evals.compact import Seen
from evals.store.journals import paid
from evals.store.records import RunKey, RunRecord
from evals.store.set_aside import Interpreted
from evals.store.step_lines import Step
from evals.store.steps import STEPS, Steps
from graphs.durable.files import Lines, parsed, repair, sync_folder, writing_whole
from graphs.durable.locking import Lock

__all__ = ["RECORDS", "RunStore", "read_records"]

RECORDS = "records.jsonl"
SET_ASIDE = "failed.jsonl"
_LOCK = "run.lock"
_WAY_OUT = "take the line out and its sample runs again"


class RunStore:
    """An open run directory; a context manager that holds its lock.

    Attributes:
        folder: the directory.
        path: its ``records.jsonl``, or a file of another name that holds records.
        repaired: bytes of a torn last line that opening removed; its sample runs again.
        steps: what was done for samples that have no record yet.
    """

    def __init__(self, folder: Path, records: str = RECORDS) -> None:
        """Open a run directory, made where it is missing; a torn last line is removed.

        Args:
            folder: the directory.
            records: the name of the file; each has a lock of its own.

        Raises:
            UserError: when it can't be made or written to, or another process holds it.
        """
        self.folder = folder
        self.path = folder / records
        own = records == RECORDS
        self._aside = folder / (SET_ASIDE if own else f"{self.path.stem}.{SET_ASIDE}")
        self._made = [each for each in (folder, *folder.parents) if not each.exists()]  # innermost first
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder} can't be a run directory: {error.strerror}.") from error
        self._lock = _locked(folder, _LOCK if own else f"{self.path.stem}.lock")
        try:
            self.repaired = _repair(self.path)
            self._lines = Lines(self.path)
            self.steps = Steps(folder, STEPS if own else f"{self.path.stem}.{STEPS}")
            if self.steps.keys or self.steps.unreadable:
                self.steps.forget(Seen(_keys(self.path)))
            sync_folder(folder)
        except OSError as error:
            self._lock.release()
            raise UserError(f"{error.filename or folder} can't be opened: {error.strerror}.") from error
        except UserError:
            self._lines.close()
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        """Stay open for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, whatever happened."""
        self.close()

    def append(self, lines: Sequence[str]) -> None:
        """Write lines and wait until the disk has them; all of them or none.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        self._lines.append("".join(line + "\n" for line in lines))

    def records(self) -> Iterator[RunRecord]:
        """Every record, each key once: the first counts."""
        yield from read_records(self.path)

    def aside(self) -> Iterator[RunRecord]:
        """Records that were set aside, in the order of time; a torn last line is left out."""
        path = self._aside
        if path.exists():
            yield from _parsed(path)

    def paid(self) -> Iterator[tuple[RunKey, list[tuple[Step, ModelCall]]]]:
        """What earlier starts paid for samples that have no record, each call once, sample by sample."""
        for key in list(self.steps.keys):
            yield key, paid(self.steps.steps(key))

    def set_aside(self, unwanted: Callable[[RunRecord], bool]) -> int:
        """Move records to ``failed.jsonl`` so that their samples run again.

        A kill in between leaves a record in both files, never in none.

        Returns:
            How many were moved.
        """
        moved = Seen(record.key for record in self.records() if unwanted(record))
        if not len(moved):
            return 0
        _repair(self._aside)
        with (self._aside).open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(record.line() + "\n" for record in self.records() if record.key in moved)
            file.flush()
            os.fsync(file.fileno())
        self._lines.close()
        with writing_whole(self.path) as file:
            file.writelines(record.line() + "\n" for record in self.records() if record.key not in moved)
        self._lines = Lines(self.path)
        return len(moved)

    def interpreted(self) -> Mapping[RunKey, RunRecord]:
        """Records set aside that only lack a verdict: their interpretation needn't be paid for again."""
        _repair(self._aside)
        return Interpreted(self._aside)

    def discard_new(self) -> None:
        """Remove the directory again where opening made it and nothing was recorded."""
        if self._made and not self._lines.size:
            self.close()
            self.path.unlink()
            self._lock.path.unlink()
            for folder in self._made:
                folder.rmdir()

    def close(self) -> None:
        """Let go of the files and the lock."""
        self._lines.close()
        self.steps.close()
        self._lock.release()


def read_records(path: Path) -> Iterator[RunRecord]:
    """Read a ``records.jsonl``, each key once: the first counts. Needs no lock.

    A torn last line, of a run that is being written or was killed, is left out.

    Raises:
        UserError: when a whole line is no record; it names the line.
    """
    seen = Seen()
    for record in _parsed(path):
        if seen.add(record.key):
            yield record


def _parsed(path: Path) -> Iterator[RunRecord]:
    return parsed(path, RunRecord, what="record", way_out=_WAY_OUT)


class _Whose(BaseModel):
    """The part of a record that says whose it is."""

    video_id: str
    epoch: int


def _keys(path: Path) -> Iterator[RunKey]:
    """Whose records there are, without reading what they say."""
    for whose in parsed(path, _Whose, what="record", way_out=_WAY_OUT):
        yield whose.video_id, whose.epoch


def _repair(path: Path) -> int:
    """Cut a torn last line, unless it is a whole record that only lacks its end."""
    return repair(path, _is_record)


def _is_record(line: bytes) -> bool:
    try:
        RunRecord.model_validate_json(line)
    except ValidationError:
        return False
    return True


def _locked(folder: Path, name: str) -> Lock:
    held = f"{folder} is in use by another run"
    local = "use a run directory on a local disk"
    other = "--run-dir" if name == _LOCK else "--name"  # of judgements
    way_out = f"wait for it, or give another {other}"
    try:
        if os.access(folder, os.W_OK):
            return Lock(folder / name, held=held, way_out=way_out, local=local)
        reason = "it is read-only"
    except OSError as error:
        reason = str(error.strerror)
    raise UserError(f"{folder} can't be written to: {reason}. Mend that, or give another {other}.")
