"""Limits of tokens and money, for a run and for a sample."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from agents.errors import UserError
from evals.money.prices import Money, Prices, money_text

__all__ = ["Budget", "check_budget"]


class Budget(BaseModel):
    """Limits; None for none. Money is in the currency of the models' prices.

    Attributes:
        max_tokens_total: of the run, over all its starts.
        max_cost: of the run, over all its starts.
        max_sample_tokens: of one sample of one epoch, judging included.
        max_sample_cost: the same in money.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_tokens_total: int | None = Field(default=None, ge=1)
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    max_sample_tokens: int | None = Field(default=None, ge=1)
    max_sample_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)

    @property
    def counts_money(self) -> bool:
        """Whether a limit is one of money."""
        return self.max_cost is not None or self.max_sample_cost is not None

    def run_reached(self, tokens: int, money: Money) -> str:
        """Why the run must start nothing more; empty while it may."""
        told = _tokens_reached(tokens, self.max_tokens_total, "--max-tokens-total")
        return told or _cost_reached(money, self.max_cost, "--max-cost")

    def sample_reached(self, tokens: int, money: Money) -> str:
        """Why a sample may ask nothing more; empty while it may."""
        told = _tokens_reached(tokens, self.max_sample_tokens, "--max-sample-tokens")
        return told or _cost_reached(money, self.max_sample_cost, "--max-sample-cost")


def _tokens_reached(spent: int, limit: int | None, flag: str) -> str:
    if limit is None or spent < limit:
        return ""
    return f"{spent:,} tokens are spent, and {flag} is {limit:,}"


def _cost_reached(spent: Money, limit: float | None, flag: str) -> str:
    if limit is None or sum(spent.values()) < limit:
        return ""
    return f"{money_text(spent)} is spent, and {flag} is {limit:g}"


def check_budget(budget: Budget, prices: Prices, models: Sequence[str]) -> None:
    """Refuse a limit of money that could not be kept.

    Raises:
        UserError: when a model has no price, or prices are in several currencies.
    """
    if not budget.counts_money:
        return
    found = {model: prices.price(model) for model in dict.fromkeys(models)}
    missing = [prices.name(model) for model, price in found.items() if price is None]
    if missing:
        raise UserError(
            f"--max-cost and --max-sample-cost need a price, and none is known for {' and '.join(missing)}. "
            "Give one with --prices FILE, or a limit of tokens (--max-tokens-total, --max-sample-tokens)."
        )
    currencies = {
        price.currency for price in found.values() if price is not None and (price.input or price.output)
    }
    if len(currencies) > 1:
        raise UserError(
            f"The models' prices are in {' and '.join(sorted(currencies))}, so that no single limit of money "
            "can be kept. Give all in one currency with --prices FILE."
        )
