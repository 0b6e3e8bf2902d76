"""How far diagnosing is: one line that is written over in a terminal, one a minute elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from evals.datasets.sample import shown
from evals.diagnosis.records import DiagnosisRecord
from evals.diagnosis.working import Spending
from evals.money.ledger import money_said

__all__ = ["Progress"]

_EVERY = 60.0
_SHOWN, _LONGEST = 5, 500  # reasons, and characters of one


@dataclass
class Progress:
    """Counts, and says so.

    Attributes:
        total: samples to be diagnosed now.
        spending: what it costs.
        quiet: says nothing.
        clock: gives seconds.
        done: samples so far.
        failed: of these, without a diagnosis.
        found: deficiencies.
    """

    total: int
    spending: Spending
    quiet: bool = False
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    failed: int = 0
    found: int = 0
    _said: float = field(default=0.0)
    _causes: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self._said = self.clock()
        self._over = sys.stderr.isatty()

    def finished(self, record: DiagnosisRecord) -> None:
        """Count one that is on disk."""
        self.done += 1
        self.failed += record.diagnosis is None
        if record.errors:
            self._causes.setdefault(record.errors[0].message, record.video_id)
        self.found += record.diagnosis.count() if record.diagnosis else 0
        if self._over or self.clock() - self._said >= _EVERY:
            self.say(end="\r" if self._over else "\n")

    def line(self) -> str:
        """In words."""
        ledger = self.spending.ledger
        money = money_said(ledger.money, ledger.unpriced)
        parts = [
            f"{self.done}/{self.total} diagnosed",
            f"{self.found} deficiencies",
            *([f"{self.failed} failed"] if self.failed else []),
            f"{'~' if ledger.total.estimated else ''}{ledger.total.total_tokens:,} tokens",
            *([money] if money else []),
        ]
        return " · ".join(parts)

    def causes(self) -> list[str]:
        """Why samples failed: a line for each different reason, with the first sample that it befell."""
        if not self._causes:
            return []
        lines = [f"{self.failed} of {self.done} samples could not be diagnosed:"]
        for cause, video_id in list(self._causes.items())[:_SHOWN]:
            lines.append(f"  {shown(video_id)}: {' '.join(cause.split())[:_LONGEST]}")
        more = len(self._causes) - _SHOWN
        return [*lines, *([f"  and {more} other reasons"] if more > 0 else [])]

    def say(self, end: str = "\n") -> None:
        """Write the line."""
        if not self.quiet:
            self._said = self.clock()
            clear = "\033[K" if self._over else ""
            sys.stderr.write(f"{self.line()}{clear}{end}")
            sys.stderr.flush()
