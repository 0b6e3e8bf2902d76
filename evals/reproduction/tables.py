"""Tables as they are laid out, whatever they are written as."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evals.statistics import Estimate

__all__ = ["NOTHING", "Figure", "Line", "Origin", "Standing", "Table", "standing"]


class Origin(StrEnum):
    """Whose number it is."""

    PUBLISHED = "published"
    OURS = "ours"


class Standing(StrEnum):
    """How ours stands to the published number."""

    ABOVE = "above"
    """The whole of our interval lies above it."""
    BELOW = "below"
    """The whole of our interval lies below it."""
    WITHIN = "within"
    """Our interval holds it."""
    OPEN = "open"
    """There is no interval, or nothing to hold it against."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a table.

    Attributes:
        value: None where there is none.
        low: of its 95 % interval; None where there is none.
        high: likewise.
        n: videos that it is of; None where that isn't told.
        against: the published number that it is held against.
        standing: how it stands to that.
        digits: decimals that are shown.
        signed: a difference, shown with its sign.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    against: float | None = None
    standing: Standing = Standing.OPEN
    digits: int = 1
    signed: bool = False

    @property
    def text(self) -> str:
        """The number alone."""
        return "-" if self.value is None else self._shown(self.value)

    @property
    def bounds(self) -> str:
        """``[40.0, 62.5]``; empty without an interval."""
        if self.low is None or self.high is None:
            return ""
        return f"[{self._shown(self.low)}, {self._shown(self.high)}]"

    @property
    def is_outside(self) -> bool:
        """Whether the published number lies outside our interval."""
        return self.standing in (Standing.ABOVE, Standing.BELOW)

    def _shown(self, value: float) -> str:
        shown = f"{value:{'+' if self.signed else ''},.{self.digits}f}"
        return shown.lstrip("+-") if not float(shown.replace(",", "")) else shown


NOTHING = Figure(None)


@dataclass(frozen=True, slots=True)
class Line:
    """A row.

    Attributes:
        name: what its head says.
        origin: whose it is.
        figures: by the column's key; a missing one is shown as nothing.
        measure: what is measured, for programs (``loose``, ``strict``, ``seconds``, ...).
        failures: how samples without a score count (``zero`` or ``excluded``); empty where it has no meaning.
        against: the published row it is held against; empty for none.
        run: letter of the run; empty for a published row.
        is_minor: a second measure of the row above.
        is_spare: says the same as another row: programs get it, people don't.
    """

    name: str
    origin: Origin
    figures: dict[str, Figure]
    measure: str = ""
    failures: str = ""
    against: str = ""
    run: str = ""
    is_minor: bool = False
    is_spare: bool = False

    def figure(self, column: str) -> Figure:
        """The number of a column."""
        return self.figures.get(column, NOTHING)


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the paper, with ours in it.

    Attributes:
        key: short name, for files and programs.
        label: ``Table 2``.
        title: what it is of.
        columns: (key, head) of the columns after the first.
        lines: rows, the published first.
        notes: what a reader must know.
    """

    key: str
    label: str
    title: str
    columns: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> list[Line]:
        """Rows for people."""
        return [line for line in self.lines if not line.is_spare]

    @property
    def groups(self) -> list[list[Line]]:
        """Rows in blocks that a rule separates: a change of origin, or of the run."""
        found: list[list[Line]] = []
        for line in self.shown:
            if not found or (found[-1][-1].origin, found[-1][-1].run) != (line.origin, line.run):
                found.append([])
            found[-1].append(line)
        return found


def standing(estimate: Estimate, published: float | None) -> Figure:
    """Our mean beside a published number, which is taken as exact since nothing is known of its spread.

    An interval that resampling could not vary (all videos have one value) proves nothing, and none is shown.
    """
    interval = estimate.interval
    if interval is None or interval.flat:
        return Figure(estimate.mean, n=estimate.n, against=published)
    found = Standing.OPEN
    if published is not None:
        below, above = interval.high < published, interval.low > published
        found = Standing.BELOW if below else Standing.ABOVE if above else Standing.WITHIN
    return Figure(estimate.mean, interval.low, interval.high, estimate.n, published, found)
