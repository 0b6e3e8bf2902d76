"""Sentences to search: those that a graph was built from, or files of text and JSON lines, gzipped or not."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tools.errors import KnowledgeError
from tools.knowledge.edges import Sentence
from tools.knowledge.formats.files import read_bytes, read_text, suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tools.knowledge.graph import MetaphorGraph

__all__ = ["digest_of_files", "sentences_of_files", "sentences_of_graph"]

_KEYS = ("text", "sentence", "context")
_ORIGINS = ("source", "dataset")
_ENDINGS = (".txt", ".md", ".jsonl")
#: A sentence ends here: after a mark and white space, or after a Chinese mark.
_END = re.compile(r"(?<=[.!?])[\"'\u201d\u2019)]*\s+(?=\S)|(?<=[\u3002\uff01\uff1f])(?=\S)")
_BLOCK = 4096


def sentences_of_graph(graph: MetaphorGraph) -> Iterator[Sentence]:
    """Every sentence that a graph keeps, each once, in the order of its edges."""
    edges = int(graph.arrays.forward.indptr[-1])
    known: set[str] = set()
    for first in range(0, edges, _BLOCK):
        for edge in graph.edges_numbered(range(first, min(first + _BLOCK, edges))):
            for said in edge.sentences:
                text = " ".join(said.split())
                if text and text not in known:
                    known.add(text)
                    yield Sentence(text, getattr(said, "source", ""), getattr(said, "licence", ""))


def sentences_of_files(paths: Sequence[str]) -> Iterator[Sentence]:
    """Every sentence of some files, each once, in their order.

    A text file is split into sentences, line by line; a line of JSON is an object with `text`, `sentence` or
    `context`, and perhaps `source` (or `dataset`) and `licence`.

    Raises:
        KnowledgeError: naming the file and line that can't be used.
    """
    known: set[str] = set()
    for path in map(_file, paths):
        found = _objects(path) if suffix_of(path.name) == ".jsonl" else _lines(path)
        for sentence in found:
            if sentence not in known:
                known.add(str(sentence))
                yield sentence


def digest_of_files(paths: Sequence[str]) -> str:
    """SHA-256, in hex, of the files' contents and names.

    Raises:
        KnowledgeError: if one can't be read.
    """
    sha = hashlib.sha256()
    for path in map(_file, paths):
        content = read_bytes(path)
        sha.update(f"{path.name}\n{len(content)}\n".encode("utf-8", "surrogatepass"))
        sha.update(content)
    return sha.hexdigest()


def _file(name: str) -> Path:
    path = Path(name)
    if path.is_dir():
        msg = f"{name}: is a folder; name the files in it, as in {path / '*.txt'}."
        raise KnowledgeError(msg)
    if suffix_of(path.name) not in _ENDINGS:
        msg = f"{name}: sentences are read from {', '.join(_ENDINGS)} (each also as .gz)."
        raise KnowledgeError(msg)
    return path


def _lines(path: Path) -> Iterable[Sentence]:
    for line in read_text(path).splitlines():
        for part in _END.split(line):
            if text := " ".join(part.split()):
                yield Sentence(text, path.name)


def _objects(path: Path) -> Iterable[Sentence]:
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            msg = f"{path}, line {number}: not JSON: {error}."
            raise KnowledgeError(msg) from error
        yield _sentence(row, f"{path}, line {number}", path.name)


def _sentence(row: Any, where: str, file: str) -> Sentence:
    fields = cast("dict[str, Any]", row) if isinstance(row, dict) else {}
    said = next((fields[key] for key in _KEYS if isinstance(fields.get(key), str)), None)
    text = " ".join(said.split()) if isinstance(said, str) else ""
    if not text:
        msg = f"{where}: expected an object with a text in one of {', '.join(_KEYS)}."
        raise KnowledgeError(msg)
    origin = next((str(fields[key]) for key in _ORIGINS if fields.get(key)), file)
    return Sentence(text, origin, str(fields.get("licence") or fields.get("license") or ""))
