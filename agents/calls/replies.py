"""Replies on the way to an answer: those of no use were paid for too, and are not asked for again."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict

from agents.calls.account import Account
from agents.calls.journal import Finished, Journal
from agents.schemas import ModelCall, Usage

__all__ = ["Reply", "earlier_reply", "keep_reply", "replying"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said to one request.

    Attributes:
        message: as it came.
        usage: its tokens.
        method: how the answer was asked for.
        parsed: what its client made of it, where it did.
    """

    message: AIMessage
    usage: Usage
    method: str
    parsed: Any = None


@dataclass(frozen=True, slots=True)
class _Exchange:
    """One question whose replies are kept."""

    journal: Journal
    key: str
    account: Account
    told: Callable[..., ModelCall]


_EXCHANGE: ContextVar[_Exchange | None] = ContextVar("exchange", default=None)


@contextmanager
def replying(journal: Journal, key: str, account: Account, told: Callable[..., ModelCall]) -> Generator[None]:
    """Keep the replies to one question.

    Args:
        journal: of the sample.
        key: of the question.
        account: of its tries; continued where an earlier start left it.
        told: makes the account of a call, of ``method``, ``attempts`` and ``usage``.
    """
    token = _EXCHANGE.set(_Exchange(journal, key, account, told))
    try:
        yield
    finally:
        _EXCHANGE.reset(token)


async def earlier_reply() -> Reply | None:
    """The next reply that an earlier start was given to this question; None where it was given no more."""
    exchange = _EXCHANGE.get()
    kept = await exchange.journal.recall("reply", exchange.key) if exchange else None
    if exchange is None or kept is None or kept.call is None:
        return None
    account, call = exchange.account, kept.call
    account.tries, account.waited, account.faults = call.tries, call.waited, [*cast("Any", call.faults)]
    (message,) = messages_from_dict([cast("dict[str, Any]", kept.result["message"])])
    return Reply(cast("AIMessage", message), call.usage, call.method, kept.result.get("parsed"))


async def keep_reply(reply: Reply) -> None:
    """Keep a reply that is of no use, before the model is asked to mend it or the question is given up.

    Raises:
        OSError: when the disk refuses.
    """
    exchange = _EXCHANGE.get()
    if exchange is None:
        return
    call = exchange.told(method=reply.method, attempts=1, usage=reply.usage)
    result: Mapping[str, Any] = {"message": message_to_dict(reply.message)}
    if reply.parsed is not None:
        result = {**result, "parsed": json.loads(json.dumps(reply.parsed, default=str))}
    await exchange.journal.keep(Finished(call.step, "reply", exchange.key, result, call))
