"""A server on 127.0.0.1 that speaks OpenAI's chat completions, with the habits of real servers.

with OpenAILike("think_prefix", "no_tools") as server:
    model = open_chat_model("openai:pretend", base_url=server.base_url)
    ...
    assert server.asks[0].images
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from tests.servers.brain import Ask, Brain, ToolCalls, answer
from tests.servers.embeddings import embeddings
from tests.servers.loopback import Loopback, Request, Response

__all__ = ["Behaviour", "OpenAILike"]

Behaviour = Literal[
    "plain",
    "rejects_json_schema",
    "rejects_response_format",
    "ignores_response_format",
    "fenced",
    "think_prefix",
    "boxed",
    "reasoning_content",
    "no_tools",
    "ignores_tools",
    "rate_limited_once",
    "rate_limited",
    "hangs",
    "server_error",
    "refuses",
    "content_filter",
    "garbage",
    "no_usage",
    "unauthorized",
    "unknown_model",
    "cut_off",
    "no_video",
    "strict_fields",
    "few_vectors",
    "nan_vectors",
    "uneven_vectors",
    "small_batches",
    "shuffled_vectors",
]

THINKING = 'The candle is short now {"draft": 1}, so time has passed.'
PROSE = "A candle burns down in a dim room, and I would say that it is about time."
GARBAGE = "I would rather talk about the weather."
REFUSAL = "I can't help with that."

_FAILURES: dict[str, tuple[int, str, str]] = {
    "unauthorized": (401, "Incorrect API key provided: none.", "invalid_api_key"),
    "unknown_model": (404, "The model `pretend` does not exist.", "model_not_found"),
    "rate_limited": (429, "Rate limit reached for requests.", "rate_limit_exceeded"),
    "server_error": (500, "The server had an error while processing your request.", "server_error"),
}


class OpenAILike(Loopback):
    """The server; behaviours may be combined, and changed while it runs.

    Attributes:
        behaviours: what it does unlike a plain server.
        brain: decides the content of each answer.
        asks: what the brain was asked, one for each request that got so far.
    """

    def __init__(self, *behaviours: Behaviour, brain: Brain = answer, delay: float = 0.0) -> None:
        unknown = set(behaviours) - set(get_args(Behaviour))
        if unknown:
            raise ValueError(f"no such behaviour: {', '.join(sorted(unknown))}")
        self.behaviours: set[str] = set(behaviours)
        self.brain = brain
        self.asks: list[Ask] = []
        super().__init__(self._answer, delay=delay)

    @property
    def base_url(self) -> str:
        """What a client is given."""
        return f"{self.root}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON bodies of all requests."""
        return [request.body for request in self.requests]

    def _answer(self, request: Request, number: int) -> Response:
        if request.path.endswith("/embeddings"):
            return self._failure(number) or embeddings(request.body, self.behaviours)
        if not request.path.endswith("/chat/completions"):
            return _error(404, f"Invalid URL (POST {request.path})", "not_found")
        early = self._failure(number) or self._rejection(request.body)
        if early is not None:
            return early
        ask = self._ask(request.body)
        self.asks.append(ask)
        completion = self._completion(request.body, self._reply(ask), number)
        if request.body.get("stream"):
            return Response(_chunks(completion, request.body), done="[DONE]")
        return Response(completion)

    def _failure(self, number: int) -> Response | None:
        if "hangs" in self.behaviours:
            self.hang()
        for name, (status, message, code) in _FAILURES.items():
            if name in self.behaviours:
                return _error(status, message, code, {"retry-after-ms": "5"})
        if "rate_limited_once" in self.behaviours and number == 1:
            return _error(
                429, "Rate limit reached for requests.", "rate_limit_exceeded", {"retry-after": "0.01"}
            )
        return None

    def _rejection(self, body: Mapping[str, Any]) -> Response | None:
        kind = (body.get("response_format") or {}).get("type")
        if kind == "json_schema" and "rejects_json_schema" in self.behaviours:
            return _error(
                400, "This response_format type is unavailable now: json_schema", "invalid_request_error"
            )
        if kind and "rejects_response_format" in self.behaviours:
            return _error(
                400, "Unrecognized request argument supplied: response_format", "invalid_request_error"
            )
        if "strict_fields" in self.behaviours and "media_io_kwargs" in body:
            return _error(400, "Unknown parameter: 'media_io_kwargs'.", "unknown_parameter")
        if "no_video" in self.behaviours and _videos(body["messages"]):
            return _error(400, "At most 0 video(s) may be provided in one prompt.", "BadRequestError")
        if body.get("tools") and "no_tools" in self.behaviours:
            return _error(400, "pretend does not support tools", "invalid_request_error")
        return None

    def _ask(self, body: Mapping[str, Any]) -> Ask:
        tools = [dict(tool["function"]) for tool in body.get("tools") or []]
        if "ignores_tools" in self.behaviours:
            tools = []
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
        if "ignores_response_format" in self.behaviours:
            schema = None
        choice = body.get("tool_choice")
        name = choice["function"]["name"] if isinstance(choice, dict) else None
        forced = [tool for tool in tools if tool["name"] == name]
        return Ask(
            text="\n".join(_texts(body["messages"])),
            images=tuple(_images(body["messages"])),
            videos=tuple(_videos(body["messages"])),
            schema=forced[0]["parameters"] if forced else schema,
            tools=tuple(tools),
            rounds=sum(1 for message in body["messages"] if message.get("tool_calls")),
            model=str(body.get("model", "")),
            extra={"forced": name} if forced else {},
        )

    def _reply(self, ask: Ask) -> str | dict[str, Any] | ToolCalls:
        if "garbage" in self.behaviours:
            return GARBAGE
        reply = self.brain(ask)
        if isinstance(reply, dict) and "forced" in ask.extra:
            return ToolCalls(((str(ask.extra["forced"]), reply),))
        return reply

    def _completion(
        self, body: Mapping[str, Any], reply: str | dict[str, Any] | ToolCalls, number: int
    ) -> dict[str, Any]:
        message, finish = self._message(reply, number), "stop"
        if message.get("tool_calls"):
            finish = "tool_calls"
        if "content_filter" in self.behaviours:
            message, finish = {"role": "assistant", "content": ""}, "content_filter"
        if "cut_off" in self.behaviours and message.get("content"):
            message["content"], finish = str(message["content"])[:-3], "length"
        completion: dict[str, Any] = {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        }
        if "no_usage" not in self.behaviours:
            completion["usage"] = {
                "prompt_tokens": 120,
                "completion_tokens": 30,
                "total_tokens": 150,
                "prompt_tokens_details": {"cached_tokens": 20},
                "completion_tokens_details": {"reasoning_tokens": 8},
            }
        return completion

    def _message(self, reply: str | dict[str, Any] | ToolCalls, number: int) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if "refuses" in self.behaviours:
            return {**message, "refusal": REFUSAL}
        if "reasoning_content" in self.behaviours:
            message["reasoning_content"] = THINKING
        if isinstance(reply, ToolCalls):
            message["content"] = reply.text or None
            message["tool_calls"] = [
                _tool_call(name, args, f"{number}_{i}") for i, (name, args) in enumerate(reply.calls)
            ]
            return message
        text = reply if isinstance(reply, str) else json.dumps(reply)
        message["content"] = self._dressed(text, plain=isinstance(reply, str))
        return message

    def _dressed(self, text: str, *, plain: bool) -> str:
        if "fenced" in self.behaviours and not plain:
            text = f"Here it is:\n```json\n{text}\n```\nI hope that helps."
        if "think_prefix" in self.behaviours:
            return f"<think>\n{THINKING}\n</think>\n\n{text}"
        if "boxed" in self.behaviours:
            return f"{THINKING}</think>\n<|begin_of_box|>{text}<|end_of_box|>"
        return text


