"""Calls on disk before anything follows from them: resumed after any kill, and a cache.

One JSON line a call, only ever appended. A sentence is known by a hash of its text, an answer by that and
by what it was asked with (model, temperature, prompt, schema), so that a changed prompt asks anew and a
changed order of files does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from agents.errors import UserError
from graphs.durable.files import Lines, parsed, repair
from graphs.durable.locking import Lock
from graphs.extraction.calls import Call, Known

__all__ = ["Journal", "beside", "read_calls"]


def beside(out: Path, kind: str) -> Path:
    """The path of a companion of the output: ``pairs.journal.jsonl`` beside ``pairs.jsonl.gz``."""
    name = out.name.removesuffix(".gz").removesuffix(".jsonl")
    return out.with_name(f"{name}.{kind}")


class Journal:
    """An open journal; a context manager that holds its lock.

    Attributes:
        path: its file.
        known: what its calls tell.
        repaired: bytes of a torn last line that opening removed; what it said is asked again.
    """

    def __init__(self, out: Path, known: Known) -> None:
        """Open the journal beside an output file, made where it is missing, and learn its calls.

        Raises:
            UserError: when it can't be opened, another process holds it, or a whole line is no call.
        """
        self.path, self.known = beside(out, "journal.jsonl"), known
        self._lock = _locked(beside(out, "lock"))
        try:
            self.repaired = repair(self.path)
            self._lines = Lines(self.path)
            for call in read_calls(self.path):
                known.take(call)
        except OSError as error:
            self._lock.release()
            raise UserError(f"{self.path} can't be opened: {error.strerror}.") from error
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        """Stay open for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, whatever happened."""
        self._lines.close()
        self._lock.release()

    def append(self, call: Call) -> None:
        """Write a call and wait until the disk has it, whole or not at all.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        self._lines.append(call.model_dump_json(exclude_defaults=True) + "\n")
        self.known.take(call, fresh=True)


def read_calls(path: Path) -> Iterator[Call]:
    """Read a journal; a torn last line is left out.

    Raises:
        UserError: when a whole line is no call; it names the line.
    """
    way_out = "take the line out and its sentences are asked again"
    yield from parsed(path, Call, what="call", way_out=way_out)


def _locked(path: Path) -> Lock:
    held = f"{path} is held by another extraction"
    try:
        return Lock(
            path, held=held, way_out="wait for it, or give another --out", local="put --out on a local disk"
        )
    except OSError as error:
        raise UserError(f"{path} can't be made: {error.strerror}.") from error
