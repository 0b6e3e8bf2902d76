"""A set of keys, and numbers by key, that hold eight bytes of digest in place of each key.

Two of n keys share a digest with a probability of about n^2 / 2^65: one in forty million for a million.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from hashlib import blake2b

__all__ = ["Key", "NumberBy", "Seen"]

Key = str | tuple[str, int]
"""An id, or an id with a number: a sample of an epoch."""

_SHARDS = 1 << 10
"""Sorted arrays that digests are spread over: so short that to insert into one costs next to nothing."""


class Seen:
    """A set of keys that only grows; 8.5 bytes a key, and 80 kB before the first."""

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        """Take the keys there are."""
        self._shards = [array("Q") for _ in range(_SHARDS)]
        self._number = 0
        for key in keys:
            self.add(key)

    def add(self, key: Key) -> bool:
        """Take a key; whether it is new."""
        digest = _digest(key)
        shard = self._shards[digest % _SHARDS]
        place = bisect_left(shard, digest)
        if place < len(shard) and shard[place] == digest:
            return False
        shard.insert(place, digest)
        self._number += 1
        return True

    def __contains__(self, key: object) -> bool:
        """Whether a key was taken."""
        if not isinstance(key, str | tuple):
            return False
        digest = _digest(key)  # pyright: ignore[reportUnknownArgumentType] - any other tuple is a caller's bug
        shard = self._shards[digest % _SHARDS]
        place = bisect_left(shard, digest)
        return place < len(shard) and shard[place] == digest

    def __len__(self) -> int:
        """How many there are."""
        return self._number


class NumberBy:
    """A number from 0 to 2^64 - 1 for each key; 17 bytes a key, and 160 kB before the first."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._digests = [array("Q") for _ in range(_SHARDS)]
        self._values = [array("Q") for _ in range(_SHARDS)]
        self._number = 0

    def __setitem__(self, key: Key, value: int) -> None:
        """Give a key its number, in place of an earlier one."""
        digests, values, place, found = self._find(key)
        if found:
            values[place] = value
        else:
            self._insert(digests, values, place, key, value)

    def setdefault(self, key: Key, value: int) -> int:
        """The number of a key; the one given where it had none."""
        digests, values, place, found = self._find(key)
        if found:
            return values[place]
        self._insert(digests, values, place, key, value)
        return value

    def get(self, key: Key) -> int | None:
        """The number of a key; None where it has none."""
        _, values, place, found = self._find(key)
        return values[place] if found else None

    def __contains__(self, key: object) -> bool:
        """Whether a key has a number."""
        return isinstance(key, str | tuple) and self._find(key)[3]  # pyright: ignore[reportUnknownArgumentType]

    def __len__(self) -> int:
        """How many keys there are."""
        return self._number

    def _find(self, key: Key) -> tuple[array[int], array[int], int, bool]:
        digest = _digest(key)
        shard = digest % _SHARDS
        digests = self._digests[shard]
        place = bisect_left(digests, digest)
        return digests, self._values[shard], place, place < len(digests) and digests[place] == digest

    def _insert(self, digests: array[int], values: array[int], place: int, key: Key, value: int) -> None:
        digests.insert(place, _digest(key))
        values.insert(place, value)
        self._number += 1


def _digest(key: Key) -> int:
    text = key if isinstance(key, str) else f"{key[1]}\0{key[0]}"
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
