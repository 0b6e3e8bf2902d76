"""The tables as CSV, Markdown and LaTeX, and in a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agents.metaphor_types import MetaphorType
from evals.report.embedding import whole_characters
from evals.report.escaping import csv_cell, latex, markdown
from evals.reproduction.tables import Figure, Line, Origin, Standing, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

__all__ = ["MARKS", "csv_text", "head_of", "latex_text", "markdown_text", "show"]

MARKS = {Standing.ABOVE: "▲", Standing.BELOW: "▼", Standing.WITHIN: "", Standing.OPEN: ""}
_LATEX_MARKS = {Standing.ABOVE: r"$^{\uparrow}$", Standing.BELOW: r"$^{\downarrow}$"}
_PLAIN_MARKS = {Standing.ABOVE: "^", Standing.BELOW: "v"}
_WIDE = 3  # words of a head in a narrow column

_FIELDS = (
    "table", "origin", "run", "row", "measure", "failures", "column", "value", "low", "high", "n",
    "against", "published", "standing",
)  # fmt: skip


def head_of(key: str, head: str) -> str:
    """A column's head as short as the paper's: ``BL`` for a type."""
    return MetaphorType(key).short if key in {kind.value for kind in MetaphorType} else head


def csv_text(tables: Sequence[Table]) -> str:
    """A line for each number, unrounded; empty where there is none."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_FIELDS)
    for table in tables:
        for line in table.lines:
            for key, _ in table.columns:
                if (figure := line.figures.get(key)) is not None:
                    writer.writerow(_csv_row(table, line, key, figure))
    return whole_characters(file.getvalue())


def _csv_row(table: Table, line: Line, key: str, figure: Figure) -> list[str]:
    numbers = (figure.value, figure.low, figure.high, figure.n)
    against = (line.against, "" if figure.against is None else repr(figure.against))
    standing = figure.standing.value if line.origin is Origin.OURS else ""
    return [
        table.key,
        line.origin.value,
        line.run,
        csv_cell(line.name),
        line.measure,
        line.failures,
        key,
        *("" if number is None else repr(number) for number in numbers),
        *against,
        standing,
    ]


def markdown_text(tables: Sequence[Table]) -> str:
    """Tables with what must be known of each below; intervals stand beside our numbers."""
    return whole_characters("\n".join(part for table in tables for part in _markdown(table)))


def _markdown(table: Table) -> Iterator[str]:
    yield f"### {table.label}: {markdown(table.title)}\n"
    yield "| | " + " | ".join(head_of(key, head) for key, head in table.columns) + " |"
    yield "| --- |" + " ---: |" * len(table.columns)
    for line in table.shown:
        name = markdown(line.name)
        name = f"&nbsp;&nbsp;{name}" if line.is_minor else f"**{name}**" if line.run else name
        cells = [_with_bounds(line.figure(key)) for key, _ in table.columns]
        yield f"| {name} | " + " | ".join(cells) + " |"
    yield ""
    yield from (f"- {markdown(note)}" for note in table.notes)
    yield ""


def _with_bounds(figure: Figure) -> str:
    return " ".join(part for part in (figure.text + MARKS[figure.standing], figure.bounds) if part)


def latex_text(tables: Sequence[Table]) -> str:
    """``table*`` environments that need the package booktabs; our intervals stand below our numbers.

    Scripts beyond Latin need an engine that knows them, such as LuaLaTeX with a font for them.
    """
    lines = [r"% \usepackage{booktabs}"]
    for table in tables:
        lines += _latex(table)
    return whole_characters("\n".join([*lines, ""]))


def _latex(table: Table) -> Iterator[str]:
    yield from (r"\begin{table*}", r"\centering", r"\small", r"\setlength{\tabcolsep}{3.5pt}")
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    heads = [latex(head_of(key, head)) for key, head in table.columns]
    yield r"\toprule"
    yield " & ".join(["", *heads]) + r" \\"
    for group in table.groups:
        yield r"\midrule"
        for line in group:
            yield from _latex_line(table, line)
    yield from (r"\bottomrule", r"\end{tabular}")
    notes = " ".join(note.replace("▲", "an arrow up").replace("▼", "an arrow down") for note in table.notes)
    yield rf"\caption{{{latex(f'{table.title}. {notes}')}}}"
    yield rf"\label{{tab:{table.key}}}"
    yield from (r"\end{table*}", "")


def _latex_line(table: Table, line: Line) -> Iterator[str]:
    figures = [line.figure(key) for key, _ in table.columns]
    name = rf"\quad {latex(line.name)}" if line.is_minor else latex(line.name)
    values = [_latex_number(figure.text) + _LATEX_MARKS.get(figure.standing, "") for figure in figures]
    yield " & ".join([name, *values]) + r" \\"
    if any(figure.bounds for figure in figures):
        bounds = [rf"{{\tiny {_latex_number(figure.bounds)}}}" if figure.bounds else "" for figure in figures]
        yield " & ".join(["", *bounds]) + r" \\"


def _latex_number(text: str) -> str:
    return text if text == "-" else text.replace("-", "$-$").replace("[", "{[}").replace("]", "{]}")


def show(console: Console, tables: Sequence[Table]) -> None:
    """Print tables; intervals stand below our numbers, without decimals where there is little room."""
    from rich.padding import Padding

    plain = "utf" not in console.encoding
    for table in tables:
        console.print(f"{table.label}: {table.title}", style="bold")
        console.print(_rich(table, plain=plain))
        for note in table.notes:
            console.print(Padding(f"- {note}", (0, 0, 0, 2)), style="dim")
        console.print()


def _rich(table: Table, *, plain: bool) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    drawn = RichTable(box=box.ASCII if plain else box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    drawn.add_column("", overflow="fold")
    for key, head in table.columns:
        drawn.add_column(head_of(key, head), justify="right", no_wrap=len(head.split()) < _WIDE, max_width=12)
    marks = _PLAIN_MARKS if plain else MARKS
    for group in table.groups:
        drawn.add_section()
        for line in group:
            figures = [line.figure(key) for key, _ in table.columns]
            name = f"  {line.name}" if line.is_minor else line.name
            style = "bold" if line.run and not line.is_minor else "dim" if line.is_minor else ""
            drawn.add_row(name, *(f.text + marks.get(f.standing, "") for f in figures), style=style)
            if any(figure.bounds for figure in figures):
                drawn.add_row("", *map(_short_bounds, figures), style="dim")
    return drawn


def _short_bounds(figure: Figure) -> str:
    """Whole numbers, since nine columns have little room; of differences, of which few are shown, in full."""
    if figure.low is None or figure.high is None:
        return ""
    if figure.signed:
        return figure.bounds
    return f"{figure.low:.0f}-{figure.high:.0f}"
