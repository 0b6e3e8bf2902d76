"""``python -m evals.report RUN... --out report.html``: look at runs, and put them beside one another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from agents.errors import MetaphorBoostError
from graphs.parsing import Parser

__all__ = ["main"]

_EXAMPLES = """\
examples:
  python -m evals.report runs/boost                                     # writes runs/boost/report.html
  python -m evals.report runs/boost runs/baseline --out report.html     # side by side
  python -m evals.report runs/* --latex table.tex --csv table.csv       # tables alone"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: arguments; the process's own when None.

    Returns:
        0 when everything was written, 2 when a run, the data set or a file can't be used.
    """
    options = _parser().parse_args(sys.argv[1:] if argv is None else list(argv))
    try:
        return _report(options)
    except MetaphorBoostError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted; nothing was written\n")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m evals.report",
        description="Write a page about one or more runs, which opens from disk without a network.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "runs",
        nargs="+",
        type=Path,
        metavar="RUN",
        help="a run directory, finished or not, with all cells of one that has several; or a folder of some",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the page; report.html in a single run's directory"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="headline and types as CSV")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the same in Markdown")
    parser.add_argument("--latex", type=Path, metavar="FILE", help="the same in LaTeX")
    parser.add_argument(
        "--dataset", default="", metavar="D", help="where gold and videos are, if no longer where they were"
    )
    parser.add_argument("--no-frames", action="store_true", help="leave frames out")
    parser.add_argument(
        "--thumbnails", type=_count, default=8, metavar="N", help="frames of a video at most (default: 8)"
    )
    return parser


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 50:  # noqa: PLR2004 - more would be another video
        raise argparse.ArgumentTypeError("give a number from 1 to 50")
    return number


def _report(options: argparse.Namespace) -> int:
    from evals.report import Frames, Thumbnails, csv_text, gather, latex_text, markdown_text, write_page
    from evals.report.page import save

    gathered = gather(options.runs, options.dataset)
    writers: list[tuple[Path | None, Callable[..., str]]] = [
        (options.csv, csv_text),
        (options.markdown, markdown_text),
        (options.latex, latex_text),
    ]
    tables = [(path, make) for path, make in writers if path is not None]
    for path, make in tables:
        save(path, make(gathered))
        sys.stdout.write(f"Table: {path}\n")
    out = _page_path(options, bool(tables), [run.folder for run in gathered.runs])
    if out is None:
        return 0
    check_writable(out)
    thumbnails = Thumbnails(Frames.NONE if options.no_frames else Frames.ALL, options.thumbnails)
    strips = thumbnails.strips(gathered, _progress(len(gathered.groups)))
    page = write_page(gathered, strips, out)
    _say_missing([] if options.no_frames else [strip.missing for strip in strips if strip.missing])
    sys.stdout.write(f"Report: {page.path} ({page.size / 1e6:.1f} MB, {_samples(page.samples)})\n")
    return 0


def _page_path(options: argparse.Namespace, has_tables: bool, folders: Sequence[Path]) -> Path | None:
    from evals.store.folders import is_grid

    if options.out is not None or has_tables:
        return options.out
    if len(options.runs) == 1 and is_grid(options.runs[0]):
        return options.runs[0] / "report.html"
    return folders[0] / "report.html" if len(folders) == 1 else Path("report.html")


def check_writable(path: Path) -> None:
    """Find out before minutes of decoding.

    Raises:
        UserError: when the file's folder is missing.
    """
    from agents.errors import UserError

    if not path.parent.is_dir():
        raise UserError(f"{path} can't be written: there is no folder {path.parent}.")


def _samples(number: int) -> str:
    return f"{number} sample{'' if number == 1 else 's'}"


def _progress(total: int) -> Callable[[int], None]:
    """A line in a terminal that counts; nothing elsewhere."""

    def told(done: int) -> None:
        sys.stderr.write(f"\rframes: {done} of {total}" + ("\n" if done == total else ""))
        sys.stderr.flush()

    return told if sys.stderr.isatty() else lambda _done: None


def _say_missing(reasons: Sequence[str], most: int = 5) -> None:
    if not reasons:
        return
    sys.stderr.write(f"No frames are shown of {_samples(len(reasons))}:\n")
    for reason in list(dict.fromkeys(reasons))[:most]:
        sys.stderr.write(f"  {reason}\n")


if __name__ == "__main__":
    sys.exit(main())
