"""What one sample was told before, handed back in its order, and what it is told now, written down."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable

from agents.calls.journal import Finished, Kind
from agents.schemas import ModelCall
from evals.store.records import RunKey
from evals.store.step_lines import Step
from evals.store.steps import Steps

__all__ = ["SampleJournal", "paid"]


class SampleJournal:
    """The journal of one sample of one epoch (:class:`agents.calls.journal.Journal`)."""

    def __init__(self, steps: Steps, key: RunKey) -> None:
        self._steps, self._key = steps, key
        self._loading: asyncio.Task[dict[tuple[Kind, str], deque[Finished]]] | None = None
        self._pending: set[asyncio.Future[None]] = set()
        self._error: OSError | None = None
        self._has_earlier = key in steps.keys

    async def recall(self, kind: Kind, key: str) -> Finished | None:
        """What an earlier start did; what was done several times is given back as often, in its order."""
        if not self._has_earlier:
            return None
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(self._load))
        kept = (await asyncio.shield(self._loading)).get((kind, key))
        return kept.popleft() if kept else None

    async def keep(self, finished: Finished) -> None:
        """Return once a kill of the process would not lose it.

        Raises:
            OSError: when the disk refuses; it is raised again by :meth:`settle`, whoever catches it here.
        """
        written = self._steps.put(Step.of(self._key, finished))
        self._pending.add(written)
        written.add_done_callback(self._ended)
        await asyncio.shield(written)

    async def settle(self) -> None:
        """Wait for what is still being written, and see whether all was.

        Raises:
            OSError: when the disk refused a step: the sample did not end as it would have.
        """
        while self._pending:
            await asyncio.wait(self._pending)
        if self._error is not None:
            raise self._error

    def _ended(self, written: asyncio.Future[None]) -> None:
        self._pending.discard(written)
        error = written.exception()
        if isinstance(error, OSError):
            self._error = self._error or error

    def _load(self) -> dict[tuple[Kind, str], deque[Finished]]:
        found: dict[tuple[Kind, str], deque[Finished]] = defaultdict(deque)
        for step in _in_use(self._steps.steps(self._key)):
            found[step.kind, step.key].append(step.finished)
        return dict(found)


def paid(steps: Iterable[Step]) -> list[tuple[Step, ModelCall]]:
    """The calls that a sample has paid for, each once: an answer's account holds the replies before it."""
    return [(step, step.call) for step in _in_use(steps) if step.call is not None]


def _in_use(steps: Iterable[Step]) -> list[Step]:
    """Steps without the replies that led to an answer."""
    kept: list[Step] = []
    for step in steps:
        if step.kind == "answer":
            kept = [each for each in kept if not (each.kind == "reply" and each.key == step.key)]
        kept.append(step)
    return kept
