"""What a node works with: models by role, frames, prompts and tools, each opened when first asked for.

A node is an async function of the state and a desk. Graphs lay the desk; a node never opens a file,
a key or a model itself, so that compiling a graph needs none of them.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from agents.errors import AnsweredError, MetaphorBoostError
from agents.schemas import ModelCall, Usage
from agents.structured import Answer, structured

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.tools import BaseTool

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
    """

    context: Context
    prompts: Prompts
    model: Callable[[Role], Awaitable[BaseChatModel]]
    look: Callable[[str], Awaitable[FrameSheet | VideoSheet]]
    tools: Callable[[], Awaitable[Sequence[BaseTool]]]

    async def ask(
        self, role: Role, step: str, messages: Sequence[BaseMessage], schema: type[T], *, prompt: str
    ) -> tuple[Answer[T], ModelCall]:
        """Ask a role's model for a schema, and account for it.

        Args:
            role: who is asked.
            step: the node that asks, for the record.
            messages: the conversation, pictures included.
            schema: what the answer must fit.
            prompt: the hash of the prompt's template.

        Raises:
            ModelOutputError: when no answer fits after the bounded repairs.
            RefusedError: when the model declines.
            ProviderError: when the service fails.
        """
        name = self.context.model_for(role)
        model, started = await self.model(role), time.monotonic()
        try:
            answer = await structured(model, messages, schema, name=name)
        except MetaphorBoostError as error:
            if not isinstance(error, AnsweredError) and not (error.usage and error.usage.total_tokens):
                raise  # nothing was answered, so that nothing was paid
            vain = ModelCall(
                step=step,
                model=name,
                method="failed",
                attempts=max(error.attempts, 1),
                seconds=time.monotonic() - started,
                usage=error.usage or Usage(),
                raw=error.raw,
                prompt=prompt,
            )
            error.calls = (vain,)
            raise
        call = ModelCall(
            step=step,
            model=name,
            method=answer.method,
            attempts=answer.attempts,
            seconds=answer.seconds,
            usage=answer.usage,
            raw=answer.raw,
            thinking=answer.thinking,
            prompt=prompt,
        )
        return answer, call
