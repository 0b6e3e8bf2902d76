"""From a model's name to a chat model: the one place that knows providers.

A name is ``provider:model``, or ``embedded``. Every server that speaks OpenAI's protocol (vLLM, Ollama,
DashScope, DeepSeek, Ark, GLM, ...) is ``openai:`` with a base URL.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agents.errors import UserError

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

EMBEDDED = "embedded"

PROVIDERS: Mapping[str, str] = {
    "openai": "langchain-openai",
    "google_genai": "langchain-google-genai",
    "anthropic": "langchain-anthropic",
    "azure_openai": "langchain-openai",
    "bedrock_converse": "langchain-aws",
    "deepseek": "langchain-deepseek",
    "fireworks": "langchain-fireworks",
    "google_vertexai": "langchain-google-vertexai",
    "groq": "langchain-groq",
    "mistralai": "langchain-mistralai",
    "ollama": "langchain-ollama",
    "openrouter": "langchain-openrouter",
    "together": "langchain-together",
    "xai": "langchain-xai",
}
"""Providers by the word before the colon, and the package that each needs."""

_KEYS = {
    "OPENAI_API_KEY": "openai:gpt-5",
    "GOOGLE_API_KEY": "google_genai:gemini-3-pro-preview",
    "GEMINI_API_KEY": "google_genai:gemini-3-pro-preview",
}

# What people write before they know the provider's word, by the start of the name.
_FAMILIES = {
    "gpt": "openai",
    "chatgpt": "openai",
    "o1": "openai",
    "o3": "openai",
    "o4": "openai",
    "gemini": "google_genai",
    "claude": "anthropic",
}


def _known() -> str:
    return ", ".join([EMBEDDED, *(f"{name}:..." for name in PROVIDERS)])


def _bare(name: str) -> UserError:
    """A name without a provider: say which one it probably has."""
    nearest = difflib.get_close_matches(name.lower(), [EMBEDDED], n=1, cutoff=0.6)
    family = next((p for start, p in _FAMILIES.items() if name.lower().startswith(start)), None)
    if nearest:
        hint = f"did you mean {EMBEDDED!r}?"
    elif family:
        hint = f"did you mean '{family}:{name}'?"
    else:
        hint = f"a model behind an OpenAI-compatible server is 'openai:{name}' with --base-url."
    return UserError(f"the model {name!r} names no provider; {hint}\nKnown: {_known()}.")


def parse_model_name(name: str) -> tuple[str, str]:
    """Split a name into provider and model; for the embedded model both are ``embedded``.

    Raises:
        UserError: for a name without provider, an unknown provider or an empty model, with the known
            providers and the nearest.

    >>> parse_model_name("openai:qwen3-vl:8b")
    ('openai', 'qwen3-vl:8b')
    """
    name = name.strip()
    provider, colon, model = name.partition(":")
    if name == EMBEDDED:
        return EMBEDDED, EMBEDDED
    if not colon:
        raise _bare(name)
    if provider not in PROVIDERS:
        nearest = difflib.get_close_matches(
            provider.lower().replace("-", "_"), [*PROVIDERS, EMBEDDED], n=1, cutoff=0.5
        )
        hint = f" did you mean {nearest[0]!r}?" if nearest else ""
        raise UserError(f"unknown provider {provider!r} in the model {name!r};{hint}\nKnown: {_known()}.")
    if not model.strip():
        raise UserError(f"the model {name!r} names no model after the colon, as in '{provider}:NAME'.")
    return provider, model.strip()


def default_model(environ: Mapping[str, str]) -> tuple[str, str]:
    """The model of a run that names none, and a sentence for its user.

    It is the embedded model even where a key is set: a run spends nobody's money unasked.

    Args:
        environ: the environment's variables.
    """
    found = [key for key in _KEYS if environ.get(key, "").strip()]
    say = "No --model given: this run uses the embedded model, which needs no key"
    if found:
        return EMBEDDED, (
            f"{say}. {found[0]} is set, but not used or paid with until you ask: --model {_KEYS[found[0]]}."
        )
    return EMBEDDED, (
        f"{say}. To choose another: --model openai:NAME or google_genai:NAME with a key in OPENAI_API_KEY or "
        "GOOGLE_API_KEY, or --model openai:NAME --base-url URL for your own server."
    )


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
) -> BaseChatModel:
    """Open a chat model; nothing is sent yet.

    Failed calls are tried again by the provider's SDK alone, so that tries never multiply.

    Args:
        name: ``provider:model``, or ``embedded``.
        base_url: of an OpenAI-compatible server (or a stand-in for Gemini's); None for the provider's own.
        temperature: 0 to 2. Models that fix their own ignore it.
        timeout: seconds for one try of one call.
        max_retries: tries after the first.
        max_tokens: of an answer; None leaves it to the server.

    Raises:
        UserError: for an unknown or incomplete name, a missing package or key.
    """
    provider, model = parse_model_name(name)
    if provider == EMBEDDED:
        from agents.embedded import EmbeddedChatModel

        return EmbeddedChatModel(temperature=temperature, max_tokens=max_tokens)
    options: dict[str, Any] = {"temperature": temperature, "timeout": timeout, "max_retries": max_retries}
    if max_tokens is not None:
        options["max_tokens"] = max_tokens
    _check_package(provider, name)
    if provider == "openai":
        return _open_openai(model, base_url or openai_base_url(), options)
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
        raise UserError(f"{name}: {exc}") from exc


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

    options["max_retries"] += 1  # this SDK counts the first try; 0 would mean its own default of five
    options |= {"base_url": base_url} if base_url is not None else {}
    if _THINKING.match(model):
        options["include_thoughts"] = True  # diagnosis reads them; without this they are paid but not shown
    return GeminiChat(model=model, api_key=SecretStr(key), **options)
