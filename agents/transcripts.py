"""A sample's trace as a transcript that a judge can read: what was thought, said, looked up, in order.

It is made of what records keep raw: thinking that came apart from an answer (``reasoning_content``, a
provider's thoughts) or in tags (``<think>``), words beside tool calls, the calls with what tools
answered, and what was handed to the interpreting step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents.answers import NoAnswerError, extract_json, split_thinking
from agents.diagnoses import Where
from agents.quotations import find, mentioned
from agents.schemas import Hop, Interpretation, ModelCall
from agents.schemas import Mapping as MetaphorMapping

__all__ = ["Piece", "Shown", "Transcript", "shown", "transcript_of"]

_JUDGES = ("judge", "cut_short", "diagnose")
_OUTCOMES = frozenset({"keywords", "entries", "associations"})  # of an answer: what is shown elsewhere
_UNIT = 300  # tokens of a unit at most: what is left out goes by units
_MARK = "== "
_HEAD, _GAP = 8, 16  # tokens of a line above a piece, and of the one that says what is left out
_FENCE = re.compile(r"```\w*|<\|\w+\|>")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a trace.

    Attributes:
        where: what it is.
        step: the step that it comes from; empty for none.
        text: in the model's or the tool's own words.
    """

    where: Where
    step: str
    text: str

    @property
    def head(self) -> str:
        """The line above it."""
        return f"{_MARK}{self.where}{f' ({self.step})' if self.step else ''}"


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole trace.

    Attributes:
        pieces: in the order of time.
        entries: what it led to, a line each.
    """

    pieces: tuple[Piece, ...]
    entries: Piece

    @property
    def thinking(self) -> bool:
        """Whether the model gave any thinking."""
        return any(piece.where == "thinking" for piece in self.pieces)

    def locate(self, quotation: str) -> tuple[Piece, str] | None:
        """The piece that a quotation stands in, thinking first and entries last, and its words there."""
        for piece in self._by_worth():
            if place := find(quotation, piece.text):
                return piece, piece.text[slice(*place)]
        return None

    def naming(self, element: str) -> tuple[Piece, str] | None:
        """The piece that names an element, and how it stands there with what is around it."""
        for piece in self._by_worth():
            if place := mentioned(element, piece.text):
                start, end = max(place[0] - 30, 0), place[1] + 30
                return piece, " ".join(piece.text[start:end].split())
        return None

    def _by_worth(self) -> list[Piece]:
        order = {"thinking": 0, "answer": 1, "hop": 2}
        return [*sorted(self.pieces, key=lambda piece: order.get(piece.where, 3)), self.entries]


def transcript_of(state: Mapping[str, Any]) -> Transcript:
    """The trace in a state of the diagnosing graph.

    What a judge said is left out. Of an answer in JSON only what is shown nowhere else is taken: the steps
    that were written out before the entries count as thinking.
    """
    calls = [ModelCall.model_validate(call) for call in state.get("calls") or ()]
    hops = [Hop.model_validate(hop) for hop in state.get("hops") or ()]
    mappings = [MetaphorMapping.model_validate(each) for each in state.get("mappings") or ()]
    given = [each.line for each in mappings] + [str(each) for each in state.get("passages") or ()]
    keywords = [str(word) for word in state.get("keywords") or ()]
    pieces = [Piece("keywords", "", "\n".join(keywords))] if keywords else []
    pieces += _said(calls, hops, Piece("associations", "", "\n".join(given)))
    prediction = Interpretation.model_validate(state["prediction"])
    return Transcript(
        tuple(piece for piece in pieces if piece.text.strip()), Piece("entries", "", prediction.text)
    )


def _said(calls: Sequence[ModelCall], hops: Sequence[Hop], given: Piece) -> Iterator[Piece]:
    """What calls said: each round's hops behind their call, what was given before the call that read it."""
    left, told, turn = list(hops), False, 0
    for call in calls:
        if call.step.startswith(_JUDGES):
            continue
        if call.step.startswith("interpret") and not told:
            yield from _hops(left)
            yield given
            left, told = [], True
        yield from _of_call(call)
        if call.step == "explore" and left:
            turn += 1
            yield from _hops([hop for hop in left if hop.round == turn])
            left = [hop for hop in left if hop.round != turn]
    yield from _hops(left)
    if not told:
        yield given


def _of_call(call: ModelCall) -> Iterator[Piece]:
    tagged, answer = split_thinking(call.raw)
    thoughts = dict.fromkeys(part.strip() for part in (call.thinking, tagged) if part.strip())
    whole = [each for each in thoughts if not any(each != other and each in other for other in thoughts)]
    for each in whole:
        yield Piece("thinking", call.step, each)
    steps, words = _written(answer)
    if steps:
        yield Piece("thinking", call.step, steps)
    if words:
        yield Piece("answer", call.step, words)


