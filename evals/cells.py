"""One cell of a run while the run is open: what it has recorded and spent, and what is still to be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evals.money.accounts import Accounts
from evals.money.ledger import Ledger, earlier_records
from evals.money.prices import Prices
from evals.output import Output
from evals.plan import Plan
from evals.progress.tally import Tally
from evals.running.retrying import Retry
from evals.store.folders import RUN_FILE
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RunStore
from graphs.durable.files import write_whole

__all__ = ["OpenCell", "Task", "task_of"]


@dataclass(frozen=True, slots=True)
class Task:
    """A cell's plan, and what one start of it needs besides.

    Attributes:
        plan: of the cell.
        accounts: what it has spent.
        retry: which failures run again; None for none.
        out: where words go, with the cell's name where there are several.
    """

    plan: Plan
    accounts: Accounts
    retry: Retry | None
    out: Output

    def kept(self, records: Iterable[RunRecord]) -> frozenset[RunKey]:
        """Keys of what needn't run."""
        return self.retry.kept(records) if self.retry else frozenset(record.key for record in records)


def task_of(plan: Plan, prices: Prices, retried: Sequence[str] | None, out: Output) -> Task:
    """A cell's part in one start.

    Args:
        plan: of the cell.
        prices: what tokens cost.
        retried: outcomes that run again; all that may end otherwise when empty, none when None.
        out: of the whole run.
    """
    accounts = Accounts(plan.spec.budget, Ledger(prices))
    retry = None
    if retried is not None:
        samples = {sample.video_id: sample for sample in plan.dataset.samples}
        retry = Retry(samples, accounts, frozenset(retried))
    return Task(plan, accounts, retry, out.of(plan.name))


@dataclass(eq=False)
class OpenCell:
    """A task and its open run directory.

    Attributes:
        task: what is to be done.
        store: the run directory.
        broken: why no other sample of it could do better; empty while one may.
    """

    task: Task
    store: RunStore
    broken: str = ""

    @property
    def plan(self) -> Plan:
        """The cell's plan."""
        return self.task.plan

    @property
    def out(self) -> Output:
        """Where words go."""
        return self.task.out

    def book_earlier(self) -> None:
        """Count what earlier starts spent."""
        self.task.accounts.book_earlier(earlier_records(self.store.aside(), self.store.records()))

    def wanted(self) -> frozenset[RunKey]:
        """Every record that it is to have."""
        return frozenset(self.plan.keys())

    def kept(self) -> frozenset[RunKey]:
        """Keys of what needn't run."""
        return self.task.kept(self.store.records())

    def note(self) -> None:
        """Make the run directory say what it holds."""
        write_whole(self.store.folder / RUN_FILE, self.plan.file.text())
        if self.store.repaired:
            self.out.warn(
                f"{self.store.path} ended in a torn line, which was removed; its sample runs again."
            )

    def set_aside(self) -> None:
        """Move the records of what runs again out of the way."""
        if self.task.retry is None:
            return
        self.say_left()
        moved = self.store.set_aside(self.task.retry.wants)
        self.out.say(f"{moved} failed records were moved to failed.jsonl; their samples run again.")

    def say_left(self) -> None:
        """Say which failures do not run again, and why."""
        for sentence in self.task.retry.left_said(self.store.records()) if self.task.retry else ():
            self.out.warn(sentence)

    def tally(self) -> Tally:
        """Counts, with what earlier starts recorded."""
        from evals.progress.traffic import traffic_line  # langchain-core: not before a model is asked

        wanted, spec = self.wanted(), self.plan.spec
        label = self.plan.name or f"{spec.graph} · {spec.context.model}"
        tally = Tally(
            len(wanted),
            label,
            accounts=self.task.accounts,
            traffic=traffic_line,
            stopped=lambda: self.broken,
        )
        for record in self.store.records():
            if record.key in wanted:
                tally.count_earlier(record)
        return tally
