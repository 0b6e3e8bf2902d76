"""Which settings change anything, given the others: combinations that differ in none of them are one run."""

from __future__ import annotations

from agents.context import Context, KnowledgeSettings
from evals.spec import RunSpec
from graphs.catalog import Variant, explores, variants
from graphs.knowledge_options import idle_settings

__all__ = ["FALLBACK", "FEW_SHOT", "idle", "own_few_shot", "where_it_explores"]

FEW_SHOT = "context.few_shot"

FALLBACK = frozenset({"context.retrieval.limit", "context.retrieval.hops", "context.retrieval.mode"})
"""What counts in a wiring that explores only for a sample whose model calls no tool."""


def idle(spec: RunSpec) -> frozenset[str]:
    """Settings without effect, by full dotted name: with their defaults, the run would be the same.

    Of a graph of one's own, nothing is known but its judge.
    """
    context, found = spec.context, set[str]()
    if context.model_for("judge") == "embedded":  # measures once instead of judging k times
        found |= {"judge_k", "judge_temperature"}
    variant = variants().get(spec.graph)
    if variant is not None:
        found |= _of_frames(context) | _of_knowledge(variant, context)
        if not (variant.per_hop and explores(context)):
            found.add("max_hops")
        if not variant.per_hop or _without_tools(context):
            found.add("tools")
    return frozenset(f"context.{name}" for name in found)


def own_few_shot(spec: RunSpec) -> bool | None:
    """Whether worked examples are shown: what the settings say, else the variant's own; None if unknown."""
    if spec.context.few_shot is not None:
        return spec.context.few_shot
    variant = variants().get(spec.graph)
    return None if variant is None else variant.few_shot


def where_it_explores(spec: RunSpec) -> bool:
    """Whether the model is to look things up itself, so that nothing is retrieved for it as a rule."""
    variant = variants().get(spec.graph)
    return variant is not None and variant.per_hop > 0 and explores(spec.context)


def _without_tools(context: Context) -> bool:
    """Whether nothing is explored with these tools, nor with those by default."""
    source = context.knowledge.source
    return source == "self" or (source == "none" and not set(context.tools) - {"hop"})


def _of_frames(context: Context) -> set[str]:
    found = set[str]()
    if context.input == "video":
        found |= {f"frames.{name}" for name in ("max_side", "quality", "reader", "reader_fallback")}
    if context.frames.method != "fps":
        found.add("frames.fps")
    return found


def _of_knowledge(variant: Variant, context: Context) -> set[str]:
    found = set(idle_settings(context, looks_up=variant.associate > 0))
    wanders = variant.per_hop > 0 and explores(context)
    if wanders and set(context.tools) - {"hop"}:
        found -= {
            "knowledge.graph",
            "knowledge.embeddings",
            "knowledge.embeddings_base_url",
        }  # a tool may walk it
    if context.retrieval.limit == 0:
        found |= {"retrieval.hops", "retrieval.mode"}
        if not wanders:
            found.add("retrieval.max_tokens")
        if (
            not variant.per_hop and context.knowledge.source != "none"
        ):  # nothing is looked up, whatever the source
            found |= {f"knowledge.{name}" for name in KnowledgeSettings.model_fields}
    return found
