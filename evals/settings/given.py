"""From flags, a file and an earlier start to the settings of a run: flag before file before default."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from agents.errors import UserError
from agents.metaphor_types import MetaphorType
from evals.arguments import BUDGETS, CHANGEABLE, LIMITS, given_settings
from evals.output import Output
from evals.settings.config import Config
from evals.settings.dotted import flat, merged, put, taken
from evals.spec import RunFile, RunSpec
from graphs import catalog
from graphs.catalog import check_name
from graphs.idle import idle_flags
from graphs.options import context_of

__all__ = ["spec_of"]

_OF_RUN = ("limit", "epochs", "concurrency", "sample_timeout", "seed")


def spec_of(options: argparse.Namespace, config: Config, saved: RunFile | None, out: Output) -> RunSpec:
    """The settings that a command line asks for.

    With ``--graph`` or ``--config`` they say everything; with ``--run-dir`` alone the run in it goes on as it
    was begun.

    Args:
        options: the parsed flags.
        config: what the file of ``--config`` says.
        saved: what the run directory says, if it says anything.
        out: is told of flags without effect.

    Raises:
        UserError: when a setting can't be used.
    """
    if options.graph is None and options.config is None:
        return _continued(options, saved)
    tree = _layered(config.tree, _from_flags(options))
    if taken(tree, "graph") is None and "graph" not in tree["over"]:
        known = ", ".join(catalog.variants())
        raise UserError(f"{config.name} names no graph, and there is no --graph. Known: {known}.")
    _choose_model(tree, out)
    spec = _spec(tree)
    _look_over(spec, options, out)
    return spec


def _continued(options: argparse.Namespace, saved: RunFile | None) -> RunSpec:
    if saved is None:
        known = ", ".join(catalog.variants())
        raise UserError(f"{options.run_dir} holds no run to continue. To begin one give --graph: {known}.")
    given = given_settings(options)
    if given:
        raise UserError(
            f"{', '.join(given)} without --graph: --run-dir alone continues the run as it was begun. "
            "Leave the flag out, or give the whole command again."
        )
    for cell in saved.spec.cells():  # a run that was read in from published files has no graph
        check_name(cell.spec.graph)
    changed: dict[str, Any] = {**_given(options, _OF_RUN), **_prices(options)}
    context: dict[str, Any] = _given(options, CHANGEABLE)
    context["calls"] = _given(options, LIMITS)
    above = changed | {"context": context, "budget": _given(options, BUDGETS)}
    return _spec(_layered(saved.spec.model_dump(), above))


def _layered(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Settings with others on top; what is set above is no longer varied below."""
    over: dict[str, Any] = dict(above.get("over", {}))
    said = {*over, *(name for name, _ in flat(above) if not name.startswith("over."))}
    old = cast("dict[str, Any]", below.get("over", {}))
    over |= {name: old[name] for name in old if not any(_same(name, other) for other in said)}
    found = merged(below, above)
    prompts = {name: path for tree in (below, above) for name, path in taken(tree, "context.prompts") or ()}
    if prompts:
        put(found, "context.prompts", tuple(prompts.items()))
    return found | {"over": over}


def _same(name: str, other: str) -> bool:
    """Whether one setting is the other, or a part of it."""
    return f"{name}.".startswith(f"{other}.") or f"{other}.".startswith(f"{name}.")


def _from_flags(options: argparse.Namespace) -> dict[str, Any]:
    """What the flags say, and nothing that they don't."""
    tree: dict[str, Any] = {**_given(options, ("dataset", *_OF_RUN)), **_prices(options)}
    if options.type:
        tree["types"] = tuple(dict.fromkeys(MetaphorType.parse(text).value for text in options.type))
    tree |= {"budget": _given(options, BUDGETS), "context": _context(options)}
    lists = {"graph": _several(options.graph), "context.model": _several(options.model)}
    over = {name: values for name, values in lists.items() if values}
    for name in over.get("graph", ()):
        check_name(name)
    return tree | {"over": over}


def _context(options: argparse.Namespace) -> dict[str, Any]:
    told = context_of(options, model="embedded").model_dump(exclude_unset=True)
    del told["model"]
    if options.few_shot is None:
        del told["few_shot"]
    if not (options.tool or options.no_hop_tool):
        del told["tools"]
    if not options.prompt:
        del told["prompts"]
    if not options.reader_fallback:
        del told["frames"]["reader_fallback"]
    if not options.no_cache:
        del told["frames"]["cache"], told["calls"]["cache"]
    return told


def _several(given: Sequence[str] | None) -> tuple[str, ...]:
    """Names with commas between them, or of a flag that was repeated."""
    names = (name.strip() for text in given or () for name in text.split(","))
    return tuple(name for name in names if name)


def _given(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Flags that were given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _prices(options: argparse.Namespace) -> dict[str, str]:
    """The path of one's own prices, whole, since a run may be continued from another folder."""
    return {} if options.prices is None else {"prices": str(Path(options.prices).resolve())}


def _choose_model(tree: dict[str, Any], out: Output) -> None:
    """A model where none is named, and how many samples are in flight where that isn't said."""
    over = tree["over"]
    if taken(tree, "context.model") is None and "context.model" not in over:
        from agents.models import default_model  # only where nobody says which

        model, sentence = default_model(os.environ)
        if sentence:
            out.warn(sentence)
        put(tree, "context.model", model)
    models = over.get("context.model") or (taken(tree, "context.model"),)
    if set(models) == {"embedded"}:
        tree.setdefault("concurrency", 2)  # one model on this machine: more would only wait in line


def _spec(settings: dict[str, Any]) -> RunSpec:
    try:
        return RunSpec.model_validate(settings)
    except ValidationError as error:
        raise UserError("; ".join(map(_fault, error.errors())).removesuffix(".") + ".") from error


def _fault(fault: Any) -> str:
    told = str(fault["msg"]).removeprefix("Value error, ")
    return f"--{str(fault['loc'][-1]).replace('_', '-')}: {told}" if fault["loc"] else told


def _look_over(spec: RunSpec, options: argparse.Namespace, out: Output) -> None:
    """Refuse an unknown graph, and say which flags have no effect and which scores won't compare."""
    said: dict[str, None] = {}
    for cell in spec.cells():
        check_name(cell.spec.graph)
        chosen = argparse.Namespace(**vars(options) | {"graph": cell.spec.graph})
        said |= dict.fromkeys(idle_flags(chosen, cell.spec.context))
    for sentence in said:
        out.warn(sentence)
    judged = spec.context.judge_model is not None or "context.judge_model" in spec.over
    if "context.model" in spec.over and not judged:
        out.warn(
            "Each model judges its own interpretations, so that scores of different models can't be "
            "compared: give --judge-model."
        )
