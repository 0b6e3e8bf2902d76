"""What ``evals.diagnose`` has left in run directories, beside the score without a judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evals.store.records import RunKey, RunRecord

if TYPE_CHECKING:
    from evals.diagnosis.disagreeing import Disagreement
    from evals.diagnosis.figures import RunFigures
    from evals.diagnosis.mapping_score import SampleScore
    from evals.diagnosis.matching import Matcher
    from evals.diagnosis.records import DiagnosisRecord
    from evals.report.gathering import Run

__all__ = ["Diagnosed", "diagnosed_runs"]


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """What is known of why a run fails.

    Attributes:
        diagnoses: of records as they are now, failures included, by sample.
        scores: without a judge, by sample; where gold is known.
        disagreements: where the two contradict each other, by sample.
        figures: what both come to.
        missing: interpretations without a diagnosis, those of ``changed`` included.
        changed: samples whose record is not what was diagnosed.
        without: records without an interpretation.
        unchecked: whether gold is not known, so that no diagnosis could be held against its record.
        graph: name of the graph whose synonyms were taken for the same.
    """

    diagnoses: dict[RunKey, DiagnosisRecord]
    scores: dict[RunKey, SampleScore]
    disagreements: dict[RunKey, list[Disagreement]]
    figures: RunFigures
    missing: int
    changed: frozenset[RunKey]
    without: int
    unchecked: bool
    graph: str

    @property
    def judges(self) -> list[str]:
        """Who judged."""
        return sorted({each.terms.judge for each in self.diagnoses.values() if each.diagnosis})


def diagnosed_runs(runs: Sequence[Run]) -> tuple[Diagnosed, ...]:
    """What is known of each run, in their order; nothing at all where no run has a diagnosis.

    Asks no model. A run that has none itself beside one that has is scored without a judge.

    Raises:
        UserError: when a line of ``diagnosis.jsonl`` is no diagnosis; it names the line.
    """
    # The file's name stands here too, so that a report of runs without any imports nothing of diagnoses.
    if not any((run.folder / "diagnosis.jsonl").is_file() for run in runs):
        return ()
    from evals.diagnosis.records import DIAGNOSES, read_diagnoses

    known = [_own(run, read_diagnoses(run.folder / DIAGNOSES).values()) for run in runs]
    if not any(known):
        return ()
    matcher, graph = _matcher(runs[next(place for place, found in enumerate(known) if found)])
    return tuple(_diagnosed(run, found, matcher, graph) for run, found in zip(runs, known, strict=True))


def _own(run: Run, every: Iterable[DiagnosisRecord]) -> dict[RunKey, DiagnosisRecord]:
    """Those of one graph and model of a directory."""
    return {
        each.key: each for each in every if each.graph in ("", run.graph) and each.model in ("", run.model)
    }


def _matcher(run: Run) -> tuple[Matcher, str]:
    """Takes for synonyms what the graph of a run does, or, where that is gone, the project's own."""
    from evals.diagnosis.matching import Matcher
    from tools.errors import ToolboxError
    from tools.knowledge import open_knowledge

    name = run.settings.spec.context.knowledge.graph
    try:
        return Matcher(open_knowledge(name)), name
    except ToolboxError:
        return Matcher(open_knowledge()), "starter"


def _diagnosed(run: Run, known: dict[RunKey, DiagnosisRecord], matcher: Matcher, graph: str) -> Diagnosed:
    from evals.diagnosis.disagreeing import disagreements
    from evals.diagnosis.figures import figures_of
    from evals.diagnosis.mapping_score import score_sample

    records = [record for record in run.records if record.interpretation is not None]
    changed = frozenset(_changed(run, records, known))
    now = {record.key for record in records} - changed
    diagnoses = {key: each for key, each in known.items() if key in now}
    scores = {
        record.key: score_sample(record, gold, matcher)
        for record in records
        if (gold := run.gold(record.video_id))
    }
    contrary: dict[RunKey, list[Disagreement]] = {}
    for key, each in diagnoses.items():
        if each.diagnosis and key in scores:
            contrary[key] = list(disagreements(scores[key], each.diagnosis, matcher))
    return Diagnosed(
        diagnoses=diagnoses,
        scores=scores,
        disagreements=contrary,
        figures=figures_of(diagnoses.values(), scores.values()),
        missing=len(records) - len(diagnoses),
        changed=changed,
        without=len(run.records) - len(records),
        unchecked=run.samples is None,
        graph=graph,
    )


def _changed(
    run: Run, records: Sequence[RunRecord], known: dict[RunKey, DiagnosisRecord]
) -> Iterable[RunKey]:
    """Samples whose record or gold has changed since; where gold is not known, that can't be told."""
    from evals.diagnosis.records import seen_digest

    if run.samples is not None:
        for record in records:
            if record.key in known and known[record.key].seen != seen_digest(
                record, run.gold(record.video_id)
            ):
                yield record.key
