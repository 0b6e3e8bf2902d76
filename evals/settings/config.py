"""Settings of a run from a file: YAML as people write it, or the ``run.json`` of an earlier run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ValidationError

from agents.errors import UserError
from evals.settings.dotted import full_name, nearest, put, taken
from evals.settings.lines import UNMADE, Lines, lines_of
from evals.settings.paths import placed
from evals.settings.variation import varied
from evals.spec import RunFile, RunSpec
from graphs.catalog import check_name

__all__ = ["Config", "read_config"]

_SEVERAL = {"graph": "graph", "model": "context.model"}
"""Settings for which a list means several, one after the other."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a file says; empty where no file was given.

    Attributes:
        name: the file as it was named.
        tree: its settings, laid out as those of :class:`RunSpec`; what it does not say is not there.
        digest: of the data set that a saved run met; empty where the file is none.
        fingerprint: hashes of graph, prompts and knowledge that it met.
    """

    name: str = ""
    tree: dict[str, Any] = field(default_factory=dict[str, Any])
    digest: str = ""
    fingerprint: dict[str, Any] = field(default_factory=dict[str, Any])

    def changed(self, digest: str, fingerprint: Mapping[str, str]) -> list[str]:
        """What a saved run met and a repetition of it does not, by name."""
        found = ["the content of its data set"] if self.digest and self.digest != digest else []
        hashes = self.fingerprint.items()
        return [*found, *(name for name, value in hashes if fingerprint.get(name, value) != value)]


def read_config(path: Path) -> Config:
    """Read settings, at the top level or as ``spec`` of a saved run.

    Settings of the run (``graph``, ``limit``) and of its context (``model``, ``retrieval: {limit: 10}``)
    stand side by side. A list for ``graph`` or ``model`` means several. Relative paths are relative to the
    file; those of a saved run to where it was begun.

    Args:
        path: of the file; or the directory of an earlier run.

    Raises:
        UserError: when it can't be read, or a setting is unknown, said twice or out of its range: it names
            the file, the line and the key.
    """
    path = path / "run.json" if path.is_dir() else path
    given, lines = _parsed(path)
    base = path.parent
    digest, met = given.get("dataset_digest"), given.get("fingerprint")
    if "spec" in given:
        given, base, lines = _of_saved_run(path, given, lines)
    reading = _Reading(str(path), lines)
    tree = reading.laid_out(given)
    placed(tree, base)
    reading.check(tree)
    hashes = cast("dict[str, Any]", met) if isinstance(met, dict) else {}
    return Config(str(path), tree, str(digest or ""), hashes)


def _parsed(path: Path) -> tuple[dict[str, Any], Lines]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text ({error.reason} at byte {error.start}).") from error
    except OSError as error:
        raise UserError(f"--config {path} can't be read: {error.strerror}.") from error
    lines = lines_of(text, str(path), is_json=path.suffix == ".json")
    try:
        given = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}, line {error.lineno}: it is no JSON: {error.msg}.") from error
    except yaml.YAMLError as error:  # what can be composed may still hold a tag that nothing is made of
        raise UserError(f"{path} can't be read: {' '.join(str(error).split())}.") from error
    except UNMADE as error:
        raise UserError(f"{path} holds a value that can't be made: {_first_of(error)}.") from error
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise UserError(f"{path} should hold settings, as in `graph: boost`, and not {type(given).__name__}.")
    return {str(key): value for key, value in cast("dict[object, Any]", given).items()}, lines


def _of_saved_run(path: Path, given: dict[str, Any], lines: Lines) -> tuple[dict[str, Any], Path, Lines]:
    """The settings of a saved run, and where its paths start."""
    strange = next((key for key in given if key not in RunFile.model_fields), None)
    if strange is not None:
        raise UserError(
            f"{path}{_line(lines, (strange,))}: {strange!r} stands beside spec, which holds all settings of "
            "a saved run: move it in there, or take spec away and keep its settings."
        )
    spec, folder = given["spec"], given.get("folder")
    if not isinstance(spec, dict):
        raise UserError(f"{path}{_line(lines, ('spec',))}: spec should hold the settings of a run.")
    base = Path(str(folder)) if folder else Path()
    if base.resolve() == Path.cwd():
        base = Path()
    inner = {where[1:]: line for where, line in lines.items() if where[0] == "spec"}
    return cast("dict[str, Any]", spec), base if base.is_dir() else Path(), inner


def _first_of(error: Exception) -> str:
    """The first sentence of an error's words: what may follow is meant for programmers."""
    return str(error).partition(";")[0].removesuffix(".")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


