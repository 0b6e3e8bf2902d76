"""ConceptNet as a source: its own dump, or a slice of it, read as a graph whose grounds are the relations.

The dump is `conceptnet-assertions-5.7.0.csv.gz` (Speer, Chin & Havasi 2017; CC BY-SA 4.0): five columns,
parted by tabs: the assertion's URI, the relation, start and end as `/c/en/candle/n/...`, and JSON with a
`weight`. It is read line by line, English and Chinese kept, and compiled to the user's cache once.
"""

from __future__ import annotations

import gzip
import json
import logging
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import KnowledgeError
from tools.knowledge.edges import Edge
from tools.knowledge.engine.kept import kept
from tools.knowledge.graph import MetaphorGraph
from tools.knowledge.sources.graphs import GraphSource, opened_embedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.knowledge.sources.protocol import SourceSettings

__all__ = ["GROUNDS", "LANGUAGES", "conceptnet_source", "open_conceptnet"]

WHERE = "conceptnet-assertions-5.7.0.csv.gz, see https://github.com/commonsense/conceptnet5/wiki/Downloads"
LANGUAGES = ("en", "zh")
GROUNDS = {
    "AtLocation": "is found there",
    "CapableOf": "can do it",
    "Causes": "causes it",
    "CausesDesire": "makes one want it",
    "CreatedBy": "is made by it",
    "DefinedAs": "is defined as it",
    "Desires": "wants it",
    "Entails": "entails it",
    "HasA": "has it",
    "HasContext": "is spoken of in it",
    "HasFirstSubevent": "begins with it",
    "HasLastSubevent": "ends with it",
    "HasPrerequisite": "needs it first",
    "HasProperty": "has that quality",
    "HasSubevent": "has it as a part",
    "InstanceOf": "is an instance of it",
    "IsA": "is a kind of it",
    "LocatedNear": "is found near it",
    "MadeOf": "is made of it",
    "MannerOf": "is a way of doing it",
    "MotivatedByGoal": "is done for its sake",
    "ObstructedBy": "is hindered by it",
    "PartOf": "is a part of it",
    "ReceivesAction": "has it done to it",
    "RelatedTo": "is related to it",
    "SimilarTo": "is similar to it",
    "SymbolOf": "is a symbol of it",
    "Synonym": "means the same",
    "UsedFor": "is used for it",
}
"""What each relation says. Those that deny something (Antonym, NotDesires), tell of words alone (FormOf,
DerivedFrom) or lead out of ConceptNet (ExternalURL, dbpedia) are left out."""

_KINDS = {"SymbolOf": "symbol", **dict.fromkeys(("Causes", "CausesDesire", "Entails"), "causal")}
_PROVENANCE = "ConceptNet (CC BY-SA 4.0)"
_COLUMNS = 5
_BITS = 32
_LOG = logging.getLogger(__name__)


def conceptnet_source(settings: SourceSettings) -> GraphSource:
    """Open ConceptNet.

    Raises:
        KnowledgeError: if its file is not given, not there, or not in its format.
    """
    if not settings.conceptnet:
        msg = (
            f"ConceptNet doesn't come with this package: give --conceptnet PATH ({WHERE}), or a slice of it."
        )
        raise KnowledgeError(msg)
    return GraphSource(open_conceptnet(settings.conceptnet), opened_embedder(settings))


def open_conceptnet(path: str | Path) -> MetaphorGraph:
    """ConceptNet as a graph: from the cache, or read and compiled, which takes minutes for the whole dump.

    Rows that can't be read are counted, and told in the log with the first of them.

    Args:
        path: the dump, or lines of it, plain or gzipped.

    Raises:
        KnowledgeError: if there is no such file, it ends in the middle, or no row of it can be used.
    """
    file = Path(path)
    if not file.is_file():
        msg = f"{path}: no such file. ConceptNet is {WHERE}."
        raise KnowledgeError(msg)
    # The text of this module is part of what an entry is kept by: another table of relations, another graph.
    return kept([file, Path(__file__)], str(path), lambda: _read(file))


