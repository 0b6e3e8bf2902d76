"""All cells of a run together: begun, run sample by sample, stopped and summed up as one."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.cells import OpenCell
from evals.ending import INTERRUPTED, show_part
from evals.money.accounts import keeping_to
from evals.money.purse import Purse
from evals.output import Output
from evals.plan import RunPlan
from evals.progress.live import Quiet, open_progress
from evals.progress.tally import Tally
from evals.running.interrupts import Stop
from evals.running.runner import Attempt, Lane, run_lanes
from evals.store.folders import RUN_FILE
from evals.verdict import Verdict
from graphs.durable.files import write_whole

__all__ = ["WholeRun"]


class WholeRun:
    """A run whose directories are open.

    Args:
        plan: of the run.
        cells: all that the run has, in the order of the plan; those that are not run now have spent, too.
        out: where words go.
        limited: a limit was asked for now.
        allowed: how many samples of a cell may fail, or which share; None for any.
    """

    def __init__(
        self,
        plan: RunPlan,
        cells: Sequence[OpenCell],
        out: Output,
        *,
        limited: bool = False,
        allowed: float | None = None,
    ) -> None:
        self.plan = plan
        self.out = out
        self.cells = [cell for cell in cells if cell.plan.name in plan.wanted]
        self.again = f"python -m evals.run --run-dir {shlex.quote(str(plan.folder))}"
        self.limited = limited
        self.allowed = allowed
        self.purse = Purse(plan.spec.budget, [cell.task.accounts for cell in cells])
        for cell in cells:
            cell.book_earlier()

    def go(self, open_works: Callable[[Sequence[OpenCell]], list[Attempt]]) -> int:
        """One start, from records to tables; returns the exit code.

        Args:
            open_works: opens graphs and models of cells that have something to do.

        Raises:
            MetaphorBoostError, ToolboxError: what ``open_works`` raises.
            OSError: when the disk refuses a record.
        """
        self._say_left_out()
        to_do = [cell for cell in self.cells if not cell.kept() >= cell.wanted()]
        for cell in self.cells:
            if cell not in to_do:
                cell.out.say("Every record is there already.")
                cell.say_left()
        if not to_do and self.limited and any(cell.kept() > cell.wanted() for cell in self.cells):
            codes = [show_part(cell.store, cell.wanted(), cell.out, self._seed) for cell in self.cells]
            return self._verdict(Stop()).tolerated(max(codes))
        stop = Stop(self.out.warn)
        if not to_do:
            self._note()
        elif why := self.purse.reached():
            self._note()
            stop.never_begin(why)
        else:
            works = open_works(to_do)
            self._note()
            for cell in to_do:
                cell.set_aside()
            self._run(to_do, works, stop)
        return self._verdict(stop).code()

    @property
    def _seed(self) -> int:
        return self.plan.spec.seed

    def _verdict(self, stop: Stop) -> Verdict:
        return Verdict(self.plan, self.cells, self.purse, stop, self.out, self.again, self.allowed)

    def _say_left_out(self) -> None:
        if names := self.plan.left_out:
            self.out.warn(
                f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} part of this run and not run now: "
                f"what is recorded stays. {self.again} runs all."
            )

    def _note(self) -> None:
        """Make run directories say what they hold, and say where they are."""
        if self.plan.several:
            write_whole(self.plan.folder / RUN_FILE, self.plan.file.text())
        for cell in self.cells:
            cell.note()
        self.out.say(f"Run directory: {self.plan.folder} (continue with: {self.again})")

    def _run(self, cells: Sequence[OpenCell], works: Sequence[Attempt], stop: Stop) -> None:
        """Run every sample without a record."""
        tallies = [cell.tally() for cell in cells]
        progress = self._watch(cells, tallies, stop)
        lanes = [
            Lane(
                cell.plan.jobs(frozenset(r.key for r in cell.store.records()), cell.store.interpreted()),
                keeping_to(cell.task.accounts, work),
                cell.store,
                progress.of(place),
                ahead=tally.done,
                on_broken=lambda why, cell=cell: setattr(cell, "broken", why),
            )
            for place, (cell, work, tally) in enumerate(zip(cells, works, tallies, strict=True))
        ]
        from evals.running.wiring import close_resources

        async def run() -> None:
            with stop.listening():
                await run_lanes(lanes, concurrency=self.plan.spec.concurrency, stop=stop)
            if stop.at_once:
                self._give_up(progress)  # here, since the loop's end would wait for threads
            for cell in cells:
                await close_resources(cell.plan.spec)

        try:
            asyncio.run(run())
        finally:
            progress.close()

    def _watch(self, cells: Sequence[OpenCell], tallies: Sequence[Tally], stop: Stop) -> Quiet:
        """Open the progress, and let what is spent stop the run at its budget."""
        self._say_unpriced()
        if self.out.as_json:
            for cell, tally in zip(cells, tallies, strict=True):
                _tell_begin(cell, tally)

        def spent() -> None:
            if not stop.requested and (why := self.purse.reached()):
                stop.run_dry(why)

        self.purse.on_spent(spent)
        return open_progress(tallies, self.out)

    def _say_unpriced(self) -> None:
        prices = self.cells[0].task.accounts.booked.prices
        contexts = [cell.plan.spec.context for cell in self.cells]
        models = dict.fromkeys(name for each in contexts for name in (each.model, each.model_for("judge")))
        unknown = [prices.name(model) for model in models if prices.price(model) is None]
        if unknown:
            self.out.say(
                f"No price is known for {' and '.join(unknown)}: money is unknown. --prices FILE gives one."
            )

    def _give_up(self, progress: Quiet) -> None:
        """End the process now: a frame reader or model that was given up must not hold it."""
        progress.close()
        for cell in self.cells:
            cell.store.close()
        self.out.warn(f"Continue with: {self.again}")
        sys.stdout.flush()
        sys.stderr.flush()
        for child in multiprocessing.active_children():
            child.kill()
        os._exit(INTERRUPTED)


def _tell_begin(cell: OpenCell, tally: Tally) -> None:
    spec, folder = cell.plan.spec, Path(cell.plan.folder)
    labels = {"graph": spec.graph, "model": spec.context.model, "judge": spec.context.model_for("judge")}
    cell.out.event("begin", run_dir=str(folder), **labels, total=tally.total, done=tally.done)
