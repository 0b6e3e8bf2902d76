"""Kinds of answers: how each is asked for, kept, and told in a record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel

from agents.json_schema import answer_schema
from agents.schemas import Usage
from agents.structured import Answer
from agents.turns import Turn

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = ["AnswerForm", "Form", "TurnForm"]

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")


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
