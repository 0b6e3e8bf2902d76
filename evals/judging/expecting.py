"""What a judging will ask, told before it asks anything: its questions are there and can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.context import Context
from agents.nodes.judge import judge_prompt
from agents.prompts import Prompts
from agents.schemas import Usage
from agents.tokens import count_tokens
from evals.money.prices import Money, Prices, money_text
from evals.running.attempt import Job

__all__ = ["Expected", "expect"]

_ANSWER = 300
"""Tokens that an answer with its grounds is taken to have, without a model's thinking."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is to come.

    Attributes:
        predictions: to be judged.
        calls: exact but for repairs.
        tokens: questions counted with tiktoken, answers estimated.
        money: None where the judge has no price.
        money_said: the same in words.
    """

    predictions: int
    calls: int
    tokens: int
    money: Money | None
    money_said: str

    def text(self) -> str:
        """Lines for a person."""
        return (
            f"to judge: {self.predictions} predictions (less what is judged already)\n"
            f"model calls: {self.calls:,}; repairs come on top\n"
            f"tokens: about {self.tokens:,} (questions counted, {_ANSWER} an answer, without thinking)\n"
            f"money: {self.money_said}"
        )


def expect(jobs: Sequence[Job], context: Context, prices: Prices) -> Expected:
    """Count the questions of all jobs.

    Args:
        jobs: predictions without a verdict.
        context: of the judge.
        prices: what tokens cost.
    """
    k = 1 if context.model == "embedded" else context.judge_k  # a similarity is measured once
    calls = 2 * k * len(jobs)
    usage = Usage(
        input_tokens=k * _question_tokens(jobs, context), output_tokens=calls * _ANSWER, estimated=True
    )
    price = prices.price(context.model)
    if price is None:
        told = (
            f"unknown, since no price is known for {prices.name(context.model)}; give one with --prices FILE"
        )
        return Expected(len(jobs), calls, usage.total_tokens, None, told)
    money = {price.currency: price.of(usage)}
    told = f"about {money_text(money)} ({price.told})" if any(money.values()) else f"none ({price.told})"
    return Expected(len(jobs), calls, usage.total_tokens, money, told)


def _question_tokens(jobs: Sequence[Job], context: Context) -> int:
    """Of one strict and one loose question for each job."""
    prompts = Prompts(dict(context.prompts))
    system = count_tokens(prompts.render("judge_system").text)
    found = 0
    for job in jobs:
        assert job.before is not None  # noqa: S101 - an assignment's jobs have their prediction
        state = {"gold": job.sample.gold, "prediction": job.before.interpretation, "title": job.sample.title}
        for kind in ("strict", "loose"):
            found += system + count_tokens(judge_prompt(state, prompts, kind, 0).text)
    return found
