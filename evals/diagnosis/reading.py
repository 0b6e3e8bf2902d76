"""Diagnosed runs as plain data, for whoever shows them: deficiencies by sample, figures, disagreements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evals.diagnosis.disagreeing import Disagreement, disagreements
from evals.diagnosis.figures import RunFigures, figures_of
from evals.diagnosis.inputs import Run
from evals.diagnosis.mapping_score import SampleScore, score_sample
from evals.diagnosis.matching import Matcher
from evals.diagnosis.records import DiagnosisRecord
from evals.statistics import Resampling
from evals.store.records import RunKey

__all__ = ["DiagnosedRun", "read_diagnosed"]


@dataclass(frozen=True, slots=True)
class DiagnosedRun:
    """A run, its diagnoses as far as there are, and the score without a judge.

    Attributes:
        run: the run.
        diagnoses: by sample, failures included.
        scores: by sample.
        figures: what they come to.
        disagreements: where the two contradict each other, in the order of the records.
    """

    run: Run
    diagnoses: dict[RunKey, DiagnosisRecord]
    scores: dict[RunKey, SampleScore]
    figures: RunFigures
    disagreements: Sequence[Disagreement]

    @property
    def judges(self) -> list[str]:
        """Who judged."""
        return sorted({each.terms.judge for each in self.diagnoses.values() if each.diagnosis})


def read_diagnosed(run: Run, matcher: Matcher, how: Resampling | None = None) -> DiagnosedRun:
    """Read what is on disk of a run, and score it without a judge. Asks no model.

    A diagnosis of a record that has changed since is left out.

    Args:
        run: the run.
        matcher: compares phrases with texts.
        how: resamples, seed and level of the figures.

    Raises:
        UserError: when a line of ``diagnosis.jsonl`` is no diagnosis.
    """
    diagnoses = run.diagnosed()
    scores = {
        record.key: score_sample(record, gold, matcher)
        for record in run.records
        if (gold := run.gold(record))
    }
    found = [
        each
        for key, score in scores.items()
        if key in diagnoses and (diagnosis := diagnoses[key].diagnosis)
        for each in disagreements(score, diagnosis, matcher)
    ]
    figures = figures_of(diagnoses.values(), scores.values(), how)
    return DiagnosedRun(run, diagnoses, scores, figures, tuple(found))
