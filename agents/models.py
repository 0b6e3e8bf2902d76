"""From a model's name to a chat model: the one place that knows providers' SDKs.

Every server that speaks OpenAI's protocol (vLLM, Ollama,
DashScope, DeepSeek, Ark, GLM, ...) is ``openai:`` with a base URL.
"""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.names import EMBEDDED, PROVIDERS, default_model, parse_model_name

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = [
    "EMBEDDED",
    "PROVIDERS",
    "check_model",
    "close_chat_model",
    "default_model",
    "open_chat_model",
    "openai_base_url",
    "parse_model_name",
    "prepare_model",
]


def check_model(name: str, *, base_url: str | None = None) -> None:
    """Raise at once what opening a model would raise: a bad name, an absent package, part or key.

    Loads neither a provider nor a model, so that a command line can be checked before anything is paid.

    Args:
        name: as for :func:`open_chat_model`.
        base_url: of the server it would be asked at.

    Raises:
        UserError: with what is missing and where to get it.
    """
    provider, model = parse_model_name(name)
    if provider == EMBEDDED:
        from agents.embedded.weights import check_installed

        check_installed()
        return
    _check_package(provider, name)
    if provider == "openai":
        _openai_key(model, base_url or openai_base_url())
    elif provider == "google_genai":
        _google_key(model, base_url)


def prepare_model(name: str) -> None:
    """Bring what a model needs on this machine, before the first sample waits for it.

    Raises:
        UserError: when it can't be had.
    """
    if parse_model_name(name)[0] == EMBEDDED:
        from agents.embedded.weights import PARTS, require

        for part in PARTS.values():
            require(part)


def open_chat_model(  # noqa: PLR0913 - the settings a model has
    name: str,
    *,
    base_url: str | None = None,
    temperature: float = 0.7,
    timeout: float = 180.0,
    max_retries: int = 3,
    max_tokens: int | None = None,
    patience: float = 300.0,
    concurrency: int = 64,
    rpm: int | None = None,
    tpm: int | None = None,
) -> BaseChatModel:
    """Open a chat model; nothing is sent yet.

    It asks through the line to its server (:mod:`agents.calls`), which alone tries again what failed: the
    provider's SDK sends once, so that tries never multiply. That is so for ``ainvoke`` and its like;
    ``invoke`` goes past the line and sends once.

    Args:
        name: ``provider:model``, or ``embedded``.
        base_url: of an OpenAI-compatible server (or a stand-in for Gemini's); None for the provider's own.
        temperature: 0 to 2. Models that fix their own ignore it.
        timeout: seconds for one try of one call.
        max_retries: tries after the first.
        max_tokens: of an answer; None leaves it to the server.
        patience: seconds that a call may wait between its tries, all together.
        concurrency: calls in flight at most, of all who ask this model on this server.
        rpm: requests a minute at most, likewise.
        tpm: tokens a minute at most, likewise.

    Raises:
        UserError: for an unknown or incomplete name, a missing package or key.
    """
    provider, model = parse_model_name(name)
    if provider == EMBEDDED:
        from agents.embedded import EmbeddedChatModel

        return EmbeddedChatModel(temperature=temperature, max_tokens=max_tokens)
    options: dict[str, Any] = {"temperature": temperature, "timeout": timeout, "max_retries": 0}
    if max_tokens is not None:
        options["max_tokens"] = max_tokens
    _check_package(provider, name)
    server = base_url or (openai_base_url() if provider == "openai" else None)
    opened = _open(provider, model, server, options)
    from agents.calls import Patience, open_line
    from agents.calls.careful import Way, ask_through

    line = open_line(f"{provider}:{model}", server, concurrency=concurrency, rpm=rpm, tpm=tpm)
    return ask_through(opened, Way(line, Patience(timeout, max_retries, patience)))


def _open(provider: str, model: str, base_url: str | None, options: dict[str, Any]) -> BaseChatModel:
    if provider == "openai":
        return _open_openai(model, base_url, options)
    if provider == "google_genai":
        return _open_google(model, base_url, options)
    if _FIXED_TEMPERATURE.match(model):
        del options["temperature"]  # these answer 400 to any; langchain-openai sees to gpt-5 itself
    if base_url is not None:
        options["base_url"] = base_url
    from langchain.chat_models import init_chat_model

    try:
        return init_chat_model(model, model_provider=provider, **options)
    except (ImportError, ValueError) as exc:
        raise UserError(f"{provider}:{model}: {exc}") from exc


def _check_package(provider: str, name: str) -> None:
    package = PROVIDERS[provider]
    if find_spec(package.replace("-", "_")) is None:
        raise UserError(f"the model {name!r} needs a package that is not installed: pip install {package}")


def openai_base_url() -> str | None:
    """The address that OpenAI's SDK and langchain-openai would take from the environment."""
    found = (os.environ.get(name, "").strip() for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"))
    return next(filter(None, found), None)


def _openai_key(model: str, base_url: str | None) -> str:
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key and base_url is None:
        raise UserError(
            f"openai:{model} needs a key: set OPENAI_API_KEY in the environment, or give --base-url for a "
            f"server that needs none. --model {EMBEDDED} needs neither."
        )
    return key or "none"


def _open_openai(model: str, base_url: str | None, options: dict[str, Any]) -> BaseChatModel:
    key = _openai_key(model, base_url)
    import openai
    from pydantic import SecretStr

    from agents.openai_chat import OpenAICompatibleChat, quiet_advice

    quiet_advice()
    if _FIXED_TEMPERATURE.match(model):
        del options["temperature"]  # these answer 400 to any; langchain-openai sees to gpt-5 itself
    if base_url is not None:
        options["base_url"] = base_url
    if base_url is not None and "api.openai.com" not in base_url:
        # OpenAI's own name for the limit is newer than many servers.
        limit = options.pop("max_tokens", None)
        options["stream_usage"] = True
        options |= {"extra_body": {"max_tokens": limit}} if limit is not None else {}
    # A client of its own, not langchain-openai's shared one, so that it can be closed.
    client = openai.DefaultAsyncHttpxClient(timeout=options["timeout"])
    return OpenAICompatibleChat(model=model, api_key=SecretStr(key), http_async_client=client, **options)


async def close_chat_model(model: BaseChatModel) -> None:
    """Close a model's connections, where it holds any; it can't be asked afterwards."""
    aclose = getattr(model, "aclose", None)
    if aclose is not None:
        await aclose()


_FIXED_TEMPERATURE = re.compile(r"^o\d")
_THINKING = re.compile(r"^(?:models/)?gemini-(?:2\.5|[3-9])")


def _google_key(model: str, base_url: str | None) -> str:
    keys = [os.environ.get(name, "").strip() for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY")]
    key = next(filter(None, keys), "none" if base_url is not None else None)
    if key is None:
        raise UserError(
            f"google_genai:{model} needs a key: set GOOGLE_API_KEY (or GEMINI_API_KEY) in the environment. "
            f"--model {EMBEDDED} needs none."
        )
    return key


def _open_google(model: str, base_url: str | None, options: dict[str, Any]) -> BaseChatModel:
    key = _google_key(model, base_url)
    from pydantic import SecretStr

    from agents.gemini_chat import GeminiChat

    options["max_retries"] = 1  # this SDK counts the first try; 0 would mean its own default of five
    options |= {"base_url": base_url} if base_url is not None else {}
    if _THINKING.match(model):
        options["include_thoughts"] = True  # diagnosis reads them; without this they are paid but not shown
    return GeminiChat(model=model, api_key=SecretStr(key), **options)
