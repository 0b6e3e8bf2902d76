"""Starts of ``evals.run`` in processes of their own, forked from one that has imported everything.

Reads a list of arguments a line, as JSON; writes the process, which leads a group of its own, and then how it
ended.
"""

from __future__ import annotations

import importlib
import json
import os
import sys

import evals.command
import evals.running.wiring  # noqa: F401
import graphs.catalog
from evals.run import main


def _say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _serve() -> None:
    graphs.catalog.load("boost")
    graphs.catalog.judge()
    for name in ("langchain_openai", "tools.frames", "tools.hop"):
        importlib.import_module(name)
    _say(0)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os.setsid()
            os._exit(main(json.loads(line)))
        _say(child)
        _say(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    _serve()
