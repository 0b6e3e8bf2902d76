"""Turn what a provider's SDK raises into the project's errors, so that blame lies where it belongs.

SDKs are recognised by the classes of langchain-core, by a status code and by their module's name; none
is imported here.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Literal

from langchain_core.exceptions import (
    ContextOverflowError,
    ModelConnectionError,
    ModelError,
    ModelRefusalError,
    ModelTimeoutError,
)

from agents.errors import (
    Fault,
    MetaphorBoostError,
    ModelOutputError,
    ModelUnavailableError,
    ProviderError,
    RefusedError,
    UserError,
)
from agents.hints import retry_after
from agents.redaction import redacted
from agents.sdk_errors import links, message_of, said_of, server_of, status_of

__all__ = ["UnreadableReplyError", "provider_faults", "translate", "unsupported"]

_SDKS = frozenset(
    {
        "aiohttp",
        "anthropic",
        "google",
        "groq",
        "httpcore",
        "httpx",
        "httpx2",
        "langchain_google_genai",
        "mistralai",
        "ollama",
        "openai",
    }
)
_KEYS = {
    "openai": "OPENAI_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
}

# How services say that a filter, not a model, declined: OpenAI and Azure, DashScope, Ark, GLM, DeepSeek.
_FILTERED = (
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "data_inspection_failed",
    "datainspectionfailed",
    "sensitivecontentdetected",
    "contentfilter",
    "content exists risk",
    "prohibited_content",
)
_BAD_KEY = ("api key not valid", "api_key_invalid", "api key expired")
_TOO_LONG = (
    "context_length_exceeded",
    "input tokens exceed the configured limit",
    "exceeds the context window",
    "prompt is too long",
    "contextwindowexceedederror",
)
_NO_MONEY = (
    "insufficient_quota",
    "insufficient balance",
    "insufficient_balance",
)
_QUOTA = "exceeded your current quota"  # OpenAI: no funds left; Gemini: perhaps only this minute's requests
_OF_A_DAY = ("perday", "per day")

_PARAMETERS = {
    "json_schema": (
        "response_format",
        "json_schema",
        "json schema",
        "responsejsonschema",
        "structured output",
        "guided",
        "grammar",
        "schema",
    ),
    "tools": (
        "tool",
        "functions",
        "function call",
        "function_call",
        "functiondeclaration",
        "function declaration",
    ),
}
# Named as it is sent, or it was no refusal, where a server fails (500): "schema" is in many faults.
_NAMES = {"json_schema": {"response_format", "json_schema"}, "tools": {"tools", "tool_choice"}}
# llama.cpp answers 500 and Ollama 400 to tools; the others occur for either parameter.
_REFUSALS = frozenset({400, 404, 405, 415, 422, 500, 501})
_PASSING = frozenset({408, 409, 425, 429})  # failures that may pass, beside all from 500
_OVERLOADED = frozenset({503, 529})
_LATE = frozenset({408, 504})
_LOST = re.compile("network|protocol|read|write|close|transport")  # in names of an SDK's exceptions
_SMALLER = "Send fewer or smaller frames (--max-frames, --max-side), or choose another --model."


class UnreadableReplyError(Exception):
    """A server answered as if all were well, but not with what its protocol says.

    Attributes:
        what: what came back, in a few words.
        server: its host, and port where one was given.
    """

    def __init__(self, what: str, *, server: str) -> None:
        super().__init__(what)
        self.what = what
        self.server = server


def _of_provider(exc: BaseException) -> bool:
    return isinstance(exc, ModelError | TimeoutError | ConnectionError) or any(
        kind.__module__.partition(".")[0] in _SDKS for link in links(exc) for kind in type(link).__mro__
    )


def unsupported(exc: BaseException, what: Literal["json_schema", "tools"]) -> bool:
    """Whether a server refused a parameter that it does not know, rather than this one request."""
    if isinstance(exc, NotImplementedError):
        return True
    if isinstance(exc, ContextOverflowError | ModelRefusalError) or not _of_provider(exc):
        return False
    said = said_of(exc)
    if any(word in said for word in (*_FILTERED, *_BAD_KEY, *_TOO_LONG)):
        return False
    status = status_of(exc)
    if status is not None and status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return status in _REFUSALS and not _NAMES[what].isdisjoint(re.findall(r"\w+", said))
    return status in _REFUSALS and any(word in said for word in _PARAMETERS[what])


def _way_out(said: str) -> str:
    """What to try after a request that was not accepted, by what the server complains of."""
    if "temperature" in said:
        return "This model fixes its temperature; give --temperature 1, or choose another --model."
    if "video" in said:
        return "It may take no video, or not this one: give --input frames, or choose another --model."
    if any(word in said for word in ("image", "vision", "multimodal", "multi-modal")):
        return "Frames are images: choose a --model that sees."
    return "The request was not accepted; another --model may take it."


def _is_spent(said: str, exc: BaseException) -> bool:
    """Whether an account has nothing left that a wait of minutes would bring back."""
    if any(word in said for word in _NO_MONEY):
        return True
    passes = retry_after(exc) is not None and not any(word in said for word in _OF_A_DAY)
    return _QUOTA in said and not passes


def _fault(status: int) -> Fault:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "rate_limited"
    if status in _OVERLOADED:
        return "overloaded"
    return "timeout" if status in _LATE else "server_error"


def _of_status(status: int, exc: BaseException, model: str) -> MetaphorBoostError:
    """The error for an answer with a failing status."""
    where, words = server_of(exc), message_of(exc)
    told = f"{model}: the server{where} answered {status}: {words}"
    said = said_of(exc)
    if status < HTTPStatus.INTERNAL_SERVER_ERROR and any(word in said for word in _FILTERED):
        return RefusedError(f"{model}: a content filter declined the request ({status}): {words}", raw=words)
    if status in {401, 403} or any(word in said for word in _BAD_KEY):
        key = _KEYS.get(model.partition(":")[0], "the provider's key")
        return ModelUnavailableError(f"{told}\nCheck the key in {key}, and that it may use this model.")
    if status == HTTPStatus.PAYMENT_REQUIRED or _is_spent(said, exc):
        return ModelUnavailableError(
            f"{told}\nThe account has no funds or quota left; add some, or choose another --model."
        )
    if status == HTTPStatus.NOT_FOUND:
        return ModelUnavailableError(
            f"{told}\nCheck the name given with --model or --judge-model, and the server: --base-url (its "
            "path often ends in /v1), and --judge-base-url for a judge elsewhere."
        )
    if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ProviderError(told, fault=_fault(status))
    is_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    too_long = _too_long(words, model) if any(word in said for word in _TOO_LONG) else None
    return too_long or UserError(f"{told}\n{_SMALLER if is_large else _way_out(said)}")


def _of_kind(exc: BaseException, model: str) -> MetaphorBoostError | None:
    """The error for an exception whose class says it all."""
    kind = type(exc).__name__.lower()
    if isinstance(exc, ModelRefusalError) or "contentfilter" in kind:
        return RefusedError(f"{model} declined to answer: {message_of(exc)}", raw=message_of(exc))
    if "lengthfinish" in kind:
        return ModelOutputError(f"{model}: the answer was cut off at the token limit; raise --max-tokens.")
    if isinstance(exc, ContextOverflowError):
        return _too_long(message_of(exc), model)
    return None


def _too_long(words: str, model: str) -> UserError:
    return UserError(f"{model}: the request is longer than the model can read: {words}\n{_SMALLER}")


def _of_network(exc: BaseException, model: str) -> ProviderError:
    """The error for a call that got no answer."""
    kind, where = type(exc).__name__.lower(), server_of(exc)
    if isinstance(exc, TimeoutError | ModelTimeoutError) or "timeout" in kind:
        return ProviderError(
            f"{model}: no answer from the server{where} in time; --timeout sets how long to wait.",
            fault="timeout",
        )
    if isinstance(exc, ConnectionError | ModelConnectionError) or "connect" in kind:
        why = next((str(link) for link in list(links(exc))[::-1] if str(link)), "no reason given")
        return ProviderError(
            f"{model}: no connection to the server{where} ({why}). Does it run, and is --base-url right?",
            fault="connection",
        )
    told = f"{model}: the call failed ({type(exc).__name__}): {message_of(exc)}"
    return ProviderError(told, fault="connection" if _LOST.search(kind) else "other")


def translate(exc: BaseException, *, model: str) -> MetaphorBoostError | None:
    """The project's error for an SDK's exception; None for what is no provider's fault, a bug that is.

    A server may repeat what it was sent, keys included: they are hidden here, before all is told or kept.

    Args:
        exc: as raised by a chat model.
        model: its name as you gave it, for the message.
    """
    if isinstance(exc, MetaphorBoostError):
        return exc
    error = _translated(exc, model)
    if error is not None:
        error.args = (redacted(str(error)),)
        error.raw = redacted(error.raw)
    return error


def _translated(exc: BaseException, model: str) -> MetaphorBoostError | None:
    if isinstance(exc, UnreadableReplyError):
        page = (
            " --base-url is probably wrong: its path often ends in /v1."
            if exc.what.startswith("an HTML")
            else ""
        )
        return ProviderError(
            f"{model}: the server at {exc.server} sent no chat completion, but {exc.what}.{page}",
            fault="unreadable",
        )
    if not _of_provider(exc):
        return None
    if (known := _of_kind(exc, model)) is not None:
        return known
    status = status_of(exc)
    return _of_network(exc, model) if status is None else _of_status(status, exc, model)


@contextmanager
def provider_faults(model: str) -> Generator[None]:
    """Translate what is raised inside; works around ``await`` too.

    >>> with provider_faults("openai:x"):
    ...     raise TimeoutError
    Traceback (most recent call last):
    agents.errors.ProviderError: openai:x: no answer from the server in time; --timeout sets how long to wait.
    """
    try:
        yield
    except Exception as exc:
        fault = translate(exc, model=model)
        if fault is None or fault is exc:
            raise
        raise fault from exc
