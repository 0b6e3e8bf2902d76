"""What a judge gave: scores by video and epoch, of a run, of later judgements, or of score files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.errors import UserError
from evals.statistics import System, read_systems
from evals.store.records import RunRecord
from evals.store.run_store import RECORDS, read_records

__all__ = ["JUDGEMENTS", "Judged", "Scored", "of_records", "read_judged"]

JUDGEMENTS = "judgements"
"""The folder, in a run directory, of verdicts that other judges gave later."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One verdict; a prediction without one is not here.

    Attributes:
        video_id: of the video.
        epoch: 1 for the first.
        types: of the video.
        strict: 0 to 1, the mean of the judgements.
        loose: 0 to 10, likewise.
        judgements: by kind, every single score.
    """

    video_id: str
    epoch: int
    types: tuple[str, ...]
    strict: float
    loose: float
    judgements: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Judged:
    """All verdicts of one judge on one system's predictions.

    Attributes:
        name: of the run, or of its later judgements.
        path: of the file.
        judge: the judging models, as they are named.
        proxies: verdicts that no model gave.
        scores: sorted by video and epoch.
        unscored: ids and epochs of records without a verdict.
    """

    name: str
    path: Path
    judge: str
    proxies: int
    scores: tuple[Scored, ...]
    unscored: tuple[tuple[str, int], ...]

    @property
    def k(self) -> int:
        """Judgements of each kind in a verdict, the most there are; 0 where they are not told."""
        return max((len(each) for one in self.scores for each in one.judgements.values()), default=0)

    @property
    def epochs(self) -> int:
        """How many epochs a video has at most."""
        met: dict[str, set[int]] = {}
        for key in [*((one.video_id, one.epoch) for one in self.scores), *self.unscored]:
            met.setdefault(key[0], set()).add(key[1])
        return max(map(len, met.values()), default=0)


def read_judged(path: Path, name: str | None = None) -> Judged:
    """Read the verdicts of a run.

    Args:
        path: a run directory, or scores in the published layout.
        name: of later judgements in ``judgements/NAME.jsonl``; the run's own verdicts when None.

    Raises:
        UserError: when there are none, or of several graphs or models at once.
    """
    if path.name == RECORDS and path.is_file():
        path = path.parent
    if name is not None:
        return _of_file(path / JUDGEMENTS / f"{name}.jsonl", name, path)
    if (path / RECORDS).is_file():
        return _of_file(path / RECORDS, path.resolve().name, path)
    held = sorted(each.parent for each in path.glob(f"*/{RECORDS}"))
    if held:
        raise UserError(
            f"{path} holds several runs, and a rating is of one run's prediction: give one of "
            f"{', '.join(map(str, held))}."
        )
    systems = read_systems([path])
    if len(systems) > 1:
        names = ", ".join(str(system.path) for system in systems)
        raise UserError(f"{path} holds several score files, and a rating is of one: give one of {names}.")
    return _of_system(systems[0])


def of_records(records: Iterable[RunRecord], name: str, path: Path) -> Judged:
    """Verdicts of records, of whatever graphs and models."""
    scores: list[Scored] = []
    unscored: list[tuple[str, int]] = []
    judges: set[str] = set()
    proxies = 0
    for record in records:
        verdict = record.verdict if record.ok else None
        if verdict is None:
            unscored.append(record.key)
            continue
        judges.add(record.judge_model)
        proxies += verdict.proxy
        kinds = {
            kind: tuple(each.score for each in verdict.judgements if each.kind == kind)
            for kind in ("strict", "loose")
        }
        scores.append(
            Scored(record.video_id, record.epoch, record.types, verdict.strict, verdict.loose, kinds)
        )
    scores.sort(key=lambda one: (one.video_id, one.epoch))
    judge = ", ".join(sorted(judges)) or "no judge"
    return Judged(name, path, judge, proxies, tuple(scores), tuple(sorted(unscored)))


def _of_file(path: Path, name: str, folder: Path) -> Judged:
    if not path.is_file():
        held = sorted(each.stem for each in (folder / JUDGEMENTS).glob("*.jsonl"))
        known = f"Known: {', '.join(held)}." if held else f"Make some: python -m evals.judge {folder}"
        raise UserError(f"{folder} has no judgements {name!r}. {known}")
    records = list(read_records(path))
    systems = sorted({(record.graph, record.model) for record in records})
    if len(systems) > 1:
        told = ", ".join(" with ".join(each) for each in systems)
        raise UserError(f"{path} holds several systems ({told}), and a rating is of one: keep them apart.")
    return of_records(records, name, path)


def _of_system(system: System) -> Judged:
    """Scores in the published layout: epochs by their place, and single judgements not told."""
    ratings = system.ratings
    scores: list[Scored] = []
    unscored: list[tuple[str, int]] = []
    epochs = _places(ratings.row_video.tolist())
    for row, (place, epoch) in enumerate(zip(ratings.row_video.tolist(), epochs, strict=True)):
        name, loose = ratings.videos[place], float(ratings.scores["loose"][row]) / 10
        if np.isnan(loose):
            unscored.append((name, epoch))
            continue
        strict = float(ratings.scores["strict"][row]) / 100
        scores.append(Scored(name, epoch, ratings.types[place], strict, loose, {}))
    return Judged(system.name, system.path, "an untold judge", 0, tuple(scores), tuple(unscored))


def _places(videos: Sequence[int]) -> list[int]:
    """The number of each row among the rows of its video, from 1."""
    met: dict[int, int] = {}
    found: list[int] = []
    for video in videos:
        met[video] = met.get(video, 0) + 1
        found.append(met[video])
    return found
