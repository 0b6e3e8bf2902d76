"""Agreement as a page: one HTML file that needs nothing else, and runs no script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files

from evals.judging.agreeing import Agreed
from evals.judging.agreement_tables import confusion_grid, figure_grid, reading, type_grid
from evals.judging.charts import bland_altman, scatter
from evals.judging.matching import Matched
from evals.report.embedding import whole_characters

__all__ = ["render_agreement"]


def render_agreement(matched: Matched, rows: Sequence[Agreed]) -> str:
    """The page as text: two pictures, the figures, and how to read them.

    Args:
        matched: the scores.
        rows: of the figures, the overall one last.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evals.judging", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    top = 10.0 if matched.humans.scale == "loose" else 1.0
    style = _style()
    row = rows[-1]
    text = environment.get_template("agreement.html").render(
        judge=matched.judged.judge,
        name=matched.judged.name,
        videos=row.videos,
        raters=matched.humans.raters,
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        scatter=scatter(matched.units, top),
        bland_altman=bland_altman(matched.units, top),
        figures=figure_grid(row),
        confusion=confusion_grid(row.confusion) if row.confusion else None,
        types=type_grid(rows) if len(rows) > 1 else None,
        reading=reading(matched, rows),
    )
    return whole_characters(text)


def _style() -> str:
    """The report's own colours and type, and what charts need."""
    base = (files("evals.report") / "page" / "base.css").read_text(encoding="utf-8")
    return base + (files("evals.judging") / "page" / "agreement.css").read_text(encoding="utf-8")
