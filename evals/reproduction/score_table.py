"""Table 2: scores by type, published and ours, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence

from evals.reproduction.benchmark_table import TYPE_COLUMNS
from evals.reproduction.cells import FULL
from evals.reproduction.published import Published, PublishedSystem
from evals.reproduction.runs import Ours, by_letters, caveats
from evals.reproduction.tables import Figure, Line, Origin, Table, standing
from evals.statistics import ALL, Resampling, Summary, summarise

__all__ = ["RULE", "difference_table", "score_table", "summaries_of"]

RULE = (
    "Marks: the whole of our 95 % interval (bootstrap over videos) lies above the published mean (▲), or "
    "below it (▼). The published numbers have no interval and are taken as exact, although they are means "
    "over videos too: a mark says less than a paired comparison of two runs (python -m evals.compare). "
    "Marks are not corrected for their number."
)


def summaries_of(run: Ours, how: Resampling | None = None) -> dict[str, Summary]:
    """Our scores by type's key and ``All``."""
    return {summary.name: summary for summary in summarise(run.system.ratings, how)}


def score_table(runs: Sequence[Ours], known: Published, how: Resampling | None = None) -> Table:
    """Lay scores beside the published ones; loose scores are what the paper shows."""
    lines = [
        Line(row.name, Origin.PUBLISHED, {key: Figure(v) for key, v in row.scores.items()}, "loose")
        for row in known.systems
    ]
    for run in runs:
        lines += _own_lines(run, how)
    return Table(
        "table2",
        "Table 2",
        "Scores by type of metaphor, 0 to 100",
        TYPE_COLUMNS,
        tuple(lines),
        tuple(_notes(runs, known)),
    )


def _own_lines(run: Ours, how: Resampling | None) -> list[Line]:
    """Loose first, against the counterpart; then what it leaves open."""
    scores = run.counterpart.scores if run.counterpart else {}
    against = run.counterpart.name if run.counterpart else ""
    parts = summaries_of(run, how)
    lines: list[Line] = []
    for measure in ("loose", "strict"):
        for failures in ("zero", "excluded"):
            is_first = (measure, failures) == ("loose", "zero")
            rival = scores if measure == "loose" else {}
            figures = {
                key: standing(part.estimates[measure][failures], rival.get(key))
                for key, part in parts.items()
            }
            named = measure if failures == "zero" else f"{measure}, scored only"
            name = run.name if is_first else named
            held = against if measure == "loose" else ""
            line = Line(
                name,
                Origin.OURS,
                figures,
                measure,
                failures,
                held,
                run.letter,
                is_minor=not is_first,
                is_spare=failures == "excluded" and not parts[ALL].failed,
            )
            lines.append(line)
    counts = {key: Figure(part.n, digits=0) for key, part in parts.items()}
    failed = {key: Figure(part.failed, digits=0) for key, part in parts.items()}
    lines.append(Line("videos", Origin.OURS, counts, "n", run=run.letter, is_minor=True))
    lines.append(Line("without score", Origin.OURS, failed, "failed", run=run.letter, is_minor=True))
    return lines


def difference_table(runs: Sequence[Ours], known: Published, how: Resampling | None = None) -> Table:
    """Ours less every published row: its interval is ours, moved by the published number."""
    lines = [
        _difference(run, row, summaries)
        for run in runs
        for summaries in (summaries_of(run, how),)
        for row in known.systems
    ]
    note = "Loose scores, failures as zero. An interval that leaves zero out is marked."
    return Table(
        "differences",
        "Table 2, differences",
        "Ours less the published scores",
        TYPE_COLUMNS,
        tuple(lines),
        (note, RULE, *caveats(runs)),
    )


def _difference(run: Ours, row: PublishedSystem, summaries: dict[str, Summary]) -> Line:
    figures: dict[str, Figure] = {}
    for key, published in row.scores.items():
        part = summaries.get(key)
        if part is None:
            continue
        own = standing(part.estimates["loose"]["zero"], published)
        if own.value is None:
            continue
        low = None if own.low is None else own.low - published
        high = None if own.high is None else own.high - published
        figures[key] = Figure(own.value - published, low, high, own.n, published, own.standing, signed=True)
    name = f"{run.letter} less {row.name}{run.dagger}"
    return Line(name, Origin.OURS, figures, "loose", "zero", row.name, run.letter)


def _notes(runs: Sequence[Ours], known: Published) -> list[str]:
    sampled = next((row.videos for row in known.systems if row.key == "human"), 0)
    notes = [
        f"Published: {known.sources['paper']}, and {known.sources['transcription']}.",
        f"It was judged by {known.judge}, 0 to 10 shown times ten: our loose score. There is no strict one.",
        f"Human: on {sampled} sampled videos.",
        RULE,
        "Loose and strict count samples without a score as zero; 'scored only' leaves them out.",
    ]
    own: list[tuple[str, str]] = []
    for run in runs:
        own += [(run.letter, text) for text in (*_conditions(run, known), _held(run), *run.system.notes)]
    return [*notes, *caveats(runs), *by_letters(own)]


def _held(run: Ours) -> str:
    if run.counterpart:
        return f"held against {run.counterpart.name}"
    if run.cell and run.cell.key != FULL:
        return "held against no row here, since it is an ablation: see Table 4"
    return (
        f"held against no row, since none was published of {run.system.graph} with {run.system.model}; "
        "--against NAME chooses one"
    )


def _conditions(run: Ours, known: Published) -> list[str]:
    """Who judged, where it is not who judged for the paper."""
    said = run.system.conditions
    if said.proxies:
        share = "" if said.proxies == said.verdicts else f"{said.proxies} of {said.verdicts} "
        return [f"{share}scores are a measured similarity, not a judge's: they can't be compared"]
    strangers = [judge for judge in sorted(said.judges) if "deepseek" not in judge.lower()]
    if strangers:
        return [f"judged by {', '.join(strangers)}, not by {known.judge}: judges differ in rigor"]
    return []
