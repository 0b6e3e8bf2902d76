"""What was spent, by the price table: money of a run, of a sample and of a call, in its own currency."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.context import Context
from agents.errors import UserError
from agents.schemas import ModelCall
from evals.money.ledger import Ledger
from evals.money.prices import Money, Prices, load_prices
from evals.report.settings import RunSettings
from evals.store.records import RunRecord

__all__ = ["Priced", "Spent", "amount_text", "prices_of", "spent_by", "spent_on"]

_TENTH = 0.1


@dataclass(frozen=True, slots=True)
class Priced:
    """The prices of a run.

    Attributes:
        prices: the table, for the servers that the run asks.
        notice: what a reader must know of it; empty for nothing.
    """

    prices: Prices
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Money for some tokens.

    Attributes:
        money: by currency, as far as prices are known.
        unpriced: models whose tokens have no price, sorted.
        estimated: a part of the tokens was counted here, since a server reported none.
        sources: where the prices that were used are written, sorted.
    """

    money: Money
    unpriced: tuple[str, ...] = ()
    estimated: bool = False
    sources: tuple[str, ...] = ()

    @property
    def currency(self) -> str:
        """The one that all of it is in; empty where there are several, none, or a price is unknown."""
        paid = [currency for currency, amount in self.money.items() if amount]
        return paid[0] if len(paid) == 1 and not self.unpriced else ""

    @property
    def amount(self) -> float | None:
        """Money in the one currency; None where it isn't known, or is in several."""
        if self.unpriced:
            return None
        paid = [amount for amount in self.money.values() if amount]
        return sum(paid) if len(paid) < 2 else None  # noqa: PLR2004 - two currencies can't be added

    @property
    def text(self) -> str:
        """``≈ 0.0123 USD``, ``unknown``, ``1.20 USD + unknown``; ``free`` where nothing is asked for."""
        paid = [amount_text(amount, currency) for currency, amount in self.money.items() if amount]
        parts = [*paid, *(["unknown"] if self.unpriced else [])]
        return ("≈ " if self.estimated and paid else "") + (" + ".join(parts) or "free")

    def __truediv__(self, number: int) -> Spent:
        """A share of it, as of one sample of so many."""
        money = {currency: amount / number for currency, amount in self.money.items()}
        return Spent(money, self.unpriced, self.estimated, self.sources)


def amount_text(amount: float, currency: str) -> str:
    """Two decimals, and of less than a tenth two digits that count: ``0.0012 USD``."""
    if amount >= _TENTH or not amount:
        return f"{amount:,.2f} {currency}"
    places = 3
    while places < 9 and round(amount, places) < 10 ** (1 - places):  # noqa: PLR2004 - less is nothing
        places += 1
    return f"{amount:.{places}f} {currency}"


def prices_of(settings: RunSettings) -> Priced:
    """The project's prices, with the run's own file over them where it can still be read."""
    spec = settings.spec
    context = Context(
        model=spec.context.model or "embedded",
        judge_model=spec.context.judge_model,
        base_url=spec.context.base_url,
        judge_base_url=spec.context.judge_base_url,
    )
    if not spec.prices:
        return Priced(load_prices(None, context))
    try:
        return Priced(load_prices(spec.prices, context))
    except UserError as error:
        own = load_prices(None, context)
        return Priced(own, f"money is told by the project's own prices: {str(error).rstrip('.')}")


def spent_by(records: Iterable[RunRecord], prices: Prices) -> Spent:
    """Money of all calls of records, each at the prices of its day."""
    ledger = Ledger(prices)
    for record in records:
        ledger.add_record(record)
    return _spent(ledger)


def spent_on(calls: Sequence[ModelCall], started: str, prices: Prices) -> list[Spent]:
    """Money of each call.

    Args:
        calls: of one record.
        started: when it was begun, ISO 8601.
        prices: of its run.
    """
    found: list[Spent] = []
    for call in calls:
        ledger = Ledger(prices)
        ledger.add_calls([call], _day(started))
        found.append(_spent(ledger))
    return found


def _spent(ledger: Ledger) -> Spent:
    sources = tuple(sorted(set(ledger.sources.values())))
    return Spent(dict(ledger.money), tuple(sorted(ledger.unpriced)), ledger.total.estimated, sources)


def _day(started: str) -> dt.date | None:
    try:
        return dt.datetime.fromisoformat(started).date()
    except ValueError:
        return None
