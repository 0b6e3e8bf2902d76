"""Ask about many groups of sentences at once, each call on disk before what follows from it is begun.

Which call comes next follows from the journal alone, so that a new start walks the same way and asks only
what is not there yet: a kill repeats at most the calls that were in flight, ``concurrency`` of them.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from agents.answers import whole_characters
from agents.errors import MetaphorBoostError, ModelUnavailableError
from agents.schemas import ModelCall, Usage
from graphs.durable.stopping import all_of
from graphs.extraction.budget import Budget, Forecast
from graphs.extraction.calls import Call, Due, Failure, due_calls, sentence_key
from graphs.extraction.journal import Journal
from graphs.extraction.stopping import Stop

__all__ = ["Ask", "Asking", "Watcher", "groups_of"]

Ask = Callable[[list[str]], Awaitable[Mapping[str, Any]]]
"""Runs the extraction graph over sentences: its final state, with ``items`` and ``calls``."""

_MOST_FAILURES = 24  # calls in a row, after which nothing better is expected of the others


class Watcher(Protocol):
    """Is told of progress; must not raise."""

    def recorded(self, call: Call) -> None:
        """A call is on disk."""
        ...


def groups_of(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """Sentences in the order of the input, so many at a time; the groups depend on nothing else."""
    for start in range(0, len(texts), size):
        yield list(texts[start : start + size])


class Asking:
    """All that asking needs.

    Args:
        ask: runs the graph.
        journal: where calls are kept.
        forecast: expects a call's tokens.
        budget: limits.
        stop: the wish to stop.
        watcher: is told of progress.
    """

    def __init__(  # noqa: PLR0913 - each a part of its own
        self,
        ask: Ask,
        journal: Journal,
        *,
        forecast: Forecast,
        budget: Budget,
        stop: Stop,
        watcher: Watcher,
    ) -> None:
        self._ask, self._journal, self._known = ask, journal, journal.known
        self._forecast, self._budget = forecast, budget
        self._stop, self._watcher = stop, watcher
        self._writing = asyncio.Lock()
        self._failures = 0

    async def all(self, groups: Iterator[list[str]], *, concurrency: int) -> None:
        """Work through groups; returns when nothing is left to ask, or a stop was asked for.

        Raises:
            OSError: when the disk refuses a call; what was written stays.
        """

        async def hand() -> None:
            for group in groups:
                await self._group(group)
                if self._stop.requested:
                    return

        hands = [asyncio.create_task(hand()) for _ in range(concurrency)]
        for task in hands:
            self._stop.on_at_once(task.cancel)
        await all_of(hands)

    async def _group(self, texts: list[str]) -> None:
        by_key = {sentence_key(text): text for text in texts}
        while (due := next(due_calls(self._known, list(by_key)), None)) is not None:
            if not await self._put(due, by_key):
                return
        await asyncio.sleep(0)  # a long journal is walked without holding up the loop

    async def _put(self, due: Due, by_key: Mapping[str, str]) -> bool:
        """Make a call and keep it; false when it was not to be begun, or its fault ends the run."""
        texts = [by_key[key] for key in due.sentences]
        expected = self._forecast.of(texts)
        if self._stop.requested:
            return False
        if refused := self._budget.refuses(self._known.usage, expected):
            self._stop.ask("budget", f"{refused}, and the next call would pass the limit.")
            return False
        self._budget.begin(expected)
        usage: Usage | None = None
        try:
            outcome = await self._outcome(texts)
            usage = outcome.get("usage")
            if not outcome:
                return False
            call = Call(
                asked_with=self._known.asked_with,
                model=self._known.model,
                stage=due.stage,
                group=due.group,
                sentences=due.sentences,
                **outcome,
            )
            async with self._writing:
                await asyncio.to_thread(self._journal.append, call)
        finally:
            self._budget.end(expected, usage)
        self._watcher.recorded(call)
        return True

    async def _outcome(self, texts: list[str]) -> dict[str, Any]:
        """What a call came to, as parts of its record; empty when its fault is the whole run's."""
        try:
            state = await self._ask(texts)
        except ModelUnavailableError as error:
            self._stop.ask("broken", str(error))
            return {}
        except MetaphorBoostError as error:
            self._count(f"{type(error).__name__}: {error}")
            return {"failure": Failure(kind=type(error).__name__, message=str(error)), **_spent(error.calls)}
        except Exception as error:  # noqa: BLE001 - one bad group never ends the run
            fault = f"{type(error).__name__}: {error}"
            self._count(fault)
            whole = whole_characters(f"{fault}\n{traceback.format_exc()}")
            return {"failure": Failure(kind="internal_error", message=whole)}
        self._failures = 0
        return {"items": tuple(state["items"]), **_spent(state["calls"])}

    def _count(self, fault: str) -> None:
        """Give up on a service that is gone, or a model that can't do it, before all is tried on it."""
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self._stop.ask("broken", f"the last {_MOST_FAILURES} calls all failed, the last so: {fault}")


def _spent(calls: Sequence[ModelCall]) -> dict[str, Any]:
    """Tokens and requests of model calls, as parts of a record."""
    return {
        "usage": sum((call.usage for call in calls), Usage()),
        "attempts": sum(call.attempts for call in calls) or 1,
    }
