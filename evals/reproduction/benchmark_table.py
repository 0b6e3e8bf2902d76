"""Table 1: how many videos, how long they are, and how long their gold interpretations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from agents.tokens import count_tokens
from evals.datasets import Dataset, Sample
from evals.reproduction.durations import Lengths, video_lengths
from evals.reproduction.published import TYPES, Published
from evals.reproduction.runs import Ours, is_benchmark, short_name
from evals.reproduction.tables import Figure, Line, Origin, Table
from evals.statistics import ALL

__all__ = ["TYPE_COLUMNS", "benchmark_table"]

TYPE_COLUMNS = (*((key, key) for key in TYPES), (ALL, ALL))
"""Columns of a table by type."""

_ENCODING = "o200k_base"
_SHOWN = 3


def benchmark_table(
    runs: Sequence[Ours], known: Published, told: Callable[[int], None] = lambda _done: None
) -> Table:
    """Lay the data sets of the runs beside the published benchmark.

    Args:
        runs: whose data sets; each is described once.
        known: what was published.
        told: is called with the number of videos whose length is known.
    """
    own = known.benchmark
    n = dict(zip(TYPES, own.n, strict=True)) | {ALL: own.videos}
    lines = [Line("videos", Origin.PUBLISHED, {key: Figure(v, digits=0) for key, v in n.items()}, "n")]
    for measure, name, column in (
        ("seconds", "mean seconds", own.seconds),
        ("tokens", "mean gold tokens", own.tokens),
    ):
        values = dict(zip(TYPES, column.types, strict=True)) | {ALL: column.all}
        lines.append(
            Line(
                name, Origin.PUBLISHED, {key: Figure(v) for key, v in values.items()}, measure, is_minor=True
            )
        )
    notes = [f"Published: {known.sources[own.source]}."]
    for letters, dataset in _datasets(runs):
        if isinstance(dataset, str):
            notes.append(f"{letters}: no row, since {dataset}.")
            continue
        lines += _lines(letters, dataset, known, notes, told)
        if not is_benchmark(dataset, known):
            notes.append(
                f"{letters}: {short_name(dataset)!r} is not the benchmark: its numbers are only described."
            )
    notes.append(
        f"Tokens of a gold interpretation (all its entries) are counted with tiktoken, {_ENCODING}; the "
        "paper does not say by which it counted. A video of several types counts in each, once overall."
    )
    return Table(
        "table1",
        "Table 1",
        "The benchmark, and the data sets of the runs",
        TYPE_COLUMNS,
        tuple(lines),
        tuple(notes),
    )


def _datasets(runs: Sequence[Ours]) -> list[tuple[str, Dataset | str]]:
    """Each data set once, with the letters of its runs."""
    found: dict[str, tuple[list[str], Dataset | str]] = {}
    for run in runs:
        data = run.dataset
        key = data if isinstance(data, str) else data.digest
        found.setdefault(key, ([], data))[0].append(run.letter)
    return [(", ".join(letters), data) for letters, data in found.values()]


def _lines(
    letters: str, dataset: Dataset, known: Published, notes: list[str], told: Callable[[int], None]
) -> list[Line]:
    lengths = video_lengths([s.video for s in dataset.samples if s.video is not None], told)
    groups = {key: [s for s in dataset.samples if key in s.types] for key in TYPES}
    groups[ALL] = list(dataset.samples)
    other = {name for sample in dataset.samples for name in sample.types} - set(TYPES)
    notes += _missing(letters, dataset, lengths)
    if other:
        notes.append(
            f"{letters}: types that are none of the eight count overall alone ({', '.join(sorted(other))})."
        )
    published_n = dict(zip(TYPES, known.benchmark.n, strict=True)) | {ALL: known.benchmark.videos}
    n = {key: Figure(len(group), against=published_n[key], digits=0) for key, group in groups.items()}
    seconds = {key: _mean([_seconds(sample, lengths) for sample in group]) for key, group in groups.items()}
    tokens = {
        key: _mean([float(count_tokens("\n".join(s.gold), _ENCODING)) if s.gold else None for s in group])
        for key, group in groups.items()
    }
    name = f"{letters}: {short_name(dataset)}"
    return [
        Line(f"{name}, videos", Origin.OURS, n, "n", run=letters),
        Line("mean seconds", Origin.OURS, seconds, "seconds", run=letters, is_minor=True),
        Line("mean gold tokens", Origin.OURS, tokens, "tokens", run=letters, is_minor=True),
    ]


def _seconds(sample: Sample, lengths: Lengths) -> float | None:
    found = lengths.get(sample.video) if sample.video is not None else None
    return found if isinstance(found, float) else None


def _mean(values: Sequence[float | None]) -> Figure:
    there = [value for value in values if value is not None]
    return Figure(fmean(there), n=len(there)) if there else Figure(None, n=0)


def _missing(letters: str, dataset: Dataset, lengths: Lengths) -> list[str]:
    """What of a data set is not in the means."""
    absent = [sample.video_id for sample in dataset.samples if sample.video is None]
    unread = [length for length in lengths.values() if isinstance(length, str)]
    no_gold = [sample.video_id for sample in dataset.samples if not sample.gold]
    total = len(dataset)
    parts = (
        (absent, "videos are missing: their seconds are in no mean"),
        (unread, "videos can't be read: their seconds are in no mean"),
        (no_gold, "samples have no gold: their tokens are in no mean"),
    )
    return [f"{letters}: {len(found)} of {total} {what} ({_some(found)})." for found, what in parts if found]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more
