"""``python -m evals.run --graph boost``: run a data set, durably, and print the table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from agents.errors import MetaphorBoostError
from agents.redaction import redacted
from evals.arguments import read_arguments
from evals.output import Output, open_streams

__all__ = ["guarded", "main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        The exit code, as ``--help`` lists them.
    """
    options = read_arguments(sys.argv[1:] if argv is None else list(argv))

    def command() -> int:
        from evals.command import run_command  # after the arguments are known to be good

        return run_command(options)

    return guarded(command)


def guarded(command: Callable[[], int]) -> int:
    """Run a command that runs models; what ends it is told in a sentence. Returns the exit code."""
    open_streams()
    try:
        return command()
    except MetaphorBoostError as error:
        return _complain(error, 2)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except OSError as error:
        return _complain(
            f"the run can't go on: {error}. What was recorded stays; start again to continue.", 1
        )
    except Exception as error:
        if _is_toolbox(error):
            return _complain(error, 2)
        raise


def _is_toolbox(error: Exception) -> bool:
    loaded = sys.modules.get("tools.errors")  # heavy to import, and what isn't loaded can't have raised
    return loaded is not None and isinstance(error, loaded.ToolboxError)


def _complain(what: object, code: int) -> int:
    Output().speak(f"error: {redacted(str(what))}")
    return code


if __name__ == "__main__":
    sys.exit(main())
