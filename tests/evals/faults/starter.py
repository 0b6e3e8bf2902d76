"""Starts ``evals.run`` again and again without importing it again: a process that forks on demand.

Each child leads a process group of its own, as a shell's job does, and is a run like any other from its
arguments on. Lines in: arguments as JSON. Lines out: the child's process, then its exit status.
"""

from __future__ import annotations

import json
import os
import sys

import langchain_openai  # noqa: F401 - so that no child has to
import langgraph.graph  # noqa: F401

import agents.openai_chat
import evals.command
import evals.report
import evals.running.wiring
import graphs.judge
import graphs.variants.baseline  # noqa: F401
from evals.run import main


def child(arguments: list[str], log: str) -> None:
    os.setsid()
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


for line in sys.stdin:
    order = json.loads(line)
    process = os.fork()
    if not process:
        child(order["arguments"], order["log"])
    print(process, flush=True)
    print(os.waitpid(process, 0)[1], flush=True)
