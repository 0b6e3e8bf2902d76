"""The command line: `probe` tells what files are, `show` draws what a model sees, `clean` prepares a set."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from tools.errors import ToolboxError
from tools.frames.terms import Fault, Method, Sampling

__all__ = ["main"]

_DEADLINE = 60.0
_SPREAD = {"uniform": "time", "shots": "shots"}
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands.

    Returns:
        The exit code: 0, 1 if a file could not be worked with, 2 for arguments that can't be (by argparse).
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold bytes that no terminal knows
    chosen = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = chosen.run
    try:
        return run(chosen)
    except ToolboxError as error:
        _complain(str(error))
        return 1
    except KeyboardInterrupt:
        _complain("stopped")
        return 130
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return 141


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.frames",
        description="Look at videos as a model will see them, and clean them as the benchmark's makers did.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_probe(commands.add_parser("probe", help="codec, size, turn, duration, frame rate, and what is odd"))
    _add_show(commands.add_parser("show", help="a contact sheet of the frames that are taken"))
    _add_clean(commands.add_parser("clean", help="copies without sound and without burnt-in subtitles"))
    return parser


def _add_probe(parser: argparse.ArgumentParser) -> None:
    parser.description = "Tell what video files (or folders of pictures) are, without decoding them whole."
    parser.add_argument("files", nargs="+", metavar="FILE", help="video files, or folders of pictures")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for each file")
    parser.add_argument("--deadline", type=_positive, default=_DEADLINE, help="seconds a file may take")
    parser.set_defaults(run=_probe)


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.description = "Draw the frames that are taken from a video, with their times and shots."
    parser.add_argument("video", help="a video file, or a folder of pictures")
    parser.add_argument("--out", required=True, type=Path, metavar="SHEET.png", help="png, jpg or webp")
    parser.add_argument("--frames", type=_count, default=16, metavar="N", help="at most so many (16)")
    parser.add_argument(
        "--sampling",
        choices=get_args(Method),
        default="uniform",
        help="over time (uniform), over shots, or at a rate (fps)",
    )
    parser.add_argument("--fps", type=_positive, default=1.0, help="frames a second of --sampling fps (1)")
    parser.add_argument("--columns", type=_count, metavar="C", help="frames a row")
    parser.add_argument(
        "--max-side", type=_count, default=640, help="longest side of a frame in pixels (640)"
    )
    parser.add_argument("--reader", default="auto", help='"auto", "pyav", "decord" or "module:attribute"')
    parser.add_argument("--deadline", type=_positive, default=_DEADLINE, help="seconds decoding may take")
    parser.set_defaults(run=_show)


def _add_clean(parser: argparse.ArgumentParser) -> None:
    from tools.frames.clean.options import add_options

    add_options(parser)
    parser.set_defaults(run=_clean)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return value


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be more than 0, not {text}")
    return value


def _probe(chosen: argparse.Namespace) -> int:
    from tools.frames.apart import apart
    from tools.frames.probe import probe
    from tools.frames.shown import described

    failed = False
    for number, path in enumerate(chosen.files):
        try:
            seen = apart(probe, path, deadline=chosen.deadline)
        except Fault as fault:
            failed = True
            _complain(f"{path}: {fault}")
            if chosen.json:
                _say(json.dumps({"path": path, "error": str(fault)}))
            continue
        _say(json.dumps(asdict(seen)) if chosen.json else ("\n" if number else "") + described(seen))
    return int(failed)


def _show(chosen: argparse.Namespace) -> int:
    from tools.frames.reading import read_frames
    from tools.frames.sheet import contact_sheet

    out: Path = chosen.out
    if out.suffix.lower() not in _PICTURES:
        raise ToolboxError(f"{out}: a sheet is written as {', '.join(_PICTURES)}: name it so")
    if out.exists() and Path(chosen.video).exists() and out.samefile(chosen.video):
        raise ToolboxError(f"{out}: the sheet would overwrite the video")
    sampling = Sampling(
        max_frames=chosen.frames,
        max_side=chosen.max_side,
        reader=chosen.reader,
        method=chosen.sampling,
        fps=chosen.fps,
    )
    clip = read_frames(chosen.video, sampling, deadline=chosen.deadline)
    how = (
        f"{chosen.fps:g} a second" if chosen.sampling == "fps" else f"spread over {_SPREAD[chosen.sampling]}"
    )
    sheet = contact_sheet(clip, Path(chosen.video).name, how, chosen.columns)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        sheet.save(out)
    except (OSError, ValueError) as error:
        raise ToolboxError(f"{out}: the sheet can't be written: {error}") from error
    count = f"{len(clip.frames)} frame{'' if len(clip.frames) == 1 else 's'}"
    _say(f"{count} of {clip.duration:.2f} s in {out} ({sheet.width}x{sheet.height})")
    for warning in clip.warnings:
        _complain(f"{chosen.video}: {warning}", kind="note")
    return 0


def _clean(chosen: argparse.Namespace) -> int:
    from tools.frames.clean.batch import clean_all
    from tools.frames.clean.options import wanted

    return clean_all(wanted(chosen), say=_say, complain=_complain)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _complain(line: str, kind: str = "error") -> None:
    from tools.frames.shown import printable

    sys.stderr.write(f"{kind}: {printable(line)}\n")
    sys.stderr.flush()