def _line(lines: Lines, where: tuple[str, ...]) -> str:
    """`, line 3` of a setting, or of what holds it; empty where neither is known."""
    while where and where not in lines:
        where = where[:-1]
    return f", line {lines[where]}" if where else ""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A file that is being read: its name, and the line of each key."""

    name: str
    lines: Lines

    def fail(self, where: tuple[str, ...], why: str) -> UserError:
        """An error that names file and line."""
        return UserError(_sentence(f"{self.name}{_line(self.lines, where)}: {why}"))

    def laid_out(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Settings as :class:`RunSpec` lays them out."""
        tree: dict[str, Any] = {}
        over = self._over(given.get("over") or {}, ("over",))
        for key, value in given.items():
            if key == "over":
                continue
            if key == "context" and isinstance(value, dict):
                for inner, each in cast("dict[str, Any]", value).items():
                    self._take(tree, over, (key, str(inner)), each)
            else:
                self._take(tree, over, (key,), value)
        return tree | ({"over": over} if over else {})

    def _over(self, given: object, where: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
        try:
            return varied(given, RunSpec)
        except ValueError as error:
            raise self.fail(where, str(error)) from error

    def _take(
        self, tree: dict[str, Any], over: dict[str, tuple[Any, ...]], where: tuple[str, ...], value: Any
    ) -> None:
        name = self._full(where)
        if taken(tree, name) is not None:
            raise self.fail(where, f"{name.removeprefix('context.')} is said twice")
        short = name.removeprefix("context.")
        if name in _SEVERAL.values() and isinstance(value, list):
            if name in over:
                raise self.fail(where, f"{short} is a list here and varied in over: say it once")
            over |= self._over({short: value}, where)
        elif name == "context.knowledge" and isinstance(value, str):
            put(tree, "context.knowledge.graph", value)
        elif name == "context.prompts" and isinstance(value, dict):
            put(tree, name, [list(pair) for pair in cast("dict[str, Any]", value).items()])
        else:
            put(tree, name, value)

    def _full(self, where: tuple[str, ...]) -> str:
        if where[0] == "context":
            return ".".join(where)
        try:
            return full_name(where[0], RunSpec)
        except ValueError as error:
            raise self.fail(where, str(error)) from error

    def check(self, tree: dict[str, Any]) -> None:
        """Refuse what is no setting, or out of its range, and graphs that there are not.

        Raises:
            UserError: naming every fault.
        """
        try:
            spec = RunSpec.model_validate({"graph": "any"} | tree)
        except ValidationError as error:
            faults = (self._said(cast("dict[str, Any]", each)) for each in error.errors())
            raise UserError(_sentence("; ".join(faults))) from error
        for name in spec.over.get("graph", (spec.graph,) if "graph" in tree else ()):
            try:
                check_name(name)
            except UserError as error:
                raise self.fail(("graph",), str(error)) from error

    def _said(self, fault: dict[str, Any]) -> str:
        loc = tuple(str(part) for part in fault["loc"])
        name = ".".join(loc).removeprefix("context.")
        where = loc[1:] if loc[:1] == ("context",) and loc not in self.lines else loc
        if fault["type"] == "extra_forbidden":
            near = nearest(name, RunSpec)
            told = f"there is no setting {name!r}" + (f". Did you mean {near}?" if near else "")
        else:
            said = str(fault["msg"]).removeprefix("Value error, ")
            if fault["type"] == "model_type":
                said = f"It holds settings of its own, as in {name}: {{...}}"
            given = "" if isinstance(fault["input"], dict | list | tuple) else f" (given: {fault['input']!r})"
            told = f"{name}: {said.removesuffix('.')}{given}" if loc else said
            where = where or ("over",)  # what concerns all settings at once is about their combinations
        return f"{self.name}{_line(self.lines, where)}: {told}".removesuffix(".")
