"""Reads the published embeddings, a `.pt` file of one tensor, without torch and without unpickling anything.

Such a file is a zip archive: `data.pkl` describes the tensor in pickle's opcodes, `data/0` holds its numbers.
The opcodes are looked through one by one, and only those that describe a plain tensor are understood: names
are compared, never imported, and nothing is ever called. Anything else is refused.
"""

from __future__ import annotations

import pickletools
import struct
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from numpy.typing import NDArray

__all__ = ["read_tensor", "write_vectors"]

_STORAGES = {
    "torch FloatStorage": "float32",
    "torch HalfStorage": "float16",
    "torch DoubleStorage": "float64",
    "torch BFloat16Storage": "uint16",
}
_REBUILD = "torch._utils _rebuild_tensor_v2"
_ORDERED = "collections OrderedDict"
_MARK = object()
_MOST_OPCODES = 10_000
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_ROWS = 4096


class _Name(NamedTuple):
    """A name that a file refers to; never looked up."""

    name: str


class _Storage(NamedTuple):
    """Numbers that lie in the archive."""

    kind: str
    key: str


class _Tensor(NamedTuple):
    """How a storage's numbers make a tensor."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_tensor(path: Path) -> NDArray[Any]:
    """The one tensor in a `.pt` file, memory-mapped; rows x columns.

    Numbers in bfloat16 are read into memory, as float32.

    Raises:
        KnowledgeError: if the file can't be read, is no such archive, or holds anything but one plain tensor.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            (described,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
            tensor = _tensor(archive.read(described))
            root = described.removesuffix("data.pkl")
            _check_order(archive, f"{root}byteorder")
            return _mapped(path, archive.getinfo(f"{root}data/{tensor.storage.key}"), tensor)
    except OSError as error:
        msg = f"{path}: can't be read: {error.strerror or error}."
        raise KnowledgeError(msg) from error
    except _RefusedError as error:
        msg = (
            f"{path}: not a plain tensor ({error}); only one float tensor, as torch.save writes it, is read."
        )
        raise KnowledgeError(msg) from error
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError, TypeError, struct.error) as error:
        msg = f"{path}: not a tensor's file as torch.save writes it since version 1.6, or torn ({error})."
        raise KnowledgeError(msg) from error


def write_vectors(path: Path, nodes: int, out: Path) -> None:
    """Write the tensor's rows as `.npy`, float16, a few thousand rows at a time.

    Args:
        path: the `.pt` file.
        nodes: how many rows there have to be.
        out: where to.

    Raises:
        KnowledgeError: as `read_tensor`; if there are other than `nodes` rows; or if `out` can't be written.
    """
    tensor = read_tensor(path)
    if len(tensor) != nodes:
        msg = f"{path}: {len(tensor)} rows for {nodes} nodes; give the embeddings of this very graph."
        raise KnowledgeError(msg)
    try:
        written = np.lib.format.open_memmap(out, mode="w+", dtype=np.float16, shape=tensor.shape)
        for first in range(0, nodes, _ROWS):
            written[first : first + _ROWS] = tensor[first : first + _ROWS]
        written.flush()
    except OSError as error:
        msg = f"{out}: can't be written: {error.strerror or error}."
        raise KnowledgeError(msg) from error


class _RefusedError(Exception):
    """Something in the file that describes no plain tensor."""


def _check_order(archive: zipfile.ZipFile, name: str) -> None:
    """Files of older versions don't tell their order of bytes: they are little-endian."""
    if name in archive.namelist() and archive.read(name) != b"little":
        raise _RefusedError("its numbers are big-endian")


def _tensor(described: bytes) -> _Tensor:
    """What the opcodes describe."""
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    for count, (opcode, argument, _) in enumerate(pickletools.genops(described)):
        if count > _MOST_OPCODES:
            raise _RefusedError("too long a description")
        if opcode.name == "STOP":
            break
        _understand(opcode.name, argument, stack, memo)
    (found,) = stack
    if not isinstance(found, _Tensor):
        raise _RefusedError(f"it holds a {type(found).__name__.lstrip('_').lower()}")
    return found


