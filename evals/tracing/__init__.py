"""Traces of a run, to LangSmith or to an OpenTelemetry collector; the only room that knows either.

Nothing of them is loaded unless it is asked for. What is sent holds no frame, no video and no key, and
sending costs no result: a service that is away or slow is waited for five seconds at the end, and what it
missed is counted.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from agents.errors import UserError
from evals.output import Output
from evals.plan import Plan
from evals.running.runner import Attempt
from evals.tracing.settings import NO_ADDRESS, NO_KEY, langsmith_account
from graphs.untraced import asks_for_langsmith, switch_off

__all__ = ["Tracing", "Untraced", "open_tracing"]


class Tracing(Protocol):
    """Follows the samples of a run, and sends what it saw."""

    def follow(self, work: Attempt, plan: Plan) -> Attempt:
        """Work whose samples are traced.

        Args:
            work: what becomes of a job.
            plan: of the cell whose jobs they are.
        """
        ...

    def close(self) -> None:
        """Wait for what is on its way, five seconds at most, and say what was not sent."""
        ...


class Untraced:
    """Follows nothing: the record alone holds the trace."""

    def follow(self, work: Attempt, plan: Plan) -> Attempt:  # noqa: ARG002 - as its protocol has it
        """The work as it is."""
        return work

    def close(self) -> None:
        """Nothing to wait for."""


def open_tracing(trace: str | None, dataset: str | None, folder: Path, out: Output) -> Tracing:
    """Read what flags and environment ask for; nothing is sent before the first trace.

    Args:
        trace: ``langsmith``, ``otel`` or ``none``; None where the environment alone decides.
        dataset: the data set of LangSmith to hold experiments against.
        folder: the run's directory, which may not exist yet.
        out: where words go.

    Raises:
        UserError: when what a flag asks for can't be had.
    """
    automatic = asks_for_langsmith(os.environ)
    langsmith = trace != "none" and (automatic or trace == "langsmith")
    account = langsmith_account(os.environ) if langsmith else None
    why = NO_KEY
    if account is not None and not account.host:
        account, why = None, NO_ADDRESS
    if dataset and account is None and why == NO_KEY:
        raise UserError(
            "--langsmith-dataset needs LangSmith: set LANGSMITH_TRACING=true and LANGSMITH_API_KEY, "
            "or leave it out."
        )
    if langsmith and account is None:
        if dataset or trace == "langsmith":
            raise UserError(why)
        out.warn(why)
    if automatic:
        switch_off()  # or LangChain would send every frame on its own
    if account is None and trace != "otel":
        return Untraced()
    from evals.tracing.opened import Opened

    return Opened(account, folder, out, dataset=dataset, otel=trace == "otel")
