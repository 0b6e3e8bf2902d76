"""The graph's engine against the published code's data structure, networkx and rustworkx, in one run.

    python -m evals.benchmarks.graph_engine [--nodes N] [--edges N] [--json]

On a synthetic graph of the published one's size with power-law degrees. Each way runs in a process of its
own, and no library's memory is counted: seconds to open, megabytes added by opening and answering, the
file's size, the median of 20 questions of 30 keywords (two hops, counted as published), and the median of
personalised PageRank around the same keywords, by the clock and of the processor. The counts have to agree.
Several processes then map our graph at once, to see that they share one copy. Needs Linux.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any, cast

from evals.benchmarks.graph_backends import BACKENDS, COMPILED, PUBLISHED
from evals.benchmarks.synthetic_graph import EDGES, NODES, synthetic_edges, write_published

__all__ = ["main", "measure"]

_MB = 1e6
_PROCESSES = 4
_COLUMNS = (
    ("open s", "open_s", ".4f"),
    ("added MB", "added_mb", ".1f"),
    ("file MB", "file_mb", ".1f"),
    ("query ms", "query_ms", ".2f"),
    ("of CPU", "query_cpu_ms", ".2f"),
    ("PageRank ms", "pagerank_ms", ".2f"),
    ("of CPU", "pagerank_cpu_ms", ".2f"),
)


def measure(nodes: int, edges: int, folder: Path) -> dict[str, Any]:
    """All figures.

    Args:
        nodes: of the graph.
        edges: of the graph.
        folder: an empty one for the graph's files.

    Returns:
        Figures by way, or why a way can't run; what compiling took; and what processes share.
    """
    write_published(synthetic_edges(nodes, edges), nodes, folder / PUBLISHED)
    start = time.perf_counter()
    _compile(folder)
    told: dict[str, Any] = {"nodes": nodes, "edges": edges, "compile_s": time.perf_counter() - start}
    sizes = {
        "ours": sum(file.stat().st_size for file in (folder / COMPILED).iterdir()),
        "json": (folder / PUBLISHED).stat().st_size,
    }
    told["ways"] = {
        name: {**_measured(name, folder, nodes), "file_mb": sizes.get(name, sizes["json"]) / _MB}
        if name != "rustworkx" or importlib.util.find_spec("rustworkx") is not None
        else "rustworkx is not installed"
        for name in BACKENDS
    }
    told["shared"] = _shared(folder, nodes)
    return told


def _compile(folder: Path) -> None:
    from tools.knowledge.engine.compiled import write_compiled
    from tools.knowledge.formats.published import read_published

    write_compiled(read_published(folder / PUBLISHED, "synthetic"), folder / COMPILED)


@contextlib.contextmanager
def _running(name: str, folder: Path, nodes: int) -> Any:
    command = [sys.executable, "-m", "evals.benchmarks.graph_backends", name, str(folder), str(nodes)]
    with subprocess.Popen(  # noqa: S603 - our own module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


def _told(process: subprocess.Popen[str]) -> dict[str, Any]:
    line = cast("IO[str]", process.stdout).readline()
    if not line:
        msg = f"a way ended with {process.wait()}; its message stands above"
        raise RuntimeError(msg)
    return json.loads(line)


def _measured(name: str, folder: Path, nodes: int) -> dict[str, Any]:
    with _running(name, folder, nodes) as process:
        return _told(process)


def _shared(folder: Path, nodes: int) -> dict[str, float]:
    """What several processes that have ours open hold of its files: each by itself, and all together."""
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(_running("ours", folder, nodes)) for _ in range(_PROCESSES)]
        for process in running:
            _told(process)
        shares: list[dict[str, float]] = []
        for process in running:
            process.stdin.write("\n")
            process.stdin.flush()
            shares.append(_told(process))
    return {
        "processes": _PROCESSES,
        "mapped_mb": sum(share["mapped"] for share in shares),
        "share_mb": sum(share["share"] for share in shares),
    }


def _print(told: dict[str, Any]) -> None:
    print(f"{told['nodes']} nodes, {told['edges']} edges; compiled once in {told['compile_s']:.1f} s\n")
    print(f"{'':<32}" + "".join(f"{title:>13}" for title, _, _ in _COLUMNS) + f"{'same counts':>13}")
    ours, base = told["ways"]["ours"], told["ways"]["json"]
    for name, (title, _) in BACKENDS.items():
        found = told["ways"][name]
        if isinstance(found, str):
            print(f"{title:<32}{found}")
            continue
        figures = "".join(f"{found[key]:>13{form}}" for _, key, form in _COLUMNS)
        same = [count for _, count in found["counts"]] == [count for _, count in base["counts"]]
        print(f"{title:<32}{figures}{'yes' if same else 'NO':>13}")
    print("\nhow many times ours, that is, how much better ours is:")
    for name, (title, _) in BACKENDS.items():
        found = told["ways"][name]
        if name != "ours" and not isinstance(found, str):
            ratios = "".join(f"{found[key] / max(ours[key], 1e-9):>12.1f}x" for _, key, _ in _COLUMNS)
            print(f"{title:<32}{ratios}")
    shared = told["shared"]
    alike = len(set(ours["ranks"]) & set(base["ranks"]))
    print(f"\nof the ten highest PageRanks, ours and power iteration share {alike}")
    print(
        f"{shared['processes']:.0f} processes map {shared['mapped_mb']:.1f} MB of our files together, "
        f"and hold {shared['share_mb']:.1f} MB of memory for them"
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure and print.

    Returns:
        0; 1 when counts differ between the ways.
    """
    parser = argparse.ArgumentParser(
        prog="python -m evals.benchmarks.graph_engine",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nodes", type=int, default=NODES, help=f"default: {NODES}")
    parser.add_argument("--edges", type=int, default=EDGES, help=f"default: {EDGES}")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args(arguments)
    if sys.platform != "linux":
        parser.error("memory is measured by /proc, which this system has not")
    with tempfile.TemporaryDirectory() as folder:
        try:
            told = measure(asked.nodes, asked.edges, Path(folder))
        except ValueError as error:
            parser.error(str(error))
    if asked.json:
        print(json.dumps(told))
    else:
        _print(told)
    ways = [found for found in told["ways"].values() if not isinstance(found, str)]
    return int(any(_counts(found) != _counts(ways[0]) for found in ways))


def _counts(found: dict[str, Any]) -> list[int]:
    return [count for _, count in found["counts"]]


if __name__ == "__main__":
    sys.exit(main())
