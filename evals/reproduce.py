"""``python -m evals.reproduce RUN...``: our runs beside the published numbers, in the paper's own tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from evals.guard import guarded_reading
from evals.reproduction.arguments import read_arguments

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
        from evals.reproduction.command import run_command  # after the arguments are known to be good

        return run_command(options)

    return guarded_reading(command)


if __name__ == "__main__":
    sys.exit(main())
