"""What a reader of diagnoses must know: by whom, of how many samples, of which records, and what was void."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.report.diagnosed import Diagnosed
from evals.report.gathering import Run
from evals.statistics.bootstrap import FEWEST

__all__ = ["PROXY", "notices_of"]

PROXY = (
    "offline proxy: no model judged, deficiencies were told by measured similarity; they show that all "
    "works, and can't be compared with any judge's"
)


def notices_of(pairs: Sequence[tuple[Run, Diagnosed]]) -> list[str]:
    """What must be known of all runs, or of some, each once."""
    told: dict[str, list[str]] = {}
    for run, found in pairs:
        for notice in _of(found):
            told.setdefault(notice, []).append(run.letter)
    notices = [
        notice if len(letters) == len(pairs) else f"{', '.join(letters)}: {notice}"
        for notice, letters in told.items()
    ]
    judges = {tuple(found.judges) for _, found in pairs if found.judges}
    if len(judges) > 1:
        notices.append("these runs were diagnosed by different judges: the judge may be what differs")
    return notices


def _of(found: Diagnosed) -> Iterator[str]:
    figures = found.figures
    samples = figures.overall.samples
    if figures.proxies:
        yield PROXY if figures.proxies == samples else f"{figures.proxies} of {samples} diagnoses: {PROXY}"
    if found.unchecked:
        yield "gold is not known, so that it can't be told whether diagnoses are of the records as they are"
    yield from _left_out(found)
    if figures.thoughtless:
        yield (
            f"{figures.thoughtless} of {samples} samples came without any thinking: their keywords, "
            "look-ups and entries were read"
        )
    if figures.shortened:
        told = _many(figures.shortened, "transcript", "was", "were")
        yield f"{told} too long to be read whole, and lost the middle"
    if figures.rejected or figures.corrected:
        yield (
            f"quotations that do not occur: {figures.corrected} put right when asked for again, "
            f"{figures.rejected} dropped with their deficiencies"
        )
    if 0 < figures.overall.videos < FEWEST:
        yield f"fewer than {FEWEST} videos are too few for an interval"


def _left_out(found: Diagnosed) -> Iterator[str]:
    """Samples that count in nothing."""
    samples = found.figures.overall.samples
    whole = found.missing + len(found.diagnoses)
    if not found.diagnoses and not found.changed:
        yield "not diagnosed"
    elif found.missing > len(found.changed):
        yield f"partial: {whole - found.missing} of {whole} interpretations have a diagnosis"
    if found.changed:
        number = len(found.changed)
        yield (
            f"{number} diagnos{'is is of a record' if number == 1 else 'es are of records'} that changed "
            "afterwards, and left out: diagnose the run again"
        )
    if failed := len(found.diagnoses) - samples:
        why = ", ".join(
            f"{number} {name.replace('_', ' ')}" for name, number in found.figures.outcomes.items()
        )
        yield f"{failed} diagnos{'is' if failed == 1 else 'es'} failed ({why}): such samples count in nothing"
    if found.without:
        told = _many(found.without, "record", "is", "are")
        yield f"{told} without an interpretation: there is nothing to diagnose"


def _many(number: int, what: str, one: str, more: str) -> str:
    return f"1 {what} {one}" if number == 1 else f"{number} {what}s {more}"
