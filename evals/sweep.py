"""``python -m evals.sweep --graph boost --over retrieval.z=0,5,10``: vary settings, and compare the cells."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from evals.guard import guarded
from evals.sweeping.arguments import read_arguments

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        The exit code, those of ``evals.run``.
    """
    options = read_arguments(sys.argv[1:] if argv is None else list(argv))

    def command() -> int:
        from evals.sweeping.command import run_command  # after the arguments are known to be good

        return run_command(options)

    return guarded(command)


if __name__ == "__main__":
    sys.exit(main())
