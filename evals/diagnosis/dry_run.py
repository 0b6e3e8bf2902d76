"""What diagnosing would ask, told before it asks anything."""

from __future__ import annotations

import sys
from collections import Counter

from agents.nodes.diagnose import ROUNDS
from agents.schemas import Usage
from agents.tokens import count_tokens
from agents.transcripts import shown, transcript_of
from evals.diagnosis.records import state_of
from evals.diagnosis.terms import Work
from evals.diagnosis.working import Job
from evals.money.prices import Prices, money_text

__all__ = ["explain"]

_PROMPT, _ANSWER, _AGAIN = 1_150, 350, 0.15
"""Tokens of the prompt without material and of an answer; questions that are put again, a sample."""


def explain(work: Work, prices: Prices) -> None:
    """Print who would be asked about how many samples, and about what that takes."""
    material = [_tokens(job, work.terms.transcript_tokens) for job in work.jobs]
    given = round(sum(material) * (1 + _AGAIN) + len(material) * _PROMPT * (1 + _AGAIN))
    made = round(len(material) * _ANSWER * (1 + _AGAIN))
    price = prices.price(work.context.model)
    money = "unknown, since no price is known; give one with --prices FILE"
    if price is not None:
        cost = price.of(Usage(input_tokens=given, output_tokens=made))
        money = f"about {money_text({price.currency: cost})} ({price.told})"
    by_run = Counter(job.run.name for job in work.jobs)
    lines = [
        f"judge: {work.context.model}",
        f"to diagnose: {len(work.jobs)}",
        *(f"  {name}: {number}" for name, number in by_run.items()),
        f"calls: {len(material):,} to {len(material) * ROUNDS:,}",
        f"tokens: about {given + made:,} (transcripts and gold counted, without the judge's thinking)",
        f"money: {money}",
        f"longest transcript and gold: {max(material, default=0):,} tokens",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _tokens(job: Job, most: int) -> int:
    gold = job.run.gold(job.record)
    transcript = transcript_of(state_of(job.record, gold))
    return shown(transcript, most).tokens + count_tokens("\n".join([*gold, transcript.entries.text]))
