"""What can go wrong when a mind is asked, told apart by who has to act.

    MetaphorBoostError
    ├── UserError          your input: a file, a key, a flag; the message says the way out
    ├── ModelOutputError   the model answered, but not what was asked; its raw text is kept
    ├── RefusedError       the model or its service declined for safety
    ├── BudgetExceeded     a limit you set was reached: says the limit and the value
    └── ProviderError      the service failed: network, rate limit, time-out, server error

The run's outcomes follow this tree, so that a rate limit is never scored as a wrong answer.
Anything else that is raised is a bug and surfaces as one.
"""

from __future__ import annotations

__all__ = [
    "BudgetExceeded",
    "MetaphorBoostError",
    "ModelOutputError",
    "ProviderError",
    "RefusedError",
    "UserError",
]


class MetaphorBoostError(Exception):
    """Root of the errors that this project raises on purpose."""


class UserError(MetaphorBoostError):
    """Something you gave can't be used; the message names it and the way out."""


class ModelOutputError(MetaphorBoostError):
    """The model answered, but nothing that fits the schema asked for.

    Attributes:
        raw: the last answer, whole, so that a person can see what it said.
    """

    def __init__(self, message: str, *, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class RefusedError(MetaphorBoostError):
    """The model, or the filter in front of it, declined to answer.

    Attributes:
        raw: the words of the refusal, where there are any.
    """

    def __init__(self, message: str, *, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class BudgetExceeded(MetaphorBoostError):  # noqa: N818 - a limit reached is no error of anyone's
    """A limit that you set was reached."""


class ProviderError(MetaphorBoostError):
    """The service behind a model failed: nothing was learned of the model."""
