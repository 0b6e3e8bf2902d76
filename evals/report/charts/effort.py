"""Score against what it took: tokens, or money where records tell it. A dot a sample, a mark a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evals.report.charts.svg import circle, line, path, picture, series, text
from evals.report.figures import RunFigures, loose_of
from evals.report.gathering import Run
from evals.report.spending import spent_by
from evals.store.records import RunRecord

__all__ = ["Effort", "common_currency", "effort"]

_WIDTH, _HEIGHT = 372, 290
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 14, 22, 40


@dataclass(frozen=True, slots=True)
class Effort:
    """What is laid along the axis.

    Attributes:
        title: of the axis.
        of: the amount of one record.
        spoken: an amount as a label.
    """

    title: str
    of: Callable[[Run, RunRecord], float]
    spoken: Callable[[float], str]


def effort(runs: Sequence[RunFigures]) -> Markup:
    """Loose scores over money if that of all runs is known, in one currency, else over tokens.

    The axis is logarithmic.
    """
    currency = common_currency(runs)
    chosen = _money(currency) if currency else _TOKENS
    dots = [_dots(run, chosen) for run in runs]
    amounts = [amount for cloud in dots for amount, _ in cloud if amount > 0]
    scale = _Scale(min(amounts, default=1), max(amounts, default=10))
    parts = _axes(scale, chosen)
    for place, cloud in enumerate(dots):
        drawn = "".join(f"M{scale(x):.1f} {_y(y):.1f}h0" for x, y in _spread(cloud))
        parts.append(path(drawn, f"dots {series(place)}"))
    for place, run in enumerate(runs):
        parts += _mark(run, place, scale, dots[place])
    told = "; ".join(
        f"{run.run.letter} {run.overall.loose.mean:.1f} at {chosen.spoken(_mean(cloud))}"
        for run, cloud in zip(runs, dots, strict=True)
    )
    return picture(_WIDTH, _HEIGHT, f"Loose score against {chosen.title}. {told}", parts)


class _Scale:
    """From an amount to a place, by its logarithm."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = math.log10(low) - 0.06, math.log10(high) + 0.06

    def __call__(self, amount: float) -> float:
        share = (math.log10(max(amount, 10**self.low)) - self.low) / (self.high - self.low)
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share

    def ticks(self) -> list[float]:
        """Round amounts within the scale, not too many."""
        steps = (1, 2, 5) if self.high - self.low < 2.2 else (1,)  # noqa: PLR2004 - two decades
        powers = range(math.floor(self.low), math.ceil(self.high) + 1)
        found = [step * 10.0**power for power in powers for step in steps]
        return [tick for tick in found if self.low <= math.log10(tick) <= self.high]


def _dots(run: RunFigures, chosen: Effort) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for records in run.run.epochs().values():
        amount = sum(chosen.of(run.run, record) for record in records) / len(records)
        found.append((amount, loose_of(records) or 0.0))
    return found


def _spread(cloud: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Scores are few: dots are moved a little up or down, always the same, so that they can be told apart."""
    return [(x, y + ((i * 0.618034) % 1 - 0.5) * 5) for i, (x, y) in enumerate(cloud) if x > 0]


def _axes(scale: _Scale, chosen: Effort) -> list[Markup]:
    parts: list[Markup] = []
    for score in (0, 25, 50, 75, 100):
        parts.append(line((_LEFT, _y(score)), (_WIDTH - _RIGHT, _y(score)), "grid"))
        parts.append(text(_LEFT - 6, _y(score) + 4, score, "tick", "end"))
    for tick in scale.ticks():
        x = scale(tick)
        parts.append(line((x, _y(0)), (x, _y(0) + 4), "axis"))
        parts.append(text(x, _y(0) + 17, chosen.spoken(tick), "tick", "middle"))
    parts.append(text(_WIDTH - _RIGHT, _HEIGHT - 4, chosen.title, "tick", "end"))
    return parts


def _mark(run: RunFigures, place: int, scale: _Scale, cloud: Sequence[tuple[float, float]]) -> list[Markup]:
    score = run.overall.loose
    x, y = scale(_mean(cloud)), _y(score.mean)
    parts: list[Markup] = []
    if score.low is not None and score.high is not None:
        parts.append(line((x, _y(score.low)), (x, _y(score.high)), f"span {series(place)}"))
    parts.append(circle((x, y), 9, f"mark {series(place)}"))
    parts.append(text(x, y + 4, run.run.letter, "on", "middle"))
    return parts


def _mean(cloud: Sequence[tuple[float, float]]) -> float:
    return sum(x for x, _ in cloud) / len(cloud) if cloud else 0.0


def _y(score: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - score / 100)


def _tokens(amount: float) -> str:
    if amount >= 1e6:  # noqa: PLR2004
        return f"{amount / 1e6:.3g}M"
    return f"{amount / 1e3:.3g}k" if amount >= 1e3 else f"{amount:.3g}"  # noqa: PLR2004


def common_currency(runs: Sequence[RunFigures]) -> str:
    """The currency that all runs were paid in; empty where a price is unknown, or a run was free."""
    found = {run.spent.currency for run in runs}
    return found.pop() if len(found) == 1 else ""


def _money(currency: str) -> Effort:
    def of(run: Run, record: RunRecord) -> float:
        return spent_by([record], run.prices).amount or 0.0

    return Effort(f"{currency} a sample", of, lambda amount: f"{amount:.3g}")


_TOKENS = Effort("tokens a sample", lambda _run, record: float(record.usage.total_tokens), _tokens)