def _written(answer: str) -> tuple[str, str]:
    """What an answer holds besides its outcome: steps that were written out, and words outside of JSON."""
    try:
        value = extract_json(answer)
    except NoAnswerError:
        return "", answer.strip()
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    lines = [f"{name}: {_plain(part)}" for name, part in fields.items() if name not in _OUTCOMES and part]
    around = (_FENCE.sub("", words).strip() for words in _around_objects(answer))
    return "\n".join(lines), "\n".join(words for words in around if words)


def _around_objects(answer: str) -> list[str]:
    """What stands around JSON objects; of an answer whose only object is broken, what is outside of it."""
    decoder, around, last, start = json.JSONDecoder(strict=False), list[str](), 0, answer.find("{")
    while start >= 0:
        try:
            _, end = decoder.raw_decode(answer, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            around.append(answer[last:start])
            last = end
        start = answer.find("{", end)
    if last:
        return [*around, answer[last:]]
    opened = min((at for each in "{[" if (at := answer.find(each)) >= 0), default=len(answer))
    closed = max(answer.rfind("}"), answer.rfind("]"), opened - 1) + 1
    return [answer[:opened], answer[closed:]]


def _plain(part: object) -> str:
    return part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)


def _hops(hops: Sequence[Hop]) -> Iterator[Piece]:
    for hop in hops:
        asked = json.dumps(hop.arguments, ensure_ascii=False)
        yield Piece("hop", f"round {hop.round}", f"{hop.tool}({asked})\n{hop.answer}")


@dataclass(frozen=True, slots=True)
class Shown:
    """A transcript as a prompt shows it.

    Attributes:
        text: its pieces under their heads; where some were left out, it says so.
        tokens: of the text.
        left_out: tokens that were left out.
    """

    text: str
    tokens: int
    left_out: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """A paragraph of a piece, short enough to be shown or left out as a whole."""

    piece: Piece
    text: str
    tokens: int


def shown(transcript: Transcript, most: int) -> Shown:
    """A transcript within a number of tokens: what is too long loses whole paragraphs from its middle.

    Args:
        transcript: the trace.
        most: tokens, without the entries, which the prompt shows apart.
    """
    units = [unit for piece in transcript.pieces for unit in _units(piece)]
    total = sum(unit.tokens for unit in units)
    if total <= most:
        return _counted(_laid(units, [], 0), 0)
    first, last, used = 0, len(units), 0
    while first < last:
        front = first <= len(units) - last  # in turn from both ends
        unit = units[first] if front else units[last - 1]
        if used + unit.tokens > most - _GAP:
            break
        used += unit.tokens
        first, last = (first + 1, last) if front else (first, last - 1)
    return _counted(_laid(units[:first], units[last:], total - used), total - used)


def _counted(text: str, left_out: int) -> Shown:
    from agents.tokens import count_tokens

    return Shown(text, count_tokens(text), left_out)


def _units(piece: Piece) -> Iterator[_Unit]:
    from agents.tokens import count_tokens

    head = _HEAD
    for paragraph in piece.text.splitlines():
        for text in _short(paragraph):
            if text.strip():
                yield _Unit(piece, text, count_tokens(text) + 1 + head)
                head = 0


def _short(paragraph: str) -> list[str]:
    """A paragraph as pieces of some hundred tokens, cut at spaces, or anywhere where there are none."""
    from agents.tokens import count_tokens

    if len(paragraph) < _UNIT or count_tokens(paragraph) <= _UNIT:
        return [paragraph]
    middle = len(paragraph) // 2
    at = paragraph.rfind(". ", 0, middle) + 1 or paragraph.rfind(" ", 0, middle)
    at = at if at > len(paragraph) // 4 else middle
    return [*_short(paragraph[:at]), *_short(paragraph[at:])]


def _laid(front: Sequence[_Unit], back: Sequence[_Unit], left_out: int) -> str:
    lines: list[str] = []
    last: Piece | None = None
    for units in (front, back):
        if units is back and left_out:
            lines.append(f"{_MARK}left out here, for length: {left_out:,} tokens")
            last = None
        for unit in units:
            if unit.piece is not last:
                lines.append(unit.piece.head)
                last = unit.piece
            # Material can't pass for one of our heads.
            posing = unit.text.lstrip().startswith(_MARK)
            lines.append(f"={unit.text.lstrip(' =')}" if posing else unit.text)
    return "\n".join(lines)