def _tool_call(name: str, args: Mapping[str, Any], number: str) -> dict[str, Any]:
    return {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(args)},
    }


def _texts(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    texts: list[str] = []
    for message in messages:
        content = message.get("content") or ""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts += [str(block["text"]) for block in blocks if block.get("type") == "text"]
    return texts


def _images(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    contents = [message["content"] for message in messages if isinstance(message.get("content"), list)]
    urls = [b["image_url"]["url"] for content in contents for b in content if b.get("type") == "image_url"]
    return [str(url).partition("base64,")[2] or str(url) for url in urls]


def _videos(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    contents = [message["content"] for message in messages if isinstance(message.get("content"), list)]
    return [block for content in contents for block in content if block.get("type") == "video_url"]


def _error(status: int, message: str, code: str, headers: Mapping[str, str] | None = None) -> Response:
    body = {"error": {"message": message, "type": code, "param": None, "code": code}}
    return Response(body, status=status, headers=headers or {})


def _chunks(completion: Mapping[str, Any], body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A completion as the pieces in which a server streams it."""
    choice = completion["choices"][0]
    message = choice["message"]
    base = {**{k: completion[k] for k in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for field in ("reasoning_content", "refusal", "content"):
        text = message.get(field) or ""
        deltas += [{field: text[i : i + 7]} for i in range(0, len(text), 7)]
    deltas += [{"tool_calls": [{"index": i, **call}]} for i, call in enumerate(message.get("tool_calls", []))]
    chunks = [{**base, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    if (body.get("stream_options") or {}).get("include_usage") and "usage" in completion:
        chunks.append({**base, "choices": [], "usage": completion["usage"]})
    return chunks
