"""What ``graphs.knowledge extract`` does, step by step: read, tell, ask, check, write."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import shlex
import sys
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.asked import ExtractionAnswer
from agents.context import Context
from agents.errors import UserError
from agents.json_schema import answer_schema
from agents.nodes.extract import extraction_digest
from agents.prompts import Prompts
from graphs.checks import check
from graphs.durable.files import write_whole
from graphs.extraction.asking import Asking, groups_of
from graphs.extraction.budget import Budget, Expected, Forecast, Price
from graphs.extraction.calls import Due, Known, due_calls, sentence_key
from graphs.extraction.inputs import Reading, described, read_texts
from graphs.extraction.journal import Journal, beside, read_calls
from graphs.extraction.output import Gathered, encoded, gather, report, table, writable
from graphs.extraction.progress import Progress
from graphs.extraction.stopping import Stop
from graphs.untraced import untraced

__all__ = ["ALL_FAILED", "BROKEN", "BUDGET", "DONE", "INTERRUPTED", "Plan", "run_extract"]

DONE, BROKEN, ALL_FAILED, BUDGET, INTERRUPTED = 0, 1, 3, 4, 130
_SHOWN = 20  # bad rows and failures that are spelled out; the report has them all
_BEAT = 1.0  # seconds between looks at the clock


@dataclass(frozen=True, slots=True)
class Plan:
    """An extraction, decided but not begun.

    Attributes:
        context: whom to ask, and how.
        prompts: what to ask.
        reading: what to ask about.
        out: the file of pairs.
        per_call: sentences of a call.
        concurrency: calls in flight at most.
        budget: limits.
    """

    context: Context
    prompts: Prompts
    reading: Reading
    out: Path
    per_call: int
    concurrency: int
    budget: Budget

    @property
    def prompt(self) -> str:
        """Hash of the prompt."""
        return extraction_digest(self.prompts)

    def known(self, *, retry_failed: bool) -> Known:
        """What is known of calls like those of this plan: nothing yet."""
        context = self.context
        parts = [context.model, context.temperature, context.max_tokens, self.prompt]
        parts.append(json.dumps(answer_schema(ExtractionAnswer), sort_keys=True))
        asked_with = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
        return Known(asked_with, context.model, retry_failed=retry_failed)

    @property
    def texts(self) -> list[str]:
        """All sentences, in the order of the input."""
        return [sentence.text for sentence in self.reading.sentences]

    def due(self, known: Known) -> list[Due]:
        """The calls that are still to be made, as far as can be told now."""
        groups = groups_of(self.texts, self.per_call)
        return [due for group in groups for due in due_calls(known, [sentence_key(text) for text in group])]


def run_extract(options: argparse.Namespace, context: Context) -> int:
    """Extract pairs, or tell what that would take; returns the exit code.

    Raises:
        MetaphorBoostError: when an input can't be used.
        OSError: when the disk refuses a call or the output.
    """
    check(context)
    plan = _plan(options, context)
    _say_bad_rows(plan.reading)
    if not plan.reading.sentences:
        raise UserError("There is no sentence in these texts; bad rows are named above.")
    known = plan.known(retry_failed=options.retry_failed)
    if options.dry_run:
        return _explain(plan, known)
    with Journal(plan.out, known) as journal:
        if journal.repaired:
            _say(f"{journal.path} ended in a torn line, which was removed; its sentences are asked again.")
        keys = [sentence_key(text) for text in plan.texts]
        progress = Progress(keys, known, price=plan.budget.price, quiet=options.quiet)
        stop = Stop(progress.say)
        if plan.due(known):
            if sentence := untraced("graphs.knowledge"):
                _say(sentence)
            asyncio.run(_ask_all(plan, journal, progress, stop))
        return _finish(plan, journal, stop, allow_partial=options.allow_partial)


def _plan(options: argparse.Namespace, context: Context) -> Plan:
    out = writable(options.out, options.texts)
    reading = read_texts(
        options.texts,
        layout=options.format,
        dataset=options.dataset or "",
        licence=options.licence or "",
        limit=options.limit or 0,
    )
    return Plan(
        context=context,
        prompts=Prompts(dict(context.prompts)),
        reading=reading,
        out=out,
        per_call=options.per_call,
        concurrency=options.concurrency,
        budget=_budget(options),
    )


def _budget(options: argparse.Namespace) -> Budget:
    prices = (options.price_in, options.price_out)
    if (prices[0] is None) != (prices[1] is None):
        raise UserError("--price-in and --price-out go together: money for a million tokens of each.")
    if options.max_cost is not None and prices[0] is None:
        raise UserError("--max-cost needs --price-in and --price-out: what a million tokens cost.")
    price = None if prices[0] is None else Price(*prices)
    return Budget(max_tokens=options.max_tokens_total, max_cost=options.max_cost, price=price)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _say_bad_rows(reading: Reading) -> None:
    if not reading.bad:
        return
    _say(f"{len(reading.bad):,} rows can't be used:")
    for line in described(reading.bad[:_SHOWN]):
        _say(f"  {line}")
    if len(reading.bad) > _SHOWN:
        _say(f"  and {len(reading.bad) - _SHOWN:,} more; the report names every one.")


def _explain(plan: Plan, known: Known) -> int:
    """Tell what is left to ask, and what that will take."""
    path = beside(plan.out, "journal.jsonl")
    if path.exists():
        for call in read_calls(path):
            known.take(call)
    due, texts = plan.due(known), {sentence_key(text): text for text in plan.texts}
    forecast = Forecast(plan.prompts)
    expected = sum((forecast.of([texts[key] for key in call.sentences]) for call in due), Expected())
    reading, left = plan.reading, sum(len(call.sentences) for call in due)
    chinese = sum(sentence.chinese for sentence in reading.sentences)
    count = f"{len(reading.sentences):,} ({chinese:,} Chinese), {left:,} still to be asked"
    without = f"{reading.repeats:,} repeats and {len(reading.bad):,} bad rows"
    tokens = f"about {expected.input_tokens:,} in and {expected.output_tokens:,} out"
    lines = [
        f"model: {plan.context.model}, prompt {plan.prompt}",
        f"sentences: {count}; left out are {without}",
        f"calls: {len(due):,} of up to {plan.per_call} sentences; repairs and left-out sentences come on top",
        f"tokens: {tokens} (input counted by o200k, output by flat rates; a model that thinks writes more)",
    ]
    if plan.budget.price is not None:
        lines.append(f"money: about {plan.budget.price.of(expected):.4f}")
    if known.usage.total_tokens:
        lines.append(f"spent by earlier starts: {known.usage.total_tokens:,} tokens")
    sys.stdout.write("\n".join(lines) + "\n")
    return DONE


async def _ask_all(plan: Plan, journal: Journal, progress: Progress, stop: Stop) -> None:
    """Make every call that is due."""
    from graphs.extraction.wiring import graph
    from graphs.resources import resources_of

    async def ask(texts: list[str]) -> Mapping[str, Any]:
        return await graph.ainvoke({"sentences": texts}, context=plan.context)

    asking = Asking(
        ask,
        journal,
        forecast=await asyncio.to_thread(Forecast, plan.prompts),
        budget=plan.budget,
        stop=stop,
        watcher=progress,
    )
    try:
        with stop.listening():
            async with _ticking(progress):
                await asking.all(groups_of(plan.texts, plan.per_call), concurrency=plan.concurrency)
    finally:
        progress.close()
        await resources_of(plan.context).close()


@contextlib.asynccontextmanager
async def _ticking(progress: Progress) -> AsyncGenerator[None]:
    async def beat() -> None:
        while True:
            await asyncio.sleep(_BEAT)
            progress.tick()

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()


def _finish(plan: Plan, journal: Journal, stop: Stop, *, allow_partial: bool) -> int:
    """Check, write what is to be written, and say how it went."""
    known, out = journal.known, plan.out
    pending = {key for due in plan.due(known) for key in due.sentences}
    gathered = gather(plan.reading, known, pending, prompt=plan.prompt)
    whole = not pending
    usage = known.usage.model_dump()
    cost = None if plan.budget.price is None else round(plan.budget.price.of(known.usage), 6)
    told = report(
        plan.reading,
        gathered,
        complete=whole,
        stopped=stop.message,
        model=plan.context.model,
        prompt=plan.prompt,
        usage=usage,
        cost=cost,
    )
    path = beside(out, "report.json")
    write_whole(path, told)
    sys.stdout.write("\n".join(table(plan.reading, gathered)) + "\n")
    if whole or allow_partial:
        write_whole(out, encoded(gathered.rows, zipped=out.suffix == ".gz"))
        sys.stdout.write(
            f"written: {out} ({len(gathered.rows):,} pairs{'' if whole else ', partial'}), {path}\n"
        )
    else:
        sys.stdout.write(f"written: {path}; {out} is not, since {gathered.pending:,} sentences are pending\n")
    sys.stdout.flush()
    _say_failures(gathered)
    return _code(plan, gathered, stop, whole=whole)


def _say_failures(gathered: Gathered) -> None:
    seen: dict[tuple[str, str], int] = {}
    for item in gathered.rejected:
        if item["reason"] == "failed":
            key = item["error"], item["message"].partition("\n")[0]  # a traceback comes after
            seen[key] = seen.get(key, 0) + 1
    for (kind, message), number in list(seen.items())[:_SHOWN]:
        _say(f"failed, {number:,} sentences: {kind}: {message}")
    if any(kind == "internal_error" for kind, _ in seen):
        _say("internal_error is A BUG, and not your input; the report has its traceback. Please report it.")
    if seen:
        _say("When the cause is mended, ask these again with the same command and --retry-failed.")


def _code(plan: Plan, gathered: Gathered, stop: Stop, *, whole: bool) -> int:
    if whole:
        return DONE if gathered.answered else ALL_FAILED
    _say(f"Not finished: {gathered.pending:,} of {len(plan.reading.sentences):,} sentences are pending.")
    if stop.why == "broken":
        _say(f"error: {stop.message}")
    elif stop.why == "budget":
        _say(f"The budget is reached: {stop.message} Give a higher limit to go on.")
    hint = "" if stop.why == "budget" else " with the same command"
    _say(f"What is answered is kept in {shlex.quote(str(beside(plan.out, 'journal.jsonl')))}; go on{hint}.")
    return {"broken": BROKEN, "budget": BUDGET}.get(stop.why, INTERRUPTED)
