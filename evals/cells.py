"""One cell of a run while the run is open: what it has recorded and spent, and what is still to be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evals.compact import Seen
from evals.money.accounts import Accounts
from evals.money.earlier import book_all
from evals.money.ledger import Ledger
from evals.money.prices import Prices
from evals.output import Output
from evals.plan import Plan
from evals.progress.tally import Tally
from evals.running.attempt import Job
from evals.running.retrying import Retry
from evals.store.folders import RUN_FILE
from evals.store.records import RunRecord
from evals.store.run_store import RunStore
from evals.wanted import Wanted
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

    def kept(self, records: Iterable[RunRecord]) -> Seen:
        """Keys of what needn't run."""
        return self.retry.kept(records) if self.retry else Seen(record.key for record in records)


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
        retry = Retry(plan.dataset.samples, accounts, frozenset(retried))
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
        """Count what earlier starts spent, for samples that they did not end too."""
        book_all(self.task.accounts, self.store)

    def wanted(self) -> Wanted:
        """Every record that it is to have."""
        return self.plan.keys()

    def kept(self) -> Seen:
        """Keys of what needn't run."""
        return self.task.kept(self.store.records())

    def jobs(self) -> Iterator[Job]:
        """What has no record yet."""
        recorded = Seen(record.key for record in self.store.records())
        return self.plan.jobs(recorded, self.store.interpreted())

    def note(self) -> None:
        """Make the run directory say what it holds."""
        write_whole(self.store.folder / RUN_FILE, self.plan.file.text())
        if self.store.repaired:
            self.out.warn(
                f"{self.store.path} ended in a torn line, which was removed; its sample runs again."
            )
        self._say_steps()

    def _say_steps(self) -> None:
        """Say what is there of samples that have no record."""
        steps = self.store.steps
        if steps.number:
            told = f"{steps.number} steps of {len(steps.keys)} samples were done before"
            self.out.say(f"{told}, and are not done again ({steps.path}).")
        if steps.unreadable:
            told = f"{steps.unreadable} lines of {steps.path} could not be read and were removed"
            self.out.warn(f"{told}: what they say is done again.")

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
        from agents.calls import traffic  # langchain-core: not before a model is asked
        from evals.progress.traffic import traffic_line

        wanted, spec = self.wanted(), self.plan.spec
        wanted.read()
        label = self.plan.name or f"{spec.graph} · {spec.context.model}"
        tally = Tally(
            len(wanted),
            label,
            accounts=self.task.accounts,
            traffic=traffic_line,
            lines=traffic,
            stopped=lambda: self.broken,
        )
        for record in self.store.records():
            if record.key in wanted:
                tally.count_earlier(record)
        return tally
