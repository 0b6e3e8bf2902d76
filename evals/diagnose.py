"""``python -m evals.diagnose RUN``: why a model fails, quoted, counted, and compared between runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from agents.errors import MetaphorBoostError
from evals.diagnosis.arguments import read_arguments

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        The exit code, as ``--help`` lists them.
    """
    options = read_arguments(sys.argv[1:] if argv is None else list(argv))
    from evals.diagnosis.command import run_command  # after the arguments are known to be good
    from tools.errors import ToolboxError

    try:
        return run_command(options)
    except (MetaphorBoostError, ToolboxError) as error:
        return _complain(error, 2)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except OSError as error:
        return _complain(f"it can't go on: {error}. What is diagnosed stays; start again to go on.", 1)


def _complain(what: object, code: int) -> int:
    sys.stderr.write(f"error: {what}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
