"""A server on 127.0.0.1 that speaks Gemini's ``generateContent``.

with GeminiLike() as server:
    model = open_chat_model("google_genai:gemini-pretend", base_url=server.base_url)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from tests.servers.brain import Ask, Brain, ToolCalls, answer
from tests.servers.gemini_files import Files
from tests.servers.loopback import Loopback, Request, Response

__all__ = ["GeminiBehaviour", "GeminiLike"]

GeminiBehaviour = Literal[
    "plain",
    "rejects_schema",
    "ignores_schema",
    "no_tools",
    "thoughts",
    "safety",
    "blocked_prompt",
    "rate_limited_once",
    "rate_limited",
    "server_error",
    "hangs",
    "bad_key",
    "unknown_model",
    "no_usage",
    "garbage",
    "no_files",
    "slow_files",
    "stuck_files",
    "bad_files",
    "loses_file_once",
]

THOUGHT = "The candle is short, so time has passed."
GARBAGE = "I would rather talk about the weather."

_PATH = re.compile(r"/v1(?:beta|alpha)?/models/(?P<model>[^:/]+):(?P<verb>\w+)")
_FAILURES: dict[str, tuple[int, str, str]] = {
    "bad_key": (400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"),
    "unknown_model": (404, "models/gemini-pretend is not found for API version v1beta.", "NOT_FOUND"),
    "rate_limited": (429, "You exceeded the rate of requests for this model.", "RESOURCE_EXHAUSTED"),
    "server_error": (500, "An internal error has occurred.", "INTERNAL"),
}


class GeminiLike(Loopback):
    """The server; behaviours may be combined, and changed while it runs.

    Attributes:
        behaviours: what it does unlike a plain server.
        brain: decides the content of each answer.
        asks: what the brain was asked, one for each request that got so far.
        files: what was uploaded.
    """

    def __init__(self, *behaviours: GeminiBehaviour, brain: Brain = answer, delay: float = 0.0) -> None:
        unknown = set(behaviours) - set(get_args(GeminiBehaviour))
        if unknown:
            raise ValueError(f"no such behaviour: {', '.join(sorted(unknown))}")
        self.behaviours: set[str] = set(behaviours)
        self.brain = brain
        self.asks: list[Ask] = []
        self.files = Files(self.behaviours, lambda: self.root)
        super().__init__(self._answer, delay=delay)

    @property
    def base_url(self) -> str:
        """What a client is given; it adds the version itself."""
        return self.root

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON bodies of all requests, those of uploads left out."""
        return [request.body for request in self.requests if "/files" not in request.path]

    def _answer(self, request: Request, number: int) -> Response:
        if "/files" in request.path:
            return self.files.answer(request)
        path = _PATH.match(request.path)
        if path is None:
            return _error(404, f"no such path: {request.path}", "NOT_FOUND")
        early = self._failure(number) or self._rejection(request.body) or self._missing(request.body)
        if early is not None:
            return early
        ask = self._ask(request.body, path["model"])
        self.asks.append(ask)
        reply = GARBAGE if "garbage" in self.behaviours else self.brain(ask)
        body = self._body(reply, path["model"])
        if path["verb"] == "streamGenerateContent":
            return Response([body])
        return Response(body)

    def _failure(self, number: int) -> Response | None:
        if "hangs" in self.behaviours:
            self.hang()
        for name, (status, message, kind) in _FAILURES.items():
            if name in self.behaviours or (name == "rate_limited" and self._once(number)):
                return _error(status, message, kind)
        return None

    def _once(self, number: int) -> bool:
        return "rate_limited_once" in self.behaviours and number == 1

    def _rejection(self, body: Mapping[str, Any]) -> Response | None:
        if "rejects_schema" in self.behaviours and _schema(body) is not None:
            return _error(
                400, "JSON mode is not enabled for this model: response_json_schema", "INVALID_ARGUMENT"
            )
        if "no_tools" in self.behaviours and body.get("tools"):
            return _error(400, "Function calling is not enabled for this model", "INVALID_ARGUMENT")
        return None

    def _missing(self, body: Mapping[str, Any]) -> Response | None:
        """The refusal of a file that is not, or no longer, there."""
        uris = [_camel(part)["fileData"]["fileUri"] for part in _parts_of(body) if "fileData" in part]
        if uris and "loses_file_once" in self.behaviours:
            self.behaviours.discard("loses_file_once")
            self.files.kept.clear()
        lost = [uri for uri in uris if not self.files.has(uri)]
        if not lost:
            return None
        told = f"You do not have permission to access the File {lost[0]} or it may not exist."
        return _error(403, told, "PERMISSION_DENIED")

    def _ask(self, body: Mapping[str, Any], model: str) -> Ask:
        turns, parts = _turns(body), _parts_of(body)
        videos = [part for part in parts if _is_video(part)]
        tools = [
            _declared(f) for tool in body.get("tools") or [] for f in tool.get("functionDeclarations", [])
        ]
        choice = (body.get("toolConfig") or {}).get("functionCallingConfig", {})
        forced = choice.get("allowedFunctionNames") or [] if choice.get("mode") == "ANY" else []
        named = [tool for tool in tools if tool["name"] in forced]
        schema = None if "ignores_schema" in self.behaviours else _schema(body)
        return Ask(
            text="\n".join(_text(part) for part in parts if _text(part)),
            images=tuple(
                _standard(part["inlineData"]["data"])
                for part in parts
                if "inlineData" in part and part not in videos
            ),
            videos=tuple(_camel(part) for part in videos),
            schema=named[0]["parameters"] if named else schema,
            tools=tuple(tools),
            rounds=sum(1 for turn in turns if any("functionCall" in part for part in turn.get("parts", []))),
            model=model,
            extra={"forced": named[0]["name"]} if named else {},
        )

    def _body(self, reply: str | dict[str, Any] | ToolCalls, model: str) -> dict[str, Any]:
        usage = {
            "promptTokenCount": 140,
            "candidatesTokenCount": 20,
            "thoughtsTokenCount": 5,
            "totalTokenCount": 165,
        }
        body: dict[str, Any] = {"modelVersion": model, "responseId": "r1"}
        if "no_usage" not in self.behaviours:
            body["usageMetadata"] = usage
        if "blocked_prompt" in self.behaviours:
            return {**body, "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
        candidate: dict[str, Any] = {"index": 0, "finishReason": "STOP"}
        if "safety" in self.behaviours:
            candidate["finishReason"] = "SAFETY"
        else:
            candidate["content"] = {"role": "model", "parts": self._parts(reply)}
        return {**body, "candidates": [candidate]}

    def _parts(self, reply: str | dict[str, Any] | ToolCalls) -> list[dict[str, Any]]:
        thoughts: list[dict[str, Any]] = (
            [{"text": THOUGHT, "thought": True}] if "thoughts" in self.behaviours else []
        )
        if isinstance(reply, dict) and "forced" in self.asks[-1].extra:
            reply = ToolCalls(((str(self.asks[-1].extra["forced"]), reply),))
        if isinstance(reply, ToolCalls):
            calls = [{"functionCall": {"name": name, "args": args}} for name, args in reply.calls]
            return [*thoughts, *([{"text": reply.text}] if reply.text else []), *calls]
        return [*thoughts, {"text": reply if isinstance(reply, str) else json.dumps(reply)}]


def _turns(body: Mapping[str, Any]) -> list[Any]:
    return [body.get("systemInstruction") or {}, *body.get("contents", [])]


def _parts_of(body: Mapping[str, Any]) -> list[Any]:
    return [part for turn in _turns(body) for part in turn.get("parts", [])]


def _is_video(part: Mapping[str, Any]) -> bool:
    kind = _camel(part).get("inlineData", {}).get("mimeType")
    return "fileData" in part or str(kind).startswith("video/")


def _camel(value: Any) -> Any:
    """The SDK writes inner names with underscores, which the service takes as well."""
    if not isinstance(value, dict):
        return value
    return {re.sub(r"_(\w)", lambda found: found[1].upper(), key): _camel(v) for key, v in value.items()}


def _schema(body: Mapping[str, Any]) -> dict[str, Any] | None:
    config = body.get("generationConfig") or {}
    return config.get("responseJsonSchema") or config.get("responseSchema")


def _standard(data: str) -> str:
    """The SDK sends base64 in the alphabet for addresses."""
    return data.replace("-", "+").replace("_", "/")


def _text(part: Mapping[str, Any]) -> str:
    if "functionResponse" in part:
        return json.dumps(part["functionResponse"].get("response"))
    return str(part.get("text", ""))


def _lower(schema: Any) -> Any:
    """Gemini's schema types are written in capitals; a brain wants JSON schema's."""
    if isinstance(schema, dict):
        return {
            key: value.lower() if key == "type" and isinstance(value, str) else _lower(value)
            for key, value in schema.items()
        }
    return [_lower(item) for item in schema] if isinstance(schema, list) else schema


def _declared(function: Mapping[str, Any]) -> dict[str, Any]:
    parameters = function.get("parametersJsonSchema") or function.get("parameters") or {}
    return {
        "name": function["name"],
        "description": function.get("description", ""),
        "parameters": _lower(parameters),
    }


def _error(status: int, message: str, kind: str) -> Response:
    return Response({"error": {"code": status, "message": message, "status": kind}}, status=status)
