"""A context is plain data: frozen, strict, the paper's defaults."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agents.context import Context


def test_the_defaults_are_the_papers() -> None:
    context = Context()
    assert (context.frames.max_frames, context.frames.max_side, context.frames.quality) == (50, 1024, 85)
    assert (context.retrieval.hops, context.retrieval.limit) == (2, 10)
    assert (context.temperature, context.judge_temperature) == (0.7, 0.0)


def test_json_there_and_back() -> None:
    context = Context(model="openai:m", tools=("hop", "a:b"), prompts=(("perceive", "p.md"),))
    assert Context.model_validate_json(context.model_dump_json()) == context


def test_an_unknown_key_fails_and_nothing_changes_afterwards() -> None:
    with pytest.raises(ValidationError, match="max_hop"):
        Context.model_validate({"max_hop": 3})
    with pytest.raises(ValidationError, match="frozen"):
        Context().model = "other"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("given", "judge_at"),
    [
        ({"model": "openai:a", "base_url": "u"}, "u"),
        ({"model": "openai:a", "judge_model": "openai:b", "base_url": "u"}, "u"),
        ({"model": "openai:a", "judge_model": "openai:b", "base_url": "u", "judge_base_url": "v"}, "v"),
        ({"model": "openai:a", "judge_model": "google_genai:b", "base_url": "u"}, None),
        ({"model": "embedded", "judge_model": "openai:b", "judge_base_url": "v"}, "v"),
        ({"model": "embedded", "judge_model": "openai:b", "base_url": "u"}, "u"),
        ({"model": "google_genai:a", "judge_model": "openai:b", "base_url": "u"}, "u"),
        ({"model": "google_genai:a", "base_url": "u"}, "u"),
        ({"model": "openai:a", "judge_model": "embedded", "base_url": "u"}, None),
    ],
)
def test_which_server_the_judge_is_asked_at(given: dict[str, str], judge_at: str | None) -> None:
    assert Context.model_validate(given).base_url_for("judge") == judge_at


def test_gemini_keeps_its_own_server_beside_an_openai_judge() -> None:
    context = Context(model="google_genai:a", judge_model="openai:b", base_url="u")
    assert context.base_url_for("interpreter") is None


@pytest.mark.parametrize(
    ("given", "idle"),
    [
        ({"base_url": "u"}, ["base_url"]),
        ({"model": "openai:a", "base_url": "u", "judge_base_url": "v"}, []),
        ({"model": "openai:a", "judge_model": "embedded", "judge_base_url": "v"}, ["judge_base_url"]),
        ({"judge_model": "openai:a", "base_url": "u"}, []),
    ],
)
def test_a_server_that_nobody_is_asked_at(given: dict[str, str], idle: list[str]) -> None:
    assert Context.model_validate(given).idle_urls() == idle
