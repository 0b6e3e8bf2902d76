"""Graphs as edge lists, .tsv and .csv: read from any number of tables, written as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.engine.collector import collector_paused
from tools.knowledge.formats.evidence import sentences_to_json
from tools.knowledge.formats.rows import COLUMNS, MORE_COLUMNS, NODE, Row, edge_of, faults, read_rows
from tools.knowledge.graph import MetaphorGraph
from tools.knowledge.linking.other_names import read_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from tools.knowledge.edges import Edge

__all__ = ["read_tables", "table_text"]

_LINE_ENDS = ("\n", "\r")
_OTHERWISE = "write .graphml, or a compiled folder (a path without an ending)"


def read_tables(
    tables: Iterable[Path | Traversable],
    name: str,
    names: Iterable[Path | Traversable] = (),
    within: str = "",
) -> MetaphorGraph:
    """A graph from edge lists.

    Args:
        tables: .tsv and .csv files.
        name: what the graph is called.
        names: tables of its nodes' other names.
        within: what stands, with the file, as the provenance of edges whose rows don't tell it.

    Raises:
        KnowledgeError: naming file, line and fault.
    """
    with collector_paused():
        return _read(tables, name, names, within)


def _read(
    tables: Iterable[Path | Traversable], name: str, names: Iterable[Path | Traversable], within: str
) -> MetaphorGraph:
    edges: list[Edge] = []
    nodes: dict[str, None] = {}
    places: dict[tuple[str, str, str], str] = {}
    symmetric: dict[str, str] = {}
    for table in tables:
        for row in read_rows(table):
            if row.kind == NODE and not faults(row):
                nodes[row.source] = None
                continue
            edge = edge_of(row, f"{within}/{table.name}" if within else "")
            first = places.setdefault((row.source, row.target, row.culture), row.where)
            if first != row.where:
                msg = f"{row.where}: {row.source!r} -> {row.target!r} stands at {first} already; keep one."
                raise KnowledgeError(msg)
            symmetric.setdefault(row.symmetric, row.where)
            edges.append(edge)
    if not edges:
        msg = f"{name}: no edges, so nothing could ever be found in it."
        raise KnowledgeError(msg)
    if len(symmetric) > 1:
        msg = f"{symmetric['']}: symmetric is empty, but yes at {symmetric['yes']}; all edges or none are."
        raise KnowledgeError(msg)
    others = read_names(names, {*nodes, *(node for edge in edges for node in edge[:2])})
    return MetaphorGraph(edges, nodes=nodes, symmetric="yes" in symmetric, name=name, others=others)


def table_text(graph: MetaphorGraph, suffix: str) -> Iterator[str]:
    """The lines of an edge list, from which the same graph is read again.

    Args:
        graph: what to write.
        suffix: ".tsv" or ".csv".

    Raises:
        KnowledgeError: naming the edge that the format can't hold, and another format.
    """
    wanted = [column for column in MORE_COLUMNS if _has(graph, column)]
    columns = (*COLUMNS, *wanted)
    yield _line(columns, suffix)
    rows = list(_rows(graph, suffix))
    met = dict.fromkeys(name for row in rows for name in (row.source, row.target))
    if list(met) != list(graph.nodes):
        rows = [*(_checked(Row("", node, kind=NODE), graph, suffix) for node in graph.nodes), *rows]
    for row in rows:
        fields = [getattr(row, column) for column in columns]
        yield _line(fields, suffix)


def _has(graph: MetaphorGraph, column: str) -> bool:
    if column == "symmetric":
        return graph.symmetric
    return any(getattr(edge, column) for edge in graph.edges)


def _rows(graph: MetaphorGraph, suffix: str) -> Iterator[Row]:
    seen: set[tuple[str, str, str]] = set()
    for edge in graph.edges:
        row = Row(
            where="",
            source=edge.source,
            target=edge.target,
            kind=edge.kind,
            culture=edge.culture or "",
            weight=repr(float(edge.weight)),
            ground=edge.ground,
            sentences=sentences_to_json(edge.sentences),
            provenance=edge.provenance,
            symmetric="yes" if graph.symmetric else "",
        )
        key = (row.source, row.target, row.culture)
        if key in seen:
            row = row._replace(extra="it stands twice, and a table holds one of each culture")
        seen.add(key)
        yield _checked(row, graph, suffix)


def _checked(row: Row, graph: MetaphorGraph, suffix: str) -> Row:
    """The row, if it would be read again as it is.

    Raises:
        KnowledgeError: if it would not.
    """
    found = faults(row) or [fault for column in row._fields if (fault := _unheld(row, column, suffix))]
    if found:
        which = repr(row.source) if row.kind == NODE else f"{row.source!r} -> {row.target!r}"
        msg = f"{graph.name}: {which} can't stand in a {suffix}: {found[0]}; {_OTHERWISE}."
        raise KnowledgeError(msg)
    return row


def _unheld(row: Row, column: str, suffix: str) -> str:
    """Why a field can't stand in a table, or nothing."""
    text: str = getattr(row, column)
    kept = suffix == ".csv" and column in {"ground", "sentences", "provenance"}
    if text != text.strip() and not kept:
        return f"its {column} begins or ends with a blank"
    if suffix == ".tsv" and any(mark in text for mark in ("\t", *_LINE_ENDS)):
        return f"its {column} has a tab or a line break in it"
    if not text.isascii() and text != text.encode("utf-8", "replace").decode():
        return f"its {column} has half a surrogate pair in it"
    return ""


def _line(fields: Iterable[str], suffix: str) -> str:
    if suffix == ".tsv":
        return "\t".join(fields) + "\n"
    return ",".join(_in_quotes(field) for field in fields) + "\n"


def _in_quotes(field: str) -> str:
    if any(mark in field for mark in (",", '"', *_LINE_ENDS)) or field != field.strip():
        return '"' + field.replace('"', '""') + '"'
    return field
