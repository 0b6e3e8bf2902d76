from __future__ import annotations

import sys
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.compact import NumberBy, Seen

keys = st.one_of(st.text(max_size=4), st.tuples(st.text(max_size=4), st.integers(1, 3)))


@settings(deadline=None)
@given(st.lists(keys))
def test_seen_is_a_set(given_keys: list[str | tuple[str, int]]) -> None:
    seen, known = Seen(), set[str | tuple[str, int]]()
    for key in given_keys:
        assert seen.add(key) == (key not in known)
        known.add(key)
    assert len(seen) == len(known)
    assert all(key in seen for key in known)
    assert ("no such", 9) not in seen
    assert 3 not in seen


@settings(deadline=None)
@given(st.lists(st.tuples(keys, st.integers(0, 2**64 - 1))))
def test_number_by_is_a_dict(pairs: list[tuple[str | tuple[str, int], int]]) -> None:
    numbers, known = NumberBy(), dict[str | tuple[str, int], int]()
    for key, value in pairs:
        assert numbers.setdefault(key, value) == known.setdefault(key, value)
        numbers[key] = known[key] = value
    assert len(numbers) == len(known)
    assert all(numbers.get(key) == value for key, value in known.items())
    assert numbers.get(("no such", 9)) is None
    assert ("no such", 9) not in numbers


def test_a_key_takes_less_than_nine_bytes_and_a_number_less_than_eighteen() -> None:
    seen, numbers = Seen(), NumberBy()
    for number in range(40_000):
        seen.add((f"video_{number}", 1))
        numbers[f"video_{number}"] = number
    assert (_bytes(seen) - _bytes(Seen())) / 40_000 < 9.5
    assert (_bytes(numbers) - _bytes(NumberBy())) / 40_000 < 19


def _bytes(of: object) -> int:
    shards = (shard for part in vars(of).values() if isinstance(part, list) for shard in part)
    return sum(sys.getsizeof(shard) for shard in shards if isinstance(shard, array))
