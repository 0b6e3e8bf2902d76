"""What a pretend server answers: sensible, deterministic, and drawn from the prompt alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Ask", "Brain", "ToolCalls", "answer", "sample", "section"]


@dataclass(frozen=True)
class ToolCalls:
    """A reply that calls tools: (name, arguments) pairs, and words beside them."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    text: str = ""


@dataclass(frozen=True)
class Ask:
    """One request as a brain sees it, whatever protocol it came by.

    Attributes:
        text: all the conversation's text, the oldest first, a part a line.
        images: the images' base64 data, in order.
        videos: the parts that hold a video, as the protocol has them.
        schema: the JSON schema the answer is to follow, when the request carries one.
        tools: ``{"name", "description", "parameters"}`` of each tool offered.
        rounds: how often the conversation's assistant has called tools already.
        model: the model's name in the request.
    """

    text: str = ""
    images: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    rounds: int = 0
    model: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    videos: tuple[Mapping[str, Any], ...] = ()

    @property
    def wanted(self) -> Mapping[str, Any] | None:
        """The schema asked for: the request's own, else the last one written out in the text."""
        return self.schema if self.schema is not None else _schema_in(self.text)


Brain = Callable[[Ask], "str | dict[str, Any] | ToolCalls"]

TOOL_ROUNDS = 2
"""The default brain calls tools this many rounds, then stops."""


def _schema_in(text: str) -> dict[str, Any] | None:
    decoder, found = json.JSONDecoder(), None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            if isinstance(value, dict) and isinstance(value.get("properties"), dict):
                found = value
        at = text.find("{", end)
    return found


def section(text: str, tag: str) -> list[str]:
    """The lines inside the last ``<tag>`` of a prompt, without the empty ones."""
    found = re.findall(rf"^<{tag}>\s*$(.*?)^</{tag}>\s*$", text, re.DOTALL | re.MULTILINE)
    lines = found[-1].splitlines() if found else []
    return [line.strip().removeprefix("- ") for line in lines if line.strip()]


def sample(schema: Mapping[str, Any]) -> Any:
    """The plainest value that satisfies a JSON schema."""
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: sample(part) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [sample(schema.get("items", {}))] * max(1, int(schema.get("minItems", 1)))
    if kind in {"integer", "number"}:
        return schema.get("minimum", 0)
    return {"boolean": True, "null": None}.get(str(kind), "a plain word")


def _words(lines: Sequence[str]) -> set[str]:
    frame = {"video", "presents", "implicitly", "expressing", "expresses"}
    return set(re.findall(r"[a-z]{4,}", " ".join(lines).lower())) - frame


def _overlap(text: str) -> float:
    gold, prediction = _words(section(text, "gold")), _words(section(text, "prediction"))
    return len(gold & prediction) / len(gold) if gold else 0.0


def _keywords(text: str) -> list[str]:
    return section(text, "keywords") or ["burning candle", "empty chair", "dim room"]


def _entries(text: str) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = []
    for line in section(text, "associations"):
        walk = [part.strip() for part in re.sub(r"\s*\(.*", "", line).split("->")]
        if len(walk) > 1 and all(walk):
            entries.append({"presents": f"a {walk[0]}", "expresses": walk[-1]})
    plain = [{"presents": f"a {word}", "expresses": "the passing of time"} for word in _keywords(text)]
    return (entries or plain)[:3]


def _associations(keywords: Sequence[str]) -> list[dict[str, str]]:
    return [
        {"element": word, "concept": "the end of a day", "ground": "it is seen in the evening"}
        for word in keywords
    ]


def _structured(schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    fields = set(schema.get("properties", {}))
    if fields == {"keywords"}:
        return {"keywords": _keywords(text)}
    if fields == {"entries"}:
        return {"entries": _entries(text)}
    if fields == {"associations"}:
        return {"associations": _associations(_keywords(text))}
    if fields == {"reasoning", "strict_score"}:
        return {"reasoning": "Compared word by word.", "strict_score": int(_overlap(text) >= 0.6)}
    if fields == {"reasoning", "loose_score"}:
        return {"reasoning": "Compared word by word.", "loose_score": round(10 * _overlap(text))}
    value = sample(schema)
    return value if isinstance(value, dict) else {"value": value}


def _argument(part: Mapping[str, Any], words: Sequence[str]) -> Any:
    if part.get("type") == "array" and part.get("items", {}).get("type") == "string":
        return list(words)
    return words[0] if part.get("type") == "string" and not part.get("enum") else sample(part)


def _tool_calls(ask: Ask) -> ToolCalls:
    tool = ask.tools[0]
    parameters = tool.get("parameters") or {}
    keywords = _keywords(ask.text)
    words = [keywords[ask.rounds % len(keywords)]]
    required = parameters.get("required", [])
    parts = parameters.get("properties", {})
    return ToolCalls(((str(tool["name"]), {name: _argument(parts[name], words) for name in required}),))


def answer(ask: Ask) -> str | dict[str, Any] | ToolCalls:
    """The default brain.

    Tools that are offered beside no schema are called for two rounds, one keyword a round. A schema
    is answered from the prompt's ``<keywords>``, ``<associations>``, ``<gold>`` and ``<prediction>``.
    """
    wanted = ask.wanted
    if wanted is not None:
        return _structured(wanted, ask.text)
    if ask.tools and ask.rounds < TOOL_ROUNDS:
        return _tool_calls(ask)
    return "The light fades while nobody comes."
