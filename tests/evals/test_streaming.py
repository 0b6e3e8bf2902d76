"""A data set of any size: nothing of it is held, and it must stay what it was."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import UserError
from evals.datasets import Dataset, Sample, open_dataset
from evals.datasets.layout import read_layout
from evals.datasets.selecting import Selection
from evals.store.run_store import read_records
from evals.wanted import Wanted

Run = Callable[..., int]
MakeSet = Callable[..., None]

TYPES = ["Body_Language", "Causal_Montage", "Surreal_Narrative"]
GRAPH = ("--graph", "tests.evals.stubs:graph", "--model", "stub:m", "--dataset", "ds", "--concurrency", "1")


def table(folder: Path, number: int, *, title: str = "t") -> Path:
    (folder / "videos").mkdir(parents=True)
    path = folder / "datas.jsonl"
    with path.open("w") as file:
        for i in range(number):
            row = {
                "video_id": f"v{i}",
                "title": title,
                "metaphor_type": [TYPES[i % 3]],
                "golden_answers": "g",
            }
            file.write(json.dumps(row) + "\n")
    return path


def test_passes_over_a_long_table_hold_nothing_of_it(tmp_path: Path) -> None:
    number = 20_000
    table(tmp_path, number, title="a title of some length" * 4)
    read_layout(tmp_path)
    tracemalloc.start()
    try:
        dataset = read_layout(tmp_path)
        checked = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        assert sum(1 for _ in dataset.samples) == len(dataset) == number
        assert [s.video_id for s in dataset.select(["Causal_Montage"], 3)] == ["v1", "v4", "v7"]
        again = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert checked[1] < number * 20 + 1_000_000  # the check: 17 bytes a row, and what stands at any time
    assert again[0] < 400_000
    assert again[1] < 700_000


def test_a_small_limit_of_a_long_table_reads_its_beginning_only(tmp_path: Path) -> None:
    path = table(tmp_path, 5000)
    chosen = iter(open_dataset(str(tmp_path)).select(limit=3))
    with path.open("ab") as file:
        file.truncate(path.stat().st_size)
    assert [sample.video_id for sample in chosen] == ["v0", "v1", "v2"]


@pytest.mark.parametrize("change", ["grown", "same size", "gone"])
def test_a_table_that_was_changed_is_noticed_before_a_row_is_given(tmp_path: Path, change: str) -> None:
    path = table(tmp_path, 50)
    dataset = open_dataset(str(tmp_path))
    text = path.read_text()
    if change == "gone":
        path.unlink()
    else:
        path.write_text(text + text if change == "grown" else text.replace('"g"', '"h"'))
        os.utime(path, ns=(1, 1))
    with pytest.raises(UserError, match=r"no longer what it was|can't be read"):
        next(iter(dataset.samples))


def test_a_table_that_was_only_touched_is_read_on(tmp_path: Path) -> None:
    path = table(tmp_path, 2500)
    samples = iter(open_dataset(str(tmp_path)).samples)
    assert next(samples).video_id == "v0"
    os.utime(path, ns=(1, 1))
    assert sum(1 for _ in samples) == 2499


def test_a_change_with_the_old_size_and_time_is_noticed_at_the_end(tmp_path: Path) -> None:
    path = table(tmp_path, 10)
    dataset, told = open_dataset(str(tmp_path)), path.stat()
    with path.open("r+b") as file:
        file.write(path.read_bytes().replace(b'"g"', b'"h"'))
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    with pytest.raises(UserError, match="no longer what it was"):
        list(dataset.samples)


def test_a_row_without_end_is_refused_by_its_size(tmp_path: Path) -> None:
    table(tmp_path, 1)
    with (tmp_path / "datas.jsonl").open("a") as file:
        file.write('{"video_id": "long", "golden_answers": "')
        for _ in range(17):
            file.write("x" * (1 << 20))
    with pytest.raises(UserError, match=r"line 2 has more than 16,777,216 bytes.*begins") as caught:
        open_dataset(str(tmp_path))
    assert len(str(caught.value)) < 400


def test_problems_are_counted_and_the_first_are_told(tmp_path: Path) -> None:
    table(tmp_path, 250)
    dataset = open_dataset(str(tmp_path))
    assert dataset.problem_counts == {"missing_video": 250}
    assert [problem.video_id for problem in dataset.problems] == [f"v{i}" for i in range(100)]


def test_faulty_rows_are_counted_and_the_first_are_told(tmp_path: Path) -> None:
    (tmp_path / "datas.jsonl").write_text("nothing\n" * 300)
    with pytest.raises(UserError, match="and 280 more") as caught:
        open_dataset(str(tmp_path))
    assert str(caught.value).count("line ") == 20 * 2


def _oracle(samples: list[Sample], wanted: set[str], limit: int) -> list[Sample]:
    """One of each type in turn, by queues."""
    queues: dict[str, list[Sample]] = {}
    for sample in samples:
        kind = next((name for name in sample.types if not wanted or name in wanted), None)
        if kind is not None:
            queues.setdefault(kind, []).append(sample)
    taken: list[Sample] = []
    while len(taken) < limit and any(queues.values()):
        for queue in queues.values():
            if queue and len(taken) < limit:
                taken.append(queue.pop(0))
    return [sample for sample in samples if sample in taken]


some = st.lists(st.lists(st.sampled_from("ABCD"), min_size=1, max_size=3, unique=True), max_size=25)


@settings(deadline=None)
@given(some, st.sets(st.sampled_from("ABCD")), st.integers(1, 30))
def test_a_streamed_selection_is_that_of_queues(kinds: list[list[str]], wanted: set[str], limit: int) -> None:
    samples = [Sample(f"v{i}", "", tuple(types), ("g",), None) for i, types in enumerate(kinds)]
    chosen = Dataset("d", samples).select(wanted, limit)
    assert list(chosen) == _oracle(samples, wanted, limit)
    assert len(chosen) == len(list(chosen))


PLUGIN = """
from evals.datasets import Dataset, Sample

