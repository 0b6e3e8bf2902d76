"""What a model thought, said and was told, raw and in order, with the places that are quoted of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agents.quotations import find
from agents.schemas import Hop, ModelCall
from evals.store.records import RunRecord

__all__ = ["Block", "Quotation", "blocks"]

_JUDGE = "judge"
_ROUND = "explore"


@dataclass(frozen=True, slots=True)
class Block:
    """One text.

    Attributes:
        title: above it.
        text: as it came.
        where: in a diagnosis's words: ``thinking``, ``answer`` or ``hop``; empty for what it doesn't read.
        step: likewise: of the model, or ``round 2``.
    """

    title: str
    text: str
    where: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True)
class Quotation:
    """What is to be marked.

    Attributes:
        number: of the deficiency.
        text: as it stands there.
        where: the part that it stands in.
        step: the step, or round, that said it.
    """

    number: int
    text: str
    where: str
    step: str

    def may_be_in(self, block: Block) -> bool:
        """Whether a block is of the part; thinking may be in tags, or written out, in an answer."""
        where = {"thinking": ("thinking", "answer")}.get(self.where, (self.where,))
        return bool(block.where) and block.where in where and block.step == self.step


def blocks(record: RunRecord, quotations: Sequence[Quotation] = ()) -> list[list[Any]]:
    """``[title, text]`` or ``[title, text, marks]``, in the order in which things were said.

    What tools answered stands behind the answer that asked for it.

    Args:
        record: whose.
        quotations: what is marked.

    Returns:
        Marks are ``[start, end, number]`` in UTF-16 units, which is how pages count.
    """
    parts = [block for block in _said(record) if block.text]
    marks: dict[int, list[list[int]]] = {}
    for quotation in quotations:
        if placed := _placed(quotation, parts):
            block, start, end = placed
            text = parts[block].text
            marks.setdefault(block, []).append([_units(text[:start]), _units(text[:end]), quotation.number])
    return [
        [block.title, block.text, sorted(marks[place])] if place in marks else [block.title, block.text]
        for place, block in enumerate(parts)
    ]


def _said(record: RunRecord) -> Iterator[Block]:
    """Each round's look-ups follow their call; those of no round stand before the judge."""
    left, turn = list(record.hops), 0
    for call in record.calls:
        if call.step.startswith(_JUDGE):
            yield from map(_hop, left)
            left = []
        yield from _call(call)
        if call.step == _ROUND and left:
            turn += 1
            yield from (_hop(hop) for hop in left if hop.round == turn)
            left = [hop for hop in left if hop.round != turn]
    yield from map(_hop, left)
    for error in record.errors:
        yield Block(error.kind, error.raw)
        yield Block("traceback", error.traceback)


def _call(call: ModelCall) -> Iterator[Block]:
    is_read = not call.step.startswith(_JUDGE)
    yield Block(f"{call.step}, thinking", call.thinking, "thinking" if is_read else "", call.step)
    yield Block(call.step, call.raw, "answer" if is_read else "", call.step)


def _hop(hop: Hop) -> Block:
    turn = f"round {hop.round}"
    asked = json.dumps(hop.arguments, ensure_ascii=False, default=str)
    title = f"{hop.tool}, {turn}{', failed' if hop.failed else ''}"
    return Block(title, f"{asked}\n{hop.answer}", "hop", turn)


def _placed(quotation: Quotation, parts: Sequence[Block]) -> tuple[int, int, int] | None:
    """Block, start and end; a quotation of what stands in JSON is looked for as JSON spells it too."""
    spelled = (json.dumps(quotation.text, ensure_ascii=plain)[1:-1] for plain in (False, True))
    for wanted in dict.fromkeys([quotation.text, *spelled]):
        for place, block in enumerate(parts):
            if quotation.may_be_in(block) and (found := find(wanted, block.text)):
                return place, *found
    return None


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
