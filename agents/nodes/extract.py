"""Extract: numbered sentences in, pairs of what is said and what is meant out. Nothing is checked here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from agents.asked import ExtractionAnswer
from agents.desk import Desk
from agents.errors import UserError
from agents.messages import conversation
from agents.models import EMBEDDED
from agents.prompts import Prompts

__all__ = ["extract", "extraction_digest", "on_one_line", "question", "refuse_embedded"]


def refuse_embedded(model: str) -> None:
    """Raise for the embedded model: its writer (135M parameters) finds no metaphor in a sentence.

    Raises:
        UserError: with what to use instead.
    """
    if model.strip() == EMBEDDED:
        raise UserError(
            "the embedded model can't extract: with 135 million parameters it writes pairs that nobody said. "
            "Use --model openai:NAME (gpt-5-mini, say) or google_genai:NAME with a key, or a model of 7 "
            "billion parameters and more on your own machine: --model openai:NAME --base-url URL of Ollama, "
            "vLLM or llama.cpp. The starter graph needs no extraction."
        )


def extraction_digest(prompts: Prompts) -> str:
    """The first 12 hex digits of a hash over both templates that extraction asks by."""
    joined = f"{prompts.digest('extract_system')}\0{prompts.digest('extract')}"
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


def on_one_line(sentence: str) -> str:
    """A sentence without line breaks, so that none can pass for two numbered ones."""
    return " ".join(sentence.split())


def question(prompts: Prompts, sentences: Sequence[str]) -> tuple[str, str]:
    """The system's and the user's words that ask for the metaphors of these sentences."""
    shown = [on_one_line(sentence) for sentence in sentences]
    return prompts.render("extract_system").text, prompts.render("extract", sentences=shown).text


async def extract(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Ask for the metaphors of all sentences in one call.

    Returns:
        ``items``, as the model gave them, and ``calls``.

    Raises:
        UserError: without a sentence, and for the embedded model.
    """
    sentences: list[str] = list(state["sentences"])
    if not any(sentence.strip() for sentence in sentences):
        raise UserError("There is no sentence to extract from.")
    refuse_embedded(desk.context.model_for("interpreter"))
    system, words = question(desk.prompts, sentences)
    digest = extraction_digest(desk.prompts)
    messages = conversation(system, words)
    answer, call = await desk.ask("interpreter", "extract", messages, ExtractionAnswer, prompt=digest)
    return {"items": answer.value.items, "calls": [call]}
