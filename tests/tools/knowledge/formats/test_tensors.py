"""Published embeddings: a plain tensor is read without torch, and nothing else is, whatever it would run."""

from __future__ import annotations

import collections
import io
import pickle
import sys
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge.formats.tensors import read_tensor, write_vectors

NUMBERS = np.arange(12, dtype=np.float32).reshape(4, 3) / 8


class _Stored:
    """Stands for a storage while the file is written; becomes a persistent id, as torch writes one."""

    def __init__(self, kind: str, count: int) -> None:
        self.told = ("storage", getattr(sys.modules["torch"], kind), "0", "cpu", count)


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return obj.told if isinstance(obj, _Stored) else None


class _Rebuilt:
    def __init__(self, *given: object) -> None:
        self.given = given

    def __reduce__(self) -> tuple[Any, ...]:
        return sys.modules["torch._utils"]._rebuild_tensor_v2, self.given


@pytest.fixture(autouse=True)
def _torch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Names that pickle can write; the reader must never need them."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    for kind in ("FloatStorage", "HalfStorage", "DoubleStorage", "BFloat16Storage", "LongStorage"):
        made = type(kind, (), {"__module__": "torch"})
        setattr(torch, kind, made)

    def _rebuild_tensor_v2() -> None:
        raise AssertionError

    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._utils", utils)
    return iter(())


def described(kind: str = "FloatStorage", shape: Any = (4, 3), strides: Any = (3, 1), offset: Any = 0) -> Any:
    return _Rebuilt(_Stored(kind, 12), offset, shape, strides, False, collections.OrderedDict())


def packed(thing: object, protocol: int = 2) -> bytes:
    file = io.BytesIO()
    _Pickler(file, protocol).dump(thing)
    return file.getvalue()


def write(path: Path, description: bytes, numbers: bytes, **more: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", description)
        for name, content in more.items():
            archive.writestr(f"archive/{name}", content)
        archive.writestr("archive/data/0", numbers)
    return path


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize(
    ("kind", "dtype"), [("FloatStorage", "f4"), ("HalfStorage", "f2"), ("DoubleStorage", "f8")]
)
def test_a_plain_tensor(tmp_path: Path, kind: str, dtype: str, protocol: int) -> None:
    file = write(
        tmp_path / "e.pt",
        packed(described(kind), protocol),
        NUMBERS.astype(dtype).tobytes(),
        byteorder=b"little",
    )
    found = read_tensor(file)
    assert found.dtype == dtype
    assert (found == NUMBERS).all()


def test_bfloat16_and_an_offset(tmp_path: Path) -> None:
    halves = (NUMBERS.view(np.uint32) >> 16).astype(np.uint16)
    found = read_tensor(write(tmp_path / "e.pt", packed(described("BFloat16Storage")), halves.tobytes()))
    assert found.dtype == np.float32
    assert (found == NUMBERS).all()
    later = described(shape=(2, 3), offset=6)
    assert (read_tensor(write(tmp_path / "f.pt", packed(later), NUMBERS.tobytes())) == NUMBERS[2:]).all()


class _Attack:
    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("raise SystemExit('run')",)


class _SetState:
    def __reduce__(self) -> tuple[Any, ...]:
        return collections.OrderedDict, (), {"evil": 1}


@pytest.mark.parametrize(
    ("description", "fault"),
    [
        (lambda: packed(_Attack()), r"a call of (__builtin__|builtins)\.exec"),
        (lambda: packed(_Rebuilt(_Stored("FloatStorage", 12), _Attack(), (4, 3))), r"a call of .*exec"),
        (lambda: b"cos\nsystem\n(S'true'\ntR.", "pickle opcode STRING"),
        (lambda: b"cos\nsystem\n.", "it holds a name"),
        (lambda: packed(_SetState()), "pickle opcode"),
        (lambda: packed({"weights": described()}), "pickle opcode"),
        (lambda: packed(7), "it holds a int"),
        (lambda: packed(described("LongStorage")), "numbers of the kind torch LongStorage"),
        (lambda: packed(described(strides=(1, 4))), "strides"),
        (lambda: packed(described(shape=(4, 4), strides=(4, 1))), "48 bytes of numbers for 4 x 4"),
        (lambda: packed(described(shape=(4, -3))), "a tensor of odd parts"),
        (lambda: packed(described(offset=True)), "a tensor of odd parts"),
        (lambda: packed(described(shape=(12,), strides=(1,))), "not a tensor's file"),
        (lambda: b"\x80\x02" + b"]" * 20, "pickle opcode EMPTY_LIST"),
        (lambda: b"\x80\x02" + b")" * 20_000 + b".", "too long a description"),
        (lambda: b"", "not a tensor's file"),
        (lambda: b"\x80\x02R.", "not a tensor's file"),
        (lambda: b"\x80\x02t.", "not a tensor's file"),
        (lambda: b"\x80\x02h\x07.", "not a tensor's file"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(tmp_path: Path, description: Any, fault: str) -> None:
    file = write(tmp_path / "e.pt", description(), NUMBERS.tobytes())
    with pytest.raises(KnowledgeError, match=fault) as caught:
        read_tensor(file)
    assert str(file) in str(caught.value)


@given(st.binary(max_size=60))
def test_no_description_does_harm(tmp_path_factory: pytest.TempPathFactory, description: bytes) -> None:
    file = write(tmp_path_factory.mktemp("t") / "e.pt", description, NUMBERS.tobytes())
    with pytest.raises(KnowledgeError):
        read_tensor(file)


def test_torn_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "old.pt").write_bytes(pickle.dumps(7))
    with pytest.raises(KnowledgeError, match=r"not a tensor's file as torch\.save writes it"):
        read_tensor(tmp_path / "old.pt")
    with pytest.raises(KnowledgeError, match=r"gone\.pt: can't be read: No such file"):
        read_tensor(tmp_path / "gone.pt")
    whole = write(tmp_path / "e.pt", packed(described()), NUMBERS.tobytes())
    (tmp_path / "torn.pt").write_bytes(whole.read_bytes()[:-30])
    with pytest.raises(KnowledgeError, match="torn"):
        read_tensor(tmp_path / "torn.pt")
    big = write(tmp_path / "big.pt", packed(described()), NUMBERS.tobytes(), byteorder=b"big")
    with pytest.raises(KnowledgeError, match="big-endian"):
        read_tensor(big)
    with zipfile.ZipFile(tmp_path / "small.pt", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/data.pkl", packed(described()))
        archive.writestr("a/data/0", NUMBERS.tobytes())
    with pytest.raises(KnowledgeError, match="packed"):
        read_tensor(tmp_path / "small.pt")


def test_vectors_have_a_row_a_node(tmp_path: Path) -> None:
    file = write(tmp_path / "e.pt", packed(described()), NUMBERS.tobytes())
    write_vectors(file, 4, tmp_path / "vectors.npy")
    found = np.load(tmp_path / "vectors.npy", allow_pickle=False)
    assert found.dtype == np.float16
    assert (found == NUMBERS).all()
    with pytest.raises(KnowledgeError, match=r"e\.pt: 4 rows for 5 nodes; give the embeddings of this very"):
        write_vectors(file, 5, tmp_path / "vectors.npy")
