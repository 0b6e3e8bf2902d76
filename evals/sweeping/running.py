"""The run of a sweep: cells are run as those of any run; what is said at the end is one table of all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evals.cells import OpenCell
from evals.output import Output
from evals.plan import RunPlan
from evals.running.interrupts import Stop
from evals.running.runner import Attempt
from evals.store.folders import SWEEP_FILE
from evals.sweeping.saved import SweepFile
from evals.sweeping.sharing import SHARED
from evals.verdict import Verdict
from evals.whole import WholeRun
from graphs.durable.files import write_whole

__all__ = ["SweepOutput", "SweepPlan", "SweepRun"]


class SweepPlan(RunPlan):
    """A plan whose cells stand in directories of their own, whatever their number."""

    @property
    def several(self) -> bool:
        """Always: the sweep's directory holds others."""
        return True


class SweepOutput(Output):
    """Says of a cell only what one must know: its own table is in its directory."""

    def of(self, cell: str) -> Output:
        """The words of one cell."""
        return _CellOutput(self, cell) if cell else self


class _CellOutput(Output):
    def __init__(self, whole: Output, cell: str) -> None:
        super().__init__(as_json=whole.as_json, quiet=True)
        self._whole, self._cell = whole, cell
        self.speak = lambda text: whole.speak(f"{cell}: {text}")  # who speaks may change meanwhile

    def result(self, event: str, text: str, **content: Any) -> None:
        if self.as_json:
            super().result(event, text, **content)

    def say(self, text: str) -> None:
        if self.as_json:
            super().say(text)

    def event(self, event: str, **content: Any) -> None:
        self._whole.event(event, cell=self._cell, **content)


class SweepRun(WholeRun):
    """A sweep whose directories are open."""

    def __init__(
        self, *args: Any, file: SweepFile, again: str, show: Callable[[], object], **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.file = file
        self.again = again
        self.shown = False
        self._show = show

    def show(self) -> None:
        """Print the table of all cells."""
        self.shown = True
        self._show()

    def go(self, open_works: Callable[[Sequence[OpenCell]], list[Attempt]]) -> int:
        """One start; a part of what is recorded (--limit) is shown as the whole that it is of."""
        code = super().go(open_works)
        if not self.shown:
            self.show()
        return code

    def _note(self) -> None:
        write_whole(self.plan.folder / SWEEP_FILE, self.file.text())
        for cell in self.cells:
            if not cell.wanted().all_in(cell.kept()):  # a kill must not leave what says that all is there
                (cell.store.folder / "summary.json").unlink(missing_ok=True)
        super()._note()

    def _verdict(self, stop: Stop) -> Verdict:
        return _SweepVerdict(
            self.plan, self.cells, self.purse, stop, self.out, self.again, self.allowed, self.show
        )


@dataclass(frozen=True, slots=True)
class _SweepVerdict(Verdict):
    """Says it all by one table and one page."""

    show: Callable[[], object]

    def _compare(self) -> None:
        self.show()

    def _report(self, codes: Sequence[int]) -> None:
        del codes
        shutil.rmtree(self.plan.folder / SHARED / "frames", ignore_errors=True)  # decoded anew for nothing
        self.out.say(f"Sample by sample: python -m evals.report {self.plan.folder} --out report.html")
