"""``sweep.html``: plot and table of a sweep on one page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from evals.report.charts.svg import series
from evals.report.embedding import whole_characters
from evals.statistics import Score
from evals.sweeping.drawing import draw, scale_of
from evals.sweeping.panels import panels_of
from evals.sweeping.results import Results
from evals.sweeping.tables import caption, cell_words, grid_of
from graphs.durable.files import write_whole

__all__ = ["render", "write_page"]


def write_page(results: Results, score: Score, path: Path) -> None:
    """Write the page, whole or not at all.

    Args:
        results: of the sweep.
        score: what is drawn.
        path: the file.

    Raises:
        OSError: when it can't be written.
    """
    write_whole(path, render(results, score))


def render(results: Results, score: Score = "loose") -> str:
    """The page as text; the same results give the same text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evals.sweeping", "sheet"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = _text("evals.report", "page/base.css") + _text("evals.sweeping", "sheet/sweep.css")
    panels, factor, told = panels_of(results)
    scale = scale_of(results.cells, score)
    context = results.spec.context
    text = environment.get_template("sweep.html").render(
        title=", ".join(results.file.word(name) for name in results.file.factors),
        lede=f"{_graphs(results)} with {_models(results)}, judged by {context.model_for('judge')}, "
        f"on {results.spec.dataset}.",
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        score=score,
        base=cell_words(results, results.base.chosen),
        factor=factor,
        series=[(series(place), words) for place, words in enumerate(told)],
        shared=any(panel.shared for panel in panels),
        levels=any(each.level for panel in panels for each in panel.lines),
        panels=[(panel.title, draw(panel, scale, score, results.base.name, told)) for panel in panels],
        grid=grid_of(results, score),
        base_name=results.base.name,
        cells=results.cells,
        notes=caption(results, score),
    )
    return whole_characters(text)


def _graphs(results: Results) -> str:
    return " and ".join(map(str, results.file.factors.get("graph", (results.spec.graph,))))


def _models(results: Results) -> str:
    return " and ".join(map(str, results.file.factors.get("context.model", (results.spec.context.model,))))


def _text(package: str, name: str) -> str:
    return (files(package) / name).read_text(encoding="utf-8")
