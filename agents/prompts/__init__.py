"""Prompts are files, since here a prompt is the experimental variable.

One ``.md`` (Jinja) a prompt; a name that begins with ``_`` is a part that others include. Any of them can
be replaced by a path. What was asked is recorded by a hash over the template and all it includes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from agents.errors import UserError

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["Prompts", "Rendered", "prompt_names"]

_FILES = files("agents.prompts")
_INCLUDE = re.compile(r"{%-?\s*include\s+\"([^\"]+)\"")
_TAG = re.compile(r"[<\uFF1C]([^\w<>\uFF1C\uFF1E]{0,6}\w[^<>\uFF1C\uFF1E]{0,200})[>\uFF1E]")
"""Anything like a tag: ours, or a mark of a chat template (``<|im_start|>``), which many servers read in a
user's text as their own; whatever characters that no one sees stand in it."""

_TURN = re.compile(r"\[(/?INST|/?SYSTEM_PROMPT|TOOL_CALLS)\]", re.IGNORECASE)


_GIVEN = {
    "system": ("whole_video",),
    "perceive": ("title",),
    "explore": ("title", "keywords", "tools", "max_hops"),
    "associate": ("title", "keywords", "limit"),
    "interpret_baseline": ("title", "keywords", "associations", "shots"),
    "interpret_cot": ("title", "keywords", "associations", "shots"),
    "interpret_boost": ("title", "keywords", "associations", "sentences", "shots"),
    "judge_strict": ("title", "gold", "prediction", "rubric"),
    "judge_loose": ("title", "gold", "prediction", "rubric"),
    "diagnose": ("title", "gold", "transcript", "thinking", "prediction"),
    "diagnose_again": ("failed",),
    "extract": ("sentences",),
}
"""What the nodes give to each prompt."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt ready to send, and the short hash that names its template."""

    text: str
    digest: str


def prompt_names() -> list[str]:
    """The names that can be replaced, without ``.md``: prompts first, their shared parts after."""
    names = [item.name[:-3] for item in _FILES.iterdir() if item.name.endswith(".md")]
    return sorted(names, key=lambda name: (name.startswith("_"), name))


def _as_material(value: object) -> object:
    """Blunt tags inside what is filled in, so that material can't end its section and give orders."""
    if not isinstance(value, str):
        return value
    return _TURN.sub(r"(\1)", _TAG.sub(r"(\1)", value))


class Prompts:
    """The prompts of a run: ours, less those that were replaced.

    Args:
        replaced: prompt name -> path of the file that stands in for it. The names ``shots`` and
            ``rubrics`` stand for the two YAML files.

    Raises:
        UserError: for a name that is none of ours, or a file that can't be read.
    """

    def __init__(self, replaced: Mapping[str, str] | None = None) -> None:
        self._sources = {
            item.name: item.read_text(encoding="utf-8")
            for item in _FILES.iterdir()
            if item.name.endswith(".md")
        }
        self._sources["rubrics.yaml"] = (_FILES / "rubrics.yaml").read_text(encoding="utf-8")
        self._sources["shots.yaml"] = (_FILES / "shots" / "default.yaml").read_text(encoding="utf-8")
        self._digests: dict[str, str] = {}
        for name, path in (replaced or {}).items():
            self._replace(name, path)

    def _replace(self, name: str, path: str) -> None:
        file = f"{name}.yaml" if name in ("shots", "rubrics") else f"{name}.md"
        if file not in self._sources:
            known = [*prompt_names(), "shots", "rubrics"]
            near = get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise UserError(f"There is no prompt {name!r} to replace.{hint} Known: {', '.join(known)}.")
        try:
            self._sources[file] = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"The file for prompt {name!r} can't be read: {path}: {error}") from error

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import DictLoader, Environment, StrictUndefined

        return Environment(  # noqa: S701 - the output is text for a model, not a page
            loader=DictLoader(self._sources),
            undefined=StrictUndefined,
            finalize=_as_material,
            keep_trailing_newline=False,
        )

    def render(self, name: str, **values: object) -> Rendered:
        """Fill in a prompt.

        Raises:
            UserError: when a replaced prompt is no valid template, or names something it isn't given.
        """
        try:
            text = self._environment.get_template(f"{name}.md").render(**values)
        except Exception as error:  # a replaced template may compute, and fail at, anything
            told = f"{type(error).__name__}: {error}"
            given = ", ".join(sorted(values))
            raise UserError(f"Prompt {name!r} can't be rendered: {told}. It is given: {given}.") from error
        return Rendered(text=re.sub(r"\n{3,}", "\n\n", text).strip(), digest=self.digest(name))

    def check(self) -> None:
        """Render every prompt once, so that a fault in a replaced one is found before anything is paid.

        Raises:
            UserError: naming the prompt, or the file of shots or rubrics, and its fault.
        """
        for kind in ("strict", "loose"):
            self.rubric(kind)
        for name in prompt_names():
            if not name.startswith("_"):
                values = {each: self._trial(each) for each in _GIVEN.get(name, ())}
                self.render(name, **values)

    def _trial(self, value: str) -> object:
        if value == "shots":
            return self.shots
        return {"title": "t", "prediction": "p", "max_hops": 1, "limit": 1}.get(value, ["one"])

    def digest(self, name: str) -> str:
        """The first 12 hex digits of SHA-256 over the template and everything that it includes."""
        if name not in self._digests:
            self._digests[name] = self._digest(name)
        return self._digests[name]

    def _digest(self, name: str) -> str:
        seen: dict[str, str] = {}
        self._collect(f"{name}.md", seen)
        if "_shots.md" in seen:
            seen["shots.yaml"] = self._sources["shots.yaml"]
        if name.startswith("judge_"):
            seen["rubrics.yaml"] = self._sources["rubrics.yaml"]
        joined = "\0".join(f"{file}\0{seen[file]}" for file in sorted(seen))
        return hashlib.sha256(joined.encode()).hexdigest()[:12]

    def _collect(self, file: str, seen: dict[str, str]) -> None:
        if file in seen or file not in self._sources:
            return
        seen[file] = self._sources[file]
        for included in _INCLUDE.findall(self._sources[file]):
            self._collect(included, seen)

    @cached_property
    def shots(self) -> list[dict[str, Any]]:
        """The worked examples: ``seen`` and ``entries`` of ``presents`` and ``expresses``."""
        shots = self._yaml("shots.yaml", list)
        for shot in shots:
            entries = shot.get("entries") if isinstance(shot, dict) else None
            whole = isinstance(entries, list) and all(
                {"presents", "expresses"} <= set(entry) for entry in entries
            )
            if not whole or "seen" not in shot:
                raise UserError(
                    "Each of the shots needs `seen`, and `entries` of `presents` and `expresses`."
                )
        return shots

    def rubric(self, kind: str) -> list[str]:
        """The lines of a judge's rubric, ``strict`` or ``loose``."""
        lines = self._rubrics.get(kind)
        if not isinstance(lines, list) or not lines:
            raise UserError(f"The rubrics need a list of lines called {kind!r}.")
        return [str(line) for line in lines]

    @cached_property
    def _rubrics(self) -> dict[str, Any]:
        return self._yaml("rubrics.yaml", dict)

    def _yaml(self, file: str, shape: type) -> Any:
        try:
            read = yaml.safe_load(self._sources[file])
        except yaml.YAMLError as error:
            raise UserError(f"{file} of the prompts is not valid YAML: {error}") from error
        if not isinstance(read, shape):
            raise UserError(f"{file} of the prompts must hold a {shape.__name__}, not {type(read).__name__}.")
        return read
