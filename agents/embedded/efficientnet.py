"""EfficientNet-Lite2 (Tan & Le 2019; the "lite" layout of 2020) as an ONNX graph, from its published weights.

The weights are a PyTorch file of the layout before 1.6. It is read here with numpy and an unpickler that
knows four names and runs nothing else, so that torch (several hundred megabytes) is no requirement.
"""

from __future__ import annotations

import collections
import math
import pickle
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from agents.embedded.onnx_graph import Graph
from agents.embedded.runtime import library
from agents.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = dict[str, NDArray[np.float32]]

__all__ = ["SIDE", "build"]

SIDE = 260  # pixels, height and width of the input
_DEPTH = 1.2
_MAGIC = 0x1950A86A20F9469CFC6C
_EPSILON = 1e-3
#: repeats, stride and expansion of each stage.
_STAGES = ((1, 1, 1), (2, 2, 6), (2, 2, 6), (3, 2, 6), (3, 1, 6), (4, 2, 6), (1, 1, 6))
_TYPES = {"FloatStorage": "<f4", "LongStorage": "<i8"}


class _Tensor(NamedTuple):
    storage: tuple[str, str]
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


def _tensor(storage: tuple[str, str], offset: int, size: Any, stride: Any, *_rest: Any) -> _Tensor:
    return _Tensor(storage, offset, tuple(size), tuple(stride))


class _Reader(pickle.Unpickler):
    """Knows the names that a plain table of tensors uses, and refuses every other."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if module == "torch._utils" and name in ("_rebuild_tensor", "_rebuild_tensor_v2"):
            return _tensor
        if module == "torch" and name in _TYPES:
            return name
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a file of weights")

    def persistent_load(self, pid: Any) -> tuple[str, str]:
        return str(pid[2]), str(pid[1])


def _read(file: IO[bytes]) -> Weights:
    np: Any = library("numpy")
    magic, _version, _system = (_Reader(file).load() for _ in range(3))
    if magic != _MAGIC:
        raise pickle.UnpicklingError("not a PyTorch file of the old layout")
    tensors: dict[str, _Tensor] = _Reader(file).load()
    types = dict(tensor.storage for tensor in tensors.values())
    stored: dict[str, Any] = {}
    for key in _Reader(file).load():
        (length,) = np.frombuffer(file.read(8), "<i8")
        kind = np.dtype(_TYPES[types[key]])
        stored[key] = np.frombuffer(file.read(int(length) * kind.itemsize), kind)
    return {
        name: np.lib.stride_tricks.as_strided(
            stored[t.storage[0]][t.offset :],
            t.size,
            [step * stored[t.storage[0]].itemsize for step in t.stride],
        )
        for name, t in tensors.items()
    }


class _Net:
    """Adds the net's layers to a graph, each batch normalisation folded into its convolution."""

    def __init__(self, weights: Weights) -> None:
        self.np: Any = library("numpy")
        self.weights = weights
        self.graph = Graph("efficientnet_lite2")
        self.low = self.graph.weight(self.np.float32(0.0))
        self.high = self.graph.weight(self.np.float32(6.0))

    def convolution(  # noqa: PLR0913 - what a convolution has
        self, x: str, name: str, norm: str, *, stride: int = 1, group: int = 1, act: bool = True
    ) -> str:
        kernel = self.weights[f"{name}.weight"]
        scale = self.weights[f"{norm}.weight"] / self.np.sqrt(self.weights[f"{norm}.running_var"] + _EPSILON)
        bias = self.weights[f"{norm}.bias"] - self.weights[f"{norm}.running_mean"] * scale
        out = self.graph.node(
            "Conv",
            [x, self.graph.weight(kernel * scale[:, None, None, None]), self.graph.weight(bias)],
            auto_pad="SAME_UPPER",
            strides=[stride, stride],
            group=group,
            kernel_shape=list(kernel.shape[2:]),
        )
        return self.graph.node("Clip", [out, self.low, self.high]) if act else out

    def block(self, x: str, name: str, *, stride: int, expansion: int, residual: bool) -> str:
        inner = x
        if expansion != 1:
            inner = self.convolution(x, f"{name}._expand_conv", f"{name}._bn0")
        width = self.weights[f"{name}._depthwise_conv.weight"].shape[0]
        inner = self.convolution(inner, f"{name}._depthwise_conv", f"{name}._bn1", stride=stride, group=width)
        inner = self.convolution(inner, f"{name}._project_conv", f"{name}._bn2", act=False)
        return self.graph.node("Add", [inner, x]) if residual else inner

    def encode(self) -> bytes:
        x = self.convolution("pixels", "_conv_stem", "_bn0", stride=2)
        number = 0
        for stage, (repeats, stride, expansion) in enumerate(_STAGES):
            fixed = stage in (0, len(_STAGES) - 1)  # the lite nets don't deepen the first and the last stage
            for turn in range(repeats if fixed else math.ceil(repeats * _DEPTH)):
                step = stride if turn == 0 else 1
                residual = step == 1 and turn > 0
                x = self.block(x, f"_blocks.{number}", stride=step, expansion=expansion, residual=residual)
                number += 1
        x = self.convolution(x, "_conv_head", "_bn1")
        x = self.graph.node("Flatten", [self.graph.node("GlobalAveragePool", [x])])
        head = [self.graph.weight(self.weights[f"_fc.{part}"]) for part in ("weight", "bias")]
        self.graph.node("Softmax", [self.graph.node("Gemm", [x, *head], transB=1)], "shares", axis=1)
        return self.graph.encode({"pixels": ["n", 3, SIDE, SIDE]}, {"shares": ["n", 1000]})


def build(file: Path) -> bytes:
    """Build the graph: ``pixels`` (n, 3, 260, 260), (value - 127) / 128, to ``shares`` (n, 1000), sum 1.

    Raises:
        UserError: when the file is not the one that is meant.
    """
    try:
        with file.open("rb") as opened:
            return _Net(_read(opened)).encode()
    except (pickle.UnpicklingError, KeyError, EOFError, ValueError) as fault:
        raise UserError(f"{file} does not hold the weights of EfficientNet-Lite2: {fault!r}") from fault
