"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from agents.errors import UserError
from evals.report import charts
from evals.report.content import detail, raw, row
from evals.report.embedding import packed, safe_json, whole_characters
from evals.report.figures import RunFigures, contrasts, figures, type_name
from evals.report.gathering import Gathered
from evals.report.thumbnails import Strip
from evals.report.why import Why, why
from graphs.durable.files import write_whole

__all__ = ["Page", "render", "write_page"]

_STYLES = ("base.css", "overview.css", "samples.css", "why.css", "print.css")
_SCRIPTS = (
    "data.js",
    "elements.js",
    "list.js",
    "walk.js",
    "trace.js",
    "timeline.js",
    "why.js",
    "sample.js",
    "start.js",
)
_CHUNK = 24  # samples that are unpacked together


@dataclass(frozen=True, slots=True)
class Page:
    """What was written.

    Attributes:
        path: the file.
        size: bytes.
        samples: how many it shows.
        without_frames: samples that have no thumbnails.
    """

    path: Path
    size: int
    samples: int
    without_frames: int


def write_page(gathered: Gathered, strips: Sequence[Strip], path: Path) -> Page:
    """Write the page, whole or not at all.

    Args:
        gathered: what was read.
        strips: the thumbnails of each group.
        path: the file.

    Raises:
        UserError: when it can't be written.
    """
    text = render(gathered, strips)
    save(path, text)
    missing = sum(not strip.pictures for strip in strips)
    return Page(path, len(text.encode()), len(gathered.groups), missing)


def save(path: Path, text: str) -> None:
    """Replace a file as a whole.

    Raises:
        UserError: when it can't be written.
    """
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file to write.")
    try:
        write_whole(path, text)
    except OSError as error:
        raise UserError(f"{path} can't be written: {error.strerror}.") from error


def render(gathered: Gathered, strips: Sequence[Strip]) -> str:
    """The page as text; the same runs and thumbnails give the same text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evals.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"type_name": type_name, "signed": _signed}
    style, script = _joined(_STYLES), _joined(_SCRIPTS)
    runs = [figures(run) for run in gathered.runs]
    names, failing = _type_names(runs), why(gathered)
    text = environment.get_template("page.html").render(
        title=_title(gathered),
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        runs=runs,
        names=names,
        charts=charts,
        contrasts=contrasts(gathered),
        why=failing,
        notices=gathered.notices,
        money_notes=_money_notes(runs),
        has_money=any(run.spent.amount for run in runs),
        samples=len(gathered.groups),
        head=safe_json(_head(gathered, strips, failing)),
        blocks=_blocks(gathered),
        strips=_strips(strips),
    )
    return whole_characters(text)


def _signed(value: float, digits: int = 1) -> str:
    if not round(value, digits):
        return f"{0:.{digits}f}"
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def _title(gathered: Gathered) -> str:
    graphs = list(dict.fromkeys(run.graph for run in gathered.runs))
    models = list(dict.fromkeys(run.model for run in gathered.runs))
    named = ", ".join(graphs[:-1]) + f" and {graphs[-1]}" if len(graphs) > 1 else graphs[0]
    variants = {run.variant for run in gathered.runs if run.variant}
    told = f"{named} with {models[0]}" if len(models) == 1 else f"{named} with {len(models)} models"
    return f"{told}, {len(variants)} settings" if variants else told


def _money_notes(runs: Sequence[RunFigures]) -> list[str]:
    """How to read the column of money."""
    sources = sorted(
        {source for run in runs for source in run.spent.sources if any(run.spent.money.values())}
    )
    unpriced = sorted({model for run in runs for model in run.spent.unpriced})
    notes: list[str] = []
    if sources:
        notes.append(
            f"Money is for the tokens of these records, by the prices of their day ({'; '.join(sources)})."
        )
    if any(run.spent.estimated for run in runs):
        notes.append("≈: a server reported no tokens, and they were counted with tiktoken.")
    if unpriced:
        notes.append(
            f"No price is known for {', '.join(unpriced)}: a file given with --prices to the run tells one."
        )
    return notes


def _type_names(runs: Sequence[RunFigures]) -> list[str]:
    found: dict[str, None] = {}
    for run in sorted(runs, key=lambda run: -len(run.types)):
        found |= dict.fromkeys(row.name for row in run.types)
    return list(found)


def _head(gathered: Gathered, strips: Sequence[Strip], failing: Why | None) -> dict[str, Any]:
    keys = list(dict.fromkeys(strip.key for strip in strips if strip.key))
    places = {key: place for place, key in enumerate(keys)}
    return {
        "chunk": _CHUNK,
        "runs": [
            {"letter": run.letter, "graph": run.label, "model": run.model, "judge": run.judge}
            for run in gathered.runs
        ],
        "rows": [row(group, gathered) for group in gathered.groups],
        "strips": [[places[strip.key], strip.duration] if strip.key else strip.missing for strip in strips],
        **({"kinds": failing.kinds, "styles": charts.STYLES} if failing else {}),
    }


def _blocks(gathered: Gathered) -> Iterator[tuple[str, str]]:
    """(id, packed content): what is read of a chunk of samples, and its raw text apart."""
    for start in range(0, len(gathered.groups), _CHUNK):
        groups = gathered.groups[start : start + _CHUNK]
        number = start // _CHUNK
        yield f"read-{number}", packed([detail(group, gathered) for group in groups])
        yield f"raw-{number}", packed([raw(group, gathered) for group in groups])


def _strips(strips: Sequence[Strip]) -> Iterator[tuple[str, str]]:
    """(id, pictures) of each different strip: seconds and base64, which need no escaping, by commas."""
    met: set[str] = set()
    for strip in strips:
        if strip.key and strip.key not in met:
            yield f"strip-{len(met)}", ",".join(f"{seconds:g}:{data}" for seconds, data in strip.pictures)
            met.add(strip.key)


def _joined(names: Sequence[str]) -> str:
    folder = files("evals.report") / "page"
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def _hash(text: str) -> str:
    """As a Content-Security-Policy names the one script, or style, that may run."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
