"""The command line's flags for knowledge: where associations come from, and how they are looked up."""

from __future__ import annotations

import argparse
from typing import Any

from agents.context import Context, KnowledgeSettings, RetrievalSettings

__all__ = [
    "add_knowledge_options",
    "idle_knowledge",
    "idle_settings",
    "knowledge_settings",
    "retrieval_settings",
]

_KNOWLEDGE = {
    "source": "knowledge_source",
    "graph": "knowledge",
    "texts": "knowledge_texts",
    "texts_by": "texts_by",
    "conceptnet": "conceptnet",
    "embeddings": "embeddings",
    "embeddings_base_url": "embeddings_base_url",
}
_RETRIEVAL = {
    "mode": "retrieval",
    "hops": "retrieval_hops",
    "limit": "retrieval_limit",
    "max_tokens": "reference_tokens",
}


def add_knowledge_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags of :class:`KnowledgeSettings` and :class:`RetrievalSettings`."""
    group = parser.add_argument_group("knowledge", "for boost and boost_retrieval")
    group.add_argument(
        "--knowledge-source",
        metavar="S",
        help="graph, none, self (the model is asked for associations), texts, conceptnet, or module:attr "
        "(default: graph)",
    )
    group.add_argument(
        "--knowledge", metavar="G", help="graph of metaphors: starter or a path (default: starter)"
    )
    group.add_argument(
        "--knowledge-texts",
        nargs="+",
        action="extend",
        default=[],
        metavar="F",
        help="sentences to search: .txt, .md, .jsonl (default: those the graph was built from)",
    )
    group.add_argument(
        "--texts-by",
        choices=["bm25", "embeddings"],
        help="find sentences by words or meaning (default: bm25)",
    )
    group.add_argument("--conceptnet", metavar="F", help="ConceptNet's dump, or a slice of it")
    group.add_argument(
        "--embeddings",
        metavar="E",
        help="link keywords by meaning too: embedded, openai:NAME or module:attr (default: by name only)",
    )
    group.add_argument("--embeddings-base-url", metavar="U", help="OpenAI-compatible server of openai:NAME")
    _add_retrieval_options(parser)


def _add_retrieval_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "retrieval", "for boost_retrieval, and for boost where it can't explore"
    )
    group.add_argument(
        "--retrieval",
        metavar="MODE",
        help="ranking: shared, pagerank, published or published_h1 (default: shared; published in "
        "boost_retrieval)",
    )
    group.add_argument(
        "--retrieval-hops", "--hops", type=int, metavar="H", help="h, steps from a keyword (default: 2)"
    )
    group.add_argument(
        "--retrieval-limit",
        type=int,
        metavar="Z",
        help="z, concepts or sentences kept; 0 for none (default: 10)",
    )
    group.add_argument(
        "--reference-tokens",
        type=int,
        metavar="N",
        help="associations in the last prompt take N tokens at most, hops' too (default: 1000)",
    )


def knowledge_settings(chosen: argparse.Namespace) -> KnowledgeSettings:
    """The settings that the flags say; raises pydantic's ValidationError for a value out of range."""
    return KnowledgeSettings.model_validate(_given(chosen, _KNOWLEDGE))


def retrieval_settings(chosen: argparse.Namespace) -> RetrievalSettings:
    """The settings that the flags say; raises pydantic's ValidationError for a value out of range."""
    return RetrievalSettings.model_validate(_given(chosen, _RETRIEVAL))


def _given(chosen: argparse.Namespace, names: dict[str, str]) -> dict[str, Any]:
    values = {key: getattr(chosen, name) for key, name in names.items()}
    return {key: value for key, value in values.items() if value is not None and value != []}


def idle_knowledge(chosen: argparse.Namespace, knowledge: KnowledgeSettings, *, looks_up: bool) -> list[str]:
    """Sentences on flags that were given and change nothing.

    Args:
        chosen: the parsed flags.
        knowledge: what they say.
        looks_up: whether the wiring looks anything up.
    """
    every = {*_KNOWLEDGE.values(), *_RETRIEVAL.values()}
    if not looks_up:
        return _told(chosen, every, f"{chosen.graph} looks nothing up")
    return _told(chosen, _idle_names(chosen, knowledge), f"with the knowledge source {knowledge.source}")


def idle_settings(context: Context, *, looks_up: bool) -> frozenset[str]:
    """Settings of knowledge and retrieval that change nothing, by dotted name, such as ``retrieval.hops``.

    Args:
        context: what is set.
        looks_up: whether the wiring looks anything up.
    """
    places = {flag: f"knowledge.{name}" for name, flag in _KNOWLEDGE.items()}
    places |= {flag: f"retrieval.{name}" for name, flag in _RETRIEVAL.items()}
    if not looks_up:
        return frozenset(places.values())
    others = [tool for tool in context.tools if tool != "hop"]
    chosen = argparse.Namespace(tool=others, retrieval=context.retrieval.mode)
    return frozenset(places[flag] for flag in _idle_names(chosen, context.knowledge))


def _idle_names(chosen: argparse.Namespace, knowledge: KnowledgeSettings) -> set[str]:
    graph, texts = {"knowledge"}, {"knowledge_texts", "texts_by"}
    links, walks = {"embeddings", "embeddings_base_url"}, {"retrieval", "retrieval_hops"}
    cases = {
        "graph": texts | {"conceptnet"},
        "conceptnet": graph | texts,
        "texts": {"conceptnet"}
        | walks
        | (graph if knowledge.texts else set())
        | (links if knowledge.texts_by == "bm25" else set()),
        "self": graph | texts | links | walks | {"conceptnet"},
        "none": graph
        | texts
        | links
        | walks
        | {"conceptnet", "retrieval_limit"}
        | (set[str]() if chosen.tool else {"reference_tokens"}),
    }
    idle = cases.get(knowledge.source, set[str]())
    counts = {"retrieval_hops"} if chosen.retrieval == "published_h1" else set[str]()
    return idle | counts


def _told(chosen: argparse.Namespace, names: set[str], why: str) -> list[str]:
    idle = [
        "--" + name.replace("_", "-") for name in sorted(names) if getattr(chosen, name) not in (None, [])
    ]
    return [f"{' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no effect: {why}."] if idle else []
