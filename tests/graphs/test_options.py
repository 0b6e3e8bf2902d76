"""Which frames a model sees, as the command line says it."""

from __future__ import annotations

import argparse

import pytest

from agents.context import FrameSettings
from agents.errors import UserError
from graphs.options import add_model_options, add_scaffold_options, context_of


def frames_of(*words: str) -> FrameSettings:
    parser = argparse.ArgumentParser()
    add_model_options(parser)
    add_scaffold_options(parser)
    return context_of(parser.parse_args(words), model="embedded").frames


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
