"""Table 3: which deficiencies a model's thinking has, as shares of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from evals.reproduction.published import KINDS, Published
from evals.reproduction.runs import Ours, caveats
from evals.reproduction.tables import Figure, Line, Origin, Standing, Table
from evals.statistics import Interval, Resampling, bootstrap
from graphs.durable.files import parsed

__all__ = ["DIAGNOSIS", "deficiency_counts", "deficiency_table"]

DIAGNOSIS = "diagnosis.jsonl"

_COLUMNS = (
    ("wrong_recognition", "wrong recognition"),
    ("missing_mapping", "missing mapping"),
    ("superficial_mapping", "superficial mapping"),
    ("improper_mapping", "improper mapping"),
    ("mean", "a sample"),
)


class _Deficiency(BaseModel):
    model_config = ConfigDict(extra="ignore")

    kind: str


class _Diagnosis(BaseModel):
    model_config = ConfigDict(extra="ignore")

    deficiencies: tuple[_Deficiency, ...] | None = None


class _Diagnosed(_Diagnosis):
    """The part of a line of ``diagnosis.jsonl`` that the table needs."""

    video_id: str
    epoch: int = 1
    graph: str = ""
    model: str = ""
    diagnosis: _Diagnosis | None = None

    def is_of(self, graph: str, model: str) -> bool:
        """Whether it is of these; a line that tells neither is."""
        return self.graph in ("", graph) and self.model in ("", model)

    @property
    def kinds(self) -> list[str] | None:
        """Of each deficiency; None where the diagnosis failed."""
        found = self.diagnosis.deficiencies if self.diagnosis else self.deficiencies
        return None if found is None else [each.kind for each in found]


def deficiency_counts(folder: Path, graph: str, model: str) -> dict[str, list[list[int]]] | None:
    """What a diagnosis found: by video, for each epoch the number of each of :data:`KINDS`.

    Args:
        folder: the run directory.
        graph: whose thinking it was.
        model: likewise.

    Returns:
        None where the run was not diagnosed. Samples whose diagnosis failed are left out.

    Raises:
        UserError: when a line is no diagnosis.
    """
    path = folder / DIAGNOSIS
    if not path.is_file():
        return None
    found: dict[tuple[str, int], list[int]] = {}
    lines = parsed(path, _Diagnosed, what="diagnosis", way_out="take it out, and diagnose its sample again")
    for line in lines:
        kinds = line.kinds
        found.pop((line.video_id, line.epoch), None)  # the last of each sample counts
        if kinds is not None and line.is_of(graph, model):
            found[line.video_id, line.epoch] = [kinds.count(kind) for kind in KINDS]
    videos: dict[str, list[list[int]]] = {}
    for (video_id, _), counts in sorted(found.items()):
        videos.setdefault(video_id, []).append(counts)
    return videos


def deficiency_table(runs: Sequence[Ours], known: Published, how: Resampling | None = None) -> Table:
    """Lay shares beside the published ones; intervals resample videos."""
    lines = [
        Line(row.name, Origin.PUBLISHED, {kind: Figure(row.shares[kind]) for kind in KINDS}, "share")
        for row in known.deficiencies
    ]
    notes = [
        "Shares of all deficiencies found in the thinking, in percent; 'a sample': deficiencies a sample.",
        f"Published: {known.sources['paper']}. Its numbers have no interval and are taken as exact.",
    ]
    diagnosed: list[Ours] = []
    for run in runs:
        counts = deficiency_counts(run.folder, run.system.graph, run.system.model)
        if not counts:
            told = "nothing was diagnosed yet" if counts is None else "its diagnosis holds no sample"
            notes.append(f"{run.letter}: {told}; python -m evals.diagnose {run.folder}.")
            continue
        diagnosed.append(run)
        lines += _own_lines(run, counts, known, how)
    return Table(
        "table3",
        "Table 3",
        "Deficiencies in the thinking, in percent",
        _COLUMNS,
        tuple(lines),
        (*notes, *caveats(diagnosed)),
    )


def _own_lines(
    run: Ours, counts: dict[str, list[list[int]]], known: Published, how: Resampling | None
) -> list[Line]:
    rival = next((row for row in known.deficiencies if run.has_model(row.models)), None)
    # a video's epochs are one: their mean counts
    values = np.array([np.mean(counts[video], axis=0) for video in sorted(counts)], dtype=np.float64)
    figures: dict[str, Figure] = {}
    for place, kind in enumerate(KINDS):
        share = _share(values, place)
        interval = bootstrap(
            lambda drawn, at=place: _share(values[drawn], at), len(values), how, f"share/{kind}"
        )
        figures[kind] = _standing(share, interval, len(values), rival.shares[kind] if rival else None)
    mean = bootstrap(lambda drawn: float(values[drawn].sum(axis=1).mean()), len(values), how, "deficiencies")
    figures["mean"] = _standing(float(values.sum(axis=1).mean()), mean, len(values), None)
    numbers = {kind: Figure(float(values[:, i].sum()), digits=0) for i, kind in enumerate(KINDS)}
    numbers["mean"] = Figure(len(values), digits=0)
    return [
        Line(run.name, Origin.OURS, figures, "share", against=rival.name if rival else "", run=run.letter),
        Line("deficiencies, samples", Origin.OURS, numbers, "count", run=run.letter, is_minor=True),
    ]


def _share(values: NDArray[Any], place: int) -> float:
    total = float(values.sum())
    return float("nan") if not total else 100 * float(values[:, place].sum()) / total


def _standing(value: float, interval: Interval | None, n: int, published: float | None) -> Figure:
    if np.isnan(value):
        return Figure(None, n=n)
    if interval is None or interval.flat:
        return Figure(value, n=n, against=published)
    found = Standing.OPEN
    if published is not None:
        found = Standing.WITHIN
        if interval.low > published:
            found = Standing.ABOVE
        elif interval.high < published:
            found = Standing.BELOW
    return Figure(value, interval.low, interval.high, n, published, found)
