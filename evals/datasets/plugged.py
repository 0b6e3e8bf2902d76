"""Data sets from outside: whatever gives samples, made sure of without being held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from agents.errors import MetaphorBoostError, UserError
from evals.compact import Seen
from evals.datasets.facts import Facts, Survey
from evals.datasets.sample import Dataset, Sample, shown

__all__ = ["CalledAgain", "checked"]

_SHOWN = 5


class CalledAgain:
    """The samples of a function that yields them, from the first one again at each iteration."""

    def __init__(self, function: Callable[[], object]) -> None:
        """Name the function."""
        self._function = function

    def __iter__(self) -> Iterator[Sample]:
        """Call it."""
        return iter(cast("Iterable[Sample]", self._function()))


class _Watched:
    """Samples that must be the same at each iteration; whole ones are compared by digest."""

    def __init__(self, samples: Iterable[Sample], facts: Facts, spec: str) -> None:
        self._samples, self._facts, self._spec = samples, facts, spec

    def __iter__(self) -> Iterator[Sample]:
        survey = Survey()
        for number, sample in enumerate(_told(self._samples, self._spec), 1):
            survey.add(sample)
            if number > self._facts.number:
                break
            yield sample
        if survey.facts() != self._facts:
            raise UserError(
                f"Data set {self._spec} gave other samples than at first. It has to give the same ones in "
                "the same order each time."
            )


def checked(dataset: Dataset, spec: str) -> Dataset:
    """A data set from outside, with what records rely on made sure of, in one pass.

    Args:
        dataset: as it was given.
        spec: where it comes from, for messages.

    Raises:
        UserError: when it repeats an id, has a part that is no text, holds nothing, fails, or gives its
            samples only once.
    """
    samples = dataset.samples
    if isinstance(samples, Iterator):
        raise UserError(
            f"Data set {spec} gives its samples only once ({type(samples).__name__}): give a list, an object "
            "whose __iter__ begins anew, or the function that makes them."
        )
    facts = _looked_at(samples, spec)
    if not facts.number:
        raise UserError(f"Data set {spec} holds no sample.")
    if not isinstance(samples, Sequence):
        samples = _Watched(samples, facts, spec)
    return replace(dataset, samples=samples, known=facts)


def _looked_at(samples: Iterable[Sample], spec: str) -> Facts:
    survey, seen = Survey(), Seen()
    twice: list[str] = []
    for sample in _told(samples, spec):
        _check_texts(sample, spec)
        if not seen.add(sample.video_id):
            twice.append(repr(shown(sample.video_id)))
            if len(twice) == _SHOWN:
                break
        survey.add(sample)
    if twice:
        raise UserError(f"Data set {spec} holds {', '.join(dict.fromkeys(twice))} more than once.")
    return survey.facts()


def _check_texts(sample: Sample, spec: str) -> None:
    if not isinstance(sample, Sample):  # pyright: ignore[reportUnnecessaryIsInstance] - from outside
        raise UserError(f"Data set {spec} gives {type(sample).__name__}; it should give Samples.")
    texts = [sample.video_id, sample.title, *sample.types, *sample.gold]
    if not all(isinstance(text, str) for text in texts):  # pyright: ignore[reportUnnecessaryIsInstance]
        named = repr(shown(str(sample.video_id)))
        raise UserError(f"Data set {spec}: {named} has an id, title, type or gold that is no text.")


def _told(samples: Iterable[Sample], spec: str) -> Iterator[Sample]:
    """The samples; what goes wrong in code from outside is told as its own."""
    try:
        yield from samples
    except MetaphorBoostError:
        raise
    except Exception as error:
        raise UserError(f"Data set {spec} failed: {type(error).__name__}: {error}.") from error