@dataclass
class _Reading:
    """What was found in a dump.

    Attributes:
        names: terms by number.
        weights: the sum of weights, by start, end and relation, packed into one number.
        rows: all rows.
        bad: rows that can't be read, and the first of them.
    """

    names: dict[str, int] = field(default_factory=dict[str, int])
    weights: dict[int, float] = field(default_factory=dict[int, float])
    rows: int = 0
    bad: int = 0
    first: str = ""

    def edges(self) -> Iterator[Edge]:
        """Each pair of terms once a relation; a weight w becomes w / (1 + w), so that all lie in (0, 1)."""
        names, relations, low = list(self.names), list(GROUNDS), (1 << _BITS) - 1
        for packed, weight in self.weights.items():
            relation = relations[packed >> 2 * _BITS]
            yield Edge(
                source=names[packed >> _BITS & low],
                target=names[packed & low],
                kind=_KINDS.get(relation, "conceptual"),
                weight=round(weight / (1 + weight), 4),
                ground=GROUNDS[relation],
                provenance=_PROVENANCE,
            )


def _read(file: Path) -> MetaphorGraph:
    reading = _Reading()
    numbers = {f"/r/{relation}".encode(): number for number, relation in enumerate(GROUNDS)}
    try:
        with gzip.open(file) if file.name.lower().endswith(".gz") else file.open("rb") as lines:
            for line in lines:
                reading.rows += 1
                try:
                    _take(line, reading, numbers)
                except (ValueError, RecursionError) as error:
                    reading.bad += 1
                    reading.first = reading.first or f"line {reading.rows}: {error}"
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        msg = f"{file}: not a whole gzip file ({error}); fetch or pack it again, or give it unpacked."
        raise KnowledgeError(msg) from error
    except OSError as error:
        msg = f"{file}: can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    told = f"{reading.bad:,} of {reading.rows:,} rows can't be read ({reading.first})." if reading.bad else ""
    if not reading.weights:
        msg = f"{file}: no row of ConceptNet in {' or '.join(LANGUAGES)} that relates two things. {told}"
        raise KnowledgeError(f"{msg.strip()} Expected rows of {WHERE}.")
    if told:
        _LOG.warning("%s: %s They are left out.", file, told)
    return MetaphorGraph(reading.edges(), name=str(file))


def _take(line: bytes, reading: _Reading, relations: dict[bytes, int]) -> None:
    """Add a row, unless it is of another language or relation.

    Raises:
        ValueError: if it is no row of ConceptNet.
    """
    columns = line.rstrip(b"\r\n").split(b"\t")
    if len(columns) != _COLUMNS:
        raise ValueError(f"{len(columns)} columns instead of {_COLUMNS}")
    _, relation, start, end, about = columns
    if not relation.startswith(b"/r/"):
        raise ValueError(f"{relation[:40].decode('utf-8', 'replace')!r} is no relation")
    if relation not in relations:
        return
    source, target = _name(start), _name(end)
    if not source or not target or source == target:
        return
    weight = _weight(about)
    numbers = [reading.names.setdefault(name, len(reading.names)) for name in (source, target)]
    packed = relations[relation] << 2 * _BITS | numbers[0] << _BITS | numbers[1]
    reading.weights[packed] = reading.weights.get(packed, 0.0) + weight


def _name(term: bytes) -> str:
    """The words of a term such as `/c/en/burning_candle/n`; empty for one of another language."""
    parts = term.split(b"/")
    if len(parts) < 4 or parts[1] != b"c" or not parts[3]:  # noqa: PLR2004 - "", "c", language, words
        raise ValueError(f"{term[:60].decode('utf-8', 'replace')!r} is no term")
    if parts[2].decode("utf-8", "replace") not in LANGUAGES:
        return ""
    return " ".join(parts[3].decode().replace("_", " ").split())


def _weight(about: bytes) -> float:
    told: Any = json.loads(about)
    weight = told.get("weight") if isinstance(told, dict) else None
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < float("inf"):
        raise ValueError("no weight above 0 in the last column")
    return float(weight)
