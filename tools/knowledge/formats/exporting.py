"""Writes a graph in the format that a path's ending names."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.formats.files import suffix_of, write_text

if TYPE_CHECKING:
    from tools.knowledge.graph import MetaphorGraph

__all__ = ["export_graph"]

_WITHOUT_NAMES = "other names"


def export_graph(graph: MetaphorGraph, out: str | Path) -> list[str]:
    """Write a graph to a file, or compile it to a folder.

    Args:
        graph: any graph.
        out: a path ending in .json, .graphml, .csv or .tsv, each also followed by .gz; without an ending, a
            folder.

    Returns:
        What the format has no place for, in words; nothing when `open_knowledge` reads the same graph again.

    Raises:
        KnowledgeError: if the format is unknown, can't hold the graph, or the path can't be written to.
    """
    path = Path(out).expanduser()
    suffix = suffix_of(path.name)
    if not suffix or path.is_dir():
        _compile(graph, path)
        return []
    if suffix == ".json":
        from tools.knowledge.formats.published import left_out_of_published, published_text

        write_text(path, published_text(graph))
        return left_out_of_published(graph)
    if suffix == ".graphml":
        from tools.knowledge.formats.graphml import graphml_text

        write_text(path, graphml_text(graph))
    elif suffix in {".csv", ".tsv"}:
        from tools.knowledge.formats.tables import table_text

        write_text(path, table_text(graph, suffix))
    else:
        msg = f"{out}: {suffix} is not a format; give .json, .graphml, .csv or .tsv, or a folder's name."
        raise KnowledgeError(msg)
    return [_WITHOUT_NAMES] if graph.others else []


def _compile(graph: MetaphorGraph, folder: Path) -> None:
    from tools.knowledge.engine.compiled import write_compiled

    try:
        write_compiled(graph, folder)
    except (OSError, sqlite3.Error) as error:
        msg = f"{folder}: can't be written: {error}."
        raise KnowledgeError(msg) from error
