"""From what is varied to cells: combinations that are the same run are one, and names stay as they are."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from agents.errors import UserError
from evals.settings.dotted import put, taken
from evals.settings.naming import cell_names, words_of
from evals.settings.variation import MOST_CELLS
from evals.spec import Cell, RunSpec
from evals.sweeping.effect import FEW_SHOT, idle, own_few_shot
from evals.sweeping.saved import SavedCell, SweepFile

__all__ = ["Design", "design_of", "setting"]


@dataclass(frozen=True, slots=True)
class Design:
    """The cells of a sweep.

    Attributes:
        spec: settings that cells share; what is varied in them has the value that it has by default.
        file: what is varied, with every cell that the sweep has had.
        asked: names of the cells that are asked for now.
        combinations: how many were asked for before those that are the same run were put together.
    """

    spec: RunSpec
    file: SweepFile
    asked: frozenset[str]
    combinations: int

    def cells(self) -> tuple[Cell, ...]:
        """Every cell with its settings."""
        names = self.file.factors
        return tuple(
            Cell(cell.name, _set(self.spec, _filled(cell.chosen, names)), dict(cell.chosen))
            for cell in self.file.cells
        )

    def base(self) -> SavedCell:
        """What cells are compared with.

        Raises:
            UserError: when none has the values that were named.
        """
        return base_of(self.file, self.spec)


def design_of(spec: RunSpec, asked: SweepFile, before: SweepFile | None = None) -> Design:
    """Lay a sweep out.

    Args:
        spec: settings that cells share.
        asked: what is varied now; its cells are not looked at.
        before: what the sweep's directory says; its cells keep their names and stay.

    Raises:
        UserError: when there is nothing to vary, too much, or a combination can't be.
    """
    if not asked.factors:
        raise UserError(
            "Nothing is varied: give --over NAME=VALUE,VALUE, as in --over retrieval.limit=0,5,10."
        )
    found: dict[str, dict[str, Any]] = {}
    combinations: set[str] = set()
    pinned = {
        name: setting(spec, name) for name in (before.factors if before else ()) if name not in asked.factors
    }
    for varied in _combinations(spec, asked):
        chosen = pinned | varied
        combinations.add(_key(chosen))
        effective = _effective(spec, chosen)
        found.setdefault(_key(effective), effective)
        if len(found) > MOST_CELLS:
            raise UserError(
                f"These are more than {MOST_CELLS} runs, too many for one sweep: vary less, or "
                "give --one-at-a-time."
            )
    asked = asked.model_copy(update={"factors": _united(asked, before)})
    names = _earlier(spec, asked, before)
    every = _names(spec, asked, found, {key: cell.name for key, cell in names.items()})
    chosen = {key: cell.chosen for key, cell in names.items()} | found
    order = _order(asked)
    cells = [
        SavedCell(name=every[key], chosen=chosen[key])
        for key in sorted(every, key=lambda k: order(chosen[k]))
    ]
    file = asked.model_copy(update={"cells": tuple(cells)})
    base_of(file, spec)
    return Design(spec, file, frozenset(every[key] for key in found), len(combinations))


def setting(spec: RunSpec, name: str) -> Any:
    """The value of a setting, worked examples as the wiring shows them."""
    if name == FEW_SHOT:
        return own_few_shot(spec)
    return taken(_plain(spec), name)


def _plain(spec: RunSpec) -> dict[str, Any]:
    """Settings as a file holds them."""
    return spec.model_dump(mode="json")


def _united(asked: SweepFile, before: SweepFile | None) -> dict[str, tuple[Any, ...]]:
    """Every value of each setting, those that there were first."""
    found = dict(before.factors) if before else {}
    for name, values in asked.factors.items():
        old = found.get(name, ())
        found[name] = (*old, *(value for value in values if value not in old))
    return found


def base_of(file: SweepFile, spec: RunSpec) -> SavedCell:
    """What cells of a sweep are compared with: see :meth:`Design.base`."""
    named = dict(file.base)
    for name in [each for each in named if each not in file.factors]:
        if setting(spec, name) != named.pop(name):
            raise UserError(
                f"--base {file.word(name)}: it is not varied, and is {words_of(setting(spec, name))}."
            )
    for name, value in named.items():
        if value not in (*file.factors[name], *(cell.chosen.get(name) for cell in file.cells)):
            told = ", ".join(map(words_of, file.factors[name]))
            raise UserError(f"--base {file.word(name)}: the sweep has no {words_of(value)}; it has {told}.")
    own = {name: setting(spec, name) for name in file.factors if name not in named}
    first = {name: values[0] for name, values in file.factors.items() if name not in named}
    tries = (named | own, *(named | {**own, **dict(part)} for part in _parts(first)))
    for wanted in tries:
        for cell in file.cells:
            if all(
                cell.chosen.get(name, value) == value for name, value in _known(wanted, cell, spec).items()
            ):
                return cell
    if not named:
        return file.cells[0]
    told = ", ".join(f"{file.word(name)} {words_of(value)}" for name, value in named.items())
    raise UserError(f"--base: the sweep has no cell with {told}; sweep.json lists those that it has.")


def _parts(first: Mapping[str, Any]) -> Iterator[list[tuple[str, Any]]]:
    """The first values of one factor, then of more, at last of all: the default isn't among theirs."""
    for size in range(1, len(first) + 1):
        yield from map(list, itertools.combinations(first.items(), size))


