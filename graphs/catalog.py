"""Which graphs there are, told without importing one: ``--help`` must not pay for LangGraph."""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import graphs.variants
from agents.context import Context
from agents.errors import UserError
from agents.prompts import Prompts, prompt_names

__all__ = ["Variant", "expected_calls", "fingerprint", "judge", "langgraph_json", "load", "variants"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A wiring, as its file describes itself.

    Attributes:
        name: the file's name, without ``.py``.
        summary: the docstring's first line.
        fixed: model calls it always makes.
        per_hop: further calls for each round of exploration.
    """

    name: str
    summary: str
    fixed: int
    per_hop: int


def _describe(file: Path) -> Variant:
    tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
    calls: dict[str, int] = {}
    for part in tree.body:
        if isinstance(part, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "CALLS" for target in part.targets
        ):
            calls = ast.literal_eval(part.value)
    summary = (ast.get_docstring(tree) or "").partition("\n")[0]
    return Variant(file.stem, summary, calls.get("fixed", 1), calls.get("per_hop", 0))


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
        variant = Variant(name, "", calls.get("fixed", 1), calls.get("per_hop", 0))
    fewest = variant.fixed + min(variant.per_hop, 1)
    return fewest, variant.fixed + variant.per_hop * context.max_hops


def fingerprint(name: str, context: Context) -> dict[str, str]:
    """Short hashes of what decides how a video is read besides the settings: the wiring and the prompts.

    Args:
        name: a variant's name; a graph of your own (``module:attr``) is not hashed.
        context: names the prompts that are replaced.

    Raises:
        UserError: for a replaced prompt that can't be read.
    """
    source = _file_of(name).read_text(encoding="utf-8") if name in variants() else None
    prompts = Prompts(dict(context.prompts))
    hashes = {f"prompt {each}": prompts.digest(each) for each in prompt_names() if _uses(source, each)}
    if source is not None:
        hashes[f"graph {name}"] = hashlib.sha256(source.encode()).hexdigest()[:12]
    return hashes


def _file_of(name: str) -> Path:
    folders = (Path(folder) for folder in graphs.variants.__path__)
    return next(file for folder in folders if (file := folder / f"{name}.py").is_file())


def _uses(source: str | None, prompt: str) -> bool:
    """Whether a wiring asks by a prompt: every judge's, and those that its file names; all when unknown."""
    if prompt.startswith("_"):
        return False  # counted in those that include it
    if source is None or prompt == "system" or prompt.startswith("judge_"):
        return True
    return re.search(rf"\b{prompt}\b", source) is not None


def langgraph_json() -> dict[str, Any]:
    """What ``langgraph.json`` must say so that ``langgraph dev`` serves every graph."""
    served = {name: f"graphs.variants.{name}:graph" for name in variants()}
    return {
        "$schema": "https://langgra.ph/schema.json",
        "dependencies": ["."],
        "graphs": {**served, "extract": "graphs.extraction.wiring:graph", "judge": "graphs.judge:graph"},
    }
