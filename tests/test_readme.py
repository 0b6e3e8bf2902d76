"""Every command and snippet of the README is run, on one clip or a folder of two, and without a key.

A placeholder of the README (a clip's name, a server's address, a folder) is replaced by a real one, and
a run is cut to one sample and a few frames. The two installing lines are CI's; their words are checked here.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.extractor import ExtractionServer
from tests.servers.openai_like import OpenAILike
from tests.warm.starting import Warm

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
OF_THE_EVALUATOR = {
    "evals.compare": ("baseline", None),
    "evals.report": ("report.html", "report.html"),
    "evals.reproduce": ("Table 2", "paper.html"),
    "evals.diagnose": ("recognition", None),
    "evals.judge": ("judge", None),
    "evals.agreement": ("kappa", "runs/boost/agreement.html"),
    "evals.sweep": ("retrieval", "runs/sweep/sweep.html"),
    "graphs.interpret": ("The video presents", None),
}
"""For each command about runs: what it says, and the page it makes."""
ALLOWED = {"evals.judge": {0, 6}}
"""Exit codes besides 0: the server's judge gives every answer the same score, and fails probes."""
MINI = ROOT / "evals/datasets/mini"
CLIP = MINI / "videos/candle_chair.mp4"


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAILike]:
    with OpenAILike() as running:
        yield running


@pytest.fixture(scope="module")
def extractor() -> Iterator[ExtractionServer]:
    with ExtractionServer() as running:
        yield running


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory, warm: Warm, embedded_model: None) -> Path:
    """A folder of two runs, of one sample each."""
    place = tmp_path_factory.mktemp("two")
    for graph in ("baseline", "boost"):
        begun = warm.run("evals.run", ["--graph", graph, "--run-dir", f"runs/{graph}", *LITTLE], place)
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
    ids = [json.loads(row)["video_id"] for row in (MINI / "datas.jsonl").read_text("utf-8").splitlines()]
    ratings = ["video_id,rater,score", *(f"{name},{who}" for name in ids for who in ("anna,7", "ben,9"))]
    (tmp_path / "ratings.csv").write_text("\n".join(ratings), encoding="utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def test_the_readme_shows_commands_and_a_snippet() -> None:
    assert len(COMMANDS) >= 8
    assert len(SNIPPETS) == 1
    assert '\n    pip install -e ".[embedded]" && python -m evals.run --graph boost\n' in README
    assert '\n    pip install -e ".[embedded,dev]" && pytest\n' in README


def _words(command: str, server: str) -> tuple[str, list[str]]:
    """The module and the arguments of a command, asked of a server of ours, and cut to a sample or two."""
    words = shlex.split(re.sub(r"http://127\.0\.0\.1:800\d/v1", server, command))[2:]
    if words[0] in ("evals.run", "evals.sweep"):
        words += [*LITTLE, *([] if "--run-dir" in words else ["--run-dir", "run"])]
    if "--probes" in words:
        words += ["--limit", "2"]
    return words[0], words[1:]


@pytest.mark.usefixtures("embedded_model")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme(
    command: str, place: Path, warm: Warm, request: pytest.FixtureRequest
) -> None:
    asked = request.getfixturevalue("extractor" if "graphs.knowledge" in command else "server")
    module, words = _words(command, asked.base_url)
    if "runs/boost" in words:
        shutil.copytree(request.getfixturevalue("two_runs"), place / "runs")
    elif module == "evals.run" and "--graph" not in words:
        begun = warm.run(module, ["--graph", "baseline", *LITTLE, "--no-cache", *words[:2]], place)
        assert begun.returncode == 0, begun.stderr
        words = words[: -len(LITTLE)]
    done = warm.run(module, words, place, {"OPENAI_API_KEY": "none"})
    assert done.returncode in ALLOWED.get(module, {0}), done.stderr
    _check(module, words, done.stdout + done.stderr, place)


def _check(module: str, words: list[str], said: str, place: Path) -> None:
    """What a command says, and the file that it makes."""
    if "--dry-run" in words:
        assert "calls" in said
    elif module == "evals.run":
        records = next(place.rglob("records.jsonl")).read_text(encoding="utf-8").splitlines()
        assert [json.loads(record)["outcome"] for record in records] == ["ok"]
    elif module in ("tools.knowledge", "graphs.knowledge"):
        told, made = OF_THE_GRAPH[words[0]]
        assert told in said
        assert made is None or (place / made).exists()
    else:
        told, made = OF_THE_EVALUATOR[module]
        assert told in said
        assert made is None or "<!doctype html>" in (place / made).read_text(encoding="utf-8").lower()


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_of_the_readme(snippet: str, place: Path, warm: Warm, embedded_model: None) -> None:
    (place / "snippet.py").write_text(snippet, encoding="utf-8")
    done = warm.run("snippet", [], place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The video presents ")


def test_the_numbers_of_the_graph_are_those_that_it_counts() -> None:
    from tools.knowledge import open_knowledge
    from tools.knowledge.statistics import statistics

    counted = statistics(open_knowledge())
    assert f"{counted.elements:,} visual elements and {counted.edges:,} associations" in README
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"{counted.elements:,} visual elements" in changes
