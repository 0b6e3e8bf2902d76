"""What tokens cost: a table of dated prices that comes with the project, and yours over it.

A model without a price has an unknown cost, which is never taken for none. The embedded model costs nothing.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.context import Context
from agents.errors import UserError
from agents.schemas import Usage
from evals.settings.lines import UNMADE, lines_of

__all__ = ["OWN_TABLE", "Money", "Price", "Prices", "load_prices", "money_text"]

OWN_TABLE = Path(__file__).with_name("prices.yaml")

Money = dict[str, float]
"""Amounts by currency."""

_MILLION = 1_000_000
_EMBEDDED = "embedded"
_CENTS = 0.01


class _Given(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Price(_Given):
    """Prices of a million tokens of one model, from one day on.

    Attributes:
        model: its name, with the provider or without.
        server: ``host`` or ``host:port``, where the price holds at that server alone.
        currency: three capital letters.
        input: of what is sent.
        cached: of the part of it that the service had kept; ``input`` when None.
        output: of what comes back.
        reasoning: of the part of it that is thinking; ``output`` when None.
        valid_from: first day; None for always.
        up_to: holds for requests of at most so many input tokens.
        source: where it is written.
    """

    model: str = Field(min_length=1)
    server: str | None = None
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    input: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    reasoning: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    valid_from: dt.date | None = None
    up_to: int | None = Field(default=None, ge=1)
    source: str = ""

    def of(self, usage: Usage) -> float:
        """What these tokens cost."""
        cached = min(usage.cached_tokens, usage.input_tokens)
        thinking = min(usage.reasoning_tokens, usage.output_tokens)
        kept = self.input if self.cached is None else self.cached
        thought = self.output if self.reasoning is None else self.reasoning
        return (
            (usage.input_tokens - cached) * self.input
            + cached * kept
            + (usage.output_tokens - thinking) * self.output
            + thinking * thought
        ) / _MILLION

    @property
    def told(self) -> str:
        """Where the price is from, and since when."""
        since = f" from {self.valid_from}" if self.valid_from else ""
        return f"{self.source or 'your table'}{since}"


class _Table(_Given):
    as_of: dt.date | None = None
    prices: tuple[Price, ...]


_FREE = Price(model=_EMBEDDED, input=0, output=0, source="runs on this machine")


@dataclass(frozen=True)
class Prices:
    """A table of prices, read for one run.

    Attributes:
        rows: yours before those of the project.
        servers: the server that each model is asked at, where one was given.
    """

    rows: tuple[Price, ...] = ()
    servers: Mapping[str, str] = field(default_factory=dict[str, str])
    _known: dict[tuple[str, dt.date], list[Price]] = field(
        default_factory=dict[tuple[str, dt.date], list[Price]], compare=False, repr=False
    )

    def price(self, model: str, day: dt.date | None = None, tokens: int = 0) -> Price | None:
        """The price of a model on a day, None where none is known.

        Args:
            model: as the run names it, ``provider:name``.
            day: of the call; today when None.
            tokens: input tokens of one request.
        """
        if model == _EMBEDDED:
            return _FREE
        day = day or dt.datetime.now(dt.UTC).date()
        if (model, day) not in self._known:
            self._known[model, day] = self._rows(model, day)
        return next(
            (row for row in self._known[model, day] if row.up_to is None or tokens <= row.up_to), None
        )

    def _rows(self, model: str, day: dt.date) -> list[Price]:
        """Rows that hold: those for a server first, then the youngest, the narrowest, and yours."""
        names, servers = (model, model.partition(":")[2]), (None, self.servers.get(model))
        fit = [
            row
            for row in self.rows
            if row.model in names
            and row.server in servers
            and (row.valid_from is None or row.valid_from <= day)
        ]
        return sorted(fit, key=lambda row: (row.server is None, -_ordinal(row), row.up_to or math.inf))

    def name(self, model: str) -> str:
        """A model's name with its server, for messages."""
        server = self.servers.get(model)
        return f"{model} at {server}" if server else model


def _ordinal(row: Price) -> int:
    return row.valid_from.toordinal() if row.valid_from else 0


def load_prices(path: str | None = None, context: Context | None = None) -> Prices:
    """The project's prices, with those of a file before them.

    A model that the file names is priced by the file alone.

    Args:
        path: of a YAML file in the layout of :data:`OWN_TABLE`.
        context: says which model is asked at which server.

    Raises:
        UserError: when the file can't be read; it names the row and what is wrong.
    """
    own = _read(OWN_TABLE)
    given = _read(Path(path)) if path else ()
    bare = [row.model for row in given if row.server is None]
    bare = [row.model for row in given if row.server is None]
    named = {*bare, *(model.partition(":")[2] for model in bare)}
    rows = (*given, *(row for row in own if row.model not in named))
    return Prices(rows, _servers(context) if context else {})


def _servers(context: Context) -> dict[str, str]:
    found: dict[str, str] = {}
    for role in ("judge", "interpreter"):
        url = context.base_url_for(role)
        if url and (server := urlsplit(url).netloc.rpartition("@")[2]):
            found[context.model_for(role)] = server
    return found


def _read(path: Path) -> tuple[Price, ...]:
    import yaml  # only where money is asked about

    try:
        text = path.read_text(encoding="utf-8")
        lines_of(text, f"--prices {path}")  # refuses a key that stands twice
        raw: Any = yaml.safe_load(text)
    except OSError as error:
        raise UserError(f"--prices {path} can't be read: {error.strerror}.") from error
    except (yaml.YAMLError, *UNMADE) as error:
        first = " ".join(str(error).partition(";")[0].split())
        raise UserError(f"--prices {path} is no YAML: {first[:200]}") from error
    try:
        return _Table.model_validate({"prices": raw} if isinstance(raw, list) else raw).prices
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"]) or "the file"
        raise UserError(
            f"--prices {path}: {where}: {fault['msg']}. A row is, for example: "
            "{model: gpt-5, currency: USD, input: 1.25, output: 10, valid_from: 2025-08-07}."
        ) from error


def money_text(money: Money) -> str:
    """Amounts for a person: ``1.23 USD``; below a cent with four digits more."""
    paid = {currency: amount for currency, amount in money.items() if amount}
    parts = [
        f"{amount:,.2f} {currency}" if amount >= _CENTS else f"{amount:.6f} {currency}"
        for currency, amount in paid.items()
    ]
    return " + ".join(parts) or " + ".join(f"0 {currency}" for currency in money) or "0"
