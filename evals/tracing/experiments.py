"""A run as an experiment against a data set: LangSmith's own comparison view lays such runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from evals.datasets import Sample

if TYPE_CHECKING:
    from langsmith import Client
    from langsmith.schemas import Dataset

__all__ = ["Experiment", "example_id"]

_AT_ONCE = 100  # examples of a request


def example_id(dataset: UUID, video_id: str) -> UUID:
    """The example of a sample: the same in every run, so that repeated runs add none."""
    return uuid5(dataset, f"video:{video_id}")


@dataclass
class Experiment:
    """One cell of a run, held against a data set.

    Attributes:
        name: of the experiment; a continued run goes on in the same one.
        dataset: the data set's name; created where there is none.
        samples: gives what the data set is to hold.
        metadata: of the experiment: graph, model, settings.
        epochs: how often each sample is run.
        description: of a data set that is created.
    """

    name: str
    dataset: str
    samples: Callable[[], Iterable[Sample]]
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    epochs: int = 1
    description: str = ""
    _dataset_id: UUID | None = None

    def example_of(self, video_id: str) -> UUID | None:
        """The example that a sample answers; None before the experiment is open."""
        return None if self._dataset_id is None else example_id(self._dataset_id, video_id)

    def open(self, client: Client) -> UUID:
        """Find or make the data set, its examples and the experiment.

        Returns:
            The experiment's id.

        Raises:
            LangSmithError: when the service refuses.
        """
        dataset = self._open_dataset(client)
        number = self._fill(client, dataset.id)
        project = self._open_project(client, dataset.id, number)
        self._dataset_id = dataset.id
        return project

    def _open_dataset(self, client: Client) -> Dataset:
        from langsmith.utils import LangSmithConflictError, LangSmithNotFoundError

        try:
            return client.read_dataset(dataset_name=self.dataset)
        except LangSmithNotFoundError:
            pass
        try:
            return client.create_dataset(self.dataset, description=self.description)
        except LangSmithConflictError:  # another run was quicker
            return client.read_dataset(dataset_name=self.dataset)

    def _fill(self, client: Client, dataset: UUID) -> int:
        """Add the examples that are missing; returns how many the run has."""
        from langsmith.utils import LangSmithConflictError

        number = 0
        for samples in _batches(self.samples()):
            wanted = {example_id(dataset, sample.video_id): sample for sample in samples}
            try:
                _add_missing(client, dataset, wanted)
            except LangSmithConflictError:  # another run was quicker with some of them
                _add_missing(client, dataset, wanted)
            number += len(wanted)
        return number

    def _open_project(self, client: Client, dataset: UUID, number: int) -> UUID:
        from langsmith.utils import LangSmithConflictError, LangSmithNotFoundError

        try:
            return client.read_project(project_name=self.name).id
        except LangSmithNotFoundError:
            pass
        try:
            return client.create_project(
                self.name,
                reference_dataset_id=str(dataset),
                metadata=self.metadata,
                num_examples=number,
                num_repetitions=self.epochs,
            ).id
        except LangSmithConflictError:
            return client.read_project(project_name=self.name).id


def _add_missing(client: Client, dataset: UUID, wanted: Mapping[UUID, Sample]) -> None:
    held = {example.id for example in client.list_examples(dataset_id=dataset, example_ids=list(wanted))}
    missing = [_example(key, sample) for key, sample in wanted.items() if key not in held]
    if missing:
        client.create_examples(dataset_id=dataset, examples=missing)


def _example(key: UUID, sample: Sample) -> dict[str, Any]:
    return {
        "id": key,
        "inputs": {"video_id": sample.video_id, "title": sample.title, "types": list(sample.types)},
        "reference_outputs": {"entries": list(sample.gold)},
        "metadata": {"video_id": sample.video_id},
        "split": list(sample.types) or ["base"],
    }


def _batches(samples: Iterable[Sample]) -> Iterator[list[Sample]]:
    source = iter(samples)
    while batch := list(islice(source, _AT_ONCE)):
        yield batch
