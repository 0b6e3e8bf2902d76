"""ChatOpenAI for the many servers that speak OpenAI's protocol, with what they add kept.

vLLM, SGLang, DashScope, DeepSeek, Ark and GLM send the model's reasoning beside its answer, which
langchain-openai drops; here it stays in ``additional_kwargs["reasoning_content"]``. Proxies and small
servers also bend the protocol: what still can be read is mended, the rest told as the server's fault.
"""

from __future__ import annotations

import asyncio
import base64
import json
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall
from langchain_core.messages.tool import invalid_tool_call
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr, ValidationError

from agents.answers import whole_characters
from agents.faults import UnreadableReplyError
from agents.openai_body import body_and_options, without_parts
from agents.redaction import redacted
from agents.video_files import Room, filled, read_video, video_blocks

__all__ = ["OpenAICompatibleChat", "quiet_advice"]

_SHOWN = 120  # characters of an odd reply in a message of ours
_NO_OBJECT = "the arguments must be one JSON object"
_SAMPLING = "media_io_kwargs"


def _reasoning(message: Mapping[str, Any]) -> str:
    """The reasoning in a message or delta: ``reasoning_content``, or ``reasoning`` as newer vLLM has it."""
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            return str(message[key])
    return ""


def _body_fault(exc: Exception) -> str:
    """What a body is that can't be decoded."""
    if isinstance(exc, json.JSONDecodeError):
        return _told(exc.doc) if exc.doc.strip()[:1] in {"", "<"} else f"broken JSON: {_shown(exc.doc)}"
    return "a body that is not UTF-8" if isinstance(exc, UnicodeDecodeError) else _shown(str(exc))


def _shown(text: str) -> str:
    text = redacted(whole_characters(" ".join(text.split())))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _told(value: object) -> str:
    """A value from a reply in a few words."""
    if isinstance(value, str):
        words = value.strip()
        return f"an HTML page: {_shown(words)}" if words[:1] == "<" else _shown(words) or "an empty body"
    return _shown(json.dumps(value, default=str))


def _plain(response: object) -> Any:
    """A decoded body as plain values; the SDK leaves what is no object as it is, whatever its types say."""
    return response.model_dump(warnings=False) if isinstance(response, openai.BaseModel) else response


def _fault(whole: object) -> str:
    """What a decoded body is when it is no chat completion; empty when it is one."""
    if not isinstance(whole, dict):
        return _told(whole)
    reply = cast("dict[str, Any]", whole)
    if error := reply.get("error"):
        said = cast("dict[str, Any]", error).get("message") if isinstance(error, dict) else None
        return f"an error: {_told(said or error)}"
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices:
        return "a reply without choices"
    return next(filter(None, (_choice_fault(choice) for choice in cast("list[object]", choices))), "")


def _choice_fault(choice: object) -> str:
    message = cast("dict[str, Any]", choice).get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return "a choice without a message"
    parts = cast("dict[str, Any]", message)
    if parts.get("role") != "assistant":
        return f"a message whose role is {_told(parts.get('role'))}, not assistant"
    content = parts.get("content")
    if content is None or isinstance(content, str | list):
        return ""
    return f"a message whose content is no text: {_told(content)}"


def _usage(usage: object) -> dict[str, Any] | None:
    """Tokens as a server reported them, None where they are no whole numbers from 0."""
    if not isinstance(usage, dict):
        return None
    told = cast("dict[str, Any]", usage)
    counts = [told.get("prompt_tokens"), told.get("completion_tokens")]
    if not all(isinstance(n, int | float) and n >= 0 and float(n).is_integer() for n in counts):
        return None
    names = ("prompt_tokens_details", "completion_tokens_details")
    details = {name: told.get(name) if isinstance(told.get(name), dict) else None for name in names}
    sent, made = (int(cast("float", n)) for n in counts)
    return {
        **told,
        **details,
        "prompt_tokens": sent,
        "completion_tokens": made,
        "total_tokens": sent + made,
    }


def _calls(message: dict[str, Any]) -> tuple[list[dict[str, Any]], list[InvalidToolCall]]:
    """A message's tool calls as the protocol has them, and those whose arguments are no object."""
    calls: list[dict[str, Any]] = []
    wrong: list[InvalidToolCall] = []
    raw = message.get("tool_calls")
    for call in cast("list[Any]", raw) if isinstance(raw, list) else []:
        function = cast("Any", call).get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            continue  # it names nothing that could be called
        said = cast("dict[str, Any]", function)
        name = said["name"] if isinstance(said.get("name"), str) else ""
        given = None if call.get("id") is None else str(call["id"])
        args = said.get("arguments") or ""
        text = args if isinstance(args, str) else json.dumps(args)
        if _is_other_json(text):
            wrong.append(invalid_tool_call(name=name, args=text, id=given, error=_NO_OBJECT))
        else:
            calls.append({"id": given, "type": "function", "function": {"name": name, "arguments": text}})
    return calls, wrong


def _is_other_json(text: str) -> bool:
    """Whether arguments are JSON, but neither an object nor null, which servers send for none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False  # the reader of broken calls may still mend it
    return value is not None and not isinstance(value, dict)


async def _video_url(block: dict[str, Any]) -> dict[str, Any]:
    """A video as vLLM and its like take one."""
    content = await read_video(block)
    data = await asyncio.to_thread(base64.b64encode, content)
    return {
        "type": "video_url",
        "video_url": {"url": f"data:{block['mime_type']};base64,{data.decode('ascii')}"},
    }


def _sampling(block: Mapping[str, Any]) -> dict[str, Any]:
    """How a video is to be sampled, as vLLM understands it (docs.vllm.ai, multimodal.media, from 0.18)."""
    rate = {"fps": block["fps"]} if block["method"] == "fps" else {}
    return {"video": {"num_frames": block["frames"], **rate}}


def quiet_advice() -> None:
    """Silence langchain-openai's advice to change ``method=``: the chain of methods does that itself."""
    for message in (
        "This model does not support OpenAI's structured output",
        "Cannot use method='json_schema'",
    ):
        warnings.filterwarnings("ignore", message=message, category=UserWarning)


