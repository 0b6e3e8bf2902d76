"""Reads what is asked out of a conversation: the tagged parts, the pictures and what tools have answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from agents.embedded.pictures import Picture
from agents.embedded.writer import Turn
from agents.schemas import Entry

__all__ = ["Link", "Question", "read"]

_TAGS = ("title", "keywords", "associations", "gold", "prediction", "transcript")
_MOMENT = re.compile(r"^\s*Frame at (\d+(?:\.\d+)?) s", re.IGNORECASE)
_SHOT = re.compile(r"^-\s+(The video presents .+)$", re.MULTILINE)
_ALSO = re.compile(r"\s*\[also from ([^\]]*)\]\s*$")
_BULLET = re.compile(r"^\s*(?:[-*]|\d+[.)])\s+")
_DATA_URL = re.compile(r"^data:[\w/+.-]+;base64,", re.IGNORECASE)


class Link(NamedTuple):
    """One association that a tool or a prompt gave.

    Attributes:
        element: what is seen.
        concept: what it may stand for.
        ground: why, in a few words; may be empty.
        steps: hops between the two, 1 or more.
        also: further elements that lead there.
    """

    element: str
    concept: str
    ground: str = ""
    steps: int = 1
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A conversation, read.

    Attributes:
        turns: its texts without pictures, in order.
        pictures: of all messages, in order.
        tags: text between the known tags, the last of each; absent ones are missing.
        shots: worked examples in the prompt.
        called: arguments of the tool calls made since the last question of a person, a list each round.
        answers: what tools answered since then.
    """

    turns: tuple[Turn, ...]
    pictures: tuple[Picture, ...]
    tags: dict[str, str]
    shots: tuple[Entry, ...]
    called: tuple[tuple[dict[str, Any], ...], ...]
    answers: tuple[str, ...]

    @property
    def title(self) -> str:
        """The video's title; empty when none was given."""
        return " ".join(self.tags.get("title", "").split())

    @property
    def keywords(self) -> list[str]:
        """Lines between the keyword tags, each once."""
        return list(dict.fromkeys(_lines(self.tags.get("keywords", ""))))

    @property
    def links(self) -> list[Link]:
        """Associations in the prompt and in what tools answered, each once."""
        texts = (self.tags.get("associations", ""), *self.answers)
        return list(dict.fromkeys(link for text in texts for link in _links(text)))


def read(messages: Sequence[BaseMessage]) -> Question:
    """Read a conversation."""
    texts = [(message, _text(message)) for message in messages]
    asked = "\n".join(text for message, text in texts if isinstance(message, HumanMessage))
    since = max((i for i, m in enumerate(messages) if isinstance(m, HumanMessage)), default=-1)
    recent = messages[since + 1 :]
    return Question(
        turns=tuple(Turn(_role(message), text) for message, text in texts if text.strip()),
        pictures=tuple(_pictures(messages)),
        tags={tag: found for tag in _TAGS if (found := _between(asked, tag)) is not None},
        shots=tuple(_shots(asked)),
        called=tuple(
            tuple(dict(call["args"]) for call in message.tool_calls)
            for message in recent
            if isinstance(message, AIMessage) and message.tool_calls
        ),
        answers=tuple(_text(message) for message in recent if isinstance(message, ToolMessage)),
    )


def _role(message: BaseMessage) -> str:
    if isinstance(message, SystemMessage):
        return "system"
    return "assistant" if isinstance(message, AIMessage) else "user"


def _blocks(message: BaseMessage) -> Iterable[Any]:
    return [message.content] if isinstance(message.content, str) else message.content


def _text(message: BaseMessage) -> str:
    parts = (block if isinstance(block, str) else block.get("text") for block in _blocks(message))
    return "\n".join(part for part in parts if isinstance(part, str) and not _MOMENT.match(part))


def _pictures(messages: Sequence[BaseMessage]) -> Iterable[Picture]:
    for message in messages:
        moment: float | None = None
        for block in _blocks(message):
            text = block if isinstance(block, str) else block.get("text")
            if isinstance(text, str):
                found = _MOMENT.match(text)
                moment = float(found[1]) if found else None
            elif isinstance(block, dict) and (data := _picture_data(block)):
                yield Picture(data, moment)
                moment = None


def _picture_data(block: dict[str, Any]) -> str:
    """The base64 data of a picture, in any of the forms that LangChain knows; empty when it is none."""
    kind = block.get("type")
    if kind == "image_url":
        given = block.get("image_url")
        url = given.get("url", "") if isinstance(given, dict) else str(given or "")
        return _DATA_URL.sub("", url) if _DATA_URL.match(url) else ""
    if kind != "image":
        return ""
    source = block.get("source")
    nested = source.get("data", "") if isinstance(source, dict) else ""
    return str(block.get("base64") or block.get("data") or nested)


def _between(text: str, tag: str) -> str | None:
    found = re.findall(rf"^<{tag}>\s*$\n?(.*?)^</{tag}>\s*$", text, re.MULTILINE | re.DOTALL)
    return found[-1].strip() if found else None


def _lines(text: str) -> list[str]:
    return [line for raw in text.splitlines() if (line := _BULLET.sub("", raw).strip())]


def _shots(text: str) -> Iterable[Entry]:
    for sentence in _SHOT.findall(text):
        try:
            yield Entry.parse(sentence)
        except ValueError:  # a bullet that only begins like an example is none
            continue


def _links(text: str) -> Iterable[Link]:
    for line in _lines(text):
        also = _ALSO.search(line)
        steps, ground = _parted(line[: also.start()] if also else line)
        path = [step.strip() for step in steps.split("->")]
        if len(path) == 1 or not all(path):
            continue
        ground = re.sub(r"^[A-Z][\w -]* culture(: |$)", "", ground)
        if ground.startswith("also shown by "):  # leads back from a concept to what shows it
            continue
        others = tuple(part.strip() for part in also[1].split(",")) if also else ()
        yield Link(path[0], path[-1], ground, len(path) - 1, others)


def _parted(line: str) -> tuple[str, str]:
    """The path and the ground, which stands in the last parentheses."""
    found = re.match(r"^(.*?)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$", line)
    return (found[1], found[2]) if found else (line, "")
