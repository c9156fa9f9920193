"""An entailment model whose weights are not ONNX, run by transformers and torch where they are installed."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from pincite.errors import JudgeError, MissingExtraError
from pincite.judges.nli.folder import ModelFolder
from pincite.judges.nli.tokens import Row


class TorchModel:
    """Turns rows of tokens into raw outputs."""

    fixed_rows: int | None = None
    fixed_length: int | None = None
    may_pad = True

    def __init__(self, model: ModelFolder) -> None:
        try:
            import torch
            import transformers
        except ImportError:
            raise MissingExtraError(
                f"{model.weights} is no ONNX file. Its weights need two more libraries: "
                "pip install 'pincite[nli-torch]'; or export it once with "
                "`optimum-cli export onnx --task text-classification --model MODEL FOLDER`"
            ) from None
        self._torch: Any = torch
        self._pad_id, self._pad_type_id = model.pad_id, model.pad_type_id
        self._left = model.padding_side == "left"
        try:
            # Code that comes with a model is never run.
            self._model: Any = transformers.AutoModelForSequenceClassification.from_pretrained(
                str(model.folder), local_files_only=True, trust_remote_code=False
            ).eval()
        except Exception as error:  # anything may be wrong with a folder from elsewhere
            why = " ".join(str(error).split())[:300]
            raise JudgeError(f"{model.folder}: transformers cannot load it ({why})") from None
        self._wants_types = "token_type_ids" in inspect.signature(self._model.forward).parameters

    def run(self, rows: Sequence[Row]) -> list[list[float]]:
        """One list of raw outputs a row."""
        length = max(len(row.ids) for row in rows)
        feed = {
            "input_ids": self._table([row.ids for row in rows], length, self._pad_id),
            "attention_mask": self._table([(1,) * len(row.ids) for row in rows], length, 0),
        }
        if self._wants_types:
            feed["token_type_ids"] = self._table([row.types for row in rows], length, self._pad_type_id)
        with self._torch.inference_mode():
            found: list[list[float]] = self._model(**feed).logits.float().tolist()
        return found

    def _table(self, rows: Sequence[Sequence[int]], length: int, pad: int) -> Any:
        filled = [
            [*[pad] * (length - len(row)), *row] if self._left else [*row, *[pad] * (length - len(row))]
            for row in rows
        ]
        return self._torch.tensor(filled)
