"""Traces and feedback to LangSmith, by its own SDK, but one whole trace at a time and within our bounds.

The SDK's background threads are left out: in a hang they grow without bound, and hold up the process's end.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from evals.tracing.experiments import Experiment
from evals.tracing.outbox import Undelivered
from evals.tracing.settings import LangSmithAccount
from evals.tracing.wire import BoundedSession

if TYPE_CHECKING:
    from langsmith import Client

__all__ = ["Destination", "LangSmith", "feedback_id", "feedback_value"]


class LangSmith:
    """One account, asked by several hands at once.

    Attributes:
        account: where it is.
        session: how it is reached.
        opening: held while a project is found or made: cells of one run share a data set.
    """

    def __init__(self, account: LangSmithAccount) -> None:
        self.account = account
        self.session = BoundedSession()
        self._errors = threading.local()
        self._lock = threading.Lock()
        self.opening = threading.Lock()

    @property
    def client(self) -> Client:
        """The SDK's client, without threads of its own; made when it is first wanted.

        Raises:
            Undelivered: when the SDK refuses its settings.
        """
        with self._lock:
            return self._client

    @cached_property
    def _client(self) -> Client:
        """The same.

        Raises:
            Undelivered: when the SDK refuses its settings.
        """
        from langsmith import Client
        from langsmith.utils import LangSmithError
        from urllib3.util import Retry

        try:
            return Client(
                api_url=self.account.endpoint,
                api_key=self.account.key,
                workspace_id=self.account.workspace,
                session=self.session,
                retry_config=Retry(0, read=False),  # so that a time that ran out is told as such
                auto_batch_tracing=False,
                omit_traced_runtime_info=True,  # it would hold variables of the environment
                tracing_mode="langsmith",
                tracing_error_callback=self._note,
            )
        except LangSmithError as error:
            raise Undelivered(str(error), final=True) from error

    def _note(self, error: Exception) -> None:
        self._errors.last = error

    def close(self) -> None:
        """Let connections go."""
        self.session.close()

    def ingest(self, runs: list[dict[str, Any]]) -> None:
        """Send whole runs.

        Raises:
            Undelivered: when they did not arrive.
        """
        self._errors.last = None
        client = self.client
        self.session.compresses = bool((client.info.instance_flags or {}).get("zstd_compression_enabled"))
        client.multipart_ingest(create=runs)
        if self._errors.last is not None:  # the SDK tells it by a callback alone
            raise self.session.fault(self._errors.last)

    def feedback(self, trace: UUID, project: UUID, key: str, value: float | str) -> None:
        """Give a root run feedback; the same again changes it, and adds nothing.

        Raises:
            Undelivered: when it did not arrive.
        """
        from langsmith.utils import LangSmithConflictError

        number, same = feedback_id(trace, key), feedback_value(key, value)
        try:
            try:
                self.client.create_feedback(
                    trace,
                    key,
                    trace_id=trace,
                    session_id=project,
                    feedback_id=number,
                    stop_after_attempt=1,
                    **same,
                )
            except LangSmithConflictError:
                self.client.update_feedback(number, **same)
        except Exception as error:
            raise self.session.fault(error) from error


class Destination:
    """A project that takes traces: that of the account, or the experiment of one cell.

    Attributes:
        service: who keeps it.
        experiment: what it is of; None for the account's project, and where no experiment could be made.
        note: why no experiment could be made.
    """

    def __init__(
        self, service: LangSmith, experiment: Experiment | None = None, *, known: str | None = None
    ) -> None:
        """A place for traces; nothing is asked before the first one.

        Args:
            service: who keeps it.
            experiment: to be found or made.
            known: a project that must be there already, instead of that of the account.
        """
        self.service = service
        self._known = known
        self.experiment = experiment
        self.note = ""
        self._project: UUID | None = None
        self.opening = threading.Lock()

    @property
    def name(self) -> str:
        """The project's name."""
        return self.experiment.name if self.experiment else self._known or self.service.account.project

    def project(self) -> UUID:
        """The project's id, found or made by whoever comes first.

        Raises:
            Undelivered: when it can be neither found nor made.
        """
        with self.service.opening:
            if self._project is None:
                try:
                    self._project = self._open()
                except Undelivered:
                    raise
                except Exception as error:
                    raise self.service.session.fault(error) from error
            return self._project

    def example_of(self, video_id: str) -> UUID | None:
        """The example that a sample answers."""
        return self.experiment.example_of(video_id) if self.experiment else None

    def _open(self) -> UUID:
        from langsmith.utils import LangSmithNotFoundError

        client = self.service.client
        if self.experiment is not None:
            try:
                return self.experiment.open(client)
            except Exception as error:
                fault = self.service.session.fault(error)
                if fault.passing:
                    raise fault from error
                self.note = f"no experiment against {self.experiment.dataset!r}: {fault}"
                self.experiment = None
        try:
            return client.read_project(project_name=self.name).id
        except LangSmithNotFoundError as error:
            if self._known:
                raise Undelivered(f"there is no project {self._known!r} any more") from error
            return client.create_project(self.name).id


def feedback_id(trace: UUID, key: str) -> UUID:
    """The id of one feedback, so that sending it twice adds nothing."""
    return uuid5(trace, f"feedback:{key}")


def feedback_value(key: str, value: float | str) -> dict[str, Any]:
    """A number as a score; a word as a value, and the outcome as a score too, so that it can be averaged."""
    if not isinstance(value, str):
        return {"score": float(value)}
    return {"value": value, "score": float(value == "ok")} if key == "outcome" else {"value": value}
