"""The cache of compiled graphs: opened fast, right when files change, whole, bounded, and shared."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.errors import KnowledgeError
from tools.knowledge import MetaphorGraph, open_knowledge
from tools.knowledge.engine import kept as keeping
from tools.knowledge.engine.mapped import MappedStore
from tools.knowledge.reading import read_knowledge

HEADER = "source\ttarget\tweight\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(keeping, "default_directory", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "mine.tsv"
    file.write_text(HEADER + "candle\ttime\t0.5\n", encoding="utf-8")
    aged(file)
    return file


def aged(file: Path, seconds: float = 60) -> None:
    """Let a file look as if it had been at rest for a while."""
    then = time.time() - seconds
    os.utime(file, (then, then))


def entries(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.graph"))


def store(graph: MetaphorGraph) -> MappedStore:
    assert isinstance(graph._store, MappedStore)
    return graph._store


def test_a_graph_is_compiled_once_and_mapped(
    cache: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = open_knowledge(table)
    (entry,) = entries(cache)
    assert store(first).folder == entry
    monkeypatch.setattr("tools.knowledge.formats.tables.read_tables", None)
    again = open_knowledge(table)
    assert list(again.edges) == list(first.edges) == list(MetaphorGraph(first.edges).edges)
    assert again.name == str(table)


def test_the_starter_opens_mapped_and_whole(cache: Path) -> None:
    graph, plain = open_knowledge(), read_knowledge()
    assert store(graph).folder.parent == cache
    assert graph.digest == plain.digest
    assert list(graph.edges) == list(plain.edges)
    assert graph.edges_from("candle")[0].provenance == "starter/objects.tsv"
    assert graph.hop(["candle", "storm"], 2) == plain.hop(["candle", "storm"], 2)


def test_a_changed_file_gives_the_changed_graph(cache: Path, table: Path) -> None:
    assert open_knowledge(table).edges_from("candle")[0].weight == 0.5
    for weight in (0.6, 0.7, 0.8):
        # As many bytes, and within the clock's tick.
        table.write_text(HEADER + f"candle\ttime\t{weight}\n", encoding="utf-8")
        assert open_knowledge(table).edges_from("candle")[0].weight == weight
    (table.parent / "names.tsv").write_text(
        "node\tname\tlanguage\trelation\ncandle\ttaper\ten\tsynonym\n", encoding="utf-8"
    )
    assert open_knowledge(table).link("taper")[0].node == "candle"
    assert len(entries(cache)) == 5


def test_files_at_rest_are_not_read_again(cache: Path, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_SETTLED", -1)
    open_knowledge(table)
    read: list[Path] = []
    whole = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: (read.append(self), whole(self))[1])
    open_knowledge(table)
    assert table not in read


def test_a_torn_entry_is_made_again(cache: Path, table: Path, caplog: pytest.LogCaptureFixture) -> None:
    open_knowledge(table)
    (entry,) = entries(cache)
    texts = entry / "texts.sqlite"
    texts.write_bytes(texts.read_bytes()[:100])
    with caplog.at_level(logging.WARNING, logger=keeping.__name__):
        assert open_knowledge(table).edges_from("candle")[0].target == "time"
    assert "'texts.sqlite' has 100 bytes where graph.json says" in caplog.text
    assert [file.name for file in cache.iterdir() if file.suffix in {".part", ".old"}] == []


def test_faults_are_told_as_ever_and_nothing_is_kept(cache: Path, table: Path) -> None:
    table.write_text(HEADER + "candle\tcandle\t1\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(KnowledgeError, match=r"mine\.tsv:2: 'candle' is joined to itself"):
            open_knowledge(table)
    assert entries(cache) == []


def test_a_cache_that_can_not_be_written_is_told_once(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file" / "cache"
    blocked.parent.write_text("", encoding="utf-8")
    monkeypatch.setattr(keeping, "default_directory", lambda: blocked)
    for _ in range(2):
        assert open_knowledge(table).hop(["candle"]).associations[0].concept == "time"
    assert caplog.text.count("graphs are not kept compiled") == 1


def test_the_longest_unused_go_first_but_none_in_use(cache: Path, tmp_path: Path) -> None:
    def opened(number: int, bound: int) -> MetaphorGraph:
        file = tmp_path / f"{number}.tsv"
        file.write_text(HEADER + f"thing {number}\ttime\t1\n", encoding="utf-8")
        return keeping.kept([file], str(file), lambda: read_knowledge(file), bound)

    first = opened(1, 1 << 30)
    opened(2, 1 << 30)
    size = sum(file.stat().st_size for file in store(first).folder.iterdir())
    third = opened(3, 2 * size)
    # The first is the oldest, and in use; the second had to go.
    left = {path.name for path in entries(cache)}
    assert left == {store(first).folder.name, store(third).folder.name}
    assert first.edges_from("thing 1")[0].target == "time"


def test_what_a_dead_process_left_is_cleared_away(cache: Path, table: Path) -> None:
    cache.mkdir()
    (cache / ".x.part").mkdir()
    (cache / ".y.part").mkdir()
    aged(cache / ".x.part", 4000)
    open_knowledge(table)
    assert not (cache / ".x.part").exists()
    assert (cache / ".y.part").exists()


def test_many_at_once_get_the_same_graph(cache: Path, table: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        graphs = list(pool.map(lambda _: open_knowledge(table), range(16)))
    assert {graph.digest for graph in graphs} == {graphs[0].digest}
    assert len(entries(cache)) == 1


def test_processes_at_once_get_the_same_graph(tmp_path: Path, table: Path) -> None:
    code = "import sys; from tools.knowledge import open_knowledge; print(open_knowledge(sys.argv[1]).digest)"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(table)], stdout=subprocess.PIPE, text=True, env=env,
            cwd=Path(__file__).resolve().parents[4],
        )
        for _ in range(4)
    ]  # fmt: skip
    told = [process.communicate()[0].strip() for process in running]
    assert all(process.returncode == 0 for process in running)
    assert set(told) == {read_knowledge(table).digest}
