"""``python -m evals.judge RUN --judge-model M --k 5``: judge frozen predictions again, or probe a judge."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from agents.errors import MetaphorBoostError
from evals.judging.judge_arguments import read_arguments

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        The exit code, as ``--help`` lists them.
    """
    options = read_arguments(sys.argv[1:] if argv is None else list(argv))
    from evals.judging.judge_command import run_command  # after the arguments are known to be good

    try:
        return run_command(options)
    except MetaphorBoostError as error:
        return _complain(error, 2)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(
            f"the judging can't go on: {error}. What was recorded stays; start again to continue.", 1
        )


def _complain(what: object, code: int) -> int:
    sys.stderr.write(f"error: {what}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
