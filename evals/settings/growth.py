"""Going on with a run of several cells: what may be added to it, and what is left out this time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from agents.errors import UserError
from evals.settings.dotted import taken
from evals.spec import RunSpec

__all__ = ["grown"]

_MAY_COME = ("graph", "context.model")
"""Settings that may be varied from now on: they are part of every cell's name."""


def grown(run_dir: str, saved: RunSpec, asked: RunSpec) -> tuple[RunSpec, frozenset[str] | None]:
    """The settings of a run that goes on, and which of its cells are asked for.

    Values may be added to what is varied: that alters no record. When some are left out, the run keeps them,
    and they are not run this time.

    Args:
        run_dir: of the run, as it was named.
        saved: what it was begun with.
        asked: what is asked for now.

    Returns:
        The run's settings, with every value; and names of the cells asked for, None for all.

    Raises:
        UserError: when values are added and left out at once, when another setting is to be varied, or when
            the directory holds a run of one cell.
    """
    if not saved.over:
        if asked.over:
            raise UserError(
                f"{run_dir} holds a single run, of {saved.graph} with {saved.context.model}: several go to a "
                "directory of their own. Give another --run-dir; answers that were kept cost nothing there."
            )
        return asked, None
    before, now = _values(saved, asked, run_dir)
    added = [name for name in now if _missing(now[name], before[name])]
    dropped = {name: _missing(before[name], now[name]) for name in now}
    if added and any(dropped.values()):
        left = "; ".join(
            f"{name} {', '.join(map(str, values))}" for name, values in dropped.items() if values
        )
        raise UserError(
            f"{run_dir} has more than this command names, and less: to add to it name all that it has, too "
            f"(missing: {left.replace('context.', '')}), or give another --run-dir."
        )
    over = {name: (*before[name], *_missing(now[name], before[name])) for name in before}
    whole = RunSpec.model_validate(asked.model_dump(exclude={"over"}) | {"over": over})
    lost = {cell.name for cell in saved.cells()} - {cell.name for cell in whole.cells()}
    if lost:
        raise UserError(
            f"{run_dir} has parts that would be called otherwise ({', '.join(sorted(lost))}): give another "
            "--run-dir."
        )
    return whole, _names(whole, now) if any(dropped.values()) else None


def _values(
    saved: RunSpec, asked: RunSpec, run_dir: str
) -> tuple[dict[str, tuple[Any, ...]], dict[str, tuple[Any, ...]]]:
    """What is varied by either, with the values of both."""
    settings = [spec.model_dump(mode="json") for spec in (saved, asked)]
    names = dict.fromkeys([*saved.over, *asked.over, *_MAY_COME])
    for name in names:
        if name not in saved.over and name not in _MAY_COME:
            raise UserError(
                f"{run_dir} does not vary {name.removeprefix('context.')}, so that its parts are named "
                "without it: give another --run-dir."
            )
    before, now = (
        {name: spec.over.get(name, (taken(tree, name),)) for name in names}
        for spec, tree in zip((saved, asked), settings, strict=True)
    )
    return before, now


def _missing(values: Sequence[Any], there: Sequence[Any]) -> list[Any]:
    return [value for value in values if value not in there]


def _names(whole: RunSpec, asked: dict[str, tuple[Any, ...]]) -> frozenset[str]:
    """Names of the cells whose values are all asked for."""
    varied = {name: values for name, values in asked.items() if name in whole.over}
    wanted = [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]
    return frozenset(cell.name for cell in whole.cells() if cell.chosen in wanted)
