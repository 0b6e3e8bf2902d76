"""What a node works with: models by role, frames, prompts and tools, each opened when first asked for.

A node is an async function of the state and a desk. Graphs lay the desk; a node never opens a file,
a key or a model itself, so that compiling a graph needs none of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from agents.asking import Question, put
from agents.forms import AnswerForm, TurnForm
from agents.schemas import ModelCall
from agents.structured import Answer, structured
from agents.turns import Turn, call_tools_turn

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.tools import BaseTool

    from agents.calls.answers import Answers
    from agents.context import Context, Role
    from agents.prompts import Prompts
    from agents.video_input import VideoSheet

__all__ = ["Desk", "FrameLike", "FrameSheet"]

T = TypeVar("T", bound=BaseModel)


class FrameLike(Protocol):
    """One encoded frame: its moment in seconds, and the bytes of a JPEG."""

    @property
    def timestamp(self) -> float:
        """Seconds since the start of the video."""
        ...

    @property
    def jpeg(self) -> bytes:
        """The encoded picture."""
        ...

    @property
    def shot(self) -> int | None:
        """Number of its shot, from 0, where cuts were looked for."""
        ...


class FrameSheet(Protocol):
    """The frames of one video in the order of time, and what is to be said of them."""

    @property
    def frames(self) -> Sequence[FrameLike]:
        """At least one frame."""
        ...

    @property
    def digest(self) -> str:
        """Names the video's content and how it was sampled."""
        ...

    @property
    def reader(self) -> str:
        """What decoded them."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What was odd about the file."""
        ...


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything a node may pick up.

    Attributes:
        context: the run's settings.
        prompts: its prompts.
        model: opens the model that plays a role; the same one every time.
        look: reads the frames of a video, or sees to it that the video itself can be shown.
        tools: opens what the model may call.
        answers: keeps answers; None where each is to be asked for.
    """

    context: Context
    prompts: Prompts
    model: Callable[[Role], Awaitable[BaseChatModel]]
    look: Callable[[str], Awaitable[FrameSheet | VideoSheet]]
    tools: Callable[[], Awaitable[Sequence[BaseTool]]]
    answers: Answers | None = None

    async def ask(  # noqa: PLR0913 - what makes a question
        self,
        role: Role,
        step: str,
        messages: Sequence[BaseMessage],
        schema: type[T],
        *,
        prompt: str,
        draw: int | None = None,
    ) -> tuple[Answer[T], ModelCall]:
        """Ask a role's model for a schema, and account for it.

        Args:
            role: who is asked.
            step: the node that asks, for the record.
            messages: the conversation, pictures included.
            schema: what the answer must fit.
            prompt: the hash of the prompt's template.
            draw: which of several draws of the same question; None where it is put once.

        Raises:
            ModelOutputError: when no answer fits after the bounded repairs.
            RefusedError: when the model declines.
            ProviderError: when the service fails.
        """
        model, name = await self.model(role), self.context.model_for(role)
        return await put(
            Question(self.context, role, step, messages, prompt, draw),
            AnswerForm(schema, lambda: structured(model, messages, schema, name=name)),
            self.answers,
        )

    async def turn(
        self,
        role: Role,
        step: str,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        *,
        prompt: str,
    ) -> tuple[Turn, ModelCall]:
        """Let a role's model answer or call tools, and account for it.

        Args:
            role: who is asked.
            step: the node that asks, for the record.
            messages: the conversation.
            tools: what may be called.
            prompt: the hash of the prompt's template.

        Raises:
            ToolsUnsupported: when the model can't be given tools.
            RefusedError: when the model declines.
            ProviderError: when the service fails.
        """
        model, name = await self.model(role), self.context.model_for(role)
        return await put(
            Question(self.context, role, step, messages, prompt),
            TurnForm(tools, lambda: call_tools_turn(model, messages, tools, name=name)),
            self.answers,
        )
