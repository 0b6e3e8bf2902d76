"""Starts ``evals.run`` again and again without importing it again: a process that forks on demand.

Each child leads a process group of its own, as a shell's job does, and is a run like any other from its
arguments on. Lines in: arguments as JSON. Lines out: the child's process, then its exit status.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys

import langchain_openai  # noqa: F401 - so that no child has to
import langgraph.graph  # noqa: F401

import agents.openai_chat  # noqa: F401
import evals.command
import evals.report
import evals.running.wiring  # noqa: F401
import graphs.judge
import graphs.variants.baseline  # noqa: F401
from evals.run import main


def child(arguments: list[str], log: str) -> None:
    """Become a run; never returns."""
    os.setpgid(0, 0)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for descriptor in (1, 2):
        os.dup2(file, descriptor)
    code = 70
    try:
        code = main(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


for line in sys.stdin:
    order = json.loads(line)
    process = os.fork()
    if not process:
        child(order["arguments"], order["log"])
    with contextlib.suppress(OSError):  # the child does so too: whichever comes first
        os.setpgid(process, process)
    tell(process)
    tell(os.waitpid(process, 0)[1])
