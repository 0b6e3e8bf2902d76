"""Runs our modules again and again without importing them again: a process that forks on demand.

Each child leads a process group of its own, as a shell's job does, and is ``python -m MODULE`` like any other
from its arguments on. Lines in: orders as JSON (``module``, ``arguments``, ``folder``, ``environment``,
``out`` and ``err``, files that its words go to). Lines out: the child's process, then its wait status.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import runpy
import sys
from typing import Any

WARM = (
    *("langchain_openai", "langgraph.graph", "networkx", "agents.openai_chat", "agents.embedded"),
    *("evals.command", "evals.running.wiring", "evals.report", "evals.comparison.command"),
    *("graphs.judge", "graphs.variants.boost", "graphs.variants.baseline", "tools.frames", "tools.hop"),
)
"""What no child has to import."""


def child(order: dict[str, Any]) -> int:
    """Become a run of a module; returns its exit code."""
    os.chdir(order["folder"])
    os.environ.update(order["environment"])
    for descriptor, name in ((1, order["out"]), (2, order["err"])):
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, descriptor)
        os.close(file)
    sys.argv = [order["module"], *order["arguments"]]
    sys.path.insert(0, order["folder"])  # as python -m does
    try:
        runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
            return 1
        return int(end.code or 0)
    return 0


def tell(number: int) -> None:
    """Say a number to whoever gives orders."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def serve() -> None:
    """Carry out orders until there are no more."""
    for name in WARM:
        importlib.import_module(name)
    for line in sys.stdin:
        process = os.fork()
        if not process:
            code = 70
            try:
                os.setpgid(0, 0)
                code = child(json.loads(line))
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        with contextlib.suppress(OSError):  # the child does so too: whichever comes first
            os.setpgid(process, process)
        tell(process)
        tell(os.waitpid(process, 0)[1])


if __name__ == "__main__":
    serve()
