"""What the catalog says of the graphs, and what it says when a name is wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.context import Context
from agents.errors import UserError
from graphs.catalog import expected_calls, fingerprint, langgraph_json, load, variants

FIVE = ["baseline", "boost", "boost_retrieval", "cot", "few_shot"]


def test_the_five_variants_describe_themselves() -> None:
    assert list(variants()) == FIVE
    assert all(variant.summary for variant in variants().values())


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("baseline", (1, 1)),
        ("cot", (1, 1)),
        ("few_shot", (1, 1)),
        ("boost_retrieval", (2, 2)),
        ("boost", (3, 7)),
    ],
)
def test_expected_calls(name: str, calls: tuple[int, int]) -> None:
    assert expected_calls(name, Context(max_hops=5)) == calls


def test_langgraph_json_names_every_graph(root: Path) -> None:
    written = json.loads((root / "langgraph.json").read_text(encoding="utf-8"))
    assert written == langgraph_json(), "run: python -m graphs --langgraph-json"
    assert sorted(written["graphs"]) == sorted([*FIVE, "diagnose", "extract", "judge"])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bost", ["'bost'", "Did you mean boost?", "baseline, boost, boost_retrieval, cot, few_shot"]),
        ("nowhere_at_all:graph", ["nowhere_at_all", "PYTHONPATH"]),
        ("graphs.judge:grap", ["has no 'grap'", "Did you mean 'graph'?"]),
        ("graphs.judge:build", ["function", ".compile()"]),
    ],
)
def test_a_wrong_name_is_answered_with_the_way_out(name: str, words: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        load(name)
    for word in words:
        assert word in str(caught.value)


def test_a_new_variant_is_one_new_file(root: Path, tmp_path: Path, embedded_model: None) -> None:
    for package in ("agents", "tools", "graphs", "evals"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    source = (root / "graphs/variants/baseline.py").read_text(encoding="utf-8")
    new = source.replace("One call: frames", "Twice the same: frames").replace(
        'name="baseline"', 'name="twice"'
    )
    (tmp_path / "graphs/variants/twice.py").write_text(new, encoding="utf-8")

    def answer(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert "twice            Twice the same" in answer("-m", "graphs")
    assert "Twice the same" in answer("-m", "evals.run", "--help")
    assert "Twice the same" in answer("-m", "graphs.interpret", "--help")
    ran = answer("-m", "evals.run", "--graph", "twice", "--limit", "1", "--frames", "2", "--run-dir", "run")
    assert "Body_Language" in ran
    record = json.loads((tmp_path / "run/records.jsonl").read_text(encoding="utf-8"))
    assert (record["graph"], record["outcome"]) == ("twice", "ok")
    code = "from graphs import catalog as c; "
    code += "print(c.load('twice').name, c.langgraph_json()['graphs']['twice'])"
    assert answer("-c", code).split() == ["twice", "graphs.variants.twice:graph"]


def test_the_fingerprint_follows_wiring_and_prompts(tmp_path: Path) -> None:
    plain = fingerprint("boost", Context())
    assert {"graph boost", "prompt perceive", "prompt judge_loose"} <= set(plain)
    path = tmp_path / "mine.md"
    path.write_text("List what you see.", encoding="utf-8")
    changed = fingerprint("boost", Context(prompts=(("perceive", str(path)),)))
    assert {key for key in plain if plain[key] != changed[key]} == {"prompt perceive"}
    assert "graph boost" not in fingerprint("cot", Context())
    assert {key for key in fingerprint("cot", Context()) if key.startswith("prompt i")} == {
        "prompt interpret_cot"
    }
    assert "prompt explore" not in fingerprint("boost_retrieval", Context())
    assert "prompt explore" in fingerprint("own.module:graph", Context())
