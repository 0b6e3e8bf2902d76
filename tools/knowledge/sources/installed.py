"""Which sources there are, and how one is opened by its name or as `module:attribute`."""

from __future__ import annotations

import difflib
import inspect
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from tools.declared import declared
from tools.errors import PluginError, ToolboxError

if TYPE_CHECKING:
    from tools.knowledge.sources.protocol import KnowledgeSource, SourceSettings

__all__ = ["GROUP", "installed_sources", "open_source", "where_of"]

GROUP = "metaphorboost.sources"
#: Our own entry points.
_OWN = {
    "graph": "tools.knowledge.sources.graphs:graph_source",
    "texts": "tools.knowledge.sources.texts:texts_source",
    "conceptnet": "tools.knowledge.sources.conceptnet:conceptnet_source",
    "self": "tools.knowledge.sources.nothing:no_knowledge",
    "none": "tools.knowledge.sources.nothing:no_knowledge",
}
_FACE = ("name", "digest", "graph", "find", "tool")


def installed_sources() -> dict[str, str]:
    """Our own sources and those of installed packages, as name to `module:attribute`; nothing is imported.

    Raises:
        PluginError: if two packages declare one name for different things.
    """
    return declared(GROUP, _OWN, "source")


def where_of(spec: str) -> str:
    """The `module:attribute` that a name stands for.

    Raises:
        PluginError: for a name that there is not, with the nearest one.
    """
    name = spec.strip()
    if ":" in name:
        return name
    known = installed_sources()
    if name not in known:
        near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        msg = (
            f"{spec!r} is no source of knowledge.{meant} Known: {', '.join(known)}; or give module:attribute."
        )
        raise PluginError(msg)
    return known[name]


def open_source(spec: str, settings: SourceSettings) -> KnowledgeSource:
    """Open a source.

    Args:
        spec: an installed source's name, or `module:attribute` of a function of the settings.
        settings: what it is opened with.

    Raises:
        PluginError: if there is none, or it is no source.
        KnowledgeError: if what it reads can't be opened.
    """
    where = where_of(spec)
    try:
        opened: Any = EntryPoint(spec, where, GROUP).load()(settings)
    except ToolboxError:
        raise
    except Exception as error:
        # Whatever it is that a foreign module raises: its words are what the user needs.
        told = str(error) or type(error).__name__
        msg = f"{spec}: can't be opened as a source of knowledge: {told.rstrip('.')}."
        raise PluginError(msg) from error
    missing = [part for part in _FACE if inspect.getattr_static(opened, part, inspect) is inspect]
    if missing:
        msg = (
            f"{spec}: gave a {type(opened).__name__} without {', '.join(missing)}. Expected a function of "
            "SourceSettings that returns a KnowledgeSource (tools.knowledge.sources)."
        )
        raise PluginError(msg)
    return opened
