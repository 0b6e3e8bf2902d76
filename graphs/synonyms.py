"""Makes the synonym edges of a graph: names that mean nearly the same, by the embedded model's MiniLM.

    python -m graphs.synonyms [--graph NAME] [--out FILE]

Without arguments it makes the starter graph's again, where they are kept.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from agents.errors import UserError
from graphs.parsing import Parser
from tools.errors import KnowledgeError
from tools.knowledge.reading import STARTER, open_knowledge
from tools.knowledge.retrieving.synonyms import (
    SYNONYMS_FILE,
    Synonym,
    nearest_names,
    starter_synonyms,
    write_synonyms,
)

__all__ = ["main", "make_synonyms"]

_BATCH = 512


def make_synonyms(names: Sequence[str], *, told: bool = False) -> list[Synonym]:
    """Embed names (some 7 ms each) and join those that mean nearly the same.

    Args:
        names: distinct names.
        told: say on stderr how far it is.

    Raises:
        UserError: if the extra ``embedded`` is not installed.
    """
    import numpy as np

    from agents.embedded.embedder import embedder

    embed = embedder()
    # Names of one length go together, since a batch costs as much as its longest.
    order = sorted(range(len(names)), key=lambda at: (len(names[at]), names[at]))
    vectors = np.zeros((len(names), embed(["a name"]).shape[1]), np.float32)
    for first in range(0, len(order), _BATCH):
        batch = order[first : first + _BATCH]
        vectors[batch] = embed([names[at] for at in batch])
        if told:
            sys.stderr.write(f"\r{first + len(batch)} of {len(names)} names embedded")
    if told:
        sys.stderr.write("\n")
    return nearest_names(names, vectors)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a table of synonym edges and say where it is."""
    parser = Parser(
        prog="python -m graphs.synonyms", description=__doc__.partition("\n")[0] if __doc__ else ""
    )
    parser.add_argument("--graph", default=STARTER, help="a graph's name or path (default: starter)")
    parser.add_argument(
        "--out", type=Path, help=f"where to (default: {SYNONYMS_FILE} in the graph's own folder)"
    )
    asked = parser.parse_args(arguments)
    try:
        graph = open_knowledge(asked.graph)
        path = asked.out or _home(asked.graph)
        made = make_synonyms(graph.nodes, told=True)
        write_synonyms(path, made)
    except (KnowledgeError, UserError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"{asked.out}: can't be written: {error.strerror or error}.\n")
        return 2
    joined = {name for pair in made for name in pair[:2]}
    sys.stdout.write(
        f"{path}: {len(made)} synonym edges between {len(joined)} of {len(graph)} nodes, "
        f"{path.stat().st_size} bytes\n"
    )
    return 0


def _home(graph: str) -> Path:
    """The folder where a graph's synonym edges are looked for."""
    if graph == STARTER:
        return Path(str(starter_synonyms()))
    if not Path(graph).is_dir():
        raise UserError(f"{graph} is no folder that could hold {SYNONYMS_FILE}: say where with --out")
    return Path(graph) / SYNONYMS_FILE


if __name__ == "__main__":
    sys.exit(main())
