"""Writes a built graph's folder: aside, under a lock, and moved into place when it is whole."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.building.merging import MERGES_HEADER
from tools.knowledge.engine.compiled import is_compiled, write_compiled
from tools.knowledge.retrieving.synonyms import SYNONYMS_FILE, write_synonyms

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from tools.knowledge.building.merging import Merge
    from tools.knowledge.building.pairs import Rejected
    from tools.knowledge.graph import MetaphorGraph
    from tools.knowledge.retrieving.synonyms import Synonym

__all__ = ["MERGES", "REJECTED", "REPORT", "alone", "refuse", "write_built"]

MERGES, REJECTED, REPORT = "merges.tsv", "rejected.jsonl", "report.json"


def refuse(folder: Path) -> None:
    """Refuse a folder that holds something else than a compiled graph.

    Raises:
        KnowledgeError: naming it; also if it can't be looked into.
    """
    try:
        folder.resolve()
        free = not folder.exists() or (folder.is_dir() and (is_compiled(folder) or not any(folder.iterdir())))
    except (OSError, ValueError) as error:
        msg = f"{folder}: can't be looked into: {error}."
        raise KnowledgeError(msg) from error
    if not free:
        msg = f"{folder}: there is something else already; give a new folder, or one of a compiled graph."
        raise KnowledgeError(msg)


def write_built(  # noqa: PLR0913, PLR0917
    folder: Path,
    graph: MetaphorGraph,
    report: dict[str, Any],
    merges: Iterable[Merge],
    rejected: Iterable[Rejected],
    synonyms: Sequence[Synonym] | None = None,
) -> None:
    """Write a compiled graph with its audit; the folder is there whole, or as it was before.

    What a killed build left beside it is taken away first.

    Raises:
        KnowledgeError: if another process is writing it.
        OSError: (or sqlite3.Error) if it can't be written.
    """
    # A link's own place would be replaced, not what it leads to.
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        aside = folder.parent / f".{folder.name}.building"
        shutil.rmtree(aside, ignore_errors=True)
        _put_back(folder)
        aside.mkdir()
        try:
            whole = aside / "graph"
            manifest = write_compiled(graph, whole)
            _write_lines(
                whole / MERGES, ["\t".join(MERGES_HEADER), *("\t".join(map(_field, m)) for m in merges)]
            )
            _write_lines(whole / REJECTED, (_told(row) for row in rejected))
            _write_lines(whole / REPORT, [json.dumps(report, ensure_ascii=False, indent=1)])
            if synonyms is not None:
                write_synonyms(whole / SYNONYMS_FILE, synonyms)
            dataclasses.replace(manifest, licences=sorted(report["licences"])).write(whole)
            refuse(folder)
            _move(whole, folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _old(folder: Path) -> Path:
    return folder.parent / f".{folder.name}.before"


def _move(whole: Path, folder: Path) -> None:
    """Put a whole folder in its place; the one before is aside for as long as that takes."""
    old = _old(folder)
    if folder.exists():
        folder.rename(old)
    whole.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _put_back(folder: Path) -> None:
    """Put back a graph that a killed build had put aside and not yet replaced."""
    old = _old(folder)
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def alone(folder: Path) -> Generator[None]:
    """Keep other builds of a folder out; a killed one's lock goes with its process."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks, files that are open can't be moved either
        yield
        return
    path = folder.parent / f".{folder.name}.lock"
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            msg = f"{folder}: another build is writing it; wait for it, or give another folder."
            raise KnowledgeError(msg) from error
        with contextlib.suppress(FileNotFoundError):
            # The lock of the file that is there now, not of one that its owner took away meanwhile.
            if path.stat().st_ino == os.fstat(descriptor).st_ino:
                break
        os.close(descriptor)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _told(row: Rejected) -> str:
    told = {key: value for key, value in row._asdict().items() if value != ""}
    return json.dumps({**told, "fault": str(row)}, ensure_ascii=False)


def _field(value: object) -> str:
    return " ".join(str(value).split())


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
