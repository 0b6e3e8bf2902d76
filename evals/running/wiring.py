"""From a spec to what the runner calls: graphs and their resources opened, before a sample is begun."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Mapping
from typing import Any

from agents.calls import drawing
from agents.context import Role
from agents.models import prepare_model
from agents.schemas import Interpretation
from evals.datasets import Sample
from evals.running.attempt import Interpret, Job, Judge, Labels, attempt
from evals.running.runner import Attempt
from evals.spec import RunSpec
from evals.store.records import RunRecord
from evals.tracing.handlers import handlers
from graphs import catalog
from graphs.resources import resources_of

__all__ = [
    "close_resources",
    "interpret_with",
    "judge_with",
    "open_resources",
    "open_scaffold",
    "open_work",
]

_RECURSION_LIMIT = 250  # a backstop only: graphs count their hops in the state


def open_work(spec: RunSpec) -> Attempt:
    """Open a run's graphs, models and knowledge.

    Raises:
        UserError: when one of them can't be had: a missing key stops the run here, not in every sample.
        ToolboxError: the same for tools and knowledge.
    """
    open_resources(spec)
    interpret = interpret_with(catalog.load(spec.graph), spec)
    judge = judge_with(catalog.judge(), spec)
    gc.collect()
    gc.freeze()  # what is open now stays: a collection that walks it all would hold up the event loop
    labels = Labels(spec.graph, spec.context.model, spec.context.model_for("judge"))

    async def work(job: Job) -> RunRecord:
        with drawing(job.epoch):  # an epoch is a draw of its own: it is not answered by what another was
            return await attempt(job, labels, interpret, judge, within=spec.sample_timeout)

    return work


def open_resources(spec: RunSpec) -> None:
    """Open all that a run will need; graphs keep it for the run.

    Raises:
        UserError, ToolboxError: when something can't be had.
    """
    open_scaffold(spec)
    resources = resources_of(spec.context)
    if _looks_up(spec):
        resources.try_embeddings()
    for role in _roles(spec):
        prepare_model(spec.context.model_for(role))
        resources.model(role)


def open_scaffold(spec: RunSpec) -> None:
    """Open prompts, and knowledge and tools where the catalog says that the graph uses them.

    Raises:
        UserError, ToolboxError: when one can't be had.
    """
    resources = resources_of(spec.context)
    resources.prompts()
    variant = catalog.variants().get(spec.graph)
    if variant is None:  # a graph of one's own opens what it needs
        return
    if _looks_up(spec):
        resources.source()
    if variant.per_hop and catalog.explores(spec.context):
        resources.tools()


def _looks_up(spec: RunSpec) -> bool:
    variant = catalog.variants().get(spec.graph)
    return variant is not None and variant.associate > 0


def _roles(spec: RunSpec) -> tuple[Role, ...]:
    return ("interpreter", "judge") if spec.graph in catalog.variants() else ("judge",)


async def close_resources(spec: RunSpec) -> None:
    """Give back what a run's models hold, its connections above all."""
    await resources_of(spec.context).close()


def interpret_with(graph: Any, spec: RunSpec) -> Interpret:
    """Interpret with a compiled graph: its state is yielded after every step, so that a failure keeps it.

    Args:
        graph: a compiled graph, or anything with ``ainvoke``.
        spec: of the run; its context goes to the graph.
    """

    async def interpret(sample: Sample, epoch: int) -> AsyncIterator[Mapping[str, Any]]:
        state = {"video_path": str(sample.video), "video_id": sample.video_id, "title": sample.title}
        config = _config(spec, sample, epoch, "interpret")
        if not hasattr(graph, "astream"):
            yield await graph.ainvoke(state, context=spec.context, config=config)
            return
        async for values in graph.astream(state, context=spec.context, config=config, stream_mode="values"):
            yield values

    return interpret


def judge_with(graph: Any, spec: RunSpec) -> Judge:
    """Judge with a compiled judge graph.

    Args:
        graph: a compiled graph, or anything with ``ainvoke``.
        spec: of the run; its context goes to the graph.
    """

    async def judge(sample: Sample, epoch: int, interpretation: Interpretation) -> Mapping[str, Any]:
        state = {"gold": list(sample.gold), "prediction": interpretation, "title": sample.title}
        return await graph.ainvoke(state, context=spec.context, config=_config(spec, sample, epoch, "judge"))

    return judge


def _config(spec: RunSpec, sample: Sample, epoch: int, phase: str) -> dict[str, Any]:
    name = spec.graph if phase == "interpret" else phase
    return {
        "recursion_limit": _RECURSION_LIMIT,
        "run_name": f"{name}:{sample.video_id}",
        "tags": ["evals", phase, spec.graph],
        "metadata": {"video_id": sample.video_id, "epoch": epoch, "types": list(sample.types)},
        "callbacks": handlers(),
    }
