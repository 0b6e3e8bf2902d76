"""The benchmark of retrieval, on graphs small enough to work its figures out by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from evals.benchmarks.retrieval import contenders, main, measure
from evals.benchmarks.retrieval_figures import area, bootstrap, hit, hub_share, reciprocal
from evals.benchmarks.retrieval_tasks import SETS, HeldOut, KeywordSet, Tasks, make_tasks, read_pairs
from tools.errors import KnowledgeError
from tools.knowledge import DEFAULT_MODE, Edge, MetaphorGraph, open_knowledge
from tools.knowledge.retrieving.synonyms import Synonym, read_synonyms, synonyms_of


def test_equal_scores_count_at_their_expectation() -> None:
    others = np.array([3.0, 2.0, 2.0, 1.0])
    assert area(2.0, others) == (1 + 2 / 2) / 4
    assert area(0.0, np.zeros(5)) == 0.5
    # One is above and two are level: ranks 2, 3 and 4 are as likely.
    assert reciprocal(2.0, others) == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)
    assert hit(2.0, others, top=2) == pytest.approx(1 / 3)
    assert hit(2.0, others, top=1) == 0
    assert hit(2.0, others, top=4) == 1


def test_the_share_of_hubs() -> None:
    scores = np.array([5.0, 4.0, 3.0, 3.0, 0.0])
    hubs = np.array([True, False, True, False, True])
    # 5 and 4 are in, and one of the two at 3: half of a hub.
    assert hub_share(scores, hubs, top=3) == pytest.approx((1 + 0.5) / 3)
    assert hub_share(scores, hubs, top=10) == pytest.approx(2 / 4)
    assert hub_share(np.zeros(5), hubs) == 0


def test_intervals_are_of_means_and_of_paired_differences() -> None:
    base = np.array([0.0, 1.0] * 50)
    made = bootstrap({"base": base, "better": base + 0.1, "same": base.copy()}, "base")
    assert made["better"].mean == pytest.approx(0.6)
    assert made["better"].gain == pytest.approx(0.1)
    # On the same questions the difference never varies, however much the means do.
    assert (made["better"].gain_low, made["better"].gain_high) == pytest.approx((0.1, 0.1))
    assert made["better"].differs
    assert not made["same"].differs
    # 1.96 standard errors of a fair coin over 100 questions are .098.
    assert made["base"].low == pytest.approx(0.5 - 0.098, abs=0.02)
    assert made["base"].high == pytest.approx(0.5 + 0.098, abs=0.02)


#   s0, s1, s2 show x; s0 shows y too; n0 to n3 show z.
TINY = MetaphorGraph(
    [
        *(Edge(f"s{n}", "x") for n in range(3)),
        Edge("s0", "y"),
        *(Edge(f"n{n}", "z") for n in range(4)),
    ]
)


def tiny() -> Tasks:
    number = {name: at for at, name in enumerate(TINY.nodes)}
    reduced = MetaphorGraph((e for e in TINY.edges if e[:2] != ("s1", "x")), nodes=TINY.nodes)
    asked = HeldOut(number["s0"], number["y"], np.array([number["z"], number["x"]]))
    keywords = KeywordSet(number["x"], tuple(number[name] for name in ("s0", "s1", "n0")))
    hubs = np.array([name == "z" for name in TINY.nodes])
    return Tasks(TINY, reduced, [asked], {"2+1": [keywords]}, hubs)


def test_counts_are_measured_as_worked_out_by_hand() -> None:
    tasks = tiny()
    published, direct = contenders(tasks, ())[:2]
    # With s1 - x gone: from s0 two hops traverse x, y, s0 twice (from x and y), s2: y 1, x 1, z 0.
    figures = measure(published, tasks).figures
    assert figures["AUC"].tolist() == [(1 + 1 / 2) / 2]
    assert figures["MRR"].tolist() == [(1 + 1 / 2) / 2]
    # From s0: x 1, y 1, s0 2, s1 1, s2 1.  From s1: x 1, s0 1, s1 1, s2 1.  From n0: z 1, n0 to n3 1 each.
    # In all s0 3, x 2, s1 2, s2 2, and 1 for y, z, n0, n1, n2, n3: x is second, third or fourth.
    assert figures["2+1 hit"].tolist() == [1]
    assert figures["2+1 MRR"].tolist() == [pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)]
    assert figures["hubs"].tolist() == [pytest.approx(1 / 10)]
    # One hop: x 2, y 1, z 1.
    assert measure(direct, tasks).figures["2+1 MRR"].tolist() == [1]
    assert measure(direct, tasks).figures["hubs"].tolist() == [pytest.approx(1 / 3)]


def test_what_is_held_out_is_gone_both_ways_and_for_every_culture() -> None:
    edges = [
        Edge(f"s{n}", f"c{m}", "cultural", culture, 0.5)
        for n in range(30)
        for m in range(8)
        if (n * 7 + m * 5) % 3
        for culture in ("Chinese", "Japanese")
    ]
    back = [Edge(edge.target, edge.source) for edge in edges[::4]]
    graph = MetaphorGraph([*edges, *back])
    tasks = make_tasks(graph, 20, seed=1)
    assert len(tasks.held_out) == 20
    assert tasks.reduced.nodes == graph.nodes
    for source, target, negatives in tasks.held_out:
        one, two = graph.node_name(source), graph.node_name(target)
        assert two in graph.neighbours(one)
        assert two not in tasks.reduced.neighbours(one)
        assert one not in tasks.reduced.neighbours(two)
        assert tasks.reduced.neighbours(one)
        assert tasks.reduced.popularity(two) > 0
        assert not {*negatives.tolist()} & {source, target, *graph.arrays.around.row(source).tolist()}
        assert (tasks.reduced.arrays.popularities[negatives] > 0).all()


def test_keyword_sets_share_what_they_say() -> None:
    graph = open_knowledge()
    tasks = make_tasks(graph, 10, seed=3)
    assert list(tasks.sets) == [f"{m}+{n}" for m, n in SETS]
    for (m, n), questions in zip(SETS, tasks.sets.values(), strict=True):
        assert len(questions) == 10
        for concept, keywords in questions:
            assert len(set(keywords)) == m + n
            assert concept not in keywords
            joined = set(graph.arrays.around.row(concept).tolist())
            assert len(joined & set(keywords)) == m
    assert tasks.hubs.sum() == 100


def test_negatives_are_as_popular_as_the_target() -> None:
    tasks = make_tasks(open_knowledge(), 40, seed=3)
    popular = tasks.reduced.arrays.popularities
    ratios = [np.exp(np.abs(np.log(popular[n] / popular[t])).mean()) for _, t, n in tasks.held_out]
    assert np.median(ratios) < 1.2


def test_a_seed_draws_the_same_questions() -> None:
    one, two, other = (make_tasks(open_knowledge(), 5, seed) for seed in (1, 1, 2))
    assert one.sets == two.sets != other.sets
    assert [each[:2] for each in one.held_out] == [each[:2] for each in two.held_out]


def test_modes_that_walk_are_asked_with_and_without_synonyms() -> None:
    assert [each.name for each in contenders(tiny(), ())] == [
        "published",
        "published_h1",
        "pagerank",
        "shared",
    ]
    names = [each.name for each in contenders(tiny(), synonyms_of(open_knowledge()))]
    assert names[4:] == ["pagerank (no synonyms)", "shared (no synonyms)"]


def test_pairs_are_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    (path := tmp_path / "pairs.jsonl.gz").write_bytes(
        gzip.compress(
            b'["fox", "cunning", 3, ["a"]]\n["fox", "cunning", 9]\n["fox", "fox"]\n["owl", "wisdom"]\n'
        )
    )
    graph = read_pairs(path)
    assert [(edge.source, edge.target, edge.weight) for edge in graph.edges] == [
        ("fox", "cunning", 4 / 5),
        ("owl", "wisdom", 2 / 3),
    ]
    for given, told in (
        (b"{}", r":1: expected \[source"),
        (b"[", ":1: not JSON"),
        (b"", "no pairs"),
        (b"\x1f\x8b", "can't"),
    ):
        path.write_bytes(given)
        with pytest.raises(KnowledgeError, match=told):
            read_pairs(path)


def test_the_command_prints_a_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--queries", "4"]) == 0
    table = capsys.readouterr().out
    assert table.startswith("starter: ")
    assert "|  | published | published_h1 | pagerank | shared |" in table
    assert "\n| 3+17 MRR | 0." in table
    assert main(["--queries", "4", "--json", "--seed", "5"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["seed"] == 5
    assert told["figures"]["AUC"]["published_h1"]["mean"] == 0.5
    assert set(told["ms"]) == set(told["figures"]["hubs"])
    (path := tmp_path / "small.jsonl").write_text('["fox", "cunning", 3]\n', encoding="utf-8")
    assert main(["--pairs", str(path)]) == 2
    assert "too small a graph" in capsys.readouterr().err
    assert main(["--graph", "nowhere"]) == 2
    with pytest.raises(SystemExit):
        main(["--queries", "0"])


def test_a_missing_table_of_synonyms_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [Synonym("grief", "sorrow", 0.8)]
    monkeypatch.setattr("graphs.synonyms.make_synonyms", lambda _names, *, told: made)
    for _ in range(2):
        assert main(["--queries", "2", "--json", "--synonyms", str(tmp_path / "table.tsv.gz")]) == 0
        assert json.loads(capsys.readouterr().out)["synonyms"] == 1
    assert read_synonyms(tmp_path / "table.tsv.gz") == made


PAIRS = Path(__file__).parents[4] / "shared" / "metaphor" / "pairs_permissive.jsonl.gz"


@pytest.mark.slow
@pytest.mark.parametrize("which", ["starter", "pairs"])
def test_the_default_mode_beats_the_published_one_on_every_figure(which: str) -> None:
    if which == "pairs" and not PAIRS.is_file():
        pytest.skip(f"{PAIRS} is not here")
    graph = read_pairs(PAIRS) if which == "pairs" else open_knowledge()
    tasks = make_tasks(graph, 60, seed=3)
    asked = {each.name: each for each in contenders(tasks, synonyms_of(graph))}
    made = {name: measure(asked[name], tasks).figures for name in ("published", DEFAULT_MODE)}
    for figure in made["published"]:
        better = bootstrap({name: made[name][figure] for name in made}, "published")[DEFAULT_MODE]
        assert better.gain_high < 0 if figure == "hubs" else better.gain_low > 0, figure
