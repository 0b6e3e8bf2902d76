"""The report of one or more runs: one page that opens from disk, and tables for papers.

    python -m evals.report RUN... --out report.html

``gather`` reads what run directories hold and puts all records of one sample side by side; ``write_page``
makes a page of it, ``csv_text``, ``markdown_text`` and ``latex_text`` make tables.
"""

from __future__ import annotations

from evals.report.exports import csv_text, latex_text, markdown_text
from evals.report.finished import report_run
from evals.report.gathering import Gathered, Group, Run, gather
from evals.report.page import Page, render, write_page
from evals.report.thumbnails import Frames, Thumbnails

__all__ = [
    "Frames",
    "Gathered",
    "Group",
    "Page",
    "Run",
    "Thumbnails",
    "csv_text",
    "gather",
    "latex_text",
    "markdown_text",
    "render",
    "report_run",
    "write_page",
]
