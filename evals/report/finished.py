"""The report that a run writes of itself when it is finished."""

from __future__ import annotations

import shlex
from pathlib import Path

from agents.errors import MetaphorBoostError
from evals.report.gathering import gather
from evals.report.page import write_page
from evals.report.thumbnails import Frames, Thumbnails

__all__ = ["MOST", "report_run"]

MOST = 5000
"""Records of which a run writes a report unasked: a page holds all that it shows."""


def report_run(folder: Path, records: int) -> str:
    """Write ``report.html`` into a run directory, with frames from the frame cache alone: nothing is decoded.

    Args:
        folder: the run directory.
        records: how many it holds.

    Returns:
        A sentence that says where it is, how to get it, or why there is none. A report that fails is no
        failure of the run.
    """
    command = f"python -m evals.report {shlex.quote(str(folder))}"
    if records > MOST:
        return f"Look at it with: {command}"
    try:
        gathered = gather([folder])
        page = write_page(gathered, Thumbnails(Frames.CACHED).strips(gathered), folder / "report.html")
    except MetaphorBoostError as error:
        return f"No report was written: {error}"
    return f"Report: {page.path} (side by side with another run: {command} OTHER)"
