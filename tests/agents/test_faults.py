from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest
from langchain_core.exceptions import ContextOverflowError, ModelRefusalError

from agents.errors import (
    MetaphorBoostError,
    ModelOutputError,
    ModelUnavailableError,
    ProviderError,
    RefusedError,
    UserError,
)
from agents.faults import provider_faults, translate, unsupported
from agents.models import close_chat_model, open_chat_model
from agents.sdk_errors import status_of
from tests.servers.gemini_like import GeminiLike
from tests.servers.openai_like import OpenAILike

OpenAIServer = Callable[..., OpenAILike]
GeminiServer = Callable[..., GeminiLike]

NAME = "openai:pretend"


def _refused(status: int, message: str, code: str | None = None) -> openai.APIStatusError:
    request = httpx2.Request("POST", "https://api.example.org/v1/chat/completions")
    response = httpx2.Response(status, request=request)
    return openai.APIStatusError(message, response=response, body={"message": message, "code": code})


def _translated(exc: Exception) -> MetaphorBoostError:
    error = translate(exc, model=NAME)
    assert error is not None
    return error


@pytest.mark.parametrize(
    ("status", "message", "code", "kind", "told"),
    [
        (
            401,
            "Incorrect API key",
            "invalid_api_key",
            ModelUnavailableError,
            "Check the key in OPENAI_API_KEY",
        ),
        (403, "Not your model", None, ModelUnavailableError, "that it may use this model"),
        (402, "Insufficient Balance", None, ModelUnavailableError, "no funds or quota left"),
        (
            429,
            "You exceeded your current quota",
            "insufficient_quota",
            ModelUnavailableError,
            "no funds or quota left",
        ),
        (
            404,
            "No such model",
            "model_not_found",
            ModelUnavailableError,
            "Check the name given with --model or --judge-model",
        ),
        (400, "image input is not supported", None, UserError, "choose a --model that sees"),
        (400, "'temperature' does not support 0.7", None, UserError, "--temperature 1"),
        (413, "Payload too large", None, UserError, "fewer or smaller frames"),
        (
            429,
            "Slow down",
            "rate_limit_exceeded",
            ProviderError,
            "at api.example.org answered 429: Slow down",
        ),
        (408, "Request timeout", None, ProviderError, "408"),
        (500, "Oops", None, ProviderError, "answered 500: Oops"),
        (503, "Overloaded", None, ProviderError, "503"),
        (400, "The response was filtered", "content_filter", RefusedError, "a content filter declined"),
        (
            400,
            "Input data may contain inappropriate content.",
            "data_inspection_failed",
            RefusedError,
            "declined",
        ),
        (400, "Content Exists Risk", "invalid_request_error", RefusedError, "declined"),
    ],
)
def test_every_status_has_its_blame(
    status: int, message: str, code: str | None, kind: type[MetaphorBoostError], told: str
) -> None:
    error = _translated(_refused(status, message, code))
    assert type(error) is kind
    assert str(error).startswith(NAME)
    assert told in str(error)
    assert message in str(error)


def test_the_key_named_is_the_providers() -> None:
    error = translate(_refused(401, "no"), model="google_genai:gemini-3-pro")
    assert "GOOGLE_API_KEY" in str(error)


def test_what_has_no_status() -> None:
    assert type(_translated(TimeoutError())) is ProviderError
    assert "--timeout" in str(_translated(TimeoutError()))
    assert type(_translated(httpx2.ReadTimeout("slow"))) is ProviderError
    assert type(_translated(httpx2.RemoteProtocolError("hung up"))) is ProviderError
    assert "Does it run" in str(_translated(ConnectionRefusedError("refused")))
    assert type(_translated(ContextOverflowError("too long"))) is UserError
    assert "--max-frames" in str(_translated(ContextOverflowError("too long")))
    assert type(_translated(ModelRefusalError("no"))) is RefusedError


def test_answers_that_the_sdk_itself_gives_up_on() -> None:
    class LengthFinishReasonError(openai.OpenAIError):
        pass

    class ContentFilterFinishReasonError(openai.OpenAIError):
        pass

    assert type(_translated(LengthFinishReasonError())) is ModelOutputError
    assert type(_translated(ContentFilterFinishReasonError())) is RefusedError


@pytest.mark.parametrize(
    "bug", [KeyError("frames"), ZeroDivisionError(), AssertionError("script is over"), ValueError("x")]
)
def test_a_bug_is_no_providers_fault(bug: Exception) -> None:
    assert translate(bug, model=NAME) is None
    with pytest.raises(type(bug)), provider_faults(NAME):
        raise bug


