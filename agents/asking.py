"""Put a question to a model, or find its answer among those that were kept; either way, account for it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from langchain_core.messages import BaseMessage

from agents.calls import Account, accounting, drawing
from agents.calls.draws import current_draw
from agents.calls.journal import Finished, Journal, current_journal
from agents.calls.questions import question_keys
from agents.calls.replies import replying
from agents.errors import AnsweredError, MetaphorBoostError, ProviderError
from agents.forms import Form
from agents.names import EMBEDDED
from agents.schemas import ModelCall, Usage

if TYPE_CHECKING:
    from agents.calls.answers import Answers
    from agents.context import Context, Role

__all__ = ["Question", "put"]

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

    def keys(self, wanted: object) -> tuple[str, str]:
        """The digest of all that its answer depends on: for every run, and for this run wherever it asks."""
        from agents.models import openai_base_url

        context = self.context
        return question_keys(
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


async def put(question: Question, form: Form[R], answers: Answers | None) -> tuple[R, ModelCall]:
    """Put a question, unless it was answered before.

    What this run was answered before it was killed is in its journal and counts as what it is: asked by this
    run, and paid for. What others were answered is kept in ``answers``; those are answers that could be used,
    and what failed is asked for again. Of these the embedded model knows none: it costs nothing but time, and
    what it says depends on weights and measures that no key would hold.

    Args:
        question: who is asked what.
        form: what kind of answer is wanted.
        answers: keeps answers; None where each is to be asked for.

    Raises:
        MetaphorBoostError: when there is no answer; its ``calls`` say what was spent in vain.
        OSError: when a journal is kept, and the disk refuses.
    """
    since = time.monotonic()
    with accounting() as account, _numbered(question.draw):
        put_now = _Put(question, form, None if question.model == EMBEDDED else answers, account, since)
        try:
            return await put_now.answered()
        except MetaphorBoostError as error:
            if account.tries > 1 and isinstance(error, ProviderError):
                error.args = (f"{error}\n({account.tries} tries, {account.waited:.0f} s waited)",)
            if _was_asked(error):
                error.calls = (_in_vain(question, account, since, error),)
            raise


@dataclass(frozen=True, slots=True)
class _Put(Generic[R]):
    """A question that is being put."""

    question: Question
    form: Form[R]
    answers: Answers | None
    account: Account
    since: float

    async def answered(self) -> tuple[R, ModelCall]:
        """The answer and its account: from the journal, or kept, or asked for."""
        journal = current_journal()
        if journal is None and self.answers is None:
            return await self._asked(None, "")
        everywhere, here = await _digested(self.question, self.form.wanted)
        if journal is not None and (before := await self._before(journal, here)) is not None:
            return before
        if self.answers is None:
            return await self._asked(journal, here)
        made: list[ModelCall] = []

        async def ask() -> R:
            answer, call = await self._asked(journal, here)
            made.append(call)
            return answer

        answer, was_kept = await self.answers.recalled(
            everywhere, ask, load=self.form.load, dump=self.form.dump
        )
        return (answer, made[0]) if not was_kept else await self._kept(answer, journal, here)

    async def _before(self, journal: Journal, key: str) -> tuple[R, ModelCall] | None:
        finished = await journal.recall("answer", key)
        if finished is None or finished.call is None:
            return None
        with contextlib.suppress(ValueError, TypeError, KeyError):  # the work of another version
            answer = self.form.load(dict(finished.result))
            told = self.form.told(answer)
            return answer, finished.call.model_copy(
                update={"raw": told["raw"], "thinking": told["thinking"], "step": self.question.step}
            )
        return None

    async def _asked(self, journal: Journal | None, key: str) -> tuple[R, ModelCall]:
        """Ask; in the journal before it is anywhere else."""
        question, account, since = self.question, self.account, self.since
        if journal is None:
            answer = await self.form.ask()
            return answer, question.call(account, since, **self.form.told(answer))
        with replying(journal, key, account, lambda **more: question.call(account, since, **more)):
            answer = await self.form.ask()
        call = question.call(account, since, **self.form.told(answer))
        await self._note(journal, key, answer, call)
        return answer, call

    async def _kept(self, answer: R, journal: Journal | None, key: str) -> tuple[R, ModelCall]:
        """An answer that others were given; the journal has it too, since it might not be kept for long."""
        told = self.form.told(answer)
        told |= {"attempts": 0, "usage": Usage(), "cached": told["usage"]}
        call = self.question.call(self.account, self.since, **told)
        if journal is not None:
            await self._note(journal, key, answer, call)
        return answer, call

    async def _note(self, journal: Journal, key: str, answer: R, call: ModelCall) -> None:
        """Write an answer down, its words once."""
        brief = call.model_copy(update={"raw": "", "thinking": ""})
        await journal.keep(Finished(call.step, "answer", key, self.form.dump(answer), brief))


async def _digested(question: Question, wanted: object) -> tuple[str, str]:
    """The keys of a question; with pictures in it, they take longer than an event loop can spare."""
    if all(isinstance(message.content, str) for message in question.messages):
        return question.keys(wanted)
    return await asyncio.to_thread(question.keys, wanted)


def _numbered(draw: int | None) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext() if draw is None else drawing(draw)


def _was_asked(error: MetaphorBoostError) -> bool:
    """Whether a model or its service was asked, and not, say, a budget spent before the first request."""
    paid = error.usage is not None and error.usage.total_tokens > 0
    return paid or isinstance(error, AnsweredError | ProviderError)


def _in_vain(question: Question, account: Account, since: float, error: MetaphorBoostError) -> ModelCall:
    spent: dict[str, Any] = {"attempts": max(error.attempts, 1), "usage": error.usage or Usage()}
    return question.call(account, since, method="failed", raw=error.raw, **spent)
