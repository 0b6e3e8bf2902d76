"""Put a question to a model, or find its answer among those that were kept; either way, account for it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, message_to_dict, messages_from_dict
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel

from agents.calls import Account, accounting, drawing
from agents.calls.draws import current_draw
from agents.calls.questions import question_key
from agents.errors import AnsweredError, MetaphorBoostError, ProviderError
from agents.json_schema import answer_schema
from agents.names import EMBEDDED
from agents.schemas import ModelCall, Usage
from agents.structured import Answer
from agents.turns import Turn

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from agents.calls.answers import Answers
    from agents.context import Context, Role

__all__ = ["AnswerForm", "Form", "Question", "TurnForm", "put"]

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Question:
    """Who is asked what, and how.

    Attributes:
        context: the run's settings.
        role: who is asked.
        step: the node that asks.
        messages: the conversation.
        prompt: the hash of the prompt's template.
        draw: which of several draws of the same question.
    """

    context: Context
    role: Role
    step: str
    messages: Sequence[BaseMessage]
    prompt: str
    draw: int | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self.context.model_for(self.role)

    def key(self, wanted: object) -> str:
        """The digest of all that its answer depends on."""
        from agents.models import openai_base_url

        context = self.context
        return question_key(
            model=self.model,
            server=context.base_url_for(self.role)
            or (openai_base_url() if self.model.startswith("openai:") else None),
            settings={"temperature": context.temperature_for(self.role), "max_tokens": context.max_tokens},
            messages=self.messages,
            wanted=wanted,
            draw=current_draw(),
        )

    def call(self, account: Account, since: float, **more: Any) -> ModelCall:
        """The account of the call, for the record."""
        seconds = time.monotonic() - since
        return ModelCall(
            step=self.step,
            model=self.model,
            prompt=self.prompt,
            tries=account.tries,
            waited=round(account.waited, 4),
            faults=tuple(account.faults),
            seconds=seconds,
            began=round(time.time() - seconds, 3),
            **more,
        )


class Form(Protocol[R]):
    """What kind of answer is wanted: how it is asked for, kept, and told in a record."""

    @property
    def ask(self) -> Callable[[], Awaitable[R]]:
        """Asks the model."""
        ...

    @property
    def wanted(self) -> object:
        """What sets it apart from other kinds, as plain data."""
        ...

    def dump(self, answer: R) -> dict[str, Any]:
        """As plain data."""
        ...

    def load(self, kept: dict[str, Any]) -> R:
        """Back from plain data."""
        ...

    def told(self, answer: R) -> dict[str, Any]:
        """What a record says of it: ``method``, ``attempts``, ``usage``, ``raw``, ``thinking``."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerForm(Generic[T]):
    """An answer of a schema."""

    schema: type[T]
    ask: Callable[[], Awaitable[Answer[T]]]

    @property
    def wanted(self) -> object:
        """The schema."""
        return answer_schema(self.schema)

    def dump(self, answer: Answer[T]) -> dict[str, Any]:
        """As plain data."""
        usage, value = answer.usage.model_dump(), answer.value.model_dump(mode="json")
        return {"value": value, "usage": usage, "raw": answer.raw, "thinking": answer.thinking} | {
            "method": answer.method
        }

    def load(self, kept: dict[str, Any]) -> Answer[T]:
        """Back from plain data."""
        return Answer(
            value=self.schema.model_validate(kept["value"]),
            raw=kept["raw"],
            thinking=kept["thinking"],
            method=kept["method"],
            attempts=0,
            usage=Usage.model_validate(kept["usage"]),
            seconds=0.0,
        )

    def told(self, answer: Answer[T]) -> dict[str, Any]:
        """What a record says of it."""
        return {
            "method": answer.method,
            "attempts": answer.attempts,
            "usage": answer.usage,
            "raw": answer.raw,
            "thinking": answer.thinking,
        }


@dataclass(frozen=True, slots=True)
class TurnForm:
    """A turn in which tools may be called."""

    tools: Sequence[BaseTool]
    ask: Callable[[], Awaitable[Turn]]

    @property
    def wanted(self) -> object:
        """The tools."""
        return [convert_to_openai_tool(tool) for tool in self.tools]

    def dump(self, answer: Turn) -> dict[str, Any]:
        """As plain data."""
        message = message_to_dict(answer.message)
        return {"message": message, "usage": answer.usage.model_dump(), "thinking": answer.thinking}

    def load(self, kept: dict[str, Any]) -> Turn:
        """Back from plain data."""
        (message,) = messages_from_dict([kept["message"]])
        usage = Usage.model_validate(kept["usage"])
        return Turn(cast("AIMessage", message), usage, 0.0, kept["thinking"])

    def told(self, answer: Turn) -> dict[str, Any]:
        """What a record says of it."""
        return {
            "method": "tools",
            "attempts": 1,
            "usage": answer.usage,
            "raw": str(answer.message.text),
            "thinking": answer.thinking,
        }


async def put(question: Question, form: Form[R], answers: Answers | None) -> tuple[R, ModelCall]:
    """Put a question, unless its answer was kept.

    Kept are answers that could be used; what failed is asked for again. The embedded model is always asked:
    it costs nothing but time, and what it says depends on weights and measures that no key would hold.

    Args:
        question: who is asked what.
        form: what kind of answer is wanted.
        answers: keeps answers; None where each is to be asked for.

    Raises:
        MetaphorBoostError: when there is no answer; its ``calls`` say what was spent in vain.
    """
    since = time.monotonic()
    with accounting() as account, _numbered(question.draw):
        try:
            if answers is None or question.model == EMBEDDED:
                answer, was_kept = await form.ask(), False
            else:
                key = await asyncio.to_thread(question.key, form.wanted)
                answer, was_kept = await answers.recalled(key, form.ask, load=form.load, dump=form.dump)
        except MetaphorBoostError as error:
            if account.tries > 1 and isinstance(error, ProviderError):
                error.args = (f"{error}\n({account.tries} tries, {account.waited:.0f} s waited)",)
            if _was_asked(error):
                error.calls = (_in_vain(question, account, since, error),)
            raise
    told = form.told(answer)
    if was_kept:
        told |= {"attempts": 0, "usage": Usage(), "cached": told["usage"]}
    return answer, question.call(account, since, **told)


def _numbered(draw: int | None) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext() if draw is None else drawing(draw)


def _was_asked(error: MetaphorBoostError) -> bool:
    """Whether a model or its service was asked, and not, say, a budget spent before the first request."""
    paid = error.usage is not None and error.usage.total_tokens > 0
    return paid or isinstance(error, AnsweredError | ProviderError)


def _in_vain(question: Question, account: Account, since: float, error: MetaphorBoostError) -> ModelCall:
    spent: dict[str, Any] = {"attempts": max(error.attempts, 1), "usage": error.usage or Usage()}
    return question.call(account, since, method="failed", raw=error.raw, **spent)
