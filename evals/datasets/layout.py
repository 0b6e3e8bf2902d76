"""The layout of the published release, which is ours too: ``datas.jsonl`` beside ``videos/``.

The table is read once to check it, and again whenever samples are asked for: no row of it is held. What
stays are 17 bytes a file of ``videos/`` (its name's digest and its suffix) and 8 bytes a row that repeats an
id; 17 bytes a row, for finding these, go when the check is done.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from agents.errors import UserError
from evals.compact import NumberBy
from evals.datasets.facts import Survey, content_of
from evals.datasets.rows import read_row
from evals.datasets.sample import UNKNOWN_TYPE, Dataset, Problem, ProblemKind, Sample
from evals.datasets.table_file import TableFile
from evals.datasets.videos import VideoIndex

__all__ = ["TABLE_NAMES", "TableSamples", "read_layout"]

TABLE_NAMES = ("datas.jsonl", "test.jsonl")
"""File names of the published table: in its repository, and on the hub."""

_SHOWN = 20
_KEPT = 100  # problems of each kind that are told one by one


class TableSamples:
    """The samples of a table that was checked; each iteration reads the file again.

    A file that was changed since is noticed, before a row of it is given where size or time tell: see
    :class:`evals.datasets.table_file.TableFile`.
    """

    def __init__(self, table: TableFile, videos: VideoIndex, repeats: array[int]) -> None:
        """Take a table that was read once.

        Args:
            table: the file.
            videos: where videos lie.
            repeats: numbers of lines that repeat an id, in order.
        """
        self._table, self._videos, self._repeats = table, videos, repeats

    def __iter__(self) -> Iterator[Sample]:
        """The samples, in the order of the file."""
        repeats = iter(self._repeats)
        skipped = next(repeats, None)
        for number, line in self._table.lines():
            if number == skipped:
                skipped = next(repeats, None)
                continue
            try:
                sample, _ = read_row(line, self._videos)
            except ValueError as error:
                raise UserError(f"{self._table.path}, line {number} was changed: {error}.") from error
            yield sample


def read_layout(path: Path, name: str | None = None) -> Dataset:
    """Check a table of samples and find their videos; every row is read before this returns.

    Args:
        path: the folder that holds the table and ``videos/``, or the table itself.
        name: what to call the data set; the path by default.

    Raises:
        UserError: when there is no table, it is empty, or rows can't be read (the first are named).
    """
    table = TableFile(_table(path))
    check = _Check(VideoIndex(table.path.parent / "videos"))
    for number, line in table.lines():
        check.row(number, line)
    if check.faulty:
        raise UserError(f"{table.path}: {check.said()}")
    facts = check.survey.facts()
    if not facts.number:
        raise UserError(f"{table.path} holds no sample: each line should be one JSON object with a video_id.")
    samples = TableSamples(table, check.videos, check.repeats)
    return Dataset(name or str(path), samples, tuple(check.problems), check.counts, facts)


def _table(path: Path) -> Path:
    if path.is_file():
        return path
    for name in TABLE_NAMES:
        if (path / name).is_file():
            return path / name
    raise UserError(
        f"{path} holds no {' or '.join(TABLE_NAMES)}; give the folder of a data set, or its table."
    )


@dataclass
class _Check:
    """Rows read so far: what they amount to, and what was wrong with some."""

    videos: VideoIndex
    survey: Survey = field(default_factory=Survey)
    problems: list[Problem] = field(default_factory=list[Problem])
    counts: dict[ProblemKind, int] = field(default_factory=dict[ProblemKind, int])
    repeats: array[int] = field(default_factory=lambda: array("Q"))
    faults: list[str] = field(default_factory=list[str])
    faulty: int = 0
    _contents: NumberBy = field(default_factory=NumberBy)

    def row(self, number: int, line: str) -> None:
        """Take the next row."""
        try:
            sample, strangers = read_row(line, self.videos)
        except ValueError as error:
            self.faulty += 1
            if len(self.faults) < _SHOWN:
                self.faults.append(f"line {number}: {error}")
            return
        if self._is_new(sample, number):
            self.survey.add(sample)
            self._look_at(sample, strangers)

    def said(self) -> str:
        """The rows that can't be read."""
        more = f"; and {self.faulty - _SHOWN:,} more" if self.faulty > _SHOWN else ""
        return "; ".join(self.faults) + more + "."

    def _is_new(self, sample: Sample, number: int) -> bool:
        content = int.from_bytes(blake2b(content_of(sample), digest_size=8).digest())
        before = len(self._contents)
        first = self._contents.setdefault(sample.video_id, content)
        if len(self._contents) > before:
            return True
        self.repeats.append(number)
        other = "" if first == content else ", with other content"
        self._report("duplicate", sample, f"again on line {number}{other}; the first row counts")
        return False

    def _look_at(self, sample: Sample, strangers: list[str]) -> None:
        for stranger in strangers:
            self._report("unknown_type", sample, f"{stranger}; counted as '{UNKNOWN_TYPE}'")
        if sample.video is None:
            self._report("missing_video", sample, f"{sample.no_video}; counts as bad_input")
        if not sample.gold:
            self._report("no_gold", sample, "golden_answers holds nothing to judge by; counts as bad_input")

    def _report(self, kind: ProblemKind, sample: Sample, detail: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] <= _KEPT:
            self.problems.append(Problem(kind, sample.video_id, detail))
