"""Names of models: ``provider:model``, or ``embedded``."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from agents.errors import UserError

__all__ = ["EMBEDDED", "PROVIDERS", "default_model", "parse_model_name"]

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
