"""Writes small ONNX graphs as bytes, so that the package ``onnx`` is no requirement.

Only what a convolutional net needs, after the message numbers of ``onnx.proto3`` (ONNX IR version 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Graph"]

_FLOAT = 1
_ATTRIBUTE_INT, _ATTRIBUTE_STRING, _ATTRIBUTE_INTS = 2, 3, 7


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:  # noqa: PLR2004 - seven bits a byte
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _number(tag: int, value: int) -> bytes:
    return _varint(tag << 3) + _varint(value)


def _bytes(tag: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(tag << 3 | 2) + _varint(len(raw)) + raw


def _attribute(name: str, value: int | str | Sequence[int]) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, _ATTRIBUTE_INT)
    if isinstance(value, str):
        return _bytes(1, name) + _bytes(4, value) + _number(20, _ATTRIBUTE_STRING)
    return _bytes(1, name) + b"".join(_number(8, item) for item in value) + _number(20, _ATTRIBUTE_INTS)


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(_bytes(1, _bytes(2, d) if isinstance(d, str) else _number(1, d)) for d in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, dims)))


@dataclass
class Graph:
    """A graph that grows node by node.

    Attributes:
        name: of the graph.
        parts: encoded fields of the graph so far.
        count: how many names were given out.
    """

    name: str
    parts: list[bytes] = field(default_factory=list[bytes])
    count: int = 0

    def weight(self, array: NDArray[np.float32]) -> str:
        """Add a constant; returns its name."""
        name = self._fresh()
        dims = b"".join(_number(1, size) for size in array.shape)
        tensor = dims + _number(2, _FLOAT) + _bytes(8, name) + _bytes(9, array.astype("<f4").tobytes())
        self.parts.append(_bytes(5, tensor))
        return name

    def node(self, kind: str, inputs: Sequence[str], output: str | None = None, **attributes: Any) -> str:
        """Add a node with one output; returns the output's name."""
        out = output or self._fresh()
        body = b"".join(_bytes(1, name) for name in inputs) + _bytes(2, out) + _bytes(4, kind)
        body += b"".join(_bytes(5, _attribute(key, value)) for key, value in attributes.items())
        self.parts.append(_bytes(1, body))
        return out

    def encode(
        self,
        inputs: dict[str, Sequence[int | str]],
        outputs: dict[str, Sequence[int | str]],
        *,
        opset: int = 17,
    ) -> bytes:
        """The whole model; inputs and outputs are names with their shapes (a word is a free dimension)."""
        graph = b"".join(self.parts) + _bytes(2, self.name)
        graph += b"".join(_bytes(11, _value(name, shape)) for name, shape in inputs.items())
        graph += b"".join(_bytes(12, _value(name, shape)) for name, shape in outputs.items())
        return _number(1, 9) + _bytes(7, graph) + _bytes(8, _bytes(1, "") + _number(2, opset))

    def _fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"
