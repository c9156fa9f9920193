"""An entailment model run by onnxruntime."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.errors import JudgeError
from pincite.judges.nli.folder import ModelFolder
from pincite.judges.nli.tokens import Row
from pincite.judges.telemetry import load_onnxruntime

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_POINTER = b"version https://git-lfs"


class OnnxModel:
    """Turns rows of tokens into raw outputs. Asked from several threads, onnxruntime keeps them apart."""

    def __init__(self, model: ModelFolder) -> None:
        self._pad = {"input_ids": model.pad_id, "attention_mask": 0, "token_type_ids": model.pad_type_id}
        self._left = model.padding_side == "left"
        self._session = _load(model.weights)
        inputs = self._session.get_inputs()
        names = [item.name for item in inputs]
        if "input_ids" not in names or not set(names) <= set(_INPUTS):
            raise JudgeError(
                f"{model.weights}: expects the inputs {', '.join(names)[:200]}; a classifier of "
                f"two texts expects {', '.join(_INPUTS)}. Export it with "
                "`optimum-cli export onnx --task text-classification`"
            )
        self._kinds = {item.name: item.type for item in inputs}
        outputs = [item.name for item in self._session.get_outputs()]
        self._output = "logits" if "logits" in outputs else outputs[0]
        shape = next(item.shape for item in inputs if item.name == "input_ids")
        self.fixed_rows = shape[0] if len(shape) == 2 and isinstance(shape[0], int) else None
        """How many rows an export takes at once that was made for one number of them."""
        self.fixed_length = shape[1] if len(shape) == 2 and isinstance(shape[1], int) else None
        self.may_pad = "attention_mask" in self._kinds
        """Without a mask the model would read the padding, so only rows of one length go together."""

    def run(self, rows: Sequence[Row]) -> list[list[float]]:
        """One list of raw outputs a row."""
        import numpy

        length = self.fixed_length or max(len(row.ids) for row in rows)
        count = max(len(rows), self.fixed_rows or 0)
        feed = {}
        for name, kind in self._kinds.items():
            table = numpy.full((count, length), self._pad[name], _number_type(kind))
            for place, row in enumerate(rows):
                values = {"input_ids": row.ids, "token_type_ids": row.types}.get(name, (1,) * len(row.ids))
                first = length - len(values) if self._left else 0
                table[place, first : first + len(values)] = values
            feed[name] = table
        found = numpy.asarray(self._session.run([self._output], feed)[0], dtype=float)
        if found.ndim == 1:
            found = found[:, None]
        if found.ndim != 2 or len(found) != count:
            raise ValueError(f"the output has the shape {found.shape}")
        values_found: list[list[float]] = found[: len(rows)].tolist()
        return values_found


def _number_type(kind: str) -> str:
    return "int32" if kind == "tensor(int32)" else "int64"


def _load(path: Path) -> Any:
    onnxruntime = load_onnxruntime()
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            raise JudgeError(f"{path}: is only a pointer; fetch the file itself with `git lfs pull`")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _cores()
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Threads that wait by spinning slow down everything else on the machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    # Eight-bit products overflow on x86 processors without VNNI unless they are summed with care.
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has an exception a status code, none with a public base
        why = " ".join(str(error).split())[:300]
        raise JudgeError(
            f"{path}: onnxruntime cannot load it ({why}); get the file again, or export the model again"
        ) from None


def _cores() -> int:
    """The processors that this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not Linux
        return os.cpu_count() or 1
