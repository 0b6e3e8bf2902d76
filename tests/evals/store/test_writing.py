from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from evals.store.writing import writing


async def test_lines_that_wait_together_share_a_write_and_keep_their_order() -> None:
    batches: list[list[str]] = []
    async with writing(lambda lines: batches.append(list(lines))) as writer:
        await asyncio.gather(*(writer.put(str(i)) for i in range(50)))
        await writer.put("last")
    assert [line for batch in batches for line in batch] == [*map(str, range(50)), "last"]
    assert len(batches) < 10


async def test_put_returns_only_when_the_line_is_written() -> None:
    written: list[str] = []
    async with writing(written.extend) as writer:
        for i in range(5):
            await writer.put(str(i))
            assert written[-1] == str(i)


async def test_a_cancelled_put_is_written_all_the_same() -> None:
    written: list[str] = []
    async with writing(written.extend) as writer:
        task = asyncio.create_task(writer.put("a"))
        await asyncio.sleep(0)
        task.cancel()
    assert written == ["a"]
    assert task.cancelled() or task.cancelling()


async def test_a_refused_write_is_raised_where_it_was_asked_for() -> None:
    def full(_lines: Sequence[str]) -> None:
        raise OSError(28, "No space left on device")

    async with writing(full) as writer:
        with pytest.raises(OSError, match="No space left"):
            await writer.put("a")
