"""From the name of a reader to the reader itself, loaded when it is needed."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from typing import cast

from tools.frames.terms import Fault, Reader, Source

__all__ = ["check_reader", "reader_for"]

_BUILT_IN = {
    "pyav": "tools.frames.pyav_reader:read",
    "decord": "tools.frames.decord_reader:read",
    "pillow": "tools.frames.webp_reader:read",
    "folder": "tools.frames.folder_reader:read",
}


_CHOICES = ("auto", "pyav", "decord")


def check_reader(name: str) -> None:
    """Raise for a name that is no reader's, before a file is read.

    Raises:
        ToolboxError: with the known names and the nearest; for a plug-in whose module there is not.
    """
    from tools.errors import ToolboxError

    if ":" in name:
        module = name.partition(":")[0]
        try:
            found = importlib.util.find_spec(module) is not None
        except (ImportError, ValueError):
            found = False
        if not found:
            raise ToolboxError(f"The frame reader {name!r} can't be loaded: there is no module {module!r}.")
    elif name not in _CHOICES:
        near = difflib.get_close_matches(name, _CHOICES, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        known = ", ".join(_CHOICES)
        raise ToolboxError(f"There is no frame reader {name!r}.{hint} Known: {known}; or module:attr.")


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
