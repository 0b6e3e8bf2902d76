"""Traces of a run, to LangSmith or to an OpenTelemetry collector; the only room that knows either.

Nothing of them is loaded unless it is asked for. What is sent holds no frame, no video and no key, and
sending costs no result: a service that is away or slow is waited for five seconds at the end, and what it missed is
counted.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from agents.errors import UserError
from evals.datasets import Sample
from evals.output import Output
from evals.running.runner import Attempt
from evals.spec import RunSpec
from evals.tracing.settings import NO_KEY, asks_for_langsmith, langsmith_account

__all__ = ["Tracing", "Untraced", "open_tracing"]


class Tracing(Protocol):
    """Follows the samples of a run, and sends what it saw."""

    def follow(  # noqa: PLR0913 - each a part of its own
        self,
        work: Attempt,
        spec: RunSpec,
        folder: Path,
        *,
        started: str,
        samples: Callable[[], Iterable[Sample]],
        chosen: Mapping[str, Any] | None = None,
    ) -> Attempt:
        """Work whose samples are traced.

        Args:
            work: what becomes of a job.
            spec: settings of the run, or of its cell.
            folder: its directory.
            started: when it was begun, as ``run.json`` says.
            samples: gives the samples that it is about.
            chosen: what sets a cell apart from the others of its run.
        """
        ...

    def close(self) -> None:
        """Wait for what is on its way, five seconds at most, and say what was not sent."""
        ...


class Untraced:
    """Follows nothing: the record alone holds the trace."""

    def follow(self, work: Attempt, *_: Any, **__: Any) -> Attempt:
        """The work as it is."""
        return work

    def close(self) -> None:
        """Nothing to wait for."""


def open_tracing(options: argparse.Namespace, folder: Path, out: Output) -> Tracing:
    """Read what flags and environment ask for; nothing is sent before the first trace.

    Args:
        options: ``trace`` and ``langsmith_dataset``.
        folder: the run's directory, which may not exist yet.
        out: where words go.

    Raises:
        UserError: when what a flag asks for can't be had.
    """
    wanted: str | None = options.trace
    automatic = asks_for_langsmith(os.environ)
    langsmith = wanted != "none" and (automatic or wanted == "langsmith")
    account = langsmith_account(os.environ) if langsmith else None
    if options.langsmith_dataset and account is None:
        raise UserError(
            "--langsmith-dataset needs LangSmith: set LANGSMITH_TRACING=true and LANGSMITH_API_KEY, "
            "or leave it out."
        )
    if langsmith and account is None:
        if wanted == "langsmith":
            raise UserError(NO_KEY)
        out.warn(NO_KEY)
    if automatic:
        from evals.tracing.automatic import switch_off

        switch_off()  # or LangChain would send every frame on its own
    if account is None and wanted != "otel":
        return Untraced()
    from evals.tracing.opened import Opened

    return Opened(account, folder, out, dataset=options.langsmith_dataset, otel=wanted == "otel")
