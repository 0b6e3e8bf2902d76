"""Which graphs there are, told without importing one: ``--help`` must not pay for LangGraph."""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import graphs.variants
from agents.context import Context
from agents.errors import UserError
from agents.prompts import Prompts, prompt_names

__all__ = [
    "Variant",
    "check_name",
    "diagnose",
    "expected_calls",
    "explores",
    "fingerprint",
    "judge",
    "langgraph_json",
    "load",
    "variants",
]


@dataclass(frozen=True, slots=True)
class Variant:
    """A wiring, as its file describes itself.

    Attributes:
        name: the file's name, without ``.py``.
        summary: the docstring's first line.
        fixed: model calls it always makes.
        per_hop: further calls for each round of exploration.
        associate: calls that take the place of exploration or retrieval where the model is asked itself; 0
            for a wiring that looks nothing up.
        few_shot: it shows worked examples unless a context says otherwise.
    """

    name: str
    summary: str
    fixed: int
    per_hop: int = 0
    associate: int = 0
    few_shot: bool = False

    @classmethod
    def of_calls(cls, name: str, summary: str, calls: Mapping[str, int], *, few_shot: bool = False) -> Self:
        """A wiring by what its ``CALLS`` say."""
        numbers = calls.get("fixed", 1), calls.get("per_hop", 0), calls.get("associate", 0)
        return cls(name, summary, *numbers, few_shot)


def _describe(file: Path) -> Variant:
    tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
    calls: dict[str, int] = {}
    for part in tree.body:
        if isinstance(part, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "CALLS" for target in part.targets
        ):
            calls = ast.literal_eval(part.value)
    summary = (ast.get_docstring(tree) or "").partition("\n")[0]
    return Variant.of_calls(file.stem, summary, calls, few_shot=_shows_examples(tree))


def _shows_examples(tree: ast.Module) -> bool:
    """Whether a step of a wiring is given ``few_shot=True``."""
    given = (part for part in ast.walk(tree) if isinstance(part, ast.keyword) and part.arg == "few_shot")
    return any(isinstance(part.value, ast.Constant) and part.value.value is True for part in given)


def variants() -> dict[str, Variant]:
    """Every wiring in ``graphs/variants``, by name, in the order of names."""
    found: dict[str, Variant] = {}
    for folder in graphs.variants.__path__:
        for file in Path(folder).glob("*.py"):
            if not file.stem.startswith("_"):
                found.setdefault(file.stem, _describe(file))
    return dict(sorted(found.items()))


def load(name: str) -> Any:
    """Import a graph: a variant's name, or ``module:attr`` of a compiled graph of your own.

    Raises:
        UserError: for a name that is neither; the message gives the known ones and the nearest.
    """
    if ":" in name:
        return _load_own(name)
    known = variants()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]}?" if near else f" Did you mean {name}:graph?" if "." in name else ""
        raise UserError(
            f"There is no graph {name!r}.{hint} Known: {', '.join(known)}; or module:attr of your own."
        )
    return importlib.import_module(f"graphs.variants.{name}").graph


def check_name(name: str) -> None:
    """Refuse a variant that there is not; nothing is imported, and a graph of your own is not looked at.

    Raises:
        UserError: with the known ones and the nearest.
    """
    if ":" not in name and name not in variants():
        load(name)


def _module_of(spec: str) -> ModuleType:
    name = spec.partition(":")[0]
    try:
        return importlib.import_module(name)
    except (ImportError, ValueError) as error:
        raise UserError(
            f"Graph {spec!r}: module {name!r} can't be imported: {error}. "
            "Run from the folder that holds it, or set PYTHONPATH."
        ) from error
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise UserError(f"Graph {spec!r}: importing {name!r} failed: {told}.") from error


