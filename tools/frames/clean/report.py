"""What was found in a file, and what was done about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["FileReport", "Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A text that stands in the picture for a while.

    Attributes:
        text: as it was read, which may be wrong.
        box: left, top, width and height in pixels of the upright picture.
        first: seconds at which it was first met (texts are looked for twice a second).
        last: seconds at which it was last met.
        seen: in how many of the pictures looked at it was read.
        reason: why it was taken for a subtitle, or why it was left.
    """

    text: str
    box: tuple[int, int, int, int]
    first: float
    last: float
    seen: int
    reason: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of a file.

    Attributes:
        file: the input, as it was given.
        output: the cleaned file; None if none was written.
        action: "re-encoded" (subtitles painted over), "remuxed" (sound dropped, pictures copied), "copied"
            (nothing to do), "skipped" (the output was there), "failed".
        sound: codecs of the sound tracks that were dropped.
        removed: texts that were painted over.
        left: texts that were left.
        notes: what else to know.
        error: why it failed.
        is_dry: nothing was written; `action` is what would be done.
    """

    file: str
    output: str | None
    action: str
    sound: tuple[str, ...] = ()
    removed: tuple[Finding, ...] = ()
    left: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = field(default=())
    error: str = ""
    is_dry: bool = False

    def row(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)
