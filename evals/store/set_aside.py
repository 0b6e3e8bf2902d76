"""Records that were set aside for another try, found by key without being held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from evals.compact import NumberBy
from evals.store.records import RunKey, RunRecord

__all__ = ["Interpreted"]


class Interpreted(Mapping[RunKey, RunRecord]):
    """The latest record of each key, where it has an interpretation; 17 bytes a record set aside.

    Each look-up reads one line of the file.
    """

    def __init__(self, path: Path) -> None:
        """Read a file of whole lines once; one that is missing holds none."""
        self._path = path
        self._places = NumberBy()  # where the line begins, plus 1; 0 for one without an interpretation
        self._number = 0
        if path.exists():
            self._read()

    def _read(self) -> None:
        begins = 0
        with self._path.open("rb") as file:
            for line in file:
                record = RunRecord.model_validate_json(line)
                before = self._places.get(record.key)
                now = begins + 1 if record.interpretation is not None else 0
                self._number += bool(now) - bool(before)
                self._places[record.key] = now
                begins += len(line)

    def __getitem__(self, key: RunKey) -> RunRecord:
        """Read the record of a key."""
        place = self._places.get(key)
        if not place:
            raise KeyError(key)
        with self._path.open("rb") as file:
            file.seek(place - 1)
            return RunRecord.model_validate_json(file.readline())

    def __contains__(self, key: object) -> bool:
        """Whether there is one; nothing is read."""
        return bool(isinstance(key, tuple) and self._places.get(key))  # pyright: ignore[reportUnknownArgumentType]

    def __iter__(self) -> Iterator[RunKey]:
        """Keys, in the order of the file; reads it."""
        if not self._number:
            return
        begins = 0
        with self._path.open("rb") as file:
            for line in file:
                key = RunRecord.model_validate_json(line).key
                if self._places.get(key) == begins + 1:
                    yield key
                begins += len(line)

    def __len__(self) -> int:
        """How many there are."""
        return self._number
