"""The options of `clean`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.frames.clean.wishes import DEADLINE, Batch, Wishes

__all__ = ["add_options", "wanted"]

_WORST = 51
_DEFAULTS = Wishes()


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    parser.description = (
        "Write copies of videos without sound and without burnt-in subtitles. Inputs are never changed. "
        "A text is only taken away if it behaves like a subtitle: in the band, centred, still, and coming or "
        "going while the picture stays. Everything else is left and told."
    )
    parser.add_argument("inputs", nargs="+", metavar="IN", help="video files, or folders of video files")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="gets the cleaned files")
    parser.add_argument("--dry-run", action="store_true", help="only tell what would be done")
    parser.add_argument("--report", type=Path, metavar="FILE.jsonl", help="what was found, a line each file")
    parser.add_argument("--overwrite", action="store_true", help="replace files that are in DIR already")
    parser.add_argument("--keep-sound", action="store_true", help="only take subtitles away")
    parser.add_argument("--keep-text", action="store_true", help="only mute (needs no text detector)")
    parser.add_argument(
        "--band", type=_band, default=_DEFAULTS.band, metavar="TOP:BOTTOM",
        help="where subtitles stand, in parts of the height (0.6:1)",
    )  # fmt: skip
    parser.add_argument("--crf", type=_crf, default=_DEFAULTS.crf, help="quality of what is re-encoded (18)")
    parser.add_argument("--deadline", type=_seconds, default=DEADLINE, help="seconds a file may take")


def wanted(chosen: argparse.Namespace) -> Batch:
    """What the parsed options ask for."""
    wishes = Wishes(
        mute=not chosen.keep_sound,
        erase=not chosen.keep_text,
        band=chosen.band,
        crf=chosen.crf,
        is_dry=chosen.dry_run,
    )
    return Batch(tuple(chosen.inputs), chosen.out, wishes, chosen.report, chosen.overwrite, chosen.deadline)


def _band(text: str) -> tuple[float, float]:
    top, _, bottom = text.partition(":")
    try:
        band = float(top), float(bottom)
    except ValueError:
        band = (1.0, 0.0)
    if not 0 <= band[0] < band[1] <= 1:
        raise argparse.ArgumentTypeError(f"must be two parts of the height such as 0.6:1, not {text!r}")
    return band


def _crf(text: str) -> int:
    value = int(text)
    if not 0 <= value <= _WORST:
        raise argparse.ArgumentTypeError(f"must be from 0 (best) to {_WORST}, not {text}")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be more than 0 seconds, not {text}")
    return value
