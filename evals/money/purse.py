"""One budget for all cells of a run: what they have spent together, and whether they may go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.money.accounts import Accounts
from evals.money.budget import Budget
from evals.money.prices import Money

__all__ = ["Purse"]


@dataclass(frozen=True, slots=True)
class Purse:
    """The accounts of all cells.

    Attributes:
        budget: of the run.
        parts: accounts of each cell, those that are not run this time among them: they have spent, too.
    """

    budget: Budget
    parts: Sequence[Accounts]

    @property
    def tokens(self) -> int:
        """Tokens spent, in flight included."""
        return sum(part.tokens for part in self.parts)

    @property
    def money(self) -> Money:
        """Money spent, in flight included, as far as prices are known."""
        found: Money = {}
        for part in self.parts:
            for currency, amount in part.money.items():
                found[currency] = found.get(currency, 0.0) + amount
        return found

    @property
    def unpriced(self) -> set[str]:
        """Models whose tokens have no price."""
        return {model for part in self.parts for model in part.unpriced}

    def reached(self) -> str:
        """Why nothing more must be started; empty while it may."""
        if self.budget.max_tokens_total is None and self.budget.max_cost is None:
            return ""
        return self.budget.run_reached(self.tokens, self.money)

    def on_spent(self, act: Callable[[], None]) -> None:
        """Call ``act`` whenever a cell has spent tokens."""
        for part in self.parts:
            part.on_spent = act
