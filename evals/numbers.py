"""Whole numbers as arguments of commands: what is none is told in a sentence."""

from __future__ import annotations

import argparse

__all__ = ["natural", "positive", "whole"]

_ANY = 10**12


class whole:  # noqa: N801 - it stands where a type does
    """A whole number within bounds."""

    def __init__(self, least: int, most: int = _ANY) -> None:
        self.least, self.most = least, most

    def __call__(self, text: str) -> int:
        """Read it."""
        try:
            value = int(text)
        except ValueError:
            value = self.least - 1
        if not self.least <= value <= self.most:
            upper = "" if self.most == _ANY else f" to {self.most}"
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {self.least}{upper}")
        return value


def positive(text: str) -> int:
    """A whole number above zero."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return int(text)


def natural(text: str) -> int:
    """A whole number from zero."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)
