"""What ``evals.diagnose`` does, step by step: read, ask what is missing, sum up, compare, show."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.errors import UserError
from evals.diagnosis.comparing import Differences, compare_runs
from evals.diagnosis.drawing import write_svg
from evals.diagnosis.dry_run import explain
from evals.diagnosis.formats import summary
from evals.diagnosis.inputs import Run, open_runs
from evals.diagnosis.matching import Matcher
from evals.diagnosis.progress import Progress
from evals.diagnosis.reading import DiagnosedRun, read_diagnosed
from evals.diagnosis.showing import show
from evals.diagnosis.terms import Work, set_aside, work_of
from evals.diagnosis.working import Ask, Job, Spending, diagnose_all
from evals.money.budget import Budget, check_budget
from evals.money.ledger import Ledger
from evals.money.prices import load_prices
from evals.running.interrupts import Stop
from evals.statistics import Resampling
from graphs.checks import check
from graphs.durable.files import write_whole
from graphs.untraced import untraced

__all__ = ["run_command"]

DONE, BROKEN, ALL_FAILED, OUT_OF_BUDGET, INTERRUPTED = 0, 1, 3, 4, 130


def run_command(options: argparse.Namespace) -> int:
    """Diagnose what is missing, and show all there is; returns the exit code.

    Raises:
        MetaphorBoostError: when an input can't be used.
        ToolboxError: when the graph or the embedder can't be had.
        OSError: when the disk refuses a diagnosis.
    """
    _check_svg(options.svg)
    runs = open_runs(map(Path, options.runs), options.dataset)
    code = DONE
    if not options.score_only:
        work = work_of(runs, options)
        spending = _spending(work, options)
        if options.dry_run:
            check(work.context)
            explain(work, spending.ledger.prices)
            return DONE
        code = _work(runs, work, spending, options)
    how = Resampling(options.resamples, options.seed)
    matcher = _matcher(runs[0], options)
    found = [read_diagnosed(run, matcher, how) for run in runs]
    for each in found:
        if each.diagnoses:
            write_whole(each.run.folder / "diagnosis.json", _as_file(each))
    if options.svg:
        write_svg(Path(options.svg), found)
    show(options.form, found, _compared(found, how), matched=_told(options))
    return code


def _check_svg(name: str | None) -> None:
    """Refuse a file that could not be written before anything is paid for."""
    if name is None:
        return
    path = Path(name)
    if path.is_dir():
        raise UserError(f"--svg {name} is a folder; name a file to write.")
    if not path.parent.is_dir():
        raise UserError(f"--svg {name} can't be written: there is no folder {path.parent}.")


def _as_file(found: DiagnosedRun) -> str:
    import json

    return json.dumps(summary(found), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _told(options: argparse.Namespace) -> str:
    if not options.embeddings:
        return "matched by words; --embeddings matches by meaning too"
    return f"matched by words, and by meaning ({options.embeddings}, cosine from {options.floor:g})"


def _matcher(run: Run, options: argparse.Namespace) -> Matcher:
    from tools.knowledge import open_knowledge

    embedder = None
    if options.embeddings:
        from tools.knowledge.embedding.embedders import open_embedder

        embedder = open_embedder(options.embeddings, base_url=options.embeddings_base_url)
    graph = open_knowledge(options.graph or run.spec.context.knowledge.graph)
    return Matcher(graph, embedder, options.floor)


def _compared(found: Sequence[DiagnosedRun], how: Resampling) -> list[Differences]:
    base = found[0]
    return [
        compare_runs(
            (base.run.name, other.run.name),
            (list(base.diagnoses.values()), list(other.diagnoses.values())),
            (list(base.scores.values()), list(other.scores.values())),
            how,
        )
        for other in found[1:]
    ]


def _spending(work: Work, options: argparse.Namespace) -> Spending:
    """Read prices, and refuse a limit of money that could not be kept."""
    names = ("max_tokens_total", "max_cost", "max_sample_tokens")
    budget = Budget(**{name: getattr(options, name) for name in names})
    prices = load_prices(options.prices, work.context)
    check_budget(budget, prices, [work.context.model])
    spending = Spending(budget, Ledger(prices), Stop(_warn))
    spending.book(work.earlier)
    return spending


def _warn(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _work(runs: Sequence[Run], work: Work, spending: Spending, options: argparse.Namespace) -> int:
    """Ask for what is missing; nothing is opened where nothing is."""
    for run in runs:
        for note in run.notes:
            _warn(f"{run.name}: {note}")
    if not work.jobs:
        return DONE
    if why := spending.reached():
        _warn(f"The budget is reached: {why}. Nothing is begun.")
        return OUT_OF_BUDGET
    if sentence := untraced("evals.diagnose"):
        _warn(sentence)
    ask = _open(work)
    if options.again:
        for place in set_aside(runs):
            _warn(f"What there was is kept in {place}.")
    progress = Progress(len(work.jobs), spending, quiet=options.quiet)
    asyncio.run(_diagnose(work, ask, spending, progress))
    if progress.done or not options.quiet:
        progress.say()
    for line in progress.causes():
        _warn(line)
    return _code(spending.stop, progress)


def _code(stop: Stop, progress: Progress) -> int:
    if stop.broken:
        return BROKEN
    unfinished = progress.done < progress.total
    if stop.budget and unfinished:
        flag = next(word for word in stop.budget.split() if word.startswith("--"))
        _warn(f"Not finished, since {stop.budget}. To go on, start again with a higher {flag}.")
        return OUT_OF_BUDGET
    if stop.requested and unfinished and not stop.budget:
        _warn("Interrupted. What is diagnosed is saved; start again to go on.")
        return INTERRUPTED
    return ALL_FAILED if progress.done and progress.failed == progress.done else DONE


def _open(work: Work) -> Ask:
    """Open the graph and the judge: a missing key is told here, and not by every sample."""
    check(work.context)
    from agents.models import prepare_model
    from graphs import catalog
    from graphs.resources import resources_of

    prepare_model(work.context.model)
    resources_of(work.context).model("judge")
    graph = catalog.diagnose()

    async def ask(job: Job, state: dict[str, Any]) -> Mapping[str, Any]:
        record = job.record
        config = {
            "run_name": f"diagnose:{record.video_id}",
            "tags": ["evals", "diagnose", record.graph],
            "metadata": {"video_id": record.video_id, "epoch": record.epoch, "types": list(record.types)},
        }
        return await graph.ainvoke(state, context=work.context, config=config)

    return ask


async def _diagnose(work: Work, ask: Ask, spending: Spending, progress: Progress) -> None:
    from graphs.resources import resources_of

    with spending.stop.listening():
        await diagnose_all(
            work.jobs,
            ask,
            work.terms,
            spending,
            concurrency=work.concurrency,
            finished=progress.finished,
        )
    await resources_of(work.context).close()
