"""What has been done already: results are kept as they come, so that a new start does nothing twice.

A journal holds what one sample was told so far. A run that is killed begins its samples again from their
start; each question whose answer had arrived, and each tool that had been called, is then answered by the
journal, in the same words and at the same cost, so that everything comes out as it was up to where it ended.

A node knows nothing of that: it asks in a context that carries the journal, as LangGraph's tasks do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from agents.schemas import ModelCall

__all__ = ["Finished", "Journal", "Kind", "current_journal", "digest_of", "journaled"]

Kind = Literal["answer", "reply", "found"]
"""An answer to a question; a reply on the way to one, which is of no use but was paid for; what was found."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Something done that need not be done again.

    Attributes:
        step: the node that did it.
        kind: what it is.
        key: a digest of all that it depends on, hex.
        result: as plain data.
        call: the account of the question, of what a model was asked.
    """

    step: str
    kind: Kind
    key: str
    result: Mapping[str, Any]
    call: ModelCall | None = None


class Journal(Protocol):
    """What was done for one sample."""

    async def recall(self, kind: Kind, key: str) -> Finished | None:
        """What an earlier start did; what was done several times is given back as often, in its order.

        Raises:
            OSError: when the disk does not give it back.
        """
        ...

    async def keep(self, finished: Finished) -> None:
        """Return once a kill of the process would not lose it.

        Raises:
            OSError: when the disk refuses.
        """
        ...


_JOURNAL: ContextVar[Journal | None] = ContextVar("journal", default=None)


def current_journal() -> Journal | None:
    """The journal of what is done here; None where nobody keeps one."""
    return _JOURNAL.get()


@contextmanager
def journaled(journal: Journal) -> Generator[None]:
    """Keep all that is done inside, and take from it what was done before."""
    token = _JOURNAL.set(journal)
    try:
        yield
    finally:
        _JOURNAL.reset(token)


def digest_of(*parts: object) -> str:
    """Hex SHA-256 over plain data, for a key."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
