"""An argument parser whose complaint is a sentence, and not two screens of flags before one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

__all__ = ["Parser"]


class Parser(argparse.ArgumentParser):
    """Says what is wrong as every other error is said, which flag was meant, and where all are listed.

    For commands without subcommands: a flag of a subcommand would be unknown to it.
    """

    _given: Sequence[str] = ()

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride] - the parent's has overloads
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """As the parent does; arguments are kept for :meth:`error`."""
        self._given = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Write one sentence to stderr, and exit with code 2."""
        hints = [f"{flag}: did you mean {meant}?\n" for flag, meant in self._mistyped()]
        self.exit(2, f"error: {message}\n{''.join(hints)}All flags: {self.prog} --help\n")

    def _mistyped(self) -> Iterator[tuple[str, str]]:
        """Flags that there are not, each with the nearest that there is."""
        flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
        for word in self._given:
            if word == "--":
                return
            flag = word.partition("=")[0]
            if flag.startswith("--") and not any(known.startswith(flag) for known in flags):
                near = get_close_matches(flag, flags, 1, 0.7)
                if near:
                    yield flag, near[0]
