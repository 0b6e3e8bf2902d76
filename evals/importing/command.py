"""What ``evals.published`` does: rows are read, joined, and written as a run directory."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from agents.context import Context
from agents.errors import UserError
from evals.datasets import Dataset, Sample, open_dataset
from evals.datasets.sample import shown
from evals.importing.records import Labels, record_of
from evals.importing.rows import Prediction, Scored, epoch_files, predictions, scores
from evals.spec import RunFile, RunSpec
from evals.store.published import export_published
from evals.store.records import Outcome, RunRecord
from evals.store.run_store import RECORDS, RunStore
from evals.table import tabulate
from graphs.durable.files import write_whole

__all__ = ["DONE", "LEFT_OUT", "run_command"]

DONE, LEFT_OUT = 0, 1
_RUN_FILE = "run.json"
_TOLD = 50  # rows that are named one by one
_AT_ONCE = 500  # records that are written together


@dataclass
class _Complaints:
    """Says what is wrong with rows, and counts."""

    number: int = 0
    kinds: dict[str, int] = field(default_factory=dict[str, int])

    def __call__(self, text: str) -> None:
        """Say one, unless too many were said."""
        self.number += 1
        if self.number <= _TOLD:
            sys.stderr.write(f"{text}.\n")


def run_command(options: argparse.Namespace) -> int:
    """Make a run directory of published files; returns the exit code.

    Raises:
        UserError: when a file or the data set can't be used, no row can be, or the directory holds a run.
        OSError: when the disk refuses.
    """
    output, out = Path(options.output), Path(options.out)
    given = epoch_files(output)
    scored = epoch_files(Path(options.scores)) if options.scores else {}
    if (out / RECORDS).exists() or (out / _RUN_FILE).exists():
        raise UserError(f"{out} holds a run already; give another --out.")
    dataset = open_dataset(options.dataset)
    samples = {sample.video_id: sample for sample in dataset.samples}
    name = options.model or (output.resolve().parent.name if output.stem == "predictions" else output.stem)
    labels, complaints = Labels(options.graph, name, options.judge), _Complaints()
    records = _records(samples, given, scored, labels, complaints)
    first = next(records, None)
    if first is None:
        raise UserError(f"No row of {output} can be used with {options.dataset}; nothing is written.")
    with RunStore(out) as store:
        _write(store, first, records)
        _finish(store, dataset, len(samples), labels, max([*given, *scored]), options)
    if complaints.number > _TOLD:
        sys.stderr.write(f"... and {complaints.number - _TOLD} more.\n")
    if complaints.number:
        sys.stderr.write(f"{complaints.number} rows or entries were left out.\n")
    return LEFT_OUT if complaints.number else DONE


def _records(
    samples: dict[str, Sample],
    given: dict[int, Path],
    scored: dict[int, Path],
    labels: Labels,
    complain: _Complaints,
) -> Iterator[RunRecord]:
    """Records in the order of the predictions; failures that left none where the scores have them."""
    for epoch in sorted({*given, *scored}):
        judged = {row.video_id: row for row in scores(scored[epoch], complain)} if epoch in scored else {}
        for row, told in _joined(given.get(epoch), judged, complain):
            yield from _record(samples, epoch, row, told, labels, complain)


def _joined(
    path: Path | None, judged: dict[str, Scored], complain: _Complaints
) -> Iterator[tuple[Prediction | None, Scored | None]]:
    """Predictions with their scores; scores without one come between them as in their own file."""
    predicted = {row.video_id for row in predictions(path, _silent)} if path else set[str]()
    in_order, passed = iter(judged.values()), set[str]()
    for row in predictions(path, complain) if path else ():
        while row.video_id in judged and row.video_id not in passed:
            told = next(in_order)
            passed.add(told.video_id)
            if told.video_id not in predicted:
                yield None, told
        yield row, judged.get(row.video_id)
    yield from ((None, told) for told in in_order if told.video_id not in predicted)


def _silent(_: str) -> None:
    """The rows are read again, and complained of then."""


def _record(  # noqa: PLR0913, PLR0917 - what makes a record
    samples: dict[str, Sample],
    epoch: int,
    row: Prediction | None,
    told: Scored | None,
    labels: Labels,
    complain: _Complaints,
) -> Iterator[RunRecord]:
    video_id = row.video_id if row else told.video_id if told else ""
    sample = samples.get(video_id)
    if sample is None:
        complain(f"{shown(video_id)!r} is not in the data set")
        return
    record = record_of(sample, epoch, row, told, labels)
    if record is None:
        complain(f"{shown(video_id)!r} has a score (epoch {epoch}) and no prediction")
        return
    yield record


def _write(store: RunStore, first: RunRecord, records: Iterator[RunRecord]) -> None:
    lines = [first.line()]
    for record in records:
        lines.append(record.line())
        if len(lines) == _AT_ONCE:
            store.append(lines)
            lines = []
    if lines:
        store.append(lines)


def _finish(  # noqa: PLR0913, PLR0917 - what the files of a run say
    store: RunStore, dataset: Dataset, number: int, labels: Labels, epochs: int, options: argparse.Namespace
) -> None:
    """Write the files that a finished run has, and say what there is."""
    place = Path(options.dataset)
    spec = RunSpec(
        graph=labels.graph,
        dataset=str(place.resolve()) if place.exists() else options.dataset,
        epochs=epochs,
        context=Context(model=labels.model, judge_model=labels.judge),
    )
    file = RunFile(spec=spec, dataset_digest=dataset.digest, started="")
    write_whole(store.folder / _RUN_FILE, file.text())
    table = tabulate(store.records())
    export_published(store.records(), store.folder)
    write_whole(store.folder / "table.md", table.markdown())
    summary = {
        "complete": True,
        "missing": 0,
        "overall": asdict(table.overall),
        "types": {row.name: asdict(row) for row in table.types},
        "records": table.records,
        "outcomes": table.outcomes,
    }
    write_whole(store.folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
    sys.stdout.write(table.text() + "\n")
    videos = len({video_id for video_id, _ in table.keys})
    if videos < number:
        sys.stderr.write(f"{number - videos} of the data set's {number} videos have no row.\n")
    if unjudged := table.outcomes.get(Outcome.UNJUDGED):
        sys.stderr.write(f"{unjudged} predictions have no score, and are in no mean until they are judged.\n")
    sys.stderr.write(f"Run directory: {store.folder} (see python -m evals.report {store.folder})\n")
