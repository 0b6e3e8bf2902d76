"""A run's tracing while it is open: what is followed, where it goes, and what is said at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evals.output import Output
from evals.plan import Plan
from evals.running.runner import Attempt
from evals.tracing.experiments import Experiment
from evals.tracing.following import Followed, follow
from evals.tracing.outbox import AT_THE_END, Outbox, close_all, counted
from evals.tracing.redaction import Redaction
from evals.tracing.settings import LangSmithAccount
from evals.tracing.spans import Trace
from evals.tracing.wire import hush

__all__ = ["Opened", "experiment_name"]

_FILE = "tracing.json"


class Opened:
    """Traces to LangSmith, to a collector, or to both."""

    def __init__(
        self, account: LangSmithAccount | None, folder: Path, out: Output, *, dataset: str | None, otel: bool
    ) -> None:
        """Open what is asked for.

        Args:
            account: at LangSmith; None without it.
            folder: the run's directory, which remembers the data set's name.
            out: where words go.
            dataset: the data set to hold experiments against; the one that was given before when None.
            otel: whether a collector is sent to.

        Raises:
            UserError: when OpenTelemetry is not installed.
        """
        hush()
        self._out = out
        self._folder = folder
        self._dataset = dataset or _remembered(folder)
        self._redaction = Redaction()
        self._broken: BaseException | None = None
        self._failures = 0
        self._destinations: list[Any] = []
        self._outboxes: list[Outbox] = []
        self._service = self._collector = None
        if account is not None:
            from evals.tracing.to_langsmith import LangSmith

            self._service = LangSmith(account)
            self._to_langsmith = self._outbox("LangSmith")
            place = f"data set {self._dataset!r}" if self._dataset else f"project {account.project!r}"
            out.say(f"Traces go to LangSmith ({account.host}, {place}).")
        if otel:
            from evals.tracing.to_otel import Collector

            self._collector = Collector()
            self._to_collector = self._outbox("The OpenTelemetry collector")
            out.say("Traces go to the OpenTelemetry collector.")

    def follow(self, work: Attempt, plan: Plan) -> Attempt:
        """Work whose samples are traced."""
        destination = self._destination(plan)
        cell = Followed(
            spec=plan.spec,
            run=plan.folder.name,
            cell=plan.name,
            redaction=self._redaction,
            hand_over=lambda trace, size: self._hand_over(trace, size, destination),
            failed=self._failed,
            project=destination.name if destination else "",
        )
        return follow(work, cell)

    def close(self) -> None:
        """Wait for what is on its way, five seconds at most in all, and say what was not sent."""
        for sentence in close_all(self._outboxes, AT_THE_END):
            self._out.warn(sentence)
        for each in (self._service, self._collector):
            if each is not None:
                each.close()
        for note in dict.fromkeys(each.note for each in self._destinations if each.note):
            self._out.warn(f"LangSmith: {note}; traces went to the project instead.")
        if self._broken is not None:
            kind = type(self._broken).__name__
            self._out.warn(f"{self._failures} traces could not be made ({kind}: a bug; please report it).")
        for outbox in self._outboxes:
            if outbox.sent:
                told = ", ".join(counted(number, name) for name, number in outbox.sent.items() if number)
                self._out.say(f"{outbox.where} received: {told}.")

    def _outbox(self, where: str) -> Outbox:
        outbox = Outbox(where)
        self._outboxes.append(outbox)
        return outbox

    def _destination(self, plan: Plan) -> Any:
        if self._service is None:
            return None
        from evals.tracing.to_langsmith import Destination

        experiment = None
        if self._dataset:
            _remember(self._folder, self._dataset)
            spec, context = plan.spec, plan.spec.context
            told = {"graph": spec.graph, "model": context.model, "judge_model": context.model_for("judge")}
            experiment = Experiment(
                name=experiment_name(plan.folder, plan.file.started, nested=bool(plan.name)),
                dataset=self._dataset,
                samples=lambda: plan.dataset.select(spec.types, spec.limit),
                metadata=self._redaction.mapping({**told, "run": plan.folder.name}),
                epochs=spec.epochs,
                description=f"Videos and gold interpretations of {Path(spec.dataset).name}",
            )
        destination = Destination(self._service, experiment)
        self._destinations.append(destination)
        return destination

    def _hand_over(self, trace: Trace, size: int, destination: Any) -> None:
        if destination is not None:
            from evals.tracing.parcels import TraceParcel

            self._to_langsmith.put(TraceParcel(trace, destination, size))
        if self._collector is not None:
            from evals.tracing.to_otel import SpansParcel

            self._to_collector.put(SpansParcel(trace, self._collector, size))

    def _failed(self, error: BaseException) -> None:
        self._broken = error
        self._failures += 1


def experiment_name(folder: Path, started: str, *, nested: bool) -> str:
    """The name of a cell's experiment: that of its run directory, and when the run was begun.

    Args:
        folder: of the run, or of its cell.
        started: ISO 8601.
        nested: whether the folder is a cell's, inside that of the run.
    """
    resolved = folder.resolve()
    label = f"{resolved.parent.name}.{resolved.name}" if nested else resolved.name
    stamp = "".join(each for each in started[:19] if each.isdigit())
    return f"{label}-{stamp}"


def _remembered(folder: Path) -> str | None:
    path = folder / _FILE
    if not path.exists():
        return None
    try:
        name = json.loads(path.read_text(encoding="utf-8"))["langsmith_dataset"]
    except (ValueError, KeyError, TypeError, OSError):
        return None  # the flag says it again
    return name if isinstance(name, str) else None


def _remember(folder: Path, dataset: str) -> None:
    """Let a continued run go on in the same experiment."""
    from graphs.durable.files import write_whole

    if _remembered(folder) != dataset:
        write_whole(folder / _FILE, json.dumps({"langsmith_dataset": dataset}, ensure_ascii=False) + "\n")
