"""Importing the package costs next to nothing: the libraries come with the first read, in another process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = {"av", "PIL", "numpy", "decord", "langchain_core", "multiprocessing"}


def test_the_package_loads_no_heavy_library(root: Path) -> None:
    code = (
        "import sys, tools.frames; print(' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert "tools" in done.stdout.split()
    assert HEAVY.isdisjoint(done.stdout.split())


def test_reading_decodes_nothing_in_this_process(root: Path, tmp_path: Path) -> None:
    from tests.tools.frames.clips import write_numbered

    clip = write_numbered(tmp_path / "clip.mp4", 2)
    code = f"import sys, tools.frames as t; t.read_frames({str(clip)!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert HEAVY.isdisjoint(done.stdout.split())
