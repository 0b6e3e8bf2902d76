"""Opens the native libraries of the extra: says what to install when one is missing, and keeps them quiet."""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

from agents.embedded.weights import EXTRA
from agents.errors import UserError

__all__ = ["library", "session"]


def library(name: str) -> Any:
    """Import a library of the extra.

    Raises:
        UserError: when it is not installed, or its native part does not load on this machine.
    """
    try:
        if importlib.util.find_spec(name) is None:
            raise UserError(f"the embedded model needs {name}; {EXTRA}")
        return importlib.import_module(name)
    except ImportError as fault:
        raise UserError(
            f"the embedded model needs {name}, which does not load here ({fault}); {EXTRA}"
        ) from fault


def session(model: bytes | Path) -> Any:
    """Open an ONNX graph in onnxruntime, on one thread that does not spin while it waits."""
    os.environ.setdefault("ORT_LOGGING_LEVEL", "4")
    os.environ.setdefault(
        "ORT_DISABLE_TELEMETRY", "1"
    )  # official builds report home unless they are told not to
    runtime = library("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    source = model if isinstance(model, bytes) else str(model)
    return runtime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
