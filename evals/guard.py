"""What ends a command is told in a sentence, and by its exit code: the same for all that are alike."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from agents.errors import MetaphorBoostError
from agents.redaction import redacted
from evals.output import Output, open_streams

__all__ = ["guarded", "guarded_reading"]


def guarded(command: Callable[[], int]) -> int:
    """Run a command that runs models; returns the exit code."""
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


def guarded_reading(command: Callable[[], int]) -> int:
    """Run a command that reads what runs left, and asks no model; returns the exit code."""
    try:
        return command()
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (MetaphorBoostError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 130


def _is_toolbox(error: Exception) -> bool:
    loaded = sys.modules.get("tools.errors")  # heavy to import, and what isn't loaded can't have raised
    return loaded is not None and isinstance(error, loaded.ToolboxError)


def _complain(what: object, code: int) -> int:
    Output().speak(f"error: {redacted(str(what))}")
    return code
