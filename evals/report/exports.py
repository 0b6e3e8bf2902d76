"""The headline and the types as CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from evals.report.embedding import whole_characters
from evals.report.escaping import csv_cell, latex, markdown
from evals.report.figures import Figures, RunFigures, Score, figures, type_name
from evals.report.gathering import Gathered

__all__ = ["csv_text", "latex_text", "markdown_text"]

_COLUMNS = (
    "run", "graph", "settings", "model", "judge", "type", "n", "without_score",
    "loose", "loose_low", "loose_high", "loose_scored",
    "strict", "strict_low", "strict_high", "strict_scored",
    "tokens_per_sample", "money_per_sample", "currency", "money_is_estimated",
)  # fmt: skip
_HEADS = ("Run", "Type", "n", "Without score", "Loose", "scored only", "Strict", "scored only")
_CAPTION = (
    "Scores from 0 to 100 with 95 % intervals over videos; failed samples count as zero, 'scored only' "
    "leaves them out."
)


def csv_text(gathered: Gathered) -> str:
    """One line for each run and type, ``All`` first; scores from 0 to 100, unrounded, or empty.

    Names that a spreadsheet would take for a formula get an apostrophe in front.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for run in map(figures, gathered.runs):
        who = [run.run.letter, *map(csv_cell, (run.run.graph, run.run.variant, run.run.model, run.run.judge))]
        for row in (run.overall, *run.types):
            scores = [value for score in (row.loose, row.strict) for value in _values(score)]
            took = _took(run) if row is run.overall else ["", "", "", ""]
            writer.writerow([*who, csv_cell(row.name), row.n, row.failed, *scores, *took])
    return whole_characters(file.getvalue())


def markdown_text(gathered: Gathered) -> str:
    """A table of all runs, and a key of their letters below."""
    lines = [_markdown_row(_HEADS), "| --- | --- |" + " ---: |" * (len(_HEADS) - 2)]
    runs = [figures(run) for run in gathered.runs]
    lines += [_markdown_row(tuple(map(markdown, row))) for run in runs for row in _rows(run)]
    notices = [f"**{markdown(notice)}**\n" for notice in gathered.notices]
    key = [
        f"- {run.run.letter}: {markdown(run.run.name)}, judged by {markdown(run.run.judge)}" for run in runs
    ]
    return whole_characters("\n".join([*notices, *lines, "", _CAPTION, "", *key, ""]))


def latex_text(gathered: Gathered) -> str:
    """A table environment that needs no package; special characters are escaped.

    Scripts beyond Latin need an engine that knows them, such as LuaLaTeX with a font for them.
    """
    runs = [figures(run) for run in gathered.runs]
    lines = [
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{ll" + "r" * (len(_HEADS) - 2) + "}",
        r"\hline",
    ]
    lines.append(_latex_row(_HEADS))
    for run in runs:
        lines.append(r"\hline")
        lines += [_latex_row(row) for row in _rows(run)]
    key = "; ".join(f"{run.run.letter}: {run.run.name}, judged by {run.run.judge}" for run in runs)
    said = " ".join(f"{notice[:1].upper()}{notice[1:]}." for notice in gathered.notices)
    caption = " ".join(part for part in (_CAPTION, f"{key}.", said) if part)
    lines += [r"\hline", r"\end{tabular}", rf"\caption{{{latex(caption)}}}", r"\end{table}", ""]
    return whole_characters("\n".join(lines))


def _rows(run: RunFigures) -> Iterator[tuple[str, ...]]:
    for row in (*run.types, run.overall):
        yield _texts(run, row)


def _texts(run: RunFigures, row: Figures) -> tuple[str, ...]:
    scores = [text for score in (row.loose, row.strict) for text in (score.text, _scored(score))]
    return (run.run.letter, type_name(row.name), str(row.n), str(row.failed), *scores)


def _took(run: RunFigures) -> list[str]:
    """Tokens and money of a record; money is empty where it is unknown, or in several currencies."""
    each = run.spent_each
    money = "" if each.amount is None else repr(each.amount)
    return [repr(run.tokens), money, each.currency, str(each.estimated).lower()]


def _scored(score: Score) -> str:
    return "-" if score.scored is None else f"{score.scored:.1f}"


def _values(score: Score) -> list[str]:
    numbers = (score.mean, score.low, score.high, score.scored)
    return ["" if number is None else repr(number) for number in numbers]


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(latex, cells)) + r" \\"
