"""Whether an MP4 or QuickTime file is encrypted: its boxes tell, while a decoder would show noise."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

__all__ = ["is_encrypted"]

_PARENTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}
_HEADER = struct.Struct(">I4s")
_LONG = struct.Struct(">Q")
_MOST_BOXES = 10_000
_STSD_FIELDS = 8  # version, flags and the number of entries, before the first entry
_ENCRYPTED = (b"encv", b"drmi")
"""Sample entries of encrypted video: common encryption (ISO/IEC 23001-7), and Apple's own."""


def is_encrypted(path: str) -> bool:
    """Whether a video track of the file is encrypted; False for files of other kinds, and for odd boxes.

    Raises:
        OSError: if the file can't be read.
    """
    with Path(path).open("rb") as file:
        size = file.seek(0, 2)
        ranges, seen = [(0, size)], 0
        while ranges:
            at, end = ranges.pop()
            while end - at >= _HEADER.size and seen < _MOST_BOXES:
                seen += 1
                kind, start, stop = _box(file, at, end)
                if kind == b"stsd" and _entry(file, start) in _ENCRYPTED:
                    return True
                if kind in _PARENTS:
                    ranges.append((start, stop))
                at = stop
    return False


def _box(file: BinaryIO, at: int, end: int) -> tuple[bytes, int, int]:
    """A box's kind, and where its content begins and ends. A box of impossible size is the last one."""
    file.seek(at)
    head = file.read(_HEADER.size)
    length, kind = _HEADER.unpack(head)
    start = at + _HEADER.size
    if length == 1:
        wide = file.read(_LONG.size)
        length = _LONG.unpack(wide)[0] if len(wide) == _LONG.size else 0
        start += _LONG.size
    stop = at + length
    return kind, start, stop if start <= stop <= end else end


def _entry(file: BinaryIO, start: int) -> bytes:
    file.seek(start + _STSD_FIELDS + 4)
    return file.read(4)
