"""The file of pairs and the report: a fixed order, whatever order answers came in; whole or absent."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import UserError
from graphs.extraction.calls import Call, Known, sentence_key
from graphs.extraction.checks import REASONS, check_items
from graphs.extraction.inputs import Reading, Sentence

__all__ = ["COLUMNS", "Gathered", "encoded", "gather", "report", "table", "writable"]

COLUMNS = (
    "source",
    "target",
    "ground",
    "kind",
    "sentence",
    "translation",
    "source_file",
    "line",
    "id",
    "dataset",
    "licence",
    "model",
    "prompt",
)
"""Of the file of pairs."""
_ENDINGS = (".jsonl", ".ndjson")


@dataclass
class Gathered:
    """What all answers together come to, in the order of the input.

    Attributes:
        rows: of the file of pairs, by :data:`COLUMNS`.
        rejected: items and sentences, each with its reason.
        reasons: how many for each reason.
        failures: failed sentences by the error's class.
        answered: sentences with an answer.
        pending: sentences that are still to be asked.
        untranslated: Chinese sentences answered without a translation.
        other_kinds: pairs whose kind was none of ours and became ``symbol``.
        by_meaning: pairs of Chinese sentences, whose source was not looked for in the sentence.
    """

    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rejected: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    reasons: Counter[str] = field(default_factory=Counter[str])
    failures: Counter[str] = field(default_factory=Counter[str])
    answered: int = 0
    pending: int = 0
    untranslated: int = 0
    other_kinds: int = 0
    by_meaning: int = 0

    def reject(self, sentence: Sentence, reason: str, **said: str) -> None:
        """Keep what was rejected, and why."""
        self.reasons[reason] += 1
        where = {"reason": reason, "file": sentence.file, "line": sentence.line, "sentence": sentence.text}
        self.rejected.append({**where, **said})

    def counts(self) -> dict[str, Any]:
        """What the report says of it, less what was rejected one by one."""
        return {
            "pairs": len(self.rows),
            "sentences_answered": self.answered,
            "sentences_pending": self.pending,
            "rejected": {reason: self.reasons[reason] for reason in REASONS if self.reasons[reason]},
            "failures": dict(sorted(self.failures.items())),
            "not_checked_by_letters": self.by_meaning,
            "without_translation": self.untranslated,
            "kind_replaced_by_symbol": self.other_kinds,
        }


def gather(reading: Reading, known: Known, pending: Collection[str], *, prompt: str) -> Gathered:
    """Check every answer and put pairs into the order of the input.

    Args:
        reading: the sentences.
        known: what the journal tells of them.
        pending: keys of the sentences that a call is still due for.
        prompt: hash of the prompt.
    """
    gathered = Gathered()
    strays: dict[int, tuple[Call, Sentence]] = {}
    for sentence in reading.sentences:
        key = sentence_key(sentence.text)
        found = known.answer(key)
        if key in pending:
            gathered.pending += 1
            continue
        if found is None:
            _unanswered(gathered, sentence, known.in_vain(key))
            continue
        call, number = found
        strays.setdefault(id(call), (call, sentence))
        _answered(gathered, sentence, call, number, prompt)
    for call, first in strays.values():
        for item in call.items or ():
            if not 1 <= item.number <= len(call.sentences):
                said = {"source": item.source, "target": item.target}
                gathered.reject(first, "unknown_sentence", **said, number=str(item.number))
    return gathered


def _unanswered(gathered: Gathered, sentence: Sentence, call: Call | None) -> None:
    if call is not None and call.failure is not None:
        gathered.failures[call.failure.kind] += 1
        message = call.failure.message.strip()
        gathered.reject(sentence, "failed", error=call.failure.kind, message=message)
    else:
        gathered.reject(sentence, "left_out")


def _answered(gathered: Gathered, sentence: Sentence, call: Call, number: int, prompt: str) -> None:
    """The items of one sentence, numbered anew from 1."""
    gathered.answered += 1
    own = [item.model_copy(update={"number": 1}) for item in call.items or () if item.number == number]
    checked = check_items([sentence.text], own)
    gathered.untranslated += checked.untranslated
    gathered.other_kinds += checked.other_kinds
    gathered.by_meaning += checked.by_meaning
    for item in checked.rejected:
        gathered.reject(sentence, item.reason, source=item.source, target=item.target)
    for pair in checked.pairs:
        row = {
            "source": pair.source,
            "target": pair.target,
            "ground": pair.ground,
            "kind": pair.kind,
            "sentence": sentence.text,
            "translation": checked.translations.get(1, ""),
            "source_file": sentence.file,
            "line": sentence.line,
            "id": sentence.id,
            "dataset": sentence.dataset,
            "licence": sentence.licence,
            "model": call.model,
            "prompt": prompt,
        }
        gathered.rows.append(row)


def writable(told: str, texts: Sequence[str]) -> Path:
    """The path of the file of pairs, if it may be one: before anything is asked, and paid for.

    Args:
        told: as it was given.
        texts: the files that are read; ``-`` is standard input.

    Raises:
        UserError: if it is one of the texts, a device, a folder, or in none, or of another ending.
    """
    out = Path(told)
    if os.path.realpath(out) in {os.path.realpath(path) for path in texts if path != "-"}:
        raise UserError(f"--out {out} is one of the texts, and would be written over.")
    # A file is put in its place whole, which would do away with a device or a pipe.
    if not out.parent.is_dir() or (out.exists() and not out.is_file()):
        raise UserError(f"--out {out} can't be written: give a file in a folder that exists.")
    if Path(out.name.removesuffix(".gz")).suffix not in _ENDINGS:
        raise UserError(f"--out {out} is to end in .jsonl or .jsonl.gz, so that build knows what it is.")
    return out


def encoded(rows: Sequence[dict[str, Any]], *, zipped: bool) -> bytes:
    """Rows as JSON lines; gzipped without a name or a time, so that the same rows are the same bytes."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    if not zipped:
        return text
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(text)
    return buffer.getvalue()


