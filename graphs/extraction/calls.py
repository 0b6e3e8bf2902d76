"""Calls to the model as they are kept, what they tell of each sentence, and which are still to be made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from agents.asked import ExtractedItem
from agents.schemas import Usage

__all__ = ["Call", "Due", "Failure", "Known", "Stage", "due_calls", "sentence_key"]

Stage = Literal["group", "half", "again"]
"""Why a call was made: a group of sentences, half of one that failed, a sentence that was left out."""


class Failure(BaseModel):
    """Why a call gave no answer: the error's class and its words."""

    model_config = ConfigDict(frozen=True)

    kind: str
    message: str


class Call(BaseModel):
    """One question put to the model, repairs included, and what became of it.

    Attributes:
        asked_with: names model, temperature, prompt and schema.
        model: the model's name.
        stage: why it was asked.
        group: for stage ``group``, the key of the whole group, of which some may have been known.
        sentences: keys of the sentences, in the order of their numbers.
        items: the answer as it came; None after a failure.
        failure: why there is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    asked_with: str
    model: str
    stage: Stage
    group: str = ""
    sentences: tuple[str, ...]
    items: tuple[ExtractedItem, ...] | None = None
    failure: Failure | None = None
    usage: Usage = Usage()
    attempts: int = 1

    @property
    def left_out(self) -> list[str]:
        """Keys of the sentences that the answer does not speak of."""
        if self.items is None:
            return []
        said = {item.number for item in self.items}
        return [key for number, key in enumerate(self.sentences, 1) if number not in said]


def sentence_key(text: str) -> str:
    """32 hex digits that stand for a sentence's text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Known:
    """What the calls of one model, prompt and temperature tell, in memory.

    Attributes:
        usage: tokens of all calls of this model, however they were asked.
    """

    def __init__(self, asked_with: str, model: str, *, retry_failed: bool = False) -> None:
        """Know nothing yet.

        Args:
            asked_with: what calls must have been asked with to count.
            model: the model's name.
            retry_failed: take failures of earlier starts for never asked.
        """
        self.asked_with, self.model, self.usage = asked_with, model, Usage()
        self._retry = retry_failed
        self._made: dict[tuple[Stage, tuple[str, ...]], Call] = {}
        self._groups: dict[str, Call] = {}
        self._answers: dict[str, tuple[Call, int]] = {}
        self._vain: dict[str, Call] = {}

    def take(self, call: Call, *, fresh: bool = False) -> None:
        """Take in a call: of an earlier start, or a ``fresh`` one of this start."""
        if call.model == self.model:
            self.usage += call.usage
        if call.asked_with != self.asked_with or (call.failure and self._retry and not fresh):
            return
        self._made[call.stage, call.sentences] = call
        if call.stage == "group":
            self._groups[call.group] = call
        left_out = set(call.left_out)
        for number, key in enumerate(call.sentences, 1):
            if call.failure or key in left_out:
                self._vain[key] = call
            else:
                self._answers.setdefault(key, (call, number))

    def of_group(self, group: str) -> Call | None:
        """The call that was made for a whole group."""
        return self._groups.get(group)

    def made(self, stage: Stage, sentences: Sequence[str]) -> Call | None:
        """The call that was made for a reason and just these sentences."""
        return self._made.get((stage, tuple(sentences)))

    def answer(self, key: str) -> tuple[Call, int] | None:
        """The call that answered a sentence, and the sentence's number in it."""
        return self._answers.get(key)

    def in_vain(self, key: str) -> Call | None:
        """The last call that did not answer a sentence, where none did."""
        return None if key in self._answers else self._vain.get(key)

    def settled(self, key: str) -> bool:
        """Whether there is nothing left to ask: answered, or left out though asked alone."""
        vain = self._vain.get(key)
        return key in self._answers or (vain is not None and not vain.failure and vain.stage == "again")


@dataclass(frozen=True, slots=True)
class Due:
    """A call that is to be made: why, over which sentences, and for which whole group."""

    stage: Stage
    sentences: tuple[str, ...]
    group: str = ""


def due_calls(known: Known, keys: Sequence[str]) -> Iterator[Due]:
    """The calls that a group still needs, as far as can be told before the first of them is answered.

    A group is asked whole, less what is known from elsewhere. If that fails it is asked again in halves,
    once. A sentence that an answer does not speak of is asked again alone, once. This follows from the kept
    calls alone, so that a new start goes on where a kill ended the last.
    """
    group = hashlib.sha256("\0".join(keys).encode()).hexdigest()[:32]
    call = known.of_group(group)
    if call is not None:
        yield from _due_after(known, call)
    elif left := tuple(key for key in keys if not known.settled(key)):
        yield Due("group", left, group)


def _due_after(known: Known, call: Call) -> Iterator[Due]:
    middle = (len(call.sentences) + 1) // 2
    if call.failure:
        halves = (call.sentences[:middle], call.sentences[middle:])
        if call.stage != "group" or not all(halves):
            return
        for half in halves:
            done = known.made("half", half)
            yield from [Due("half", half)] if done is None else _due_after(known, done)
    elif call.stage != "again":
        for key in call.left_out:
            if not known.settled(key) and known.made("again", [key]) is None:
                yield Due("again", (key,))
