"""Which frames a model sees, and what it is lent, as the command line says it."""

from __future__ import annotations

import argparse

import pytest

from agents.context import SOURCES, Context, FrameSettings, KnowledgeSettings, RetrievalSettings
from agents.errors import UserError
from graphs.options import add_model_options, add_scaffold_options, context_of
from tools.knowledge import DEFAULT_MODE, MODES
from tools.knowledge.sources import installed_sources


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser()
    add_model_options(made)
    add_scaffold_options(made)
    return made


def said(*words: str) -> Context:
    return context_of(parser().parse_args(words), model="embedded")


def frames_of(*words: str) -> FrameSettings:
    return said(*words).frames


def test_without_flags_the_defaults_hold() -> None:
    assert frames_of() == FrameSettings()


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (("--sampling", "shots"), {"method": "shots"}),
        (("--sampling", "fps", "--fps", "0.5"), {"method": "fps", "fps": 0.5}),
        (("--reader", "decord", "--reader-fallback"), {"reader": "decord", "reader_fallback": True}),
        (("--no-cache",), {"cache": False}),
        (("--cache-dir", "kept"), {"cache_dir": "kept"}),
    ],
)
def test_each_flag_is_one_setting(words: tuple[str, ...], settings: dict[str, object]) -> None:
    assert frames_of(*words) == FrameSettings.model_validate(settings)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--fps", "2"), "--fps goes with --sampling fps"),
        (("--sampling", "shots", "--fps", "2"), "--fps goes with --sampling fps"),
        (("--sampling", "fps", "--fps", "0"), "--fps 0.0: .*greater than 0"),
        (("--no-cache", "--cache-dir", "kept"), "--no-cache and --cache-dir exclude each other"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(UserError, match=told):
        frames_of(*words)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ((), {}),
        (("--knowledge", "g.tsv"), {"graph": "g.tsv"}),
        (("--knowledge-source", "none"), {"source": "none"}),
        (
            ("--knowledge-texts", "a.txt", "b.txt", "--texts-by", "embeddings"),
            {
                "texts": ("a.txt", "b.txt"),
                "texts_by": "embeddings",
            },
        ),
        (("--conceptnet", "c.csv"), {"conceptnet": "c.csv"}),
        (
            ("--embeddings", "openai:e", "--embeddings-base-url", "http://u"),
            {
                "embeddings": "openai:e",
                "embeddings_base_url": "http://u",
            },
        ),
    ],
)
def test_each_flag_of_knowledge_is_one_setting(words: tuple[str, ...], settings: dict[str, object]) -> None:
    assert said(*words).knowledge == KnowledgeSettings.model_validate(settings)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ((), {}),
        (("--retrieval", "pagerank"), {"mode": "pagerank"}),
        (("--retrieval-hops", "1", "--retrieval-limit", "0"), {"hops": 1, "limit": 0}),
        (("--hops", "3"), {"hops": 3}),
        (("--reference-tokens", "77"), {"max_tokens": 77}),
    ],
)
def test_each_flag_of_retrieval_is_one_setting(words: tuple[str, ...], settings: dict[str, object]) -> None:
    assert said(*words).retrieval == RetrievalSettings.model_validate(settings)


def test_the_help_names_every_mode_and_source() -> None:
    told = " ".join(parser().format_help().split())
    assert all(mode in told for mode in MODES)
    assert f"(default: {DEFAULT_MODE}; published in boost_retrieval)" in told
    assert set(SOURCES) == set(installed_sources())
    assert all(source in told for source in SOURCES)