def _known(wanted: Mapping[str, Any], cell: SavedCell, spec: RunSpec) -> dict[str, Any]:
    """Values as this cell's wiring has them: null for worked examples stands for what it shows itself."""
    if FEW_SHOT not in wanted or wanted[FEW_SHOT] is not None:
        return dict(wanted)
    graph = cell.chosen.get("graph", spec.graph)
    return {**wanted, FEW_SHOT: own_few_shot(_set(spec, {"graph": graph, FEW_SHOT: None}))}


def _combinations(spec: RunSpec, asked: SweepFile) -> Iterator[dict[str, Any]]:
    factors = asked.factors
    if not asked.one_at_a_time:
        for values in itertools.product(*factors.values()):
            yield dict(zip(factors, values, strict=True))
        return
    around = {name: asked.base.get(name, setting(spec, name)) for name in factors}
    yield around
    for name, values in factors.items():
        for value in values:
            yield {**around, name: value}


def _effective(spec: RunSpec, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What counts of a combination."""
    whole = _set(spec, chosen)
    without = idle(whole)
    found = {name: value for name, value in chosen.items() if name not in without}
    if FEW_SHOT in found:
        found[FEW_SHOT] = own_few_shot(whole)
    return found


def _set(spec: RunSpec, chosen: Mapping[str, Any]) -> RunSpec:
    tree = spec.model_dump(exclude={"over"})
    for name, value in chosen.items():
        put(tree, name, value)
    try:
        return RunSpec.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]).removeprefix("context.")
        told = str(first["msg"]).removeprefix("Value error, ")
        raise UserError(f"--over {name}: {told} (given: {first['input']!r}).") from error


def _filled(chosen: Mapping[str, Any], names: Mapping[str, object]) -> dict[str, Any]:
    """What is left out has no effect: it has its default, so that values that come later change nothing."""
    usual = _plain(RunSpec(graph="any"))
    return {name: chosen[name] if name in chosen else taken(usual, name) for name in names}


def _key(chosen: Mapping[str, Any]) -> str:
    return json.dumps({name: chosen[name] for name in sorted(chosen)}, default=str)


def _earlier(spec: RunSpec, asked: SweepFile, before: SweepFile | None) -> dict[str, SavedCell]:
    """The cells that there were, by what counts of them; what is varied from now on had its default."""
    found: dict[str, SavedCell] = {}
    for cell in before.cells if before else ():
        new = {n: taken(_plain(spec), n) for n in asked.factors if before and n not in before.factors}
        chosen = _effective(spec, dict(cell.chosen) | new) if new else dict(cell.chosen)
        found[_key(chosen)] = SavedCell(name=cell.name, chosen=chosen)
    return found


def _names(
    spec: RunSpec, asked: SweepFile, found: Mapping[str, dict[str, Any]], kept: Mapping[str, str]
) -> dict[str, str]:
    """A name for each cell, of what counts of it; those that have one keep it."""
    names, taken_names = dict(kept), {name.casefold() for name in kept.values()}
    fixed = {"graph": spec.graph, "context.model": spec.context.model}
    pool: dict[str, list[Any]] = {name: list(values) for name, values in asked.factors.items()}
    for chosen in found.values():
        for name, value in chosen.items():
            if value not in pool[name]:
                pool[name].append(value)
    for key, chosen in found.items():
        if key in names:
            continue
        over = {name: pool[name] for name in pool if name in chosen}
        places = tuple(over[name].index(chosen[name]) for name in over)
        names[key] = _new(cell_names(over, fixed)[places], taken_names)
    return names


def _new(name: str, taken_names: set[str]) -> str:
    found, number = name or "cell", 1
    while found.casefold() in taken_names:
        number += 1
        found = f"{name}-{number}"
    taken_names.add(found.casefold())
    return found


def _order(asked: SweepFile) -> Callable[[Mapping[str, Any]], tuple[tuple[int, float], ...]]:
    """Cells by the places of their values; numbers by size, and what a cell can't have comes last."""

    def places(chosen: Mapping[str, Any]) -> tuple[tuple[int, float], ...]:
        return tuple(_place(chosen, name, values) for name, values in asked.factors.items())

    return places


def _place(chosen: Mapping[str, Any], name: str, values: Sequence[Any]) -> tuple[int, float]:
    if name not in chosen:
        return 2, 0.0
    value = chosen[name]
    if all(_is_number(each) for each in (*values, value)):
        return 0, float(value)
    return (0, float(values.index(value))) if value in values else (1, 0.0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
