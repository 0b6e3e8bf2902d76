"""The flags of traces."""

from __future__ import annotations

import argparse

__all__ = ["TRACE_OPTIONS", "add_trace_options"]

TRACE_OPTIONS = frozenset({"trace", "langsmith_dataset"})
"""Their names: they may come with ``--run-dir`` alone, for no record depends on them."""


def add_trace_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--trace`` and ``--langsmith-dataset``."""
    group = parser.add_argument_group(
        "traces", "Every record holds its own trace. LANGSMITH_TRACING=true sends one to LangSmith too."
    )
    group.add_argument(
        "--trace",
        choices=("langsmith", "otel", "none"),
        help="send traces to LangSmith, or to the OpenTelemetry collector of OTEL_EXPORTER_OTLP_ENDPOINT "
        "(frames and keys stay here), or nowhere whatever the environment says",
    )
    group.add_argument(
        "--langsmith-dataset",
        metavar="NAME",
        help="an experiment against this data set of LangSmith, which is created when absent",
    )
