"""Table 4's rows as runs: recorded, resumed, estimated; what can't be is refused before it is paid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from agents.context import Context, KnowledgeSettings, RetrievalSettings
from evals.money.estimate import estimate
from evals.run import main
from evals.spec import RunFile, RunSpec, changes
from evals.store.run_store import read_records
from graphs import resources
from graphs.catalog import expected_calls, fingerprint
from tests.evals.test_real_graphs import data  # noqa: F401 - a fixture
from tests.fakes import answering_model

TSV = "source\ttarget\tkind\tculture\tweight\tground\n"
ROW = "burning candle\tpassing of time\tsymbol\t\t0.9\tburns down as time passes\n"


@pytest.fixture
def place(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    monkeypatch.setattr(resources, "_KEPT", {})
    (data / "small.tsv").write_text(TSV + ROW, encoding="utf-8")
    (data / "said.txt").write_text("A candle burns down like a life.\n", encoding="utf-8")
    about = json.dumps({"weight": 1.0})
    line = f"/a/x\t/r/SymbolOf\t/c/en/burning_candle\t/c/en/hope\t{about}\n"
    (data / "slice.csv").write_text(line, encoding="utf-8")
    return data


def command(*words: str) -> int:
    fixed = [
        "--model",
        "openai:scripted",
        "--dataset",
        "ds",
        "--limit",
        "1",
        "--judge-k",
        "1",
        "--run-dir",
        "r",
    ]
    return main([*fixed, *words])


SOURCES = {
    "graph": ["--knowledge", "small.tsv"],
    "none": ["--knowledge-source", "none"],
    "self": ["--knowledge-source", "self"],
    "texts": ["--knowledge-source", "texts", "--knowledge-texts", "said.txt"],
    "conceptnet": ["--knowledge-source", "conceptnet", "--conceptnet", "slice.csv"],
}


@pytest.mark.parametrize("source", list(SOURCES))
@pytest.mark.parametrize("graph", ["boost", "boost_retrieval"])
def test_each_row_of_the_table_is_a_run_that_can_be_continued(
    graph: str, source: str, place: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(answering_model())
    assert command("--graph", graph, *SOURCES[source], "--quiet") == 0
    (record,) = read_records(place / "r" / "records.jsonl")
    assert record.ok
    assert record.knowledge is not None
    assert record.knowledge.source == source
    assert record.knowledge.name == {
        "graph": "small.tsv",
        "texts": "said.txt",
        "conceptnet": "slice.csv",
    }.get(source, "")
    steps = [call.step for call in record.calls if not call.step.startswith("judge")]
    file = RunFile.read(place / "r" / "run.json")
    low, high = expected_calls(graph, file.spec.context)
    assert low <= len(steps) <= high
    assert steps.count("associate") == (source == "self")
    assert bool(record.passages) is (source == "texts")
    assert bool(record.mappings) is (source in {"graph", "self", "conceptnet"})
    assert ("the content of the knowledge" in file.fingerprint) is (
        source in {"graph", "texts", "conceptnet"}
    )

    assert command("--graph", graph, *SOURCES[source], "--dry-run") == 0
    assert f"\nknowledge: {source}" in capsys.readouterr().out
    assert main(["--run-dir", "r", "--quiet"]) == 0
    other = SOURCES["none" if source == "graph" else "graph"]
    assert command("--graph", graph, *other, "--quiet") == 2
    told = capsys.readouterr().err
    assert f"knowledge.source was '{source}' and would be" in told


def test_changed_knowledge_under_the_same_name_is_refused(
    place: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(answering_model())
    words = ("--graph", "boost_retrieval", *SOURCES["graph"], "--quiet")
    assert command(*words) == 0
    (place / "small.tsv").write_text(TSV + ROW.replace("0.9", "0.8"), encoding="utf-8")
    assert command(*words) == 2
    assert "the content of the knowledge is no longer what it was" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--knowledge-source", "texts"], "The graph starter keeps no sentences to search"),
        (["--knowledge-source", "conceptnet"], "give --conceptnet PATH (conceptnet-assertions-5.7.0.csv.gz"),
        (["--knowledge-source", "conceptnet", "--conceptnet", "no.csv"], "no.csv: no such file"),
        (["--knowledge-source", "grph"], "'grph' is no source of knowledge. Did you mean 'graph'?"),
        (
            [*SOURCES["graph"], "--retrieval", "sharde"],
            "pagerank, shared. Did you mean shared?",
        ),
        (["--retrieval-limit", "-1"], "--retrieval-limit -1"),
        (["--reference-tokens", "0"], "--reference-tokens 0"),
        (
            [*SOURCES["graph"], "--embeddings-base-url", "http://127.0.0.1:9"],
            "goes with --embeddings openai:NAME",
        ),
        (
            ["--knowledge-source", "texts", "--knowledge-texts", "said.txt", "--texts-by", "embeddings"],
            "--texts-by embeddings needs --embeddings",
        ),
        (
            ["--embeddings", "openai:e", "--embeddings-base-url", "http://me:secret@127.0.0.1/v1"],
            "keep the password out",
        ),
    ],
)
@pytest.mark.parametrize("dry", [True, False])
def test_what_cannot_be_is_refused_before_a_call(  # noqa: PLR0917 - fixtures and cases
    words: list[str],
    told: str,
    dry: bool,
    place: Path,
    play: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = answering_model()
    play(model)
    assert command("--graph", "boost", *words, *(["--dry-run"] if dry else [])) == 2
    assert told in capsys.readouterr().err
    assert model.calls == []
    assert not (place / "r").exists()


def test_an_embeddings_server_that_is_away_is_found_before_a_call(
    place: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    model = answering_model()
    play(model)
    words = ["--embeddings", "openai:e", "--embeddings-base-url", "http://127.0.0.1:9/v1"]
    assert command("--graph", "boost_retrieval", *SOURCES["graph"], *words, "--dry-run") == 0
    assert command("--graph", "boost_retrieval", *SOURCES["graph"], *words) == 2
    assert "openai:e" in capsys.readouterr().err
    assert model.calls == []
    assert not (place / "r").exists()


def test_the_embedded_model_is_refused_as_a_source(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--graph", "boost", "--model", "embedded", "--dataset", "ds", "--knowledge-source", "self"]
    assert main([*words, "--dry-run"]) == 2
    assert "can't be asked for associations" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--graph", "baseline", "--retrieval", "shared"],
            "--retrieval has no effect: baseline looks nothing up.",
        ),
        (
            ["--graph", "boost", *SOURCES["none"], "--max-hops", "2"],
            "boost does not explore with the knowledge source none: --max-hops has no effect.",
        ),
        (
            ["--graph", "boost", *SOURCES["self"], "--knowledge", "x", "--conceptnet", "y"],
            "--conceptnet and --knowledge have no effect: with the knowledge source self.",
        ),
        (
            ["--graph", "boost_retrieval", *SOURCES["texts"], "--hops", "1"],
            "--retrieval-hops has no effect: with the knowledge source texts.",
        ),
        (
            ["--graph", "boost", *SOURCES["graph"], "--knowledge-texts", "said.txt"],
            "--knowledge-texts has no effect: with the knowledge source graph.",
        ),
    ],
)
def test_idle_flags_are_said(
    words: list[str],
    told: str,
    place: Path,
    play: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(answering_model())
    assert command(*words, "--dry-run") == 0
    assert told in capsys.readouterr().err


def test_no_flag_is_said_to_be_idle_that_is_not(
    place: Path, play: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    play(answering_model())
    for graph in ("boost", "boost_retrieval"):
        for words in SOURCES.values():
            assert command("--graph", graph, *words, "--dry-run") == 0
    assert "no effect" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("graph", "knowledge", "more", "calls"),
    [
        ("boost", "starter", {}, (3, 6)),
        ("boost", {"source": "none"}, {}, (2, 2)),
        ("boost", {"source": "none"}, {"tools": ("hop", "a:b")}, (3, 6)),
        ("boost", {"source": "self"}, {}, (3, 3)),
        ("boost", {"source": "self"}, {"retrieval": {"limit": 0}}, (2, 2)),
        ("boost", "starter", {"tools": ()}, (2, 2)),
        ("boost_retrieval", {"source": "self"}, {}, (3, 3)),
        ("boost_retrieval", {"source": "texts"}, {}, (2, 2)),
        ("baseline", {"source": "self"}, {}, (1, 1)),
    ],
)
def test_what_the_model_is_asked_itself_is_counted(
    graph: str, knowledge: object, more: dict[str, object], calls: tuple[int, int]
) -> None:
    context = Context.model_validate({"model": "openai:a", "knowledge": knowledge, **more})
    assert expected_calls(graph, context) == calls
    assert estimate(RunSpec(graph=graph, context=context), 10).calls == (10 * calls[0], 10 * calls[1])


def test_the_prompt_of_associations_counts_where_it_is_asked() -> None:
    asked = Context.model_validate({"model": "openai:a", "knowledge": {"source": "self"}})
    assert "prompt associate" in fingerprint("boost", asked)
    assert "prompt associate" not in fingerprint("boost", Context(model="openai:a"))
    assert "prompt associate" not in fingerprint("baseline", asked)


def test_a_bare_name_is_a_graph_and_old_runs_are_told_what_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Context.model_validate({"knowledge": "my.tsv"}).knowledge == KnowledgeSettings(graph="my.tsv")
    assert Context.model_validate_json('{"knowledge": "starter"}') == Context()
    with pytest.raises(ValidationError, match="conceptnt"):
        Context.model_validate({"knowledge": {"conceptnt": "x"}})
    monkeypatch.chdir(tmp_path)
    spec = RunSpec(graph="boost", context=Context(model="openai:a"))
    file = RunFile(spec=spec, dataset_digest="d", started="2026-01-01T00:00:00+00:00")
    old = json.loads(file.text())
    old["spec"]["context"]["retrieval"] = {"hops": 2, "limit": 10, "parity": True}
    old["spec"]["context"]["knowledge"] = "starter"
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "run.json").write_text(json.dumps(old), encoding="utf-8")
    assert main(["--run-dir", "r"]) == 2
    told = capsys.readouterr().err
    assert "begun by an earlier version, with retrieval.parity: that is now retrieval.mode" in told
    assert "give another --run-dir" in told


def test_every_setting_of_knowledge_counts_when_a_run_is_continued() -> None:
    def file(**settings: object) -> RunFile:
        context = Context.model_validate({"model": "openai:a", **settings})
        spec = RunSpec(graph="boost", context=context)
        return RunFile(spec=spec, dataset_digest="d", started="2026-01-01T00:00:00+00:00")

    changed = {
        "source": "texts",
        "graph": "g",
        "texts": ("t",),
        "texts_by": "embeddings",
        "conceptnet": "c",
        "embeddings": "embedded",
        "embeddings_base_url": "u",
    }
    assert set(changed) == set(KnowledgeSettings.model_fields)
    found = changes(file(), file(knowledge=changed))
    assert [each.split(" was ")[0] for each in found] == [f"knowledge.{name}" for name in changed]
    ranked = {"mode": "shared", "hops": 1, "limit": 5, "max_tokens": 10}
    assert set(ranked) == set(RetrievalSettings.model_fields)
    found = changes(file(), file(retrieval=ranked))
    assert [each.split(" was ")[0] for each in found] == [f"retrieval.{name}" for name in ranked]
