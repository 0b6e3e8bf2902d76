"""What is said of arguments that can't be."""

from __future__ import annotations

import importlib

import pytest

from graphs.parsing import Parser


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    parser = Parser(prog="python -m thing")
    parser.add_argument("--graph")
    parser.add_argument("--judge-model", required=True)
    with pytest.raises(SystemExit) as caught:
        parser.parse_args(words)
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_a_mistyped_flag_is_told_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(["--judge-model", "x", "--grpah=boost"], capsys) == (
        "error: unrecognized arguments: --grpah=boost\n"
        "--grpah: did you mean --graph?\n"
        "All flags: python -m thing --help\n"
    )


def test_a_mistyped_flag_is_told_where_it_was_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--judge-modle: did you mean --judge-model?\n" in said(["--judge-modle", "x"], capsys)


@pytest.mark.parametrize("words", [["--gra", "x"], ["--", "--grpah"], ["--colour"]])
def test_what_is_short_or_far_off_or_no_flag_is_not_guessed(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "did you mean" not in said(words, capsys)


@pytest.mark.parametrize(
    ("module", "words", "meant"),
    [
        ("evals.run", ["--grpah", "boost"], "--graph"),
        ("evals.sweep", ["--graph", "boost", "--ovr", "retrieval.z=0,5"], "--over"),
        ("evals.judge", ["x", "--judge-modle", "embedded"], "--judge-model"),
        ("evals.agreement", ["x", "--humans", "ratings.csv"], "--human"),
        ("evals.diagnose", ["x", "--scores-only"], "--score-only"),
        ("evals.compare", ["x", "--bytype"], "--by-type"),
        ("evals.report", ["x", "--outt", "x.html"], "--out"),
        ("evals.reproduce", ["x", "--htlm", "x.html"], "--html"),
        ("evals.published", ["x", "--datset", "y"], "--dataset"),
        ("graphs.interpret", ["x.mp4", "--grahp", "boost"], "--graph"),
    ],
)
def test_every_command_with_many_flags_says_it_in_a_few_lines(
    module: str, words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "evals.report.__main__" if module == "evals.report" else module
    with pytest.raises(SystemExit) as caught:
        importlib.import_module(name).main(words)
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert f"did you mean {meant}?\n" in told
    assert told.startswith("error: ")
    assert told.endswith(f"All flags: python -m {module} --help\n")
    assert len(told.splitlines()) == 3
