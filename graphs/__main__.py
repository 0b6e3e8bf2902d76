"""``python -m graphs``: list the graphs, or write ``langgraph.json`` for ``langgraph dev``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from graphs.catalog import langgraph_json, variants


def main(arguments: list[str] | None = None) -> int:
    """List the graphs, or write ``langgraph.json`` into the current folder."""
    parser = argparse.ArgumentParser(prog="python -m graphs", description="List the graphs.")
    parser.add_argument(
        "--langgraph-json", action="store_true", help="write langgraph.json into this folder instead"
    )
    chosen = parser.parse_args(arguments)
    if chosen.langgraph_json:
        Path("langgraph.json").write_text(json.dumps(langgraph_json(), indent=2) + "\n", encoding="utf-8")
        return 0
    for variant in variants().values():
        print(f"{variant.name:16} {variant.summary}")  # noqa: T201 - the command's answer
    return 0


if __name__ == "__main__":
    sys.exit(main())
