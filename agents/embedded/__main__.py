"""``python -m agents.embedded info`` lists the embedded model's parts; ``fetch`` brings the one left out."""

# ruff: noqa: T201 - a command speaks on standard output
from __future__ import annotations

import argparse
import importlib.metadata
import sys
from collections.abc import Sequence
from pathlib import Path

from agents.embedded.weights import EXTRA, PARTS, cache_path, locate, require
from agents.errors import UserError

__all__ = ["main"]

#: Libraries that run the parts: distribution, licence.
_LIBRARIES = (
    ("xllamacpp", "MIT"),
    ("onnxruntime", "MIT"),
    ("opencv-python-headless", "Apache-2.0"),
    ("pillow", "MIT-CMU"),
    ("numpy", "BSD-3-Clause"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0, or 1 when something is missing."""
    parser = argparse.ArgumentParser(prog="python -m agents.embedded", description=__doc__)
    parser.add_argument("command", choices=("info", "fetch"))
    parser.add_argument(
        "--cache-dir", type=Path, help="keep fetched weights here instead of the user's cache folder"
    )
    asked = parser.parse_args(arguments)
    return _fetch(asked.cache_dir) if asked.command == "fetch" else _info(asked.cache_dir)


def _fetch(cache_dir: Path | None) -> int:
    for part in PARTS.values():
        if part.fetched:
            try:
                print(f"{part.name}: {require(part, cache_dir)}")
            except UserError as fault:
                print(f"error: {fault}", file=sys.stderr)
                return 1
    return 0


def _info(cache_dir: Path | None) -> int:
    missing = False
    for part in PARTS.values():
        found = locate(part, cache_dir)
        missing = missing or found is None
        away = f"absent; is fetched into {cache_path(part, cache_dir)}" if part.fetched else "absent"
        print(f"{part.name}: {part.does}")
        print(f"    {part.requirement}, {part.licence}, {part.megabytes} MB\n    {found or away}")
    for name, licence in _LIBRARIES:
        try:
            print(f"{name} {importlib.metadata.version(name)}, {licence}")
        except importlib.metadata.PackageNotFoundError:
            missing = True
            print(f"{name} absent, {licence}")
    if missing:
        print(f"to install: {EXTRA}, then `python -m agents.embedded fetch`")
    return int(missing)


if __name__ == "__main__":
    sys.exit(main())
