"""``python -m evals.compare A B``: whether runs differ by more than chance; with one run, what it scored."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from evals.comparison.arguments import read_arguments
from evals.guard import guarded_reading

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        The exit code, as ``--help`` lists them.
    """
    options = read_arguments(sys.argv[1:] if argv is None else list(argv))

    def command() -> int:
        from evals.comparison.command import run_command  # after the arguments are known to be good

        return run_command(options)

    return guarded_reading(command)


if __name__ == "__main__":
    sys.exit(main())
