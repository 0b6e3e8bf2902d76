"""What new judgements say: against the old ones, among themselves, and over earlier reruns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.schemas import Usage
from evals.comparison.grids import Column, Grid
from evals.judging.agreement_tables import bounds, number
from evals.judging.matching import video_numbers
from evals.judging.verdicts import JUDGEMENTS, Judged, Scored, of_records
from evals.statistics.bootstrap import Resampling
from evals.statistics.pairing import ScorePairs
from evals.statistics.reliability import Reliability
from evals.statistics.weighing import Estimated, estimated
from evals.store.records import RunRecord
from evals.store.run_store import read_records

__all__ = [
    "Rerun",
    "earlier_judgements",
    "merged",
    "old_and_new",
    "old_and_new_grid",
    "reruns",
    "reruns_grid",
]

_HALF = 0.5
_TITLES = {
    "kappa": "quadratic weighted kappa",
    "error": "mean signed error (new less old)",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "pearson": "Pearson's r",
    "strict_kappa": "strict: Cohen's kappa",
}


@dataclass(frozen=True, slots=True)
class Rerun:
    """Alpha over several judgements of the same predictions.

    Attributes:
        what: which judgements.
        raters: how many a prediction has at most.
        n: predictions with two or more.
        loose: Krippendorff's alpha, ordinal.
        strict: the same of strict judgements.
    """

    what: str
    raters: int
    n: int
    loose: Estimated
    strict: Estimated


def merged(records: Iterable[RunRecord], judged: Iterable[RunRecord]) -> list[RunRecord]:
    """The run's records with the new verdicts in the place of the old.

    What interpreted stays as it was; the judge's calls, and its failure if it failed, are the new ones. A
    record without an interpretation has nothing to be judged, and stays a failure. One whose prediction was
    not judged (``--limit``) is left out.
    """
    new = {record.key: record for record in judged}
    found: list[RunRecord] = []
    for record in records:
        verdict = new.get(record.key)
        if record.interpretation is None:
            found.append(record)
        elif verdict is not None:
            found.append(_with_verdict(record, verdict))
    return found


def _with_verdict(record: RunRecord, new: RunRecord) -> RunRecord:
    calls = (*(call for call in record.calls if not call.step.startswith("judge")), *new.calls)
    timings = {"interpret": record.timings.get("interpret", 0.0), "judge": new.timings.get("judge", 0.0)}
    changes: dict[str, Any] = {
        "judge_model": new.judge_model,
        "outcome": new.outcome,
        "verdict": new.verdict,
        "errors": new.errors,
        "input_seen": new.input_seen,
        "calls": calls,
        "usage": sum((call.usage for call in calls), Usage()),
        "cached": sum((call.cached for call in calls if call.cached), Usage()),
        "timings": timings | {"total": round(sum(timings.values()), 4)},
    }
    return record.model_copy(update=changes)


def earlier_judgements(folder: Path, but: str) -> list[Judged]:
    """Other judgements of the same run, by name."""
    paths = sorted((folder / JUDGEMENTS).glob("*.jsonl"))
    wanted = [path for path in paths if path.stem != but and not path.stem.endswith(".failed")]
    return [of_records(read_records(path), path.stem, path) for path in wanted]


def old_and_new(old: Judged, new: Judged, how: Resampling) -> dict[str, Estimated]:
    """How far two judges agree on the predictions that both have scored; by the names of ``_TITLES``."""
    before = {(one.video_id, one.epoch): one for one in old.scores}
    pairs = [(before[key], one) for one in new.scores if (key := (one.video_id, one.epoch)) in before]
    if not pairs:
        return {}
    numbers = video_numbers([one.video_id for _, one in pairs])
    loose = ScorePairs(*_columns([(one.loose, other.loose) for other, one in pairs]))
    strict = ScorePairs(*_columns([(one.strict >= _HALF, other.strict >= _HALF) for other, one in pairs]))
    reasons = loose.reasons("the new judge", "the old judge")
    reasons["strict_kappa"] = "all strict verdicts of both are alike"
    return estimated({**loose.statistics, "strict_kappa": strict.kappa}, numbers, how, "old and new", reasons)


def _columns(pairs: Sequence[tuple[float, float]]) -> Any:
    return np.array(pairs, dtype=np.float64).T


def reruns(new: Judged, old: Judged | None, earlier: Sequence[Judged], how: Resampling) -> list[Rerun]:
    """Alpha over the judgements of each verdict, over all verdicts of this judge, and over all judges'.

    Args:
        new: the judgements just made.
        old: the run's own; None where it has none.
        earlier: other judgements of the run.
        how: resamples, seed and level.
    """
    found = [_within(new, how)]
    every = [each for each in (old, *earlier, new) if each is not None and each.scores]
    same = [each for each in every if each.judge == new.judge]
    if len(same) > 1:
        found.append(_between(f"verdicts of this judge: {_names(same)}", same, how))
    if len(every) > len(same):
        found.append(_between(f"verdicts of all judges: {_names(every)}", every, how))
    return found


def _names(all_judged: Sequence[Judged]) -> str:
    return ", ".join(each.name for each in all_judged)


def _within(judged: Judged, how: Resampling) -> Rerun:
    found = {
        kind: _alpha(
            [(one.video_id, one.judgements.get(kind, ())) for one in judged.scores], how, f"within/{kind}"
        )
        for kind in ("loose", "strict")
    }
    what = f"judgements of {judged.name} among themselves"
    return Rerun(what, judged.k, len(judged.scores), found["loose"], found["strict"])


def _between(what: str, all_judged: Sequence[Judged], how: Resampling) -> Rerun:
    by_key: dict[tuple[str, int], list[Scored]] = {}
    for judged in all_judged:
        for one in judged.scores:
            by_key.setdefault((one.video_id, one.epoch), []).append(one)
    rows = [(key[0], scores) for key, scores in sorted(by_key.items())]
    loose = _alpha([(name, [one.loose for one in scores]) for name, scores in rows], how, f"{what}/loose")
    strict = _alpha([(name, [one.strict for one in scores]) for name, scores in rows], how, f"{what}/strict")
    several = sum(len(scores) > 1 for _, scores in rows)
    return Rerun(what, len(all_judged), several, loose, strict)


def _alpha(rows: Sequence[tuple[str, Sequence[float]]], how: Resampling, label: str) -> Estimated:
    most = max((len(scores) for _, scores in rows), default=0)
    if most < 2:  # noqa: PLR2004
        return Estimated(None, why="one judgement a verdict" if most else "no judgements are told")
    ratings = np.full((len(rows), most), np.nan)
    for place, (_, scores) in enumerate(rows):
        ratings[place, : len(scores)] = scores
    reliability = Reliability(ratings)
    numbers = video_numbers([name for name, _ in rows])
    return estimated({"alpha": reliability.alpha}, numbers, how, label, {"alpha": reliability.why})["alpha"]


def old_and_new_grid(found: dict[str, Estimated]) -> Grid:
    """A figure a line."""
    told = [found[name] for name in _TITLES]
    columns = [
        Column("new judge against the old", list(_TITLES.values()), words=True),
        Column("value", [_value(each) for each in told]),
        Column("95 %", [bounds(each.interval) for each in told]),
        Column("remark", [_why(each) for each in told], words=True),
    ]
    return Grid(columns, [0] * len(told), [])


def reruns_grid(found: Sequence[Rerun]) -> Grid:
    """Two lines for each set of judgements: loose and strict."""
    rows = [
        (each, kind, told)
        for each in found
        for kind, told in (("loose", each.loose), ("strict", each.strict))
    ]
    columns = [
        Column("alpha over", [each.what for each, _, _ in rows], words=True),
        Column("score", [kind for _, kind, _ in rows], words=True),
        Column("raters", [str(each.raters) for each, _, _ in rows]),
        Column("n", [str(each.n) for each, _, _ in rows]),
        Column("alpha", [_value(told) for _, _, told in rows]),
        Column("95 %", [bounds(told.interval) for _, _, told in rows]),
        Column("remark", [_why(told) for _, _, told in rows], words=True),
    ]
    return Grid(columns, [0] * len(rows), [])


def _value(each: Estimated) -> str:
    return "-" if each.value is None else number(each.value)


def _why(each: Estimated) -> str:
    return f"undefined: {each.why}" if each.value is None else each.why
