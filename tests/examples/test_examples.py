"""The course runs offline, from the project's folder, as its own words say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parent.parent.parent / "examples").glob("[0-9]*.py"))
SAYS = {
    "01_quickstart": ["seen:    ", "hop 1:", "reading: The video presents "],
    "02_own_tool": [
        "1. explore_metaphors(",
        "1. color_meaning({'color': 'red'})",
        "red -> danger (Western)",
        "reading: ",
    ],
    "03_own_graph": ["examples.03_own_graph:graph\n   The video presents ", "boost\n   The video presents "],
}


def test_every_example_is_here() -> None:
    assert [path.stem for path in EXAMPLES] == sorted(SAYS)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, embedded_model: None) -> None:
    root = example.parent.parent
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    for words in SAYS[example.stem]:
        assert words in done.stdout
