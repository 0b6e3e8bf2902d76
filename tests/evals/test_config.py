"""Settings from a file: as people write them, with errors that name file, line and key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.context import Context
from agents.errors import UserError
from evals.settings.config import read_config
from evals.settings.text import config_text
from evals.spec import RunFile, RunSpec

Run = Callable[..., int]
MakeSet = Callable[..., None]


def read(tmp_path: Path, text: str, name: str = "run.yaml") -> dict[str, Any]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_config(tmp_path / name).tree


def spec_in(path: str) -> dict[str, Any]:
    return json.loads((Path(path) / "run.json").read_text())["spec"]


def test_settings_of_run_and_context_stand_side_by_side(tmp_path: Path) -> None:
    text = "graph: boost\nmodel: openai:m\nlimit: 3\nretrieval: {limit: 5}\nbudget: {max_cost: 2}\n"
    assert read(tmp_path, text) == {
        "graph": "boost",
        "limit": 3,
        "budget": {"max_cost": 2},
        "context": {"model": "openai:m", "retrieval": {"limit": 5}},
    }


def test_lists_of_graphs_and_models_mean_several(tmp_path: Path) -> None:
    tree = read(tmp_path, "graph: [cot, boost]\nmodel: [openai:a, openai:b]\nover: {retrieval.limit: [0, 5]}")
    spec = RunSpec.model_validate(tree)
    assert [cell.name for cell in spec.cells()][:3] == ["cot-a-limit-0", "cot-b-limit-0", "boost-a-limit-0"]
    assert len(spec.cells()) == 8


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("grap: x", "run.yaml, line 1: there is no setting 'grap'. Did you mean graph?"),
        ("max_frames: 3", "line 1: there is no setting 'max_frames'. Did you mean frames.max_frames?"),
        (
            "graph: cot\nretrieval:\n  limt: 3",
            "line 3: there is no setting 'retrieval.limt'. Did you mean retrieval.limit?",
        ),
        ("graph: cot\nlimit: 0", "line 2: limit: Input should be greater than or equal to 1 (given: 0)."),
        ("graph: cot\nframes: 16", "line 2: frames: It holds settings of its own, as in frames: {...}"),
        ("graph: [cot", "line 1, column 12: it is no YAML"),
        ("graph: cot\ngraph: boost", "line 2: graph stands on line 1 already."),
        ("graph: [cot, cot]", "line 1: graph names cot twice."),
        ("graph: cot\ncontext: {model: a}\nmodel: b", "line 3: model is said twice."),
        ("graph: boots", "line 1: There is no graph 'boots'. Did you mean boost?"),
        ("graph: cot\ntypes: [XX]", "line 2: types: 'XX' is no metaphor type."),
        ("graph: cot\nover: {judge_k: [1, 99]}", "line 2: judge_k: Input should be less than or equal to 25"),
        ("graph: cot\nover: {budget.max_cost: [1, 2]}", "line 2: budget.max_cost is the whole run's"),
        ("- a", "should hold settings, as in `graph: boost`, and not list."),
        ("spec: {graph: cot}\nlimit: 3", "line 2: 'limit' stands beside spec"),
        ("graph: !!python/object:os.system {}", "could not determine a constructor"),
    ],
)
def test_a_fault_names_file_line_and_key(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(str(tmp_path / "run.yaml"))
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("frames: &a {max_frames: *a}", "line 1: it holds itself."),
        ("&t\ngraph: cot\nretrieval: *t", "it holds itself."),
        ("graph: &a [*a]", "line 1: it holds itself."),
        ("graph: " + "[" * 3000 + "]" * 3000, "is nested more deeply than settings are."),
        ("graph: " + "{a: " * 200 + "}" * 200, "line 1: it is nested more deeply than settings are."),
        ("limit: " + "9" * 5000, "holds a value that can't be made: Exceeds the limit (4300 digits)"),
        ("graph: cot\ndataset: 2026-13-45", "can't be made: month must be in 1..12."),
        ("graph: cot\nlimit: !!int x", "can't be made: invalid literal for int() with base 10: 'x'."),
        ("graph: cot\nseed: !!bool x", "can't be made: 'x'."),
        ('graph: cot\nprices: "a\\0b"', "line 2: it holds the character NUL, which no setting does."),
        ("graph: co\x01t", "it is no YAML: special characters are not allowed."),
    ],
)
def test_what_no_person_writes_is_told_too(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError) as told:
        read(tmp_path, text)
    assert says in str(told.value)


def test_aliases_that_multiply_are_refused_before_they_are_followed(tmp_path: Path) -> None:
    layers = "".join(f"  l{i}: &l{i} {{x: *l{i - 1}, y: *l{i - 1}, z: *l{i - 1}}}\n" for i in range(1, 30))
    with pytest.raises(UserError, match="with all aliases it holds more than 100,000 values"):
        read(tmp_path, f"over:\n  l0: &l0 {{x: 1}}\n{layers}")


def test_json_that_is_nested_or_long_beyond_reason_is_told(tmp_path: Path) -> None:
    for text in ('{"graph": ' + "[" * 100_000 + "]" * 100_000 + "}", '{"limit": ' + "9" * 5000 + "}"):
        with pytest.raises(UserError, match=r"nested more deeply|Exceeds the limit"):
            read(tmp_path, text, "run.json")


def test_what_is_varied_may_leave_the_graph_to_a_flag(tmp_path: Path) -> None:
    tree = read(tmp_path, "over: {retrieval.limit: [0, 5]}")
    assert tree["over"] == {"context.retrieval.limit": (0, 5)}


def test_a_secret_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="keep the password out") as error:
        read(tmp_path, "graph: cot\nbase_url: https://me:hunter2@host")
    assert "hunter2" not in str(error.value)


def test_json_is_read_too_and_its_faults_are_named(tmp_path: Path) -> None:
    assert read(tmp_path, '{"graph":\t"cot", "temperature": 1e-05}', "a.json")["context"] == {
        "temperature": 1e-05
    }
    with pytest.raises(UserError, match=r"a\.json, line 2: it is no JSON"):
        read(tmp_path, '{"graph":\n}', "a.json")


def test_relative_paths_start_at_the_file(tmp_path: Path) -> None:
    text = (
        "graph: cot\ndataset: data/set\nprices: p.yaml\nknowledge: g.json\nprompts: {perceive: mine.md}\n"
        "frames: {cache_dir: ../cache}\nover: {knowledge.graph: [starter, other.json]}"
    )
    tree = read(tmp_path, text.replace("knowledge: g.json\n", ""))
    assert tree["dataset"] == str(tmp_path / "data" / "set")
    assert tree["prices"] == str(tmp_path / "p.yaml")
    assert tree["context"]["prompts"] == [["perceive", str(tmp_path / "mine.md")]]
    assert tree["context"]["frames"]["cache_dir"] == str(tmp_path.parent / "cache")
    assert tree["over"]["context.knowledge.graph"] == ("starter", str(tmp_path / "other.json"))
    tree = read(tmp_path, "knowledge: g.json\ndataset: mini")
    assert tree == {"dataset": "mini", "context": {"knowledge": {"graph": str(tmp_path / "g.json")}}}
    assert read(tmp_path, "dataset: some.module:attr")["dataset"] == "some.module:attr"


def test_a_flag_comes_before_the_file_and_the_file_before_the_default(run: Run, make_set: MakeSet) -> None:
    make_set("a", "b", "c")
    Path("run.yaml").write_text(
        "graph: [baseline, cot]\nmodel: stub:file\njudge_model: stub:j\ndataset: ds\nlimit: 1\nmax_hops: 7\n"
        "prompts: {perceive: a.md}\nretrieval: {hops: 1, limit: 4}\n"
    )
    Path("a.md").write_text("Look.")
    flags = ("--config", "run.yaml", "--graph", "tests.evals.stubs:graph", "--limit", "2", "--run-dir", "r")
    assert run(*flags, "--retrieval-limit", "6", "--judge-k", "2", "--seed", "7") == 0
    spec = RunSpec.model_validate(spec_in("r"))
    assert (spec.graph, spec.over, spec.limit, spec.seed) == ("tests.evals.stubs:graph", {}, 2, 7)
    context = spec.context
    assert (context.model, context.judge_k, context.max_hops, context.judge_model) == (
        "stub:file",
        2,
        7,
        "stub:j",
    )
    assert (context.retrieval.hops, context.retrieval.limit, context.retrieval.max_tokens) == (1, 6, 1000)
    assert context.prompts == (("perceive", "a.md"),)
    assert spec.concurrency == 8


def test_a_saved_run_is_a_config_and_repeats_it(
    run: Run, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set("a", "b")
    graphs = "tests.evals.stubs:graph,tests.evals.stubs:picky"
    flags = ("--graph", graphs, "--model", "stub:m", "--dataset", "ds", "--judge-k", "2", "--limit", "1")
    assert run(*flags, "--concurrency", "3", "--run-dir", "r") == 0
    assert run("--config", "r/run.json", "--run-dir", "again") == 0
    assert run("--config", "r", "--run-dir", "r") == 0
    assert spec_in("again") == spec_in("r")
    where = Path.cwd()
    make_set("a", "b", "c")
    capsys.readouterr()
    assert run("--config", "r", "--run-dir", "fourth") == 0
    assert "The run in r/run.json is not repeated as it was: the content of its data set is no longer" in (
        capsys.readouterr().err
    )
    make_set("a", "b")
    (where / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert run("--config", "../r", "--run-dir", "third") == 0
    assert spec_in("third") == spec_in("../r") | {"dataset": str(where / "ds")}


@pytest.mark.parametrize(
    "argv",
    [
        ("--graph", "boost", "--model", "openai:a"),
        ("--graph", "baseline,cot", "--model", "openai:a,openai:b"),
    ],
)
def test_what_a_dry_run_prints_is_a_config(
    run: Run, make_set: MakeSet, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]
) -> None:
    make_set("a")
    flags = ("--judge-model", "openai:j", "--dataset", "ds", "--few-shot", "off", "--max-tokens-total", "9")
    assert run(*argv, *flags, "--dry-run") == 0
    told = capsys.readouterr().out
    Path("copy.yaml").write_text(told.partition("as --config reads them:\n")[2])
    assert run("--config", "copy.yaml", "--dry-run") == 0
    assert capsys.readouterr().out == told


CONTEXTS = st.builds(
    Context,
    model=st.sampled_from(["openai:a", "embedded", "google_genai:x y"]),
    temperature=st.floats(0, 2),
    few_shot=st.none() | st.booleans(),
    max_hops=st.integers(1, 50),
    prompts=st.lists(st.tuples(st.sampled_from(["perceive", "on"]), st.just("/a/b.md")), max_size=1).map(
        tuple
    ),
)


@given(
    st.builds(
        RunSpec,
        graph=st.sampled_from(["boost", "my.module:graph"]),
        limit=st.none() | st.integers(1, 9),
        seed=st.integers(0, 2**63 - 1),
        context=CONTEXTS,
        over=st.sampled_from(
            [{}, {"graph": ("cot", "boost")}, {"retrieval.limit": (0, 5), "model": ("a:b", "c")}]
        ),
    )
)
def test_any_settings_are_the_same_after_being_written_and_read(tmp_path_factory: Any, spec: RunSpec) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(config_text(spec), encoding="utf-8")
    assert RunSpec.model_validate(read_config(path).tree) == spec


def test_run_files_of_version_1_are_read(tmp_path: Path) -> None:
    context = Context(model="openai:a").model_dump(mode="json")
    old = {
        "version": 1,
        "spec": {"graph": "boost", "context": context},
        "dataset_digest": "d",
        "fingerprint": {"prompt perceive": "1"},
        "versions": {"python": "3.11"},
        "started": "2026-01-01T00:00:00+00:00",
    }
    (tmp_path / "run.json").write_text(json.dumps(old))
    file = RunFile.read(tmp_path / "run.json")
    assert (file.spec.seed, file.spec.over, file.cells, file.code) == (0, {}, (), None)
    assert RunFile.model_validate_json(file.text()) == file
    (tmp_path / "run.json").write_text(json.dumps(old | {"version": 9}))
    with pytest.raises(UserError, match="less than or equal to 2"):
        RunFile.read(tmp_path / "run.json")
