"""How well the ways of retrieval rank concepts, measured on a graph itself, without a language model.

    python -m evals.benchmarks.retrieval [--graph NAME | --pairs FILE] [--synonyms FILE] [--json]

All modes answer the same questions (`retrieval_tasks.py`). AUC and MRR are of held-out edges; "3+4" and the
like are keyword sets in which 3 keywords share a concept and 4 do not, with the share of concepts among the
first ten (hit) and MRR; hubs is the share of the first ten that the 100 nodes with most neighbours take.
In brackets stand 95 % bootstrap intervals. A star marks what differs from `published` on the same questions
beyond the interval of the difference. Keywords are nodes here, so linking is not measured.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agents.errors import UserError
from evals.benchmarks.retrieval_figures import (
    Estimate,
    area,
    bootstrap,
    hit,
    hub_share,
    reciprocal,
)
from evals.benchmarks.retrieval_tasks import Tasks, make_tasks, read_pairs
from tools.errors import KnowledgeError
from tools.knowledge import open_knowledge
from tools.knowledge.retrieving.network import Network, make_network
from tools.knowledge.retrieving.ranking import MODES, Mode, score_nodes
from tools.knowledge.retrieving.synonyms import read_synonyms, synonyms_of, write_synonyms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tools.knowledge import MetaphorGraph
    from tools.knowledge.retrieving.synonyms import Synonym

__all__ = ["BASELINE", "Contender", "contenders", "main", "measure"]

BASELINE = "published"
_PLAIN = " (no synonyms)"


class Contender(NamedTuple):
    """A mode, and the networks it walks over in the whole and in the reduced graph."""

    name: str
    mode: Mode
    whole: Network | None = None
    reduced: Network | None = None


class Measured(NamedTuple):
    """A contender's figures.

    Attributes:
        figures: by name, one a question.
        ms: median milliseconds of processor time to score a keyword set.
    """

    figures: dict[str, NDArray[np.float64]]
    ms: float


def contenders(tasks: Tasks, synonyms: Sequence[Synonym]) -> list[Contender]:
    """Every mode; those that walk with synonym edges, if there are any, and without."""
    found: list[Contender] = [Contender(mode.name, mode) for mode in MODES.values() if mode.counts]
    ways = [("", synonyms), (_PLAIN, ())] if synonyms else [("", ())]
    for ending, pairs in ways:
        networks = make_network(tasks.graph, pairs), make_network(tasks.reduced, pairs)
        found += [
            Contender(f"{mode.name}{ending}", mode, *networks) for mode in MODES.values() if not mode.counts
        ]
    return found


def measure(contender: Contender, tasks: Tasks) -> Measured:
    """Ask a contender everything."""
    figures: dict[str, list[float]] = {"AUC": [], "MRR": []}
    for asked in tasks.held_out:
        scores = score_nodes(tasks.reduced, contender.mode, [{asked.source: 1.0}], network=contender.reduced)
        target, negatives = float(scores[asked.target]), scores[asked.negatives]
        figures["AUC"].append(area(target, negatives))
        figures["MRR"].append(reciprocal(target, negatives))
    hubs: list[float] = []
    took: list[float] = []
    for name, questions in tasks.sets.items():
        hits, ranks = figures.setdefault(f"{name} hit", []), figures.setdefault(f"{name} MRR", [])
        for concept, keywords in questions:
            since = time.process_time()
            seeds = [{keyword: 1.0} for keyword in keywords]
            scores = score_nodes(tasks.graph, contender.mode, seeds, network=contender.whole)
            took.append(1000 * (time.process_time() - since))
            score, others = float(scores[concept]), np.delete(scores, concept)
            hits.append(hit(score, others) if score > 0 else 0.0)
            ranks.append(reciprocal(score, others) if score > 0 else 0.0)
            hubs.append(hub_share(scores, tasks.hubs))
    every = {name: np.array(values) for name, values in {**figures, "hubs": hubs}.items()}
    return Measured(every, statistics.median(took))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or JSON."""
    asked = _arguments(arguments)
    try:
        graph = read_pairs(asked.pairs) if asked.pairs else open_knowledge(asked.graph)
        synonyms = _synonyms(asked.synonyms, graph) if asked.synonyms else synonyms_of(graph)
        tasks = make_tasks(graph, asked.queries, asked.seed)
    except (KnowledgeError, UserError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if not synonyms:
        sys.stderr.write(f"{graph.name}: no synonym edges; --synonyms FILE makes them.\n")
    measured: dict[str, Measured] = {}
    for contender in contenders(tasks, synonyms):
        since = time.perf_counter()
        measured[contender.name] = measure(contender, tasks)
        sys.stderr.write(f"{contender.name}: {time.perf_counter() - since:.0f} s\n")
    figures = {
        figure: bootstrap({name: each.figures[figure] for name, each in measured.items()}, BASELINE)
        for figure in measured[BASELINE].figures
    }
    said = {
        "graph": graph.name,
        "nodes": len(graph),
        "edges": graph.arrays.forward.entries // (2 if graph.symmetric else 1),
        "synonyms": len(synonyms),
        "seed": asked.seed,
        "held_out": len(tasks.held_out),
        "sets": {name: len(questions) for name, questions in tasks.sets.items()},
    }
    ms = {name: each.ms for name, each in measured.items()}
    print(_as_json(said, figures, ms) if asked.json else _as_table(said, figures, ms))
    return 0


def _synonyms(path: Path, graph: MetaphorGraph) -> list[Synonym]:
    """The table at a path; made by the embedded model, some 7 ms a name, where there is none."""
    if not path.is_file():
        from graphs.synonyms import make_synonyms

        write_synonyms(path, make_synonyms(graph.nodes, told=True))
    return read_synonyms(path)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.benchmarks.retrieval",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--graph", default="starter", help="a graph's name or path (default: starter)")
    what.add_argument("--pairs", type=Path, help="a table of pairs: lines of [source, target, count]")
    parser.add_argument(
        "--synonyms",
        type=Path,
        help="a table of synonym edges, made when it is not there (default: the graph's own)",
    )
    parser.add_argument("--queries", type=int, default=200, help="questions a figure (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    asked = parser.parse_args(arguments)
    if asked.queries < 1:
        parser.error(f"--queries {asked.queries}: give 1 or more")
    return asked


def _as_json(said: dict[str, Any], figures: dict[str, dict[str, Estimate]], ms: dict[str, float]) -> str:
    told = {
        figure: {name: estimate._asdict() for name, estimate in by_name.items()}
        for figure, by_name in figures.items()
    }
    return json.dumps({**said, "figures": told, "ms": ms}, indent=2)


def _as_table(said: dict[str, Any], figures: dict[str, dict[str, Estimate]], ms: dict[str, float]) -> str:
    head = (
        f"{said['graph']}: {said['nodes']} nodes, {said['edges']} edges, {said['synonyms']} synonym edges; "
        f"{said['held_out']} edges held out, {min(said['sets'].values())} keyword sets of each size, "
        f"seed {said['seed']}\n"
    )
    rows = [
        ["", *ms],
        ["---", *("---" for _ in ms)],
        *([figure, *map(_cell, by_name.values())] for figure, by_name in figures.items()),
        ["CPU ms a query", *(f"{each:.1f}" for each in ms.values())],
    ]
    return "\n".join([head, *(f"| {' | '.join(row)} |" for row in rows)])


def _cell(estimate: Estimate) -> str:
    star = " *" if estimate.differs else ""
    return f"{estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]{star}"


if __name__ == "__main__":
    sys.exit(main())
