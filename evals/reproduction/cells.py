"""Which published row a run stands for, told by its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evals.reproduction.published import Published, PublishedSystem, plain_model

__all__ = ["FULL", "Cell", "cell_of", "counterpart", "named_cell", "named_system"]

FULL = "full"
_BOOST = ("boost", "boost_retrieval")
_DEFAULT = (2, 10)  # h and z in the paper


@dataclass(frozen=True, slots=True)
class Cell:
    """A row of Table 4.

    Attributes:
        key: as in ``published.yaml``, or one of our own.
        name: what the row says.
        published: whether the paper has it.
    """

    key: str
    name: str
    published: bool


def cell_of(flat: Mapping[str, object], known: Published) -> Cell | None:
    """The ablation that a run is; None for a graph that looks nothing up.

    Args:
        flat: settings of ``run.json`` by dotted name; what is absent has its default.
        known: what was published.
    """
    if flat.get("graph") not in _BOOST:
        return None
    source = str(flat.get("context.knowledge.source", "graph"))
    hops = _number(flat.get("context.retrieval.hops"), _DEFAULT[0])
    limit = _number(flat.get("context.retrieval.limit"), _DEFAULT[1])
    if source == "none":
        return Cell("none", "no outside knowledge", published=False)
    changed = [
        part
        for part, value, usual in (
            (f"h={hops}", hops, _DEFAULT[0]),
            (f"z={limit}", limit, _DEFAULT[1]),
        )
        if value != usual
    ]
    key = ", ".join([*([] if source == "graph" else [source]), *changed]) or FULL
    return named_cell(key, known) or Cell(key, key, published=False)


def named_cell(key: str, known: Published) -> Cell | None:
    """A published row of Table 4 by its key."""
    found = next((row for row in known.ablations.rows if row.key == key), None)
    return Cell(found.key, found.name, published=True) if found else None


def named_system(name: str, known: Published) -> PublishedSystem | None:
    """A published row of Table 2 by its key or its name, in any case."""
    wanted = name.strip().casefold()
    return next((row for row in known.systems if wanted in (row.key.casefold(), row.name.casefold())), None)


def counterpart(
    graph: str, model: str, flat: Mapping[str, object], known: Published
) -> PublishedSystem | None:
    """The published row of the same model and method; None where there is none.

    A method with other knowledge, h or z than the paper's full one is an ablation and has none.
    """
    cell = cell_of({**flat, "graph": graph}, known)
    if cell is not None and cell.key != FULL:
        return None
    name = plain_model(model)
    return next((row for row in known.systems if graph in row.graphs and name in row.models), None)


def _number(value: object, usual: int) -> int:
    return value if isinstance(value, int) else usual