def _understand(name: str, argument: Any, stack: list[Any], memo: dict[int, Any]) -> None:
    """Follow one opcode, as far as tensors need it."""
    if name in {"PROTO", "FRAME"}:
        return
    if name in {"BINPUT", "LONG_BINPUT", "MEMOIZE"}:
        memo[len(memo) if argument is None else argument] = stack[-1]
    elif name in {"BINGET", "LONG_BINGET"}:
        stack.append(memo[argument])
    elif name in _PUSHED:
        stack.append(_PUSHED[name] if argument is None else argument)
    elif name == "GLOBAL":
        stack.append(_Name(argument))
    elif name == "STACK_GLOBAL":
        last = stack.pop()
        stack.append(_Name(f"{stack.pop()} {last}"))
    elif name.startswith("TUPLE"):
        stack.append(_tuple(name, stack))
    elif name == "BINPERSID":
        stack.append(_storage(stack.pop()))
    elif name == "REDUCE":
        given = stack.pop()
        stack.append(_reduced(stack.pop(), given))
    else:
        raise _RefusedError(f"pickle opcode {name}")


#: Opcodes that push their argument, or the value that they stand for.
_PUSHED: dict[str, Any] = {
    "MARK": _MARK,
    "EMPTY_TUPLE": (),
    "NEWTRUE": True,
    "NEWFALSE": False,
    "NONE": None,
    **dict.fromkeys(("BININT", "BININT1", "BININT2", "LONG1", "BINUNICODE", "SHORT_BINUNICODE"), 0),
}


def _tuple(name: str, stack: list[Any]) -> tuple[Any, ...]:
    if name == "TUPLE":
        first = len(stack) - stack[::-1].index(_MARK)
        made = tuple(stack[first:])
        del stack[first - 1 :]
        return made
    size = int(name.removeprefix("TUPLE"))
    made = tuple(stack[-size:])
    del stack[-size:]
    return made


def _storage(given: Any) -> _Storage:
    tag, kind, key, _, _ = given
    if tag != "storage" or not isinstance(kind, _Name) or kind.name not in _STORAGES:
        raise _RefusedError(f"numbers of the kind {getattr(kind, 'name', kind)}")
    return _Storage(_STORAGES[kind.name], str(key))


def _reduced(called: Any, given: Any) -> object:
    """What a call in the file stands for; nothing is called."""
    if called == _Name(_ORDERED) and given == ():
        return ()
    if called != _Name(_REBUILD):
        named = str(getattr(called, "name", called)).replace(" ", ".")
        raise _RefusedError(f"a call of {named}")
    storage, offset, shape, strides = given[:4]
    whole = (offset, *shape, *strides)
    if not isinstance(storage, _Storage) or not all(type(one) is int and one >= 0 for one in whole):
        raise _RefusedError("a tensor of odd parts")
    return _Tensor(storage, offset, tuple(shape), tuple(strides))


def _mapped(path: Path, entry: zipfile.ZipInfo, tensor: _Tensor) -> NDArray[Any]:
    rows, columns = tensor.shape
    if tensor.strides != (columns, 1):
        raise _RefusedError(f"strides {tensor.strides}, expected {(columns, 1)}")
    if entry.compress_type != zipfile.ZIP_STORED:
        raise _RefusedError("its numbers are packed")
    kind = np.dtype(tensor.storage.kind).newbyteorder("<")
    first = tensor.offset * kind.itemsize
    if first + rows * columns * kind.itemsize > entry.file_size:
        raise _RefusedError(f"{entry.file_size} bytes of numbers for {rows} x {columns}")
    with path.open("rb") as file:
        start = _start_of(file, entry) + first
    numbers = np.memmap(path, kind, "r", start, (rows, columns))
    if tensor.storage.kind != "uint16":
        return np.asarray(numbers)
    # The upper half of a float32.
    return (numbers.astype(np.uint32) << 16).view(np.float32)


def _start_of(file: IO[bytes], entry: zipfile.ZipInfo) -> int:
    """Where an entry's contents begin: after its own header, which may be longer than the directory tells."""
    file.seek(entry.header_offset)
    mark, *_, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    if mark != b"PK\x03\x04":
        raise zipfile.BadZipFile(str(entry.filename))
    return entry.header_offset + _LOCAL_HEADER.size + name + extra