def test_our_own_errors_pass_through() -> None:
    ours = UserError("ours")
    assert translate(ours, model=NAME) is ours
    with pytest.raises(UserError) as caught, provider_faults(NAME):
        raise ours
    assert caught.value is ours


def test_the_cause_is_kept() -> None:
    cause = _refused(500, "Oops")
    with pytest.raises(ProviderError) as caught, provider_faults(NAME):
        raise cause
    assert caught.value.__cause__ is cause
    assert status_of(caught.value) == 500


def test_long_words_of_a_server_are_shortened() -> None:
    error = _translated(_refused(500, "word " * 1000))
    assert len(str(error)) < 400
    assert str(error).endswith("...")


@pytest.mark.parametrize(
    ("exc", "schema", "tools"),
    [
        (_refused(400, "This response_format type is unavailable now"), True, False),
        (_refused(400, "registry.ollama.ai/library/llava does not support tools"), False, True),
        (_refused(400, '"auto" tool choice requires --enable-auto-tool-choice'), False, True),
        (_refused(500, "tools param requires --jinja flag"), False, True),
        (_refused(404, "No endpoints found that support tool use"), False, True),
        (_refused(422, "Invalid grammar request"), True, False),
        (_refused(500, "worker lost while compiling grammar"), False, False),
        (_refused(500, "upstream failed while validating request schema"), False, False),
        (_refused(500, "guided decoding: structured output failed in the tool pod"), False, False),
        (_refused(500, "response_format is not implemented"), True, False),
        (_refused(500, "tool_choice requires --jinja"), False, True),
        (_refused(429, "too many tools and response_format"), False, False),
        (_refused(401, "no schema, no tools"), False, False),
        (_refused(400, "response_format: filtered", "content_filter"), False, False),
        (ContextOverflowError("8 in the functions, schema"), False, False),
        (NotImplementedError(), True, True),
        (KeyError("tools schema"), False, False),
    ],
)
def test_refused_parameters_are_told_from_refused_requests(exc: Exception, schema: bool, tools: bool) -> None:
    assert unsupported(exc, "json_schema") is schema
    assert unsupported(exc, "tools") is tools


async def _raised(name: str, base_url: str, **options: Any) -> MetaphorBoostError:
    model = open_chat_model(name, base_url=base_url, max_retries=0, **options)
    with pytest.raises(MetaphorBoostError) as caught, provider_faults(name):
        await model.ainvoke("hello")
    await close_chat_model(model)
    return caught.value


@pytest.mark.parametrize(
    ("behaviour", "kind", "told"),
    [
        ("unauthorized", ModelUnavailableError, "answered 401: Incorrect API key provided: none."),
        ("unknown_model", ModelUnavailableError, "answered 404: The model `pretend` does not exist."),
        ("rate_limited", ProviderError, "answered 429: Rate limit reached for requests."),
        ("server_error", ProviderError, "answered 500: The server had an error"),
    ],
)
async def test_openai_as_it_really_raises(
    openai_server: OpenAIServer, behaviour: str, kind: type[MetaphorBoostError], told: str
) -> None:
    server = openai_server(behaviour)
    error = await _raised(NAME, server.base_url)
    assert type(error) is kind
    assert f"{NAME}: the server at {server.root.removeprefix('http://')} {told}" in str(error)


@pytest.mark.parametrize(
    ("behaviour", "kind", "told"),
    [
        ("bad_key", ModelUnavailableError, "Check the key in GOOGLE_API_KEY"),
        ("unknown_model", ModelUnavailableError, "answered 404: models/gemini-pretend is not found"),
        ("rate_limited", ProviderError, "answered 429: You exceeded the rate"),
        ("server_error", ProviderError, "answered 500: An internal error has occurred."),
    ],
)
async def test_gemini_as_it_really_raises(
    gemini_server: GeminiServer, behaviour: str, kind: type[MetaphorBoostError], told: str
) -> None:
    error = await _raised("google_genai:gemini-pretend", gemini_server(behaviour).base_url)
    assert type(error) is kind
    assert told in str(error)


@pytest.mark.parametrize("name", ["openai:pretend", "google_genai:gemini-pretend"])
async def test_nobody_listens(name: str) -> None:
    with socket.socket() as held:  # a port that is taken, but answers nothing
        held.bind(("127.0.0.1", 0))
        error = await _raised(name, f"http://127.0.0.1:{held.getsockname()[1]}/v1")
    assert type(error) is ProviderError
    assert "no connection to the server" in str(error)
    assert "--base-url" in str(error)
