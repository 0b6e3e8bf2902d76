"""``evals.run`` with a stub judge and no resources, for tests that need a process of their own."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import stubs

import evals.command
import evals.running.wiring
import graphs.catalog
from evals.run import main

graphs.catalog.judge = lambda: stubs.judge
evals.running.wiring.open_resources = lambda _spec: None
evals.command.check = lambda _context: None

if __name__ == "__main__":
    sys.exit(main())
