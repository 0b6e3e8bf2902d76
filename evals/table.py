"""Scores by metaphor type and overall, failures counted as zero and left out, side by side.

Scores are shown from 0 to 100 as in the paper: strict means times 100, loose means times 10.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np

from agents.schemas import Usage
from evals.statistics.bootstrap import Interval, Resampling, mean_interval
from evals.statistics.ratings import ALL, in_order
from evals.store.records import RunKey, RunRecord

__all__ = ["PROXY_NOTICE", "Row", "Table", "tabulate"]

PROXY_NOTICE = "offline proxy, not comparable with LLM-judge scores"

_HEADS = (
    "type",
    "n",
    "failed",
    "strict",
    "95 %",
    "strict, scored only",
    "loose",
    "95 %",
    "loose, scored only",
)


@dataclass(frozen=True, slots=True)
class Row:
    """Scores of one type, or of all; 0 to 100.

    Attributes:
        name: the type's key, or ``All``.
        n: samples (several epochs of one sample count once: their mean).
        failed: records without a score, of all epochs.
        strict: mean with failures as zero.
        strict_scored: mean of what was scored; None when nothing was.
        loose: mean with failures as zero.
        loose_scored: mean of what was scored; None when nothing was.
        strict_interval: 95 % bootstrap interval by video of ``strict``; None for fewer than five videos.
        loose_interval: the same of ``loose``.
    """

    name: str
    n: int
    failed: int
    strict: float
    strict_scored: float | None
    loose: float
    loose_scored: float | None
    strict_interval: Interval | None = None
    loose_interval: Interval | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """As text, one decimal."""
        strict = (_text(self.strict), _bounds(self.strict_interval), _text(self.strict_scored))
        loose = (_text(self.loose), _bounds(self.loose_interval), _text(self.loose_scored))
        return self.name, str(self.n), str(self.failed), *strict, *loose


@dataclass(frozen=True, slots=True)
class Table:
    """What a run directory holds, summed up.

    Attributes:
        types: a row for each type met, in the paper's order.
        overall: each sample once, whatever its number of types.
        epochs: how many a sample has at most.
        outcomes: records by how they ended.
        usage: tokens of all records.
        cached: tokens that were spared, since answers were kept from before.
        faults: tries of calls that failed for passing reasons, by reason.
        proxies: verdicts that no model gave.
        verdicts: all verdicts.
        keys: of all records.
        watched: records of videos that were shown whole.
    """

    types: tuple[Row, ...]
    overall: Row
    epochs: int
    outcomes: dict[str, int]
    usage: Usage
    cached: Usage
    faults: dict[str, int]
    proxies: int
    verdicts: int
    keys: frozenset[RunKey]
    watched: int = 0

    @property
    def records(self) -> int:
        """How many records there are."""
        return len(self.keys)

    @property
    def notices(self) -> list[str]:
        """What a reader must know before the figures."""
        found: list[str] = []
        if self.proxies:
            share = "" if self.proxies == self.verdicts else f"{self.proxies} of {self.verdicts} verdicts: "
            found.append(share + PROXY_NOTICE)
        if self.watched:
            found.append("the model was shown the videos themselves, not frames (--input video)")
        if self.epochs > 1:
            found.append(f"{self.records} records, up to {self.epochs} epochs a sample, averaged by sample")
        return found

    def text(self) -> str:
        """For a terminal."""
        rows = [_HEADS, *(row.cells for row in (*self.types, self.overall))]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADS))]
        lines = [
            "  ".join((c.ljust if i == 0 else c.rjust)(widths[i]) for i, c in enumerate(row)) for row in rows
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        lines.insert(-1, lines[1])
        return "\n".join([*(f"({notice})" for notice in self.notices), *lines, "", self.ends, self.caption])

    def markdown(self) -> str:
        """For a document."""
        rows = [
            _HEADS,
            ("---", *("---:",) * (len(_HEADS) - 1)),
            *(r.cells for r in (*self.types, self.overall)),
        ]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        notices = [f"**{notice}**\n" for notice in self.notices]
        return "\n".join([*notices, *lines, "", self.ends, "", self.caption, ""])

    @property
    def ends(self) -> str:
        """How records ended, each outcome counted apart."""
        told = ", ".join(f"{number} {outcome}" for outcome, number in self.outcomes.items())
        return f"Outcomes: {told or 'none'}."

    @property
    def caption(self) -> str:
        """How to read the columns."""
        seldom = " A measured similarity is hardly ever strict: expect 0 there." if self.proxies else ""
        return (
            "Scores from 0 to 100. strict: complete and free of error (0 or 1 a judgement). loose: how far "
            f"the core meaning is right (0 to 10 a judgement).{seldom} Both count failed samples as zero; "
            "'scored only' leaves them out. A sample with several types counts in each. 95 %: where the mean "
            "of all such videos may lie, by resampling videos; fewer than five are too few."
        )


@dataclass
class _Cell:
    """Verdicts of the epochs of one sample; None for a failure."""

    types: tuple[str, ...]
    strict: list[float | None] = field(default_factory=list[float | None])
    loose: list[float | None] = field(default_factory=list[float | None])


def tabulate(records: Iterable[RunRecord], seed: int = 0) -> Table:
    """Sum records up, in one pass; only scores are kept in memory. The seed is that of intervals."""
    cells: dict[str, _Cell] = {}
    outcomes: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    keys: set[RunKey] = set()
    usage, cached, proxies, verdicts, watched = Usage(), Usage(), 0, 0, 0
    for record in records:
        cell = cells.setdefault(record.video_id, _Cell(record.types))
        verdict = record.verdict if record.ok else None
        cell.strict.append(verdict.strict * 100 if verdict else None)
        cell.loose.append(verdict.loose * 10 if verdict else None)
        outcomes[record.label] += 1
        keys.add(record.key)
        usage += record.usage
        cached += record.cached
        faults.update(fault for call in record.calls for fault in call.faults)
        watched += record.video is not None
        verdicts += verdict is not None
        proxies += verdict is not None and verdict.proxy
    by_type: dict[str, list[_Cell]] = defaultdict(list)
    for cell in cells.values():
        for name in cell.types:
            by_type[name].append(cell)
    return Table(
        types=tuple(_row(name, by_type[name], seed) for name in in_order(by_type)),
        overall=_row(ALL, list(cells.values()), seed),
        epochs=max((len(cell.strict) for cell in cells.values()), default=0),
        outcomes=dict(outcomes.most_common()),
        usage=usage,
        cached=cached,
        faults=dict(faults.most_common()),
        proxies=proxies,
        verdicts=verdicts,
        keys=frozenset(keys),
        watched=watched,
    )


def _row(name: str, cells: list[_Cell], seed: int) -> Row:
    strict, strict_scored = _means([cell.strict for cell in cells])
    loose, loose_scored = _means([cell.loose for cell in cells])
    failed = sum(score is None for cell in cells for score in cell.strict)
    intervals = (
        _interval([cell.strict for cell in cells], f"{name}/strict/zero", seed),
        _interval([cell.loose for cell in cells], f"{name}/loose/zero", seed),
    )
    return Row(name, len(cells), failed, strict, strict_scored, loose, loose_scored, *intervals)


def _interval(samples: list[list[float | None]], label: str, seed: int) -> Interval | None:
    means = np.array([fmean(score or 0.0 for score in epochs) for epochs in samples])
    return mean_interval(means, Resampling(seed=seed), label=label)


def _text(score: float | None) -> str:
    return "-" if score is None else f"{score:.1f}"


def _bounds(interval: Interval | None) -> str:
    return "-" if interval is None else f"[{interval.low:.1f}, {interval.high:.1f}]"


def _means(samples: list[list[float | None]]) -> tuple[float, float | None]:
    """Mean over samples of the mean over epochs: with failures as zero, and without them."""
    zero = [fmean(score or 0.0 for score in epochs) for epochs in samples]
    scored = [fmean(there) for epochs in samples if (there := [s for s in epochs if s is not None])]
    return (fmean(zero) if zero else 0.0), (fmean(scored) if scored else None)
