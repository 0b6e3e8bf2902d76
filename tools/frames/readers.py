"""From the name of a reader to the reader itself, loaded when it is needed."""

from __future__ import annotations

import importlib
from typing import cast

from tools.frames.terms import Fault, Reader, Source

__all__ = ["reader_for"]

_BUILT_IN = {
    "pyav": "tools.frames.pyav_reader:read",
    "decord": "tools.frames.decord_reader:read",
    "pillow": "tools.frames.webp_reader:read",
    "folder": "tools.frames.folder_reader:read",
}


def reader_for(source: Source, name: str) -> tuple[str, Reader]:
    """The reader for a source, and its name as the `FrameSet` tells it.

    Raises:
        Fault: if a plugged-in reader can't be imported.
    """
    if ":" not in name:
        name = {"folder": "folder", "webp": "pillow", "video": "pyav" if name == "auto" else name}[
            source.kind
        ]
    return name, _load(_BUILT_IN.get(name, name))


def _load(spec: str) -> Reader:
    module, _, attribute = spec.partition(":")
    try:
        return cast("Reader", getattr(importlib.import_module(module), attribute))
    except (ImportError, AttributeError) as error:
        raise Fault(f'the reader "{spec}" can\'t be loaded: {error}') from error
