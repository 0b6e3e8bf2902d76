"""Many files: which, where to, one process each, and what is told of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from tools.errors import ToolboxError
from tools.frames.apart import apart
from tools.frames.clean.cleaning import clean_file
from tools.frames.clean.report import FileReport
from tools.frames.clean.spotting import check_installed
from tools.frames.clean.wishes import Batch
from tools.frames.shown import clock, printable
from tools.frames.terms import Fault

__all__ = ["clean_all"]

_SUFFIXES = (
    ".avi",
    ".flv",
    ".gif",
    ".m4v",
    ".mkv",
    ".mov",
    ".mp4",
    ".mpeg",
    ".mpg",
    ".ts",
    ".webm",
    ".wmv",
    ".3gp",
)
_MEMORY = 6 << 30
_SHOWN = 5

Say = Callable[[str], None]


def clean_all(batch: Batch, *, say: Say, complain: Say) -> int:
    """Clean files one after the other; a bad one doesn't stop the rest.

    Args:
        batch: what to clean, and how.
        say: takes lines about what was done.
        complain: takes lines about files that failed.

    Returns:
        0, or 1 if a file failed.

    Raises:
        ToolboxError: if nothing can be done at all: no text detector, no folder to write to.
    """
    if batch.wishes.erase:
        check_installed()
    files = list(_files(batch))
    failed = 0
    with ExitStack() as stack:
        report = _opened(batch, stack)
        for number, (path, fault) in enumerate(files, 1):
            done = _failed(path, fault) if fault else _clean(path, batch)
            if report is not None:
                report.write(json.dumps(done.row(), ensure_ascii=True) + "\n")
                report.flush()
            if done.action == "failed":
                failed += 1
                complain(f"{path}: {done.error}")
            else:
                say(f"[{number}/{len(files)}] {_told(done)}")
    say(f"{len(files) - failed} of {len(files)} files done" + (f", {failed} failed" if failed else ""))
    return int(failed > 0)


def _opened(batch: Batch, stack: ExitStack) -> IO[str] | None:
    try:
        if not batch.wishes.is_dry:
            batch.out.mkdir(parents=True, exist_ok=True)
        if batch.report is None:
            return None
        if any(batch.report.absolute() == Path(path).absolute() for path in batch.inputs):
            raise ToolboxError(f"{batch.report}: the report would overwrite an input")
        return stack.enter_context(batch.report.open("w", encoding="utf-8"))
    except OSError as error:
        name = error.filename or batch.out
        raise ToolboxError(f"{name}: can't be written: {error.strerror or error}") from error


def _files(batch: Batch) -> Iterator[tuple[str, str]]:
    """The files to clean, each with what is wrong with it already."""
    met: dict[str, str] = {}
    for given in batch.inputs:
        inside = _inside(given)
        if inside == []:
            yield given, f"no video in the folder (looked for {', '.join(_SUFFIXES)})"
        for path in [given] if inside is None else inside:
            name = Path(path).name
            fault = ""
            if name in met:
                fault = f"{met[name]} has the same name, so one would overwrite the other: clean them apart"
            elif _is_same(Path(path), batch.out / name):
                fault = "it lies in the output folder itself, and inputs are never overwritten"
            met.setdefault(name, path)
            yield path, fault


def _inside(given: str) -> list[str] | None:
    if not Path(given).is_dir():
        return None
    return [
        str(path)
        for path in sorted(Path(given).iterdir())
        if path.suffix.lower() in _SUFFIXES and not path.name.startswith(".")
    ]


def _is_same(path: Path, output: Path) -> bool:
    with suppress(OSError, ValueError):
        return path.samefile(output)
    return path.absolute() == output.absolute()


def _clean(path: str, batch: Batch) -> FileReport:
    output = batch.out / Path(path).name
    if output.exists() and not batch.overwrite and not batch.wishes.is_dry:
        return FileReport(
            path, str(output), "skipped", notes=("the output is there: --overwrite replaces it",)
        )
    partial = output.with_name(f".{output.name[:100]}.{os.getpid()}.partial")
    try:
        return apart(
            clean_file, path, str(partial), str(output), batch.wishes, deadline=batch.deadline, memory=_MEMORY
        )
    except Fault as fault:
        return _failed(path, str(fault))
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _failed(path: str, fault: str) -> FileReport:
    return FileReport(path, None, "failed", error=fault)


def _told(done: FileReport) -> str:
    would = "would be " if done.is_dry else ""
    lines = [f"{printable(done.file)}: {would}{done.action}"]
    if done.sound:
        lines[0] += f", sound dropped ({', '.join(done.sound)})"
    for what, findings in (("subtitle", done.removed), ("left", done.left)):
        for finding in findings[:_SHOWN]:
            when = f"{clock(finding.first)} to {clock(finding.last)}"
            lines.append(f"    {what:<8} {when}  {printable(finding.text)!r}: {finding.reason}")
        if len(findings) > _SHOWN:
            lines.append(f"    {what:<8} and {len(findings) - _SHOWN} more (see --report)")
    lines += [f"    note     {printable(note)}" for note in done.notes]
    return "\n".join(lines)
