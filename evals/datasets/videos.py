"""Which file is whose video: a folder's names by digest, so that a million of them take 17 bytes each."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Literal, NamedTuple

from evals.compact import NumberBy
from evals.datasets.sample import shown

__all__ = ["VideoIndex"]

_SUFFIXES = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v", ".mpg", ".ts", ".flv", ".gif", ".webp")
_NO_VIDEO = frozenset({".json", ".jsonl", ".txt", ".srt", ".vtt", ".md", ".wav", ".mp3", ".part", ".tmp"})
_FOLDER = 100  # in the order of preference, folders come after all files

_Form = Literal["NFC", "NFD"]
_FORMS: tuple[_Form, ...] = ("NFC", "NFD")
_ODD = len(_FORMS)


class _End(NamedTuple):
    """What follows an id in a name; the smaller one is preferred where an id has several.

    Attributes:
        is_other: no video by its name, or by what it is.
        rank: of its suffix, and whether it is a folder.
        suffix: with its dot.
        form: how the id before it is spelled: composed, decomposed (macOS hands out such names), or neither.
    """

    is_other: bool
    rank: int
    suffix: str
    form: int


class VideoIndex:
    """Finds videos by id: a file's name without its suffix, or the name of a folder of frames."""

    def __init__(self, folder: Path) -> None:
        """Read the names that a folder holds, once; a folder that is missing holds none."""
        self.folder = folder
        self._place = f"{folder}{os.sep}"
        self._ends: list[_End] = []
        self._codes: dict[_End, int] = {}
        self._found = NumberBy()
        self._odd: dict[str, str] = {}
        if folder.is_dir():
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not entry.name.startswith("."):
                        self._take(entry)

    def find(self, video_id: str) -> tuple[Path | None, str]:
        """The video of an id, and an empty text; or None, and what is there in its place."""
        key = _normal(video_id)
        code = self._found.get(key)
        if code is None:
            return None, f"no {self._place}{shown(video_id)}.* and no folder of frames"
        end = self._ends[code]
        stem = self._odd[key] if end.form == _ODD else _spelled(key, _FORMS[end.form])
        path = self.folder / f"{stem}{end.suffix}"
        if end.is_other or (end.rank >= _FOLDER and _is_empty(path)):
            return None, f"{path} is {_what(path)}"
        return path, ""

    def __len__(self) -> int:
        """How many ids there is something for."""
        return len(self._found)

    def _take(self, entry: os.DirEntry[str]) -> None:
        is_folder = entry.is_dir()
        stem, suffix = (entry.name, "") if is_folder else _split(entry.name)
        key = _normal(stem)
        form = next((i for i, name in enumerate(_FORMS) if _spelled(key, name) == stem), _ODD)
        _, last = _split(entry.name)
        rank = _SUFFIXES.index(last.lower()) if last.lower() in _SUFFIXES else len(_SUFFIXES)
        is_other = not is_folder and (last.lower() in _NO_VIDEO or not entry.is_file())
        end = _End(is_other, rank + is_folder * _FOLDER, suffix, form)
        before = self._found.get(key)
        if before is not None and self._ends[before] <= end:
            return
        self._found[key] = self._code(end)
        if form == _ODD:
            self._odd[key] = stem

    def _code(self, end: _End) -> int:
        if end not in self._codes:
            self._codes[end] = len(self._ends)
            self._ends.append(end)
        return self._codes[end]


def _normal(name: str) -> str:
    return _spelled(name, "NFC")


def _spelled(name: str, form: _Form) -> str:
    return name if name.isascii() else unicodedata.normalize(form, name)


def _split(name: str) -> tuple[str, str]:
    """Stem and suffix, as ``pathlib`` has them."""
    dot = name.rfind(".")
    return (name[:dot], name[dot:]) if 0 < dot < len(name) - 1 else (name, "")


def _is_empty(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False  # it is gone, or can't be read: its sample's turn will say so


def _what(path: Path) -> str:
    if path.is_dir():
        return "an empty folder"
    if path.is_file():
        return "no video by its name"
    return "a link to nothing" if path.is_symlink() else "neither a file nor a folder"
