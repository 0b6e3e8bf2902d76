"""Build a graph and look into it: `python -m tools.knowledge COMMAND`; `--help` lists the commands."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError
from tools.knowledge.commands import build, check, export, hop, path, show, stats, vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_COMMANDS = {
    "check": check,
    "hop": hop,
    "path": path,
    "stats": stats,
    "show": show,
    "build": build,
    "export": export,
    "vectors": vectors,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns:
        0 when all is well, 1 when the check found problems or a walk found nothing, 2 for bad input.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.knowledge", description=__doc__)
    subparsers = parser.add_subparsers(dest="command", required=True)
    for command in _COMMANDS.values():
        command.add(subparsers)
    asked = parser.parse_args(arguments)
    try:
        return _COMMANDS[asked.command].run(asked)
    except KnowledgeError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
