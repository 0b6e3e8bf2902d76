"""Ways to keep the graph in memory and to count around keywords in it, each run in a process of its own.

    python -m evals.benchmarks.graph_backends NAME FOLDER

prints one line of JSON; then, for each line on its standard input, how much of the graph's files it maps.
All but ours read the published JSON file: `json` is the published code's data structure, a dictionary of
dictionaries searched breadth-first; networkx and rustworkx are filled from the same file. PageRank over
dictionaries is a plain power iteration (that of networkx needs scipy).
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import statistics
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from evals.benchmarks.synthetic_graph import queries

__all__ = ["BACKENDS", "COMPILED", "PUBLISHED"]

COMPILED, PUBLISHED = "compiled", "metaphor_graph.json"
_HOPS, _LIMIT = 2, 10
_ALPHA, _STEPS = 0.5, 10
_MB = 1e6
_IMPORTED = (
    "networkx", "numpy", "rustworkx", "tools.knowledge.engine.compiled", "tools.knowledge.engine.counting",
    "tools.knowledge.engine.pagerank",
)  # fmt: skip

Counts = list[tuple[str, int]]
Ranks = list[str]


class Backend(Protocol):
    """One way: opened on a folder, asked by names."""

    def __init__(self, folder: Path) -> None:
        """Open the graph."""
        ...

    def count(self, keywords: list[str]) -> Counts:
        """The names most often arrived at within two hops, with their counts."""
        ...

    def rank(self, keywords: list[str]) -> Ranks:
        """The ten names of the highest personalised PageRank."""
        ...


class Ours:
    """The compiled graph, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        from tools.knowledge import open_knowledge

        self.graph = open_knowledge(folder / COMPILED)

    def count(self, keywords: list[str]) -> Counts:
        from tools.knowledge.engine.counting import count_traversals

        graph = self.graph
        starts = {number: 1 for name in keywords if (number := graph.node_id(name)) is not None}
        found = count_traversals(graph.arrays.around, starts, _HOPS, _LIMIT)
        return list(zip(map(graph.node_name, found.nodes), found.counts, strict=True))

    def rank(self, keywords: list[str]) -> Ranks:
        import numpy as np

        from tools.knowledge.engine.pagerank import personalised_pagerank

        graph = self.graph
        seeds = np.zeros((1, len(graph)))
        numbers = [number for name in keywords if (number := graph.node_id(name)) is not None]
        seeds[0, numbers] = 1 / len(numbers)
        (ranks,) = personalised_pagerank(graph.arrays.around, seeds, alpha=_ALPHA, iterations=_STEPS)
        best = np.argpartition(-ranks, _LIMIT)[:_LIMIT]
        return [graph.node_name(int(node)) for node in best[np.argsort(-ranks[best])]]


class Dictionaries:
    """The published code's structure: what `json.load` gives, and words by index."""

    def __init__(self, folder: Path) -> None:
        with (folder / PUBLISHED).open(encoding="utf-8") as file:
            self.nodes = json.load(file)
        self.numbers = {node["word"]: number for number, node in self.nodes.items()}

    def count(self, keywords: list[str]) -> Counts:
        return _counted(keywords, self._around)

    def rank(self, keywords: list[str]) -> Ranks:
        return _ranked(keywords, list(self.numbers), self._around)

    def _around(self, name: str) -> Mapping[str, Any]:
        return self.nodes[self.numbers[name]]["adjacency"]


class Networkx:
    """A `networkx.Graph` of names."""

    def __init__(self, folder: Path) -> None:
        import networkx as nx

        nodes = json.loads((folder / PUBLISHED).read_bytes())
        self.graph: Any = nx.Graph()
        self.graph.add_nodes_from(node["word"] for node in nodes.values())
        for node in nodes.values():
            self.graph.add_edges_from((node["word"], name, data) for name, data in node["adjacency"].items())

    def count(self, keywords: list[str]) -> Counts:
        return _counted(keywords, self.graph.adj.__getitem__)

    def rank(self, keywords: list[str]) -> Ranks:
        return _ranked(keywords, list(self.graph), self.graph.adj.__getitem__)


class Rustworkx:
    """A `rustworkx.PyDiGraph` of names, both directions of each edge."""

    def __init__(self, folder: Path) -> None:
        import rustworkx as rx

        nodes = json.loads((folder / PUBLISHED).read_bytes())
        self.names = [node["word"] for node in nodes.values()]
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.graph: Any = rx.PyDiGraph()
        self.graph.add_nodes_from(self.names)
        self.graph.extend_from_weighted_edge_list(
            [
                (number, self.numbers[name], data["sentences"])
                for number, node in enumerate(nodes.values())
                for name, data in node["adjacency"].items()
            ]
        )

    def count(self, keywords: list[str]) -> Counts:
        found = _counted([self.numbers[name] for name in keywords], self.graph.successor_indices)
        return [(self.names[number], count) for number, count in found]

    def rank(self, keywords: list[str]) -> Ranks:
        import rustworkx as rx

        seeds = {self.numbers[name]: 1 / len(keywords) for name in keywords}
        ranks: Any = rx.pagerank(self.graph, alpha=1 - _ALPHA, personalization=seeds, tol=1e-6, max_iter=100)
        best = sorted(ranks.items(), key=lambda item: -item[1])[:_LIMIT]
        return [self.names[number] for number, _ in best]


