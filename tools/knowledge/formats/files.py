"""Files of graphs, plain or gzipped: read whole with faults in words, written whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from importlib.resources.abc import Traversable
    from typing import BinaryIO

__all__ = ["read_bytes", "read_text", "refuse_endless", "suffix_of", "write_text", "writing"]

_GZIP = ".gz"


def suffix_of(name: str) -> str:
    """The ending that tells the format, in lower case, without .gz: ".tsv" for "Edges.TSV.gz"."""
    path = Path(name.lower())
    return Path(path.stem).suffix if path.suffix == _GZIP else path.suffix


def refuse_endless(file: Path | Traversable, called: str) -> None:
    """Raise a KnowledgeError for a pipe or a device, which would be waited for."""
    if isinstance(file, Path) and (file.is_fifo() or file.is_char_device()):
        msg = f"{called}: a pipe or a device, which may never end; give a file."
        raise KnowledgeError(msg)


def read_bytes(file: Path | Traversable, name: str | None = None) -> bytes:
    """A file's contents, unpacked when its name ends in .gz.

    Raises:
        KnowledgeError: naming the file, if it can't be read or unpacked.
    """
    called = str(file) if name is None else name
    refuse_endless(file, called)
    try:
        told = file.read_bytes()
        return gzip.decompress(told) if file.name.lower().endswith(_GZIP) else told
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        msg = f"{called}: not a whole gzip file ({error}); pack it again, or give it unpacked."
        raise KnowledgeError(msg) from error
    except OSError as error:
        msg = f"{called}: can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error


def read_text(file: Path | Traversable, name: str | None = None) -> str:
    """A file's contents as text; a byte order mark is passed over.

    Raises:
        KnowledgeError: as `read_bytes`, and if it is not UTF-8.
    """
    try:
        return read_bytes(file, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        called = str(file) if name is None else name
        msg = f"{called}: not UTF-8 at byte {error.start}; save it as UTF-8."
        raise KnowledgeError(msg) from error


def write_text(path: Path, parts: Iterable[str]) -> None:
    """Write a text, packed when the path ends in .gz; the file is there whole, or as it was before.

    Raises:
        KnowledgeError: if it can't be written.
    """
    with writing(path) as file:
        encoded = (text.encode() for text in parts)
        if path.name.lower().endswith(_GZIP):
            # No name and no time inside, so that the same graph is the same file.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                packed.writelines(encoded)
        else:
            file.writelines(encoded)


@contextlib.contextmanager
def writing(path: Path) -> Generator[BinaryIO]:
    """A file that takes its place when the block ends well, and leaves no trace otherwise.

    Raises:
        KnowledgeError: if it can't be written.
    """
    part = ""
    try:
        descriptor, part = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            yield file
        Path(part).chmod(0o644)
        Path(part).replace(path)
    except OSError as error:
        msg = f"{path}: can't be written: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    finally:
        if part:
            with contextlib.suppress(OSError):
                Path(part).unlink(missing_ok=True)
