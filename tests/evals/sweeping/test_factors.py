from __future__ import annotations

import pytest

from agents.errors import UserError
from evals.sweeping.arguments import read_arguments
from evals.sweeping.factors import read_factors, read_named


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("retrieval.z=0,5,10,20", "context.retrieval.limit", (0, 5, 10, 20)),
        ("context.retrieval.hops= 1, 2", "context.retrieval.hops", (1, 2)),
        ("h=1", "context.retrieval.hops", (1,)),
        ("few_shot=on,off,null", "context.few_shot", (True, False, None)),
        ("few-shot=true", "context.few_shot", (True,)),
        ("temperature=0,0.7", "context.temperature", (0.0, 0.7)),
        ("knowledge.source=none,graph", "context.knowledge.source", ("none", "graph")),
        ("embeddings=none,embedded", "context.knowledge.embeddings", (None, "embedded")),
        ("retrieval.mode=default,shared", "context.retrieval.mode", (None, "shared")),
        ("tools=hop,hop+m:color,none", "context.tools", (["hop"], ["hop", "m:color"], [])),
        ("prompt=none,perceive=a.md", "context.prompts", ([], [["perceive", "a.md"]])),
        ("epochs=1,3", "epochs", (1, 3)),
        ("sampling=uniform,shots", "context.frames.method", ("uniform", "shots")),
        ("graph=boost,cot", "graph", ("boost", "cot")),
    ],
)
def test_values_are_of_the_settings_own_type(text: str, name: str, values: tuple[object, ...]) -> None:
    found = read_factors([text])
    assert found.values == {name: values}
    assert [type(value) for value in found.values[name]] == [type(value) for value in values]


def test_a_setting_that_comes_again_has_more_values() -> None:
    found = read_factors(["retrieval.z=0", "few_shot=on", "retrieval.limit=5"])
    assert found.values == {"context.retrieval.limit": (0, 5), "context.few_shot": (True,)}
    assert found.words["context.retrieval.limit"] == "retrieval.z"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("retreival.z=1", "retreival.z: there is no such setting. Did you mean retrieval or retrieval.z"),
        ("retrieval.lmit=1", "Did you mean retrieval.limit"),
        ("foo=1", "there is no such setting. Known: those that --dry-run prints."),
        ("retrieval.z=ten", "--over retrieval.z: 'ten' can't be: Input should be a valid integer"),
        ("retrieval.z=-1", "'-1' can't be: Input should be greater than or equal to 0."),
        ("few_shot=maybe", "'maybe' can't be: it should be on, off or null."),
        ("frames.method=unifrm", "'unifrm' can't be: Input should be 'uniform', 'shots' or 'fps'."),
        ("budget=1", "budget holds settings of its own; vary one of budget.max_tokens_total"),
        ("seed=1,2", "seed: it is the whole run's"),
        ("calls.cache=on,off", "calls.cache: it alters no answer"),
        ("frames.cache=on,off", "frames.cache: it alters no answer"),
        ("retrieval.z=", "--over wants NAME=VALUE,VALUE"),
        ("retrieval.z", "--over wants NAME=VALUE,VALUE"),
        ("epochs=1,2,1", "--over epochs names 1 twice."),
        ("graph=boots", "There is no graph 'boots'. Did you mean boost?"),
    ],
)
def test_what_cant_be_is_named(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read_factors([text])
    assert says in str(caught.value)


def test_a_base_is_named_by_its_values() -> None:
    assert read_named("retrieval.z=10, few_shot=off") == {
        "context.retrieval.limit": 10,
        "context.few_shot": False,
    }
    with pytest.raises(UserError, match="--base wants NAME=VALUE"):
        read_named("10")


def test_graphs_may_be_varied_by_either_flag(capsys: pytest.CaptureFixture[str]) -> None:
    options = read_arguments(["--over", "graph=boost,cot", "--over", "few_shot=on,off"])
    assert options.graph == ["boost", "cot"]
    assert list(options.over.values) == ["context.few_shot"]
    with pytest.raises(SystemExit):
        read_arguments(["--over", "few_shot=on"])
    assert "--graph is missing" in capsys.readouterr().err
