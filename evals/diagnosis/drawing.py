"""The shares of the four kinds as a picture: for the report, or as a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.diagnosis.figures import KINDS, PAPER, RunFigures
from evals.diagnosis.reading import DiagnosedRun
from evals.report.charts import DeficiencyBar, deficiencies
from graphs.durable.files import write_whole

__all__ = ["bar_of", "bars_of_paper", "write_svg"]

_STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #1d2430; } .tick { fill: #565e6b; font-size: 12px; }
.strong, .value { font-weight: 650; } .on { fill: #fff; font-weight: 700; font-size: 12px; }
.track { fill: #edeae2; } .s0 { fill: #b4430d; } .s1 { fill: #39424f; } .s2 { fill: #7b828c; }
.s4 { fill: #c3c1b6; }
</style>"""
_SPACE = 'xmlns="http://www.w3.org/2000/svg"'


def bar_of(name: str, figures: RunFigures) -> DeficiencyBar:
    """A run's bar."""
    row = figures.overall
    shares = tuple(each.share for each in row.kinds if each.share is not None)
    mean = "not diagnosed" if row.total.mean is None else f"{row.total.mean:.2f} a sample, n = {row.videos}"
    return DeficiencyBar(name, shares, f"{mean} (proxy)" if figures.proxies else mean)


def bars_of_paper() -> list[DeficiencyBar]:
    """The bars of the paper's Table 3."""
    return [DeficiencyBar(name, shares, "paper, Table 3") for name, shares in PAPER.items()]


def write_svg(path: Path, runs: Sequence[DiagnosedRun]) -> None:
    """Draw runs, and the paper's models below them, into a file.

    Raises:
        OSError: when it can't be written.
    """
    rows = [*(bar_of(run.run.name, run.figures) for run in runs), *bars_of_paper()]
    drawn = str(deficiencies(rows, [kind.label for kind in KINDS]))
    head, _, rest = drawn.partition(">")
    write_whole(path, f"{head.replace('<svg', f'<svg {_SPACE}', 1)}>{_STYLE}{rest}\n")
