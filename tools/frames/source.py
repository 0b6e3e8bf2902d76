"""The first look at a path: is it something that can be read at all, and by whom."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tools.frames.terms import Fault, Source

__all__ = ["inspect", "is_file"]

_HEAD = 64
_PLAYLISTS = {
    b"#EXTM3U": "an HLS playlist",
    b"ffconcat version": "an ffconcat script",
    b"<MPD": "a DASH manifest",
    b"v=0\r\no=": "an SDP description",
    b"v=0\no=": "an SDP description",
    b"[playlist]": "a playlist",
}
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def inspect(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> Source:
    """Check that the path is a folder or a file worth opening.

    Nothing but a regular file is ever opened: a read of a named pipe would wait for ever. Playlists are
    refused, since they make a video library open files that nobody named.

    Raises:
        Fault: if it is missing, empty, unreadable, a special file or a playlist.
    """
    if not os.fspath(path):
        raise Fault("no file is named")  # and not the folder that one happens to be in
    try:
        name = Path(os.fsdecode(path)).absolute()
        mode = name.stat()
    except FileNotFoundError:
        raise Fault("no such file or folder") from None
    except (OSError, ValueError) as error:
        raise Fault(_plain(error)) from error
    if stat.S_ISDIR(mode.st_mode):
        return Source(str(name), "folder")
    if not stat.S_ISREG(mode.st_mode):
        raise Fault(f"not a regular file but {_KINDS.get(stat.S_IFMT(mode.st_mode), 'a special file')}")
    if mode.st_size == 0:
        raise Fault("the file is empty")
    head = _head(name)
    for start, what in _PLAYLISTS.items():
        if head.startswith(start):
            raise Fault(f"{what}, not a video: name the video file itself")
    return Source(str(name), "webp" if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else "video")


def is_file(entry: os.DirEntry[str]) -> bool:
    """Whether something in a folder is a file, or a link to one; a link that leads to itself is none."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _head(name: Path) -> bytes:
    try:
        with name.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise Fault(_plain(error)) from error
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    # A manifest may open with an XML declaration; what follows it tells.
    return head.partition(b"?>")[2].lstrip() if head.startswith(b"<?xml") else head


def _plain(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else f"not a path: {error}"
