"""Table 4: what each part is worth, published and ours, and each against the full method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evals.reproduction.cells import FULL
from evals.reproduction.published import Published
from evals.reproduction.runs import Ours, by_letters, caveats
from evals.reproduction.score_table import RULE, summaries_of
from evals.reproduction.tables import NOTHING, Figure, Line, Origin, Standing, Table, standing
from evals.statistics import ALL, Resampling, compare_paired, video_values
from evals.statistics.conditions import differing

__all__ = ["ablation_table"]

_COLUMNS = (
    ("loose", "loose"),
    ("published", "published"),
    ("change", "against full"),
    ("published_change", "published against full"),
    ("n", "videos"),
)
_FACTORS = ("knowledge.source", "retrieval.hops", "retrieval.limit")
_SAID = ("dataset_digest", "graph")


def ablation_table(runs: Sequence[Ours], known: Published, how: Resampling | None = None) -> Table:
    """Lay ablations beside the published ones.

    Against full, ours are paired: the difference on the videos that both runs have, with its interval. The
    first run that is the full method is the base.
    """
    rows = known.ablations.rows
    full = next(row.all for row in rows if row.key == FULL)
    scores = {row.key: row.all for row in rows}
    lines = [
        Line(
            row.name,
            Origin.PUBLISHED,
            {
                "published": Figure(row.all),
                "published_change": Figure(row.all - full, signed=True) if row.key != FULL else NOTHING,
            },
            "loose",
        )
        for row in rows
    ]
    cells = [run for run in runs if run.cell is not None]
    base = next((run for run in cells if run.cell and run.cell.key == FULL), None)
    order = {row.key: place for place, row in enumerate(rows)}
    cells.sort(key=lambda run: (order.get(run.cell.key, len(order)) if run.cell else 0, run.letter))
    lines += [_own_line(run, base, scores, how) for run in cells]
    return Table(
        "table4",
        "Table 4",
        f"Ablations, published on {known.ablations.model}",
        _COLUMNS,
        tuple(lines),
        tuple(_notes(runs, base, known)),
    )


def _own_line(run: Ours, base: Ours | None, scores: dict[str, float], how: Resampling | None) -> Line:
    assert run.cell is not None  # noqa: S101 - only runs with a cell are laid out
    published = scores.get(run.cell.key)
    own = standing(summaries_of(run, how)[ALL].estimates["loose"]["zero"], published)
    figures = {
        "loose": own,
        "published": Figure(published),
        "n": Figure(len(run.system.ratings.videos), digits=0),
    }
    if base is not None and base is not run:
        figures["change"] = _change(run, base, how)
    if published is not None and run.cell.key != FULL:
        figures["published_change"] = Figure(published - scores[FULL], signed=True)
    against = run.cell.name if run.cell.published else ""
    return Line(
        f"{run.letter}: {run.cell.name}{run.dagger}",
        Origin.OURS,
        figures,
        "loose",
        "zero",
        against,
        run.letter,
    )


def _change(run: Ours, base: Ours, how: Resampling | None) -> Figure:
    """Ours less the full method, on the videos that both have; marked where its interval leaves zero out."""
    values = [
        dict(zip(each.system.ratings.videos, video_values(each.system.ratings, "loose"), strict=True))
        for each in (base, run)
    ]
    common = sorted(values[0].keys() & values[1].keys())
    if not common:
        return NOTHING
    one, two = (np.array([each[name] for name in common], dtype=np.float64) for each in values)
    paired = compare_paired(one, two, how, label="difference/All/loose/zero")
    interval = paired.interval
    if interval is None or interval.flat:
        return Figure(paired.difference, n=paired.n, signed=True)
    found = Standing.ABOVE if interval.low > 0 else Standing.BELOW if interval.high < 0 else Standing.WITHIN
    return Figure(paired.difference, interval.low, interval.high, paired.n, 0.0, found, signed=True)


def _notes(runs: Sequence[Ours], base: Ours | None, known: Published) -> list[str]:
    full = f"Full is {base.letter}" if base else "No run is the full method: nothing is set against it"
    notes = [
        f"Published: {known.sources['paper']}. Loose scores, failures as zero.",
        "Which row a run is, its settings say (graph, knowledge source, h, z), or --as ROW=RUN.",
        f"Against full: paired, over the videos that both have; marked where zero is outside. {full}.",
        RULE,
    ]
    own: list[tuple[str, str]] = []
    for run in runs:
        if run.cell is None:
            own.append((run.letter, f"no ablation: {run.system.graph} looks nothing up"))
            continue
        if not run.has_model(known.ablations.models):
            own.append((run.letter, f"{run.system.model}, not {known.ablations.model}"))
        if base is not None and run is not base:
            own += [(run.letter, text) for text in _other_factors(run, base)]
    return [*notes, *caveats(run for run in runs if run.cell), *by_letters(own)]


def _other_factors(run: Ours, base: Ours) -> list[str]:
    """Settings besides the paper's factors that differ from full: the change may be theirs."""
    found = [
        name
        for name in differing(base.system.conditions, run.system.conditions)
        if name not in _FACTORS and name not in _SAID
    ]
    if run.system.graph != base.system.graph:
        found.insert(0, f"graph ({run.system.graph}, not {base.system.graph})")
    return [f"differs from {base.letter} in more than its row says: {', '.join(found)}"] if found else []
