"""``python -m evals.feedback RUN``: send scores and diagnosis of a traced run as feedback to LangSmith."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from agents.errors import MetaphorBoostError
from evals.output import Output
from evals.tracing.late import build_parser, send_feedback

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        The exit code, as ``--help`` lists them.
    """
    options = build_parser().parse_args(argv)
    try:
        return 0 if send_feedback(options.runs, Output(as_json=options.json)) else 1
    except MetaphorBoostError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
