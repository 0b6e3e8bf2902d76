"""The data sets that come with the project; plug-ins are declared the same way."""

from __future__ import annotations

from pathlib import Path

__all__ = ["mini"]


def mini() -> Path:
    """The folder of the small set that runs offline."""
    return Path(__file__).with_name("mini")