def _load_own(spec: str) -> Any:
    module_name, _, attribute = spec.partition(":")
    module = _module_of(spec)
    graph = getattr(module, attribute, None)
    if graph is None:
        near = difflib.get_close_matches(attribute, dir(module), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UserError(f"Graph {spec!r}: {module_name} has no {attribute!r}.{hint}")
    if not hasattr(graph, "ainvoke"):
        raise UserError(
            f"Graph {spec!r} is a {type(graph).__name__}, not a compiled graph: give what .compile() returns."
        )
    return graph


def diagnose() -> Any:
    """Import the diagnosing graph."""
    return importlib.import_module("graphs.diagnose").graph


def judge() -> Any:
    """Import the judge graph."""
    return importlib.import_module("graphs.judge").graph


def expected_calls(name: str, context: Context) -> tuple[int, int]:
    """Fewest and most model calls that one video takes, the judge's not counted.

    A graph of your own (``module:attr``) says it by ``CALLS`` in its module, like a variant; without that
    it is taken for one that makes a single call.
    """
    variant = variants().get(name)
    if variant is None:
        calls = getattr(_module_of(name), "CALLS", {})
        variant = Variant.of_calls(name, "", calls)
    if variant.associate and context.knowledge.source == "self":
        asked = variant.fixed + (variant.associate if context.retrieval.limit else 0)
        return asked, asked
    if variant.per_hop and not explores(context):
        return variant.fixed, variant.fixed
    fewest = variant.fixed + min(variant.per_hop, 1)
    return fewest, variant.fixed + variant.per_hop * context.max_hops


def explores(context: Context) -> bool:
    """Whether a context leaves a wiring that explores anything to explore with."""
    if context.knowledge.source == "self":
        return False
    return bool(set(context.tools) - ({"hop"} if context.knowledge.source == "none" else set[str]()))


def fingerprint(name: str, context: Context) -> dict[str, str]:
    """Hashes of what decides how a video is read besides the settings: wiring, prompts, knowledge.

    Args:
        name: a variant's name; a graph of your own (``module:attr``) is not hashed.
        context: names the prompts that are replaced.

    Raises:
        UserError: for a replaced prompt that can't be read.
        ToolboxError: for knowledge that can't be opened.
    """
    source = _file_of(name).read_text(encoding="utf-8") if name in variants() else None
    prompts = Prompts(dict(context.prompts))
    asked = [each for each in prompt_names() if each != "associate" or context.knowledge.source == "self"]
    hashes = {f"prompt {each}": prompts.digest(each) for each in asked if _uses(source, each)}
    if source is not None:
        hashes[f"graph {name}"] = hashlib.sha256(source.encode()).hexdigest()[:12]
    if name in variants() and variants()[name].associate:
        hashes |= _knowledge(context)
    return hashes


def _knowledge(context: Context) -> dict[str, str]:
    """The digest of what a context's source of knowledge holds; nothing for one that holds nothing."""
    from tools.knowledge.sources import SourceSettings, open_source

    # What embeds the same content is among the settings, and needn't be opened for this.
    given = context.knowledge.model_dump(include={"graph", "texts", "conceptnet"})
    digest = open_source(context.knowledge.source, SourceSettings(**given)).digest
    return {"the content of the knowledge": digest} if digest else {}


def _file_of(name: str) -> Path:
    folders = (Path(folder) for folder in graphs.variants.__path__)
    return next(file for folder in folders if (file := folder / f"{name}.py").is_file())


def _uses(source: str | None, prompt: str) -> bool:
    """Whether a wiring asks by a prompt: every judge's, and those that its file names; all when unknown."""
    if prompt.startswith(("_", "diagnose")):
        return False  # counted in those that include it; a diagnosis comes after a run
    if source is None or prompt == "system" or prompt.startswith("judge_"):
        return True
    return re.search(rf"\b{prompt}\b", source) is not None


def langgraph_json() -> dict[str, Any]:
    """What ``langgraph.json`` must say so that ``langgraph dev`` serves every graph."""
    served = {name: f"graphs.variants.{name}:graph" for name in variants()}
    return {
        "$schema": "https://langgra.ph/schema.json",
        "dependencies": ["."],
        "graphs": {
            **served,
            "diagnose": "graphs.diagnose:graph",
            "extract": "graphs.extraction.wiring:graph",
            "judge": "graphs.judge:graph",
        },
    }
