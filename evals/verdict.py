"""How a start of a run ended: tables of all cells, what they say beside one another, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.errors import MetaphorBoostError
from evals.cells import OpenCell
from evals.ending import (
    ALL_FAILED,
    BROKEN,
    DONE,
    INTERRUPTED,
    OUT_OF_BUDGET,
    TOO_MANY_FAILED,
    finish,
    too_many_failed,
)
from evals.money.purse import Purse
from evals.output import Output
from evals.plan import RunPlan
from evals.running.interrupts import Stop
from evals.store.folders import run_folders
from evals.store.run_store import read_records
from graphs.durable.files import write_whole

__all__ = ["Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What there is to say when nothing is in flight any more.

    Attributes:
        plan: of the run.
        cells: that were run.
        purse: what the run has spent.
        stop: why it stopped, if it did.
        out: where words go.
        again: the command that continues it.
        allowed: how many samples of a cell may fail, or which share; None for any.
    """

    plan: RunPlan
    cells: Sequence[OpenCell]
    purse: Purse
    stop: Stop
    out: Output
    again: str
    allowed: float | None

    def code(self) -> int:
        """Print all there is, and return the exit code."""
        codes = [self._finish(cell) for cell in self.cells]
        if self.plan.several:
            self._compare()
            self._report(codes)
        code = self.tolerated(self._one_of(codes))
        if self.plan.several and self.out.as_json:
            ends = {cell.plan.name: code for cell, code in zip(self.cells, codes, strict=True)}
            self.out.event("run_end", run_dir=str(self.plan.folder), cells=ends, code=code)
        return code

    def tolerated(self, code: int) -> int:
        """The exit code of a run that is done, failures of each cell held against what is allowed."""
        if code != DONE or self.allowed is None:
            return code
        worst = [too_many_failed(c.store, c.plan.keys(), self.allowed, c.out) for c in self.cells]
        return TOO_MANY_FAILED if TOO_MANY_FAILED in worst else DONE

    def _finish(self, cell: OpenCell) -> int:
        """One cell's table and files; its own exit code."""
        code = finish(
            cell.store,
            cell.plan.keys(),
            cell.out,
            again=self.again,
            spent=cell.task.accounts.booked,
            seed=self.plan.spec.seed,
            report=not self.plan.several,
        )
        return BROKEN if cell.broken or self.stop.broken else code

    def _one_of(self, codes: Sequence[int]) -> int:
        """The exit code of all, and how to go on."""
        unfinished = INTERRUPTED in codes or self.stop.idle
        if unfinished and self.stop.budget:
            return self._told_budget()
        if unfinished:
            self.out.warn(f"Continue with: {self.again}")
            return INTERRUPTED
        if BROKEN in codes:
            self._say_broken()
            return BROKEN
        return ALL_FAILED if ALL_FAILED in codes else DONE

    def _told_budget(self) -> int:
        why = self.purse.reached() or self.stop.budget
        flag = next(word for word in why.split() if word.startswith("--"))
        self.out.warn(f"Not finished, since {why}. To go on, give a higher one: {self.again} {flag} ...")
        return OUT_OF_BUDGET

    def _say_broken(self) -> None:
        broken = [cell.plan.name for cell in self.cells if cell.broken]
        if self.plan.several and broken:
            self.out.warn(
                f"Not finished: {', '.join(broken)} stopped. When the cause is mended, continue with: "
                f"{self.again}"
            )

    def _compare(self) -> None:
        """All cells that have records, against the first of them."""
        folders = [each for each in run_folders(self.plan.folder, recorded=True) if _has_record(each)]
        if len(folders) <= 1:
            return
        from evals.comparison.command import compare_cells

        if not self.out.as_json:
            self.out.result("", "\nAll cells")
        try:
            document, data = compare_cells(folders, self.plan.spec.seed, shown=not self.out.as_json)
        except MetaphorBoostError as error:
            self.out.warn(f"The cells can't be compared: {error}")
            return
        write_whole(self.plan.folder / "comparison.md", document)
        if self.out.as_json:
            self.out.event("comparison", **data)

    def _report(self, codes: Sequence[int]) -> None:
        """One page of all cells, once nothing more is to come."""
        if INTERRUPTED in codes:
            return
        from evals.report import report_run  # Jinja and pictures are not needed before

        folders = run_folders(self.plan.folder)
        number = sum(1 for folder in folders for _ in read_records(folder / "records.jsonl"))
        self.out.say(report_run(self.plan.folder, number))


def _has_record(folder: Path) -> bool:
    return next(read_records(folder / "records.jsonl"), None) is not None
