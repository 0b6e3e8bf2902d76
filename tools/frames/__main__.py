"""`python -m tools.frames`: probe, show and clean videos."""

from __future__ import annotations

import sys

from tools.frames.command import main

if __name__ == "__main__":
    sys.exit(main())
