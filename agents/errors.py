"""What can go wrong when a mind is asked, told apart by who has to act.

    MetaphorBoostError
    ├── UserError          your input: a file, a key, a flag; the message says the way out
    │   └── ModelUnavailableError  of a whole run: the key, the model's name, the account
    ├── AnsweredError      a model was asked and paid in vain; its raw text and tokens are kept
    │   ├── ModelOutputError   it answered, but not what was asked
    │   └── RefusedError       it, or its service, declined for safety
    ├── BudgetExceeded     a limit you set was reached: says the limit and the value
    └── ProviderError      the service failed: network, rate limit, time-out, server error

The run's outcomes follow this tree, so that a rate limit is never scored as a wrong answer.
Anything else that is raised is a bug and surfaces as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agents.schemas import ModelCall, Usage

__all__ = [
    "AnsweredError",
    "BudgetExceeded",
    "Fault",
    "MetaphorBoostError",
    "ModelOutputError",
    "ModelUnavailableError",
    "ProviderError",
    "RefusedError",
    "UserError",
]


class MetaphorBoostError(Exception):
    """Root of the errors that this project raises on purpose.

    Attributes:
        calls: what had been asked and paid in vain when it was raised, as far as the step knows.
        usage: tokens of the question that it ended, earlier answers to it included; None where not known.
        attempts: requests that were made for that question.
        raw: the last answer to it, whole; empty where there was none.
    """

    calls: tuple[ModelCall, ...] = ()
    usage: Usage | None = None
    attempts: int = 0
    raw: str = ""


class UserError(MetaphorBoostError):
    """Something you gave can't be used; the message names it and the way out."""


class AnsweredError(MetaphorBoostError):
    """A model answered, and was paid for it, but its answer is of no use.

    Its ``raw`` holds the last answer, so that a person can see what it said.
    """

    def __init__(self, message: str, *, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw
        self.attempts = 1


class ModelOutputError(AnsweredError):
    """The model answered, but nothing that fits the schema asked for."""


class RefusedError(AnsweredError):
    """The model, or the filter in front of it, declined to answer."""


class ModelUnavailableError(UserError):
    """No sample can do better: a bad key, an unknown model, an account without funds. It stops a run."""


class BudgetExceeded(MetaphorBoostError):  # noqa: N818 - a limit reached is no error of anyone's
    """A limit that you set was reached."""


Fault = Literal["rate_limited", "overloaded", "server_error", "timeout", "connection", "unreadable", "other"]
"""How a service failed, told apart by what may help: to wait, to ask less, to look at the network."""


class ProviderError(MetaphorBoostError):
    """The service behind a model failed: nothing was learned of the model.

    Attributes:
        fault: in what way.
    """

    def __init__(self, message: str, *, fault: Fault = "other") -> None:
        super().__init__(message)
        self.fault: Fault = fault
