"""Why a file is no video, where its first bytes tell more than a video library's "invalid data"."""

from __future__ import annotations

import struct
from pathlib import Path

__all__ = ["reason"]

_HEAD = 4096
_BOX = struct.Struct(">I4s")
_FIRST_BOXES = frozenset((b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"styp"))
_INDEX = b"moov"
_MOST_BOXES = 1000
_KNOWN = {b"%PDF": "a PDF", b"PK\x03\x04": "a ZIP archive or an office document", b"\x1f\x8b": "compressed"}
_CONTROL = frozenset(range(32)) - set(b"\t\n\r\f\x1b")


def reason(path: str) -> str:
    """What the file is instead, or what it lacks, in a few words; empty if its bytes don't tell.

    Raises:
        OSError: if the file can't be read.
    """
    with Path(path).open("rb") as file:
        head = file.read(_HEAD)
    for start, what in _KNOWN.items():
        if head.startswith(start):
            return f"it is {what}"
    if not any(head):
        return "it begins with nothing but zeros: it was not copied whole"
    if head[4:8] in _FIRST_BOXES and not _has_index(path):
        return "its index is missing: it is cut short, or still being written"
    return "it is text" if _is_text(head) else ""


def _is_text(head: bytes) -> bool:
    try:
        text = head[: head.rfind(b" ") if len(head) == _HEAD else len(head)].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return bool(text) and not any(ord(character) in _CONTROL for character in text)


def _has_index(path: str) -> bool:
    """Whether the file has an MP4's "moov" among its outermost boxes, whole or not."""
    size, at = Path(path).stat().st_size, 0
    with Path(path).open("rb") as file:
        for _ in range(_MOST_BOXES):
            file.seek(at)
            head = file.read(_BOX.size)
            if len(head) < _BOX.size:
                return False
            length, kind = _BOX.unpack(head)
            if kind == _INDEX:
                return True
            if length == 1:
                length = int.from_bytes(file.read(8), "big")
            if length < _BOX.size or at + length > size:
                return False
            at += length
    return False