BACKENDS: dict[str, tuple[str, type[Backend]]] = {
    "json": ("published: JSON, dictionaries", Dictionaries),
    "networkx": ("networkx", Networkx),
    "rustworkx": ("rustworkx", Rustworkx),
    "ours": ("ours: mapped arrays", Ours),
}


def _counted(starts: Iterable[Any], around: Callable[[Any], Iterable[Any]]) -> list[tuple[Any, int]]:
    """Breadth-first from each start; a node is expanded once a start, and counted at every traversal."""
    counts: Counter[Any] = Counter()
    for start in starts:
        expanded, queue = {start}, deque([(start, 0)])
        while queue:
            node, steps = queue.popleft()
            for neighbour in around(node):
                counts[neighbour] += 1
                if neighbour not in expanded and steps + 1 < _HOPS:
                    expanded.add(neighbour)
                    queue.append((neighbour, steps + 1))
    return counts.most_common(_LIMIT)


def _ranked(keywords: list[str], names: list[str], around: Callable[[str], Mapping[str, Any]]) -> Ranks:
    """Power iteration over dictionaries, skipping nodes that have nothing to pass on."""
    seeds = dict.fromkeys(keywords, _ALPHA / len(keywords))
    ranks = dict.fromkeys(keywords, 1 / len(keywords))
    for _ in range(_STEPS):
        fresh = dict(seeds)
        for name in names:
            if mass := ranks.get(name):
                near = around(name)
                share = (1 - _ALPHA) * mass / max(len(near), 1)
                for neighbour in near:
                    fresh[neighbour] = fresh.get(neighbour, 0.0) + share
        ranks = fresh
    return sorted(ranks, key=lambda name: -ranks[name])[:_LIMIT]


class Memory(NamedTuple):
    """Megabytes of this process: resident, and of the graph's files what is mapped and its share of that."""

    resident: float
    mapped: float
    share: float


def memory(folder: Path) -> Memory:
    """What Linux tells of this process's memory."""
    resident = mapped = share = 0
    of_ours = False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        field, _, rest = line.partition(":")
        if " " in field:
            of_ours = str(folder) in line
        elif field == "Rss":
            resident += int(rest.split()[0])
            mapped += int(rest.split()[0]) if of_ours else 0
        elif field == "Pss" and of_ours:
            share += int(rest.split()[0])
    return Memory(*(1024 * figure / _MB for figure in (resident, mapped, share)))


class Spent(NamedTuple):
    """Milliseconds of the median question, by the clock and by the processor."""

    clock: float
    processor: float


def _timed(ask: Callable[[list[str]], object], asked: list[list[str]]) -> Spent:
    """What a question takes, after one to warm up."""
    ask(asked[0])
    clock: list[float] = []
    processor: list[float] = []
    for keywords in asked:
        start, start_processor = time.perf_counter(), time.process_time()
        ask(keywords)
        clock.append(1000 * (time.perf_counter() - start))
        processor.append(1000 * (time.process_time() - start_processor))
    return Spent(statistics.median(clock), statistics.median(processor))


def main(name: str, folder: Path, nodes: int) -> None:
    """Measure one way and print the figures."""
    for library in _IMPORTED:  # what is imported is no memory of the graph
        if importlib.util.find_spec(library) is not None:
            importlib.import_module(library)
    asked = queries(nodes)
    before = memory(folder).resident
    start = time.perf_counter()
    backend = BACKENDS[name][1](folder)
    opened = time.perf_counter() - start
    counts, ranks = backend.count(asked[0]), backend.rank(asked[0])
    query = _timed(backend.count, asked)
    added = memory(folder).resident - before
    few = asked[:3] if name in {"json", "networkx"} else asked
    pagerank = _timed(backend.rank, few)
    told = {
        "open_s": opened, "added_mb": added, "query_ms": query.clock, "query_cpu_ms": query.processor,
        "pagerank_ms": pagerank.clock, "pagerank_cpu_ms": pagerank.processor,
        "counts": counts, "ranks": ranks,
    }  # fmt: skip
    print(json.dumps(told), flush=True)
    for _ in sys.stdin:
        print(json.dumps(memory(folder)._asdict()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
