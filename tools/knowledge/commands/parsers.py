"""What the commands' arguments are added to, and what several of them share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

__all__ = ["positive"]


def positive(text: str) -> int:
    """A whole number from 1, as an argument's type."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        msg = f"{text}: give 1 or more"
        raise argparse.ArgumentTypeError(msg)
    return number
