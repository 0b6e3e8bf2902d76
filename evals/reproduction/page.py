"""The tables, and Figure 5, as one page that opens from disk and needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from markupsafe import Markup

from evals.report.charts import Dot, Rung, ladder, web
from evals.report.charts.svg import series
from evals.report.embedding import whole_characters
from evals.report.figures import type_name
from evals.reproduction.formats import MARKS, head_of
from evals.reproduction.published import TYPES, Published
from evals.reproduction.runs import Ours
from evals.reproduction.tables import Line, Table
from evals.statistics import ALL

__all__ = ["page_text"]

_STYLES = (("evals.report", "base.css"), ("evals.report", "overview.css"), ("evals.reproduction", "page.css"))


@dataclass(frozen=True, slots=True)
class _Web:
    """Figure 5 of one run.

    Attributes:
        run: whose shape it is.
        style: class of its badge.
        against: the published row whose shape is dashed; empty for none.
        drawing: the picture; None with fewer than three types.
    """

    run: Ours
    style: str
    against: str
    drawing: Markup | None


def page_text(runs: Sequence[Ours], tables: Sequence[Table], known: Published) -> str:
    """The page; the same runs give the same text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evals.reproduction", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = "".join((files(room) / "page" / name).read_text(encoding="utf-8") for room, name in _STYLES)
    scores = next((table for table in tables if table.key == "table2"), None)
    mains = _mains(scores) if scores else {}
    text = environment.get_template("page.html").render(
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        runs=runs,
        tables=tables,
        marks=MARKS,
        head_of=head_of,
        webs=_webs(runs, mains),
        ladder=_ladder(runs, mains, known) if mains else None,
        peers=[(number, row) for number, row in enumerate(known.systems, 1)],
        source=known.sources["paper"],
        type_name=type_name,
    )
    return whole_characters(text)


def _mains(table: Table) -> dict[str, Line]:
    """The first line of each run."""
    return {line.run: line for line in table.lines if line.run and not line.is_minor}


def _webs(runs: Sequence[Ours], mains: dict[str, Line]) -> list[_Web]:
    found: list[_Web] = []
    for place, run in enumerate(runs):
        line = mains.get(run.letter)
        if line is None:
            continue
        rival = run.counterpart if run.counterpart and run.counterpart.types else None
        own = {key: value for key in TYPES if (value := line.figure(key).value) is not None}
        others = [rival.scores] if rival else []
        told = f"Loose score by type of run {run.letter}"
        drawing = web(own, others, TYPES, told=told, style=series(place))
        found.append(_Web(run, series(place), rival.name if rival else "", drawing))
    return found


def _ladder(runs: Sequence[Ours], mains: dict[str, Line], known: Published) -> Markup:
    rungs: list[Rung] = []
    for key in (*TYPES, ALL):
        others = tuple(
            Dot(str(number), row.name, row.scores[key])
            for number, row in enumerate(known.systems, 1)
            if key in row.scores
        )
        own: list[Dot] = []
        for run in runs:
            figure = mains[run.letter].figure(key)
            if figure.value is not None:
                own.append(Dot(run.letter, run.name, figure.value, figure.low, figure.high))
        rungs.append(Rung(type_name(key), others, tuple(own)))
    return ladder(rungs, "Loose scores by type, published and ours, with 95 % intervals")