def report(reading: Reading, gathered: Gathered, **more: Any) -> str:
    """The report as JSON: counts first, then every bad row and everything rejected."""
    whole = {
        **more,
        "input": {
            "sentences_found": reading.found,
            "repeats": reading.repeats,
            "sentences": len(reading.sentences),
            "bad_rows": len(reading.bad),
        },
        **gathered.counts(),
        "reasons": {reason: REASONS[reason] for reason in gathered.reasons},
        "bad_row_list": [asdict(row) for row in reading.bad],
        "rejected_list": gathered.rejected,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def table(reading: Reading, gathered: Gathered) -> Iterator[str]:
    """The report in lines for a person."""
    repeats = f"found {reading.found:,}, repeats {reading.repeats:,}"
    yield f"sentences {len(reading.sentences):>10,}   ({repeats})"
    yield f"bad rows  {len(reading.bad):>10,}"
    yield f"answered  {gathered.answered:>10,}"
    if gathered.pending:
        yield f"pending   {gathered.pending:>10,}   still to be asked"
    yield f"pairs     {len(gathered.rows):>10,}"
    yield f"rejected  {sum(gathered.reasons.values()):>10,}"
    for reason, words in REASONS.items():
        if number := gathered.reasons[reason]:
            yield f"  {reason:<18}{number:>8,}   {words}"
    for kind, number in sorted(gathered.failures.items()):
        yield f"  failed by {kind}: {number:,}"
    if gathered.by_meaning:
        yield (
            f"{gathered.by_meaning:,} pairs come from Chinese sentences: whether the source is in the "
            "sentence was not checked by letters."
        )
    if gathered.untranslated:
        yield f"{gathered.untranslated:,} Chinese sentences were answered without a translation."
    if gathered.other_kinds:
        yield f"{gathered.other_kinds:,} pairs had a kind that is none of ours, and became symbol."
