"""Scores by metaphor type and overall, failures counted as zero and left out, side by side.

Scores are shown from 0 to 100 as in the paper: strict means times 100, loose means times 10.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from agents.schemas import Usage
from evals.statistics.bootstrap import Floats, Interval, Resampling, mean_interval
from evals.statistics.ratings import ALL
from evals.statistics.totals import Totals, TotalsBuilder
from evals.store.records import Outcome, RunRecord

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
        records: how many there are.
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
    records: int
    watched: int = 0

    @property
    def notices(self) -> list[str]:
        """What a reader must know before the figures."""
        found: list[str] = []
        if self.proxies:
            share = "" if self.proxies == self.verdicts else f"{self.proxies} of {self.verdicts} verdicts: "
            found.append(share + PROXY_NOTICE)
        if self.watched:
            found.append("the model was shown the videos themselves, not frames (--input video)")
        if unjudged := self.outcomes.get(Outcome.UNJUDGED):
            found.append(f"{unjudged} interpretations are not judged yet, and in no figure")
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


def tabulate(records: Iterable[RunRecord], seed: int = 0) -> Table:
    """Sum records up, in one pass; 45 bytes a video are kept, its digest and sums of its scores.

    Args:
        records: each key once.
        seed: of intervals.
    """
    counted, totals = _Counted(), TotalsBuilder()
    for record in records:
        verdict = record.verdict if record.ok else None
        scored = (verdict.strict, verdict.loose) if verdict else None
        if record.outcome is not Outcome.UNJUDGED:
            totals.add(record.video_id, record.types, scored)
        counted.add(record)
    kept, how = totals.build(), Resampling(seed=seed)
    return Table(
        types=tuple(_row(name, kept.of_type(name), how) for name in kept.type_names),
        overall=_row(ALL, kept, how),
        epochs=kept.most_epochs,
        outcomes=dict(counted.outcomes.most_common()),
        usage=counted.usage,
        cached=counted.cached,
        faults=dict(counted.faults.most_common()),
        proxies=counted.proxies,
        verdicts=counted.verdicts,
        records=counted.records,
        watched=counted.watched,
    )


class _Counted:
    """What is counted by record."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.usage, self.cached = Usage(), Usage()
        self.records = self.proxies = self.verdicts = self.watched = 0

    def add(self, record: RunRecord) -> None:
        verdict = record.verdict if record.ok else None
        self.records += 1
        self.outcomes[record.label] += 1
        self.usage += record.usage
        self.cached += record.cached
        self.faults.update(fault for call in record.calls for fault in call.faults)
        self.watched += record.video is not None
        self.verdicts += verdict is not None
        self.proxies += verdict is not None and verdict.proxy


def _row(name: str, totals: Totals, how: Resampling) -> Row:
    strict, loose = totals.zero("strict"), totals.zero("loose")
    return Row(
        name=name,
        n=totals.videos,
        failed=totals.failed,
        strict=_mean(strict) or 0.0,
        strict_scored=_mean(totals.scored("strict")),
        loose=_mean(loose) or 0.0,
        loose_scored=_mean(totals.scored("loose")),
        strict_interval=mean_interval(strict, how, label=f"{name}/strict/zero"),
        loose_interval=mean_interval(loose, how, label=f"{name}/loose/zero"),
    )


def _mean(values: Floats) -> float | None:
    """Added up so that the order of records makes no difference."""
    return math.fsum(values) / len(values) if len(values) else None


def _text(score: float | None) -> str:
    return "-" if score is None else f"{score:.1f}"


def _bounds(interval: Interval | None) -> str:
    return "-" if interval is None else f"[{interval.low:.1f}, {interval.high:.1f}]"
