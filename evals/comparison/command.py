"""What ``evals.compare`` does, step by step: read, sum up, compare, show."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.comparison.arguments import read_arguments
from evals.comparison.formats import as_csv, as_json, as_latex, as_markdown
from evals.comparison.grids import Grid, differences, own_scores, systems_grid
from evals.comparison.terminal import Terminal
from evals.comparison.words import FLAT, sentences
from evals.statistics import (
    Choice,
    Pairing,
    Reducer,
    Resampling,
    Summary,
    System,
    compare_all,
    pairs_of,
    read_systems,
    summarise,
    with_types,
)
from evals.statistics.bootstrap import FEWEST
from evals.statistics.comparing import check_epochs
from evals.statistics.reducers import FAILURES
from evals.table import PROXY_NOTICE

__all__ = ["NOTHING", "compare_cells", "run_command"]

DONE, NOTHING = 0, 3


@dataclass(frozen=True, slots=True)
class _Found:
    """All results, before they are shown.

    Attributes:
        systems: in the order given.
        summaries: rows of each.
        pairings: of them; empty for a single one.
        choice: what was compared.
        both: strict and loose are shown.
        ways: how failures count, where scores of one run are shown.
    """

    systems: Sequence[System]
    summaries: Sequence[Sequence[Summary]]
    pairings: Sequence[Pairing]
    choice: Choice
    both: bool
    ways: tuple[str, ...]

    @property
    def family(self) -> int:
        """Rows that Holm's correction counted."""
        return sum(row.paired.p is not None for pairing in self.pairings for row in pairing.rows)

    @property
    def grid(self) -> Grid:
        """The main table."""
        if self.pairings:
            return differences(self.pairings, by_type=self.choice.by_type)
        return own_scores(self.summaries[0], self.choice, both=self.both, ways=self.ways)

    @property
    def warnings(self) -> list[str]:
        """What may make all this worthless."""
        return [
            f"{pairing.other.name} against {pairing.base.name}: {doubt}"
            for pairing in self.pairings
            for doubt in pairing.doubts
        ]


def run_command(options: argparse.Namespace) -> int:
    """Compare, or sum one run up; returns the exit code.

    Raises:
        UserError: when an input can't be used.
    """
    found = _find(options)
    for warning in found.warnings:
        sys.stderr.write(f"WARNING: {warning}\n")
    _SHOW[options.form](found)
    sys.stdout.flush()
    if len(found.systems) > 1:
        return DONE if any(pairing.rows for pairing in found.pairings) else NOTHING
    return DONE


def compare_cells(folders: Sequence[Path], seed: int, *, shown: bool) -> tuple[str, dict[str, Any]]:
    """Compare run directories by their loose scores, each with the first.

    Args:
        folders: run directories; each with a record at least.
        seed: of intervals.
        shown: print the tables.

    Returns:
        A document in Markdown, and all figures as plain data.

    Raises:
        UserError: when one can't be read.
    """
    found = _find(read_arguments(["--seed", str(seed), "--", *map(str, folders)]))
    if shown:
        _show_text(found)
        sys.stdout.flush()
    data = json.loads(as_json(found.systems, found.summaries, found.pairings, found.choice))
    return _document(found, as_markdown), data


def _find(options: argparse.Namespace) -> _Found:
    reducer = Reducer.parse(options.reducer)
    systems = _typed(read_systems(map(Path, options.runs)), options.dataset)
    single = len(systems) == 1
    choice = Choice(
        score=options.score or "loose",
        failures=options.failures or "zero",
        reducer=reducer,
        by_type=single if options.by_type is None else options.by_type,
        resampling=Resampling(options.resamples, options.seed),
    )
    for system in systems:
        check_epochs(system, reducer)
    summaries = [
        summarise(system.ratings, choice.resampling, reducer=reducer, by_type=choice.by_type)
        for system in systems
    ]
    pairs = pairs_of(systems, options.base, all_pairs=options.all_pairs)
    ways = (options.failures,) if options.failures else FAILURES
    return _Found(systems, summaries, compare_all(pairs, choice), choice, options.score is None, ways)