def yields():
    for number in range(4):
        yield Sample(f"v{number}", "", ("Body_Language",), ("g",), None)

class Again:
    def __iter__(self):
        return yields()

AGAIN, SET, ONCE, LIST = Again(), Dataset("own", Again()), yields(), list(yields())
COUNT = [4]

class Shrinks:
    def __iter__(self):
        COUNT[0] -= 1
        return (Sample(str(i), "", ("A",), ("g",), None) for i in range(COUNT[0]))

SHRINKS = Shrinks()

def fails():
    yield from yields()
    raise ZeroDivisionError("nothing left")

def numbers():
    yield 3
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "streaming_plugin.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize("name", ["yields", "AGAIN", "SET", "LIST"])
def test_a_plug_in_may_give_samples_again_and_again(name: str) -> None:
    dataset = open_dataset(f"streaming_plugin:{name}")
    for _ in range(2):
        assert [sample.video_id for sample in dataset.samples] == ["v0", "v1", "v2", "v3"]
    assert dataset.digest == open_dataset("streaming_plugin:LIST").digest


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ONCE", "only once"),
        ("fails", "ZeroDivisionError: nothing left"),
        ("numbers", "gives int"),
    ],
)
def test_a_plug_in_that_cant_be_used_is_told_so(name: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        open_dataset(f"streaming_plugin:{name}")


@pytest.mark.usefixtures("plugin")
def test_a_plug_in_that_gives_others_is_noticed() -> None:
    dataset = open_dataset("streaming_plugin:SHRINKS")
    with pytest.raises(UserError, match="other samples than at first"):
        list(dataset.samples)


def test_wanted_keys_are_known_without_a_list() -> None:
    samples = [Sample(f"v{i}", "", ("A",), ("g",), None) for i in range(3)]
    wanted = Wanted(Dataset("d", samples).select(limit=2), 2)
    assert list(wanted) == [("v0", 1), ("v1", 1), ("v0", 2), ("v1", 2)]
    assert len(wanted) == 4
    assert ("v1", 2) in wanted
    assert all(key not in wanted for key in (("v2", 1), ("v0", 3), ("v0", 0), "v0"))
    assert ("v2", 2) in Wanted(Dataset("d", samples).select(), 2)
    assert isinstance(wanted.samples, Selection)


def test_a_table_that_changes_while_a_run_goes_on_ends_it_softly(
    run: Run, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set(*(f"v{i}" for i in range(40)))
    from tests.evals import stubs

    real = stubs.Graph.ainvoke

    async def spoil(graph: stubs.Graph, state: dict[str, object], **given: object) -> dict[str, object]:
        os.truncate("ds/datas.jsonl", 100)
        return await real(graph, state, **given)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(stubs.Graph, "ainvoke", spoil)
    monkeypatch.setattr("evals.datasets.table_file._EVERY", 10)
    assert run(*GRAPH, "--run-dir", "r") in (1, 130)
    assert "datas.jsonl is no longer what it was when the run began" in capsys.readouterr().err
    held = [record.video_id for record in read_records(Path("r/records.jsonl"))]
    assert held == [f"v{i}" for i in range(len(held))]
    assert 0 < len(held) < 40