class OpenAICompatibleChat(ChatOpenAI):
    """ChatOpenAI that keeps reasoning and parses nothing by itself."""

    _loop: asyncio.AbstractEventLoop | None = PrivateAttr(default=None)
    _room: Room = PrivateAttr(default_factory=Room)
    _samples: bool = PrivateAttr(default=True)

    def _settle(self) -> None:
        """Take fresh connections in a new event loop: those of a closed one fail when they are used again."""
        loop = asyncio.get_running_loop()
        if self._loop is not None and self._loop is not loop:
            self.http_async_client = openai.DefaultAsyncHttpxClient(timeout=cast("Any", self.request_timeout))
            self.root_async_client = self.root_async_client.copy(http_client=self.http_async_client)
            self.async_client = self.root_async_client.chat.completions
        self._loop = loop

    async def aclose(self) -> None:
        """Close the connections; the model can't be asked afterwards."""
        if self.http_async_client is not None:
            await self.http_async_client.aclose()

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._settle()
        try:
            async with self._sent(messages) as (whole, sampling):
                payload = self._get_request_payload(whole, stop=stop, **kwargs, **sampling)
                if "messages" not in payload:  # OpenAI's newer protocol, which some models want
                    return await super()._agenerate(whole, stop, run_manager, **kwargs, **sampling)
                return self._create_chat_result(await self._post(payload))
        except openai.APIStatusError as exc:
            if not self._samples or _SAMPLING not in str(exc):
                raise
            self._samples = False  # it refuses what it does not know: the video goes without
            return await self._agenerate(messages, stop, run_manager, **kwargs)

    async def _post(self, payload: dict[str, Any]) -> Any:
        """Send a conversation as it is written here; the SDK would walk through it, and model the reply."""
        body, options = body_and_options(payload)
        reply = await self.root_async_client.post(
            "/chat/completions", cast_to=bytes, body=body, options=cast("Any", options)
        )
        try:
            return json.loads(reply)
        except (ValueError, RecursionError) as exc:
            raise self._unreadable(_body_fault(exc)) from exc

    async def _astream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        async with self._sent(messages) as (whole, sampling):
            async for chunk in super()._astream(whole, *args, **kwargs, **sampling):
                yield chunk

    @asynccontextmanager
    async def _sent(
        self, messages: list[BaseMessage]
    ) -> AsyncGenerator[tuple[list[BaseMessage], dict[str, Any]]]:
        """The conversation with the video in it, and how to sample it; held as long as the request takes."""
        blocks = video_blocks(messages)
        async with self._room.taken(sum(int(block["size"]) for block in blocks)):
            sampling = {_SAMPLING: _sampling(blocks[0])} if blocks and self._samples else {}
            yield await filled(messages, _video_url), sampling

    def _unreadable(self, what: str) -> UnreadableReplyError:
        return UnreadableReplyError(what, server=self.root_async_client.base_url.netloc.decode("ascii"))

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Hand ``response_format`` past the SDK's parser, and a turn's reasoning back to its server.

        The parser raises on answers that are cut off or filtered, and so hides what they said.
        DeepSeek answers 400 when the reasoning before a tool call does not come back.
        """
        messages = self._convert_input(input_).to_messages()
        lean, parts = without_parts(messages)
        payload = super()._get_request_payload(lean, stop=stop, **kwargs)
        if "messages" not in payload:
            return super()._get_request_payload(messages, stop=stop, **kwargs) if parts else payload
        for i, content in parts.items():
            payload["messages"][i]["content"] = content
        for name in ("response_format", _SAMPLING):
            if isinstance(payload.get(name), dict):
                payload["extra_body"] = {**(payload.get("extra_body") or {}), name: payload.pop(name)}
        for sent, message in zip(payload["messages"], messages, strict=True):
            reasoning = message.additional_kwargs.get("reasoning_content")
            if isinstance(message, AIMessage) and message.tool_calls and reasoning:
                sent["reasoning_content"] = reasoning
        return payload

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        whole = response if isinstance(response, dict) else _plain(response)
        if what := _fault(whole):
            raise self._unreadable(what)
        messages = [choice["message"] for choice in whole["choices"]]
        calls = [_calls(message) for message in messages]
        mended = [
            {**choice, "message": {**choice["message"], "tool_calls": good}}
            for choice, (good, _) in zip(whole["choices"], calls, strict=True)
        ]
        whole = {**whole, "choices": mended, "usage": _usage(whole.get("usage"))}
        try:
            result = super()._create_chat_result(whole, generation_info)
        except (ValidationError, AttributeError, TypeError) as exc:
            raise self._unreadable(f"a message out of shape: {_told(messages[0])}") from exc
        for generation, message, (_, wrong) in zip(result.generations, messages, calls, strict=True):
            reply = cast("AIMessage", generation.message)
            reply.invalid_tool_calls = [*reply.invalid_tool_calls, *wrong]
            if reasoning := _reasoning(message):
                reply.additional_kwargs["reasoning_content"] = reasoning
        return result

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or []
        if made is not None and choices and (reasoning := _reasoning(choices[0].get("delta") or {})):
            made.message.additional_kwargs["reasoning_content"] = reasoning
        return made