def _typed(systems: list[System], dataset: str | None) -> list[System]:
    """Types from a data set, where a system tells none."""
    if dataset is None:
        return systems
    from evals.datasets import open_dataset

    types = {sample.video_id: sample.types for sample in open_dataset(dataset).samples}
    return [with_types(system, types) for system in systems]


def _show_text(found: _Found) -> None:
    out = Terminal()
    if not found.pairings:
        system = found.systems[0]
        what = " with ".join(filter(None, (system.graph, system.model)))
        out.say(f"{system.name}{f' ({what})' if what else ''}: {_scale(found)}", "bold")
        out.show(found.grid)
    else:
        out.say(f"{_title(found.pairings)}: {_scale(found)}, paired by video", "bold")
        overall = [parts[-1] for parts in found.summaries]
        out.show(systems_grid(found.systems, overall, found.choice))
        if any(pairing.rows for pairing in found.pairings):
            out.show(found.grid)
        for pairing in found.pairings:
            out.say(" ".join(sentences(pairing, found.choice, found.family)))
    for note in _notes(found):
        out.say(f"- {note}", "dim")
    for warning in found.warnings if out.console.is_terminal else ():
        out.say(f"! {warning}", "bold red")


def _show_document(write: Callable[[Grid, Iterable[str]], str]) -> Callable[[_Found], None]:
    return lambda found: _write(_document(found, write))


def _document(found: _Found, write: Callable[[Grid, Iterable[str]], str]) -> str:
    said = [" ".join(sentences(pairing, found.choice, found.family)) for pairing in found.pairings]
    warnings = [f"WARNING: {warning}" for warning in found.warnings]
    return write(found.grid, [_scale(found), *said, *_notes(found), *warnings])


_SHOW: dict[str | None, Callable[[_Found], None]] = {
    None: _show_text,
    "markdown": _show_document(as_markdown),
    "latex": _show_document(as_latex),
    "csv": lambda found: _write(as_csv(found.systems, found.summaries, found.pairings)),
    "json": lambda found: _write(as_json(found.systems, found.summaries, found.pairings, found.choice)),
}


def _write(text: str) -> None:
    sys.stdout.write(text)


def _scale(found: _Found) -> str:
    """What the figures are, in a line."""
    choice = found.choice
    scores = "strict and loose scores" if found.both and not found.pairings else f"{choice.score} scores"
    ways = found.ways if not found.pairings else (choice.failures,)
    failures = " and ".join("as zero" if way == "zero" else "left out" for way in ways)
    epochs = "" if all(_once(system) for system in found.systems) else f", epochs by {choice.reducer}"
    return f"{scores} from 0 to 100, failures {failures}{epochs}"


def _once(system: System) -> bool:
    return int(system.ratings.epochs.max()) == 1


def _title(pairings: Sequence[Pairing]) -> str:
    bases = dict.fromkeys(pairing.base.name for pairing in pairings)
    if len(pairings) == 1:
        return f"{pairings[0].other.name} against {pairings[0].base.name}"
    return f"all against {next(iter(bases))}" if len(bases) == 1 else "each against each"


def _notes(found: _Found) -> list[str]:
    notes = [f"{system.name}: {note}" for system in found.systems for note in _of_system(system)]
    for pairing in found.pairings:
        notes += pairing.notes
        if pairing.differing:
            notes.append(
                f"{pairing.other.name} and {pairing.base.name} differ in: {', '.join(pairing.differing)}"
            )
    if any(row.n < FEWEST for parts in found.summaries for row in parts):
        notes.append(f"fewer than {FEWEST} videos are too few for an interval")
    if any(f"]{FLAT}" in cell for row in found.grid.rows for cell in row):
        notes.append(
            f"{FLAT} all values are alike: resampling can't vary, which proves nothing of other videos"
        )
    return list(dict.fromkeys(notes))


def _of_system(system: System) -> list[str]:
    said, notes = system.conditions, list(system.notes)
    if said.proxies:
        share = "" if said.proxies == said.verdicts else f"{said.proxies} of {said.verdicts} verdicts: "
        notes.append(share + PROXY_NOTICE)
    uneven = set(system.ratings.epochs.tolist())
    if len(uneven) > 1:
        notes.append(f"videos have from {min(uneven)} to {max(uneven)} epochs")
    return notes
