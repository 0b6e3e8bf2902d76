"""What is installed, for a help text: graphs, data sets, types, tools and sources of knowledge."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from agents.metaphor_types import MetaphorType
from evals.datasets import known_datasets
from graphs.catalog import variants

__all__ = ["listings"]


def listings(argv: Sequence[str]) -> Iterator[str]:
    """A paragraph for each kind of thing; ``argv`` says which tools are named on the same command line."""
    yield _listing("graphs", {variant.name: variant.summary for variant in variants().values()})
    yield _listing("data sets", known_datasets())
    yield _listing("types", {f"{kind.short} {kind.value}": kind.definition for kind in MetaphorType})
    yield _listing("tools", _tools(argv))
    yield _listing("knowledge sources", _sources())


def _listing(title: str, entries: dict[str, str]) -> str:
    width = max([16, *(len(name) for name in entries)])
    return "\n".join([f"{title}:", *(f"  {name:{width}} {text}" for name, text in entries.items())])


def _sources() -> dict[str, str]:
    """Installed sources of knowledge by where they are."""
    from tools.errors import ToolboxError
    from tools.knowledge.sources import installed_sources

    try:
        return installed_sources()
    except ToolboxError as error:
        return {"": str(error)}


def _tools(argv: Sequence[str]) -> dict[str, str]:
    """Installed tools by where they are; those named on this command line by what they say of themselves."""
    from tools.errors import ToolboxError
    from tools.plugins import installed_tools, load_tool

    try:
        found = installed_tools()
    except ToolboxError as error:
        found = {"": str(error)}
    named = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    named.add_argument("--tool", action="append", default=[])
    for spec in named.parse_known_args(argv)[0].tool:
        try:
            from tools.knowledge import open_knowledge

            found[spec] = load_tool(spec, open_knowledge()).description.strip().partition("\n")[0]
        except ToolboxError as error:
            found[spec] = f"can't be used: {error}"
    return found
