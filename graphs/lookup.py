"""Look up: where the model does not explore, its keywords are put to the source of knowledge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from langgraph.runtime import Runtime

from agents.answers import whole_characters
from agents.context import Context
from agents.known import KnowledgeUse, Passage
from agents.schemas import Mapping as Found
from agents.state import InterpretState
from graphs.found import found_before
from graphs.resources import resources_of

if TYPE_CHECKING:
    from tools.knowledge import Association, Reference
    from tools.knowledge.sources import Passage as FoundPassage

__all__ = ["by_source", "knowledge_use", "mapping_of", "passage_of", "retrieve"]


def by_source(way: str) -> Callable[..., str]:
    """Where to after the keywords: ``way``, but with the source ``self`` the model is asked instead."""

    def choose(state: InterpretState, runtime: Runtime[Context]) -> str:
        del state
        return "associate" if (runtime.context or Context()).knowledge.source == "self" else way

    return choose


async def retrieve(
    state: InterpretState, *, runtime: Runtime[Context], mode: str | None = None
) -> dict[str, Any]:
    """Put the keywords to the source of knowledge: the z best within h hops, or the z best sentences.

    Args:
        state: the graph's state, with ``keywords``.
        runtime: holds the context.
        mode: the variant's own way of ranking; the context's overrides it.

    Returns:
        ``mappings`` or ``passages``, the best first, and ``knowledge``.
    """
    context = runtime.context or Context()
    keywords = [keyword.text for keyword in state["keywords"]]
    settings = [context.retrieval.model_dump(mode="json"), context.knowledge.source, mode]
    return await found_before(
        [keywords, state.get("title", ""), settings],
        lambda: asyncio.to_thread(_look_up, state, context, mode),
    )


def _look_up(state: InterpretState, context: Context, mode: str | None) -> dict[str, Any]:
    from tools.knowledge import DEFAULT_MODE
    from tools.knowledge.sources import Query

    settings = context.retrieval
    keywords = tuple(keyword.text for keyword in state["keywords"])
    chosen = settings.mode or mode or DEFAULT_MODE
    query = Query(keywords, state.get("title", ""), chosen, settings.hops, settings.limit)
    if settings.limit == 0:
        return {"mappings": [], "knowledge": knowledge_use(context)}
    source = resources_of(context).source()
    found = source.find(query)
    hops = 0 if source.graph is None else settings.hops
    use = knowledge_use(context, found.mode, hops=hops, limit=settings.limit)
    new: dict[str, Any] = {"mappings": [_from_reference(each) for each in found.references], "knowledge": use}
    if found.passages:
        new["passages"] = [passage_of(each) for each in found.passages]
    return new


def knowledge_use(context: Context, mode: str = "", *, hops: int = 0, limit: int = 0) -> KnowledgeUse:
    """Where what was looked up came from, for the record. Opens the source, so it belongs into a thread."""
    source = resources_of(context).source()
    return KnowledgeUse(
        source=context.knowledge.source,
        mode=mode,
        hops=hops,
        limit=limit,
        name=source.name,
        digest=source.digest,
        embeddings=context.knowledge.embeddings if source.name else None,
    )


def mapping_of(found: Association) -> Found:
    """An association as the state keeps it."""
    return Found(
        element=found.source,
        concept=found.concept,
        path=found.path,
        ground=_ground(found),
        weight=found.weight,
    )


def passage_of(found: FoundPassage) -> Passage:
    """A sentence as the state keeps it."""
    return Passage(
        text=whole_characters(found.text),
        source=found.source,
        licence=found.licence,
        keywords=found.keywords,
        score=found.score,
    )


def _ground(found: Association) -> str:
    return (f"{found.culture} culture: " if found.culture else "") + found.ground


def _from_reference(reference: Reference) -> Found:
    """A mapping by the shortest way, the first of equals, shown whole: two hops must not look like one."""
    at = min(range(len(reference.paths)), key=lambda index: len(reference.paths[index]))
    keyword, path = reference.keywords[at], reference.paths[at]
    way = next((way for way in reference.associations if way.path == path), None)
    return Found(
        element=keyword,
        concept=reference.concept,
        path=(keyword, *path[1:]),
        ground=_ground(way) if way else "",
        weight=reference.score or reference.count,
        keywords=reference.keywords,
    )
