"""``steps.jsonl``: what was done for samples that have no record yet, one line a finished step.

A line is the system's before its answer is used: a process that is killed loses none. It is on its way to the
disk ``SYNC_AFTER`` seconds later at the latest, so that a machine that loses its power loses no more than the
answers of one second, on a disk that takes less than half a second to say that it has them.

Once a sample has its record its lines are dead. They are left out when the file is next opened, or when much
of it is dead, and the file goes when none lives.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncGenerator, Collection, Container, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, NamedTuple

from evals.store.records import RunKey
from evals.store.step_lines import Step, key_of, parsed_step
from evals.store.writing import Writer, writing
from graphs.durable.files import Lines, repair, sync_folder, write_whole

__all__ = ["STEPS", "SYNC_AFTER", "Steps", "read_steps"]

STEPS = "steps.jsonl"

SYNC_AFTER = 0.5
"""Seconds until a line that was written is sent to the disk."""

_MUCH = 64 << 20  # bytes of dead lines from which the file is written anew, when they are most of it


class _Place(NamedTuple):
    """Where a line is in the file, in bytes."""

    start: int
    length: int


class Steps:
    """The open file of a run directory, which holds the directory's lock.

    Of each sample without a record it knows where its lines are, and no more; they are read when it is begun.

    Attributes:
        path: the file.
        unreadable: lines that opening left out: of another version, or torn by a loss of power.
    """

    def __init__(self, folder: Path, name: str = STEPS) -> None:
        """Open; a torn last line is removed. The file is made when there is something to write.

        Args:
            folder: the run directory.
            name: of the file.

        Raises:
            OSError: when it can't be opened.
        """
        self.path = folder / name
        self.unreadable = 0
        self._lines: Lines | None = None
        self._places: dict[RunKey, list[_Place]] = {}
        self._size = 0
        self._synced = threading.Lock()  # held while the file is synced, or replaced
        self._error: OSError | None = None
        self._writer: Writer[Step] | None = None
        self._since: float | None = None  # when the first line was written that the disk may not have
        if self.path.exists():
            repair(self.path)
            self._lines = Lines(self.path)
            self._find()

    @property
    def keys(self) -> Collection[RunKey]:
        """Samples that have lines."""
        return self._places.keys()

    @property
    def number(self) -> int:
        """How many lines these have."""
        return sum(map(len, self._places.values()))

    def forget(self, keys: Container[RunKey]) -> None:
        """Leave out the lines of samples that have a record; a kill in between leaves all lines or the rest.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        dead = [key for key in self._places if key in keys]
        for key in dead:
            del self._places[key]
        if dead or self.unreadable:
            self._rewrite()

    def steps(self, key: RunKey) -> list[Step]:
        """What was done for a sample, in its order; read from the disk."""
        places = self._places.get(key)
        if not places:
            return []
        with self._synced, self.path.open("rb") as file:  # not while the file is replaced
            return [step for line in _read(file, places) if (step := parsed_step(line))]

    def append(self, steps: Sequence[Step]) -> None:
        """Write lines; when this returns the death of the process does not lose them.

        Raises:
            OSError: when the disk refuses; the file is then as it was.
        """
        if self._error is not None:
            raise self._error
        lines = [f"{step.line()}\n" for step in steps]
        self._open().append("".join(lines), sync=False)
        for step, line in zip(steps, lines, strict=True):
            length = len(line.encode())
            self._places.setdefault(step.run_key, []).append(_Place(self._size, length))
            self._size += length
        if self._since is None:
            self._since = time.monotonic()

    def put(self, step: Step) -> asyncio.Future[None]:
        """Have a line written with those that wait too, without holding up the event loop.

        Returns:
            A future that ends when the death of the process would not lose the line any more, or with the
            OSError of a disk that refused.

        Raises:
            RuntimeError: outside of :meth:`serving`.
        """
        if self._writer is None:
            raise RuntimeError("the journal is closed")
        return self._writer.hand_in(step)

    def done(self, key: RunKey) -> None:
        """A sample has its record: its lines are dead."""
        self._places.pop(key, None)

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncGenerator[None]:
        """Take lines while the block runs; all are on the disk when it ends.

        Raises:
            OSError: when the file can't be made, before anything is done that would have to go there; or when
                the disk refused to take what it had been given.
        """
        self._open()
        with ThreadPoolExecutor(1, "steps") as writes, ThreadPoolExecutor(1, "sync") as syncs:
            syncing = asyncio.create_task(self._sync_often(syncs))
            try:
                async with writing(self._append_or_tidy, writes) as self._writer:
                    yield
            finally:
                self._writer = None
                syncing.cancel()
                await asyncio.wait([syncing])
        self.sync()
        if self._error is not None:
            raise self._error

    def sync(self) -> None:
        """Wait until the disk has all lines.

        Raises:
            OSError: when it refuses.
        """
        with self._synced:
            if self._lines is not None and self._since is not None:
                self._since = None
                self._lines.sync()

    def close(self) -> None:
        """Let go of the file, which goes where no line of it lives."""
        lines, self._lines = self._lines, None
        if lines is not None:
            lines.close()
            if not self._places:
                self.path.unlink(missing_ok=True)

    def _open(self) -> Lines:
        if self._lines is None:
            self._lines = Lines(self.path)
            sync_folder(self.path.parent)
        return self._lines

    def _append_or_tidy(self, steps: Sequence[Step]) -> None:
        self.append(steps)
        if self._size > _MUCH:
            living = sum(place.length for places in list(self._places.values()) for place in places)
            if living < self._size / 4:
                self._rewrite()

    async def _sync_often(self, pool: ThreadPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SYNC_AFTER / 2)
            if self._since is not None and time.monotonic() - self._since >= SYNC_AFTER / 2:
                try:
                    await loop.run_in_executor(pool, self.sync)
                except OSError as error:
                    self._error = error
                    return

    def _find(self) -> None:
        """Find out whose each line is."""
        start = 0
        with self.path.open("rb") as file:
            for line in file:
                key = key_of(line)
                if key is None:
                    self.unreadable += 1
                else:
                    self._places.setdefault(key, []).append(_Place(start, len(line)))
                start += len(line)
        self._size = start

    def _rewrite(self) -> None:
        """Write the file anew with the lines that live, in their order."""
        living = sorted((place, key) for key, places in list(self._places.items()) for place in list(places))
        found: dict[RunKey, list[_Place]] = {}
        with self._synced:
            with self.path.open("rb") as file:
                content = b"".join(_read(file, [place for place, _ in living]))
            if self._lines is not None:
                self._lines.close()
            try:
                write_whole(self.path, content)
            finally:
                self._lines = Lines(self.path)
            self._since, self._size = None, 0
            for place, key in living:
                found.setdefault(key, []).append(_Place(self._size, place.length))
                self._size += place.length
        for key, places in found.items():
            if key in self._places:  # not done meanwhile
                self._places[key] = places


def read_steps(path: Path) -> Iterator[Step]:
    """Read a ``steps.jsonl``, also of a run that is being written; needs no lock.

    A torn last line is left out, and so is what this version can't read.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n") and (step := parsed_step(line)) is not None:
                yield step


def _read(file: BinaryIO, places: Sequence[_Place]) -> Iterator[bytes]:
    for place in places:
        file.seek(place.start)
        yield file.read(place.length)
