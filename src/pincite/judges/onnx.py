"""Keeps libraries from reporting to their makers: each is loaded with the variable set that forbids it.

onnxruntime 1.31 writes an identifier of the device into the home folder as it is imported and, after some
seconds, sends what it was used for to a host of Microsoft. It reads its variable once, as it is imported, and
`onnxruntime.disable_telemetry_events()` comes too late.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

ONNXRUNTIME = "ORT_DISABLE_TELEMETRY"
HUGGING_FACE = "HF_HUB_DISABLE_TELEMETRY"
"""The variables that forbid it."""


def load_onnxruntime(part: str = "onnxruntime") -> Any:
    """onnxruntime, or a part of it such as `onnxruntime.quantization`, without its telemetry.

    A program that imported it before has made its own choice, which cannot be changed any more.
    """
    if "onnxruntime" in sys.modules:
        return import_module(part)
    with telemetry_forbidden(ONNXRUNTIME):
        return import_module(part)


def open_session(
    path: Path, threads: int, severity: int, leave_out: Sequence[str] = (), **entries: str
) -> Any:
    """A model run by onnxruntime on the CPU; `entries` are more settings of its session.

    `leave_out` are optimisations that are not made.
    """
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = severity
    # Threads that spin while they wait for work take a core from whoever else runs.
    for name, value in {"intra_op.allow_spinning": "0", "inter_op.allow_spinning": "0", **entries}.items():
        options.add_session_config_entry(f"session.{name}", value)
    return onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=list(leave_out)
    )


@contextmanager
def telemetry_forbidden(variable: str) -> Iterator[None]:
    """The variable set inside the block alone, so that the program around us keeps its environment.

    A value that somebody has set stays as it is; an empty one is none.
    """
    before = os.environ.get(variable)
    if before:
        yield
        return
    os.environ[variable] = "1"
    try:
        yield
    finally:
        if before is None:
            # Another thread may have removed it already.
            os.environ.pop(variable, None)
        else:
            os.environ[variable] = before
