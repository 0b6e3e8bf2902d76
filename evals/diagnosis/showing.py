"""Shows diagnosed runs: as text, as tables for documents, for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from evals.comparison.formats import as_latex, as_markdown
from evals.comparison.grids import Grid
from evals.comparison.terminal import Terminal
from evals.diagnosis.comparing import Differences
from evals.diagnosis.figures import RunFigures
from evals.diagnosis.formats import as_csv, as_json
from evals.diagnosis.grids import differences_grid, kinds_grid, types_grid
from evals.diagnosis.reading import DiagnosedRun
from evals.statistics.bootstrap import FEWEST

__all__ = ["show"]

_FIRST = 10  # disagreements that are listed for a person

PROXY = (
    "PROXY: no model judged; deficiencies were told by measured similarity (the embedded model). They show "
    "that all works, and are comparable with no judge's."
)


def show(
    form: str | None, runs: Sequence[DiagnosedRun], found: Sequence[Differences], *, matched: str
) -> None:
    """Write everything to stdout, and doubts to stderr.

    Args:
        form: ``json``, ``csv``, ``markdown``, ``latex``, or None for a person.
        runs: in the order given.
        found: each later run against the first.
        matched: how the score without a judge matched.
    """
    for each in found:
        for doubt in each.doubts:
            sys.stderr.write(f"WARNING: {each.other} against {each.base}: {doubt}\n")
    if form == "json":
        sys.stdout.write(as_json(runs, found))
    elif form == "csv":
        sys.stdout.write(as_csv(runs, found))
    elif form in ("markdown", "latex"):
        _documents(as_markdown if form == "markdown" else as_latex, runs, found, matched)
    else:
        _text(runs, found, matched)
    sys.stdout.flush()


def _text(runs: Sequence[DiagnosedRun], found: Sequence[Differences], matched: str) -> None:
    out = Terminal()
    for run in runs:
        out.say(_title(run), "bold")
        if run.figures.overall.samples:
            out.show(kinds_grid(run.figures))
        out.show(types_grid(run.figures))
        for note in _notes(run, matched):
            out.say(f"- {note}", "dim")
        for line in _disagreements(run):
            out.say(line)
    for each in found:
        what = "deficiencies a sample, fewer is better" if each.kinds else "the score that asks no judge"
        out.say(f"{each.other} against {each.base}: {what}", "bold")
        if each.kinds or each.rates:
            out.show(differences_grid(each))
        out.say(each.finding)


def _documents(
    write: Callable[[Grid, Iterable[str]], str],
    runs: Sequence[DiagnosedRun],
    found: Sequence[Differences],
    matched: str,
) -> None:
    parts: list[str] = []
    for run in runs:
        parts += [write(kinds_grid(run.figures), [_title(run)])] if run.figures.overall.samples else []
        parts.append(write(types_grid(run.figures), [*_notes(run, matched), *_disagreements(run)]))
    parts += [write(differences_grid(each), [each.finding]) for each in found if each.kinds or each.rates]
    sys.stdout.write("\n".join(parts))


def _title(run: DiagnosedRun) -> str:
    figures, spec = run.figures, run.run.spec
    row = figures.overall
    who = f"{run.run.name} ({spec.graph} with {spec.context.model})"
    if not row.samples:
        return f"{who}: not diagnosed"
    return (
        f"{who}, diagnosed by {', '.join(run.judges)}: {row.samples} samples, "
        f"{row.faulty} with a deficiency, {row.samples - row.faulty} without"
    )


def _notes(run: DiagnosedRun, matched: str) -> list[str]:
    figures = run.figures
    missing = len(run.run.records) - len(run.diagnoses)
    failed = ", ".join(f"{number} {outcome}" for outcome, number in figures.outcomes.items())
    told: list[tuple[object, str]] = [
        (figures.proxies, PROXY),
        (missing, f"{missing} samples have no diagnosis yet"),
        (failed, f"not diagnosed, and counted in nothing: {failed}; --retry-errors asks again"),
        (run.run.without, f"{run.run.without} samples have no interpretation: there is nothing to diagnose"),
        (figures.thoughtless, _thoughtless(figures)),
        (figures.shortened, f"{figures.shortened} transcripts were too long, and lost their middle"),
        (figures.rejected or figures.corrected, _void(figures)),
        (
            figures.overall.videos < FEWEST,
            f"fewer than {FEWEST} videos are too few for an interval",
        ),
    ]
    reach = figures.overall.rates["reach"].n
    whose = "" if reach else "; nothing was looked up, so that there is no reach"
    return [*(text for given, text in told if given), f"recognition, reach and use: {matched}{whose}"]


def _thoughtless(figures: RunFigures) -> str:
    return (
        f"{figures.thoughtless} of {figures.overall.samples} samples came without any thinking: of these, "
        "keywords, hops and entries were read"
    )


def _void(figures: RunFigures) -> str:
    return (
        f"quotations that do not occur: {figures.corrected} were put right when asked for again, "
        f"{figures.rejected} deficiencies were dropped for them"
    )


def _disagreements(run: DiagnosedRun) -> list[str]:
    found = run.disagreements
    if not found:
        return []
    lines = [f"diagnosis and score contradict each other on {len(found)} gold entries:"]
    for each in found[:_FIRST]:
        video_id, epoch = each.key
        where = f"{video_id}, epoch {epoch}" if epoch > 1 else video_id
        evidence = f" ({each.evidence})" if each.evidence else ""
        lines.append(f"  {where}: {each.element} -> {each.concept}: {each.told}{evidence}")
    if len(found) > _FIRST:
        lines.append(f"  and {len(found) - _FIRST} more: --json lists them all")
    return lines
