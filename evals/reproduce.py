"""``python -m evals.reproduce RUN...``: our runs beside the published numbers, in the paper's own tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from agents.errors import MetaphorBoostError
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
    from evals.reproduction.command import run_command  # after the arguments are known to be good

    try:
        return run_command(options)
    except MetaphorBoostError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
