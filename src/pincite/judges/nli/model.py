"""Runs an entailment model: texts in, odds out, in batches that fit into memory."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from glob import escape as glob_escape
from pathlib import Path
from typing import Any

from pincite.base import cores, np
from pincite.errors import JudgeError, MissingExtraError
from pincite.judges.nli.folder import ModelFolder, Odds, require_inside
from pincite.judges.nli.untrusted import (
    ENDLESS,
    RUN_SECONDS,
    TRY_SECONDS,
    OnnxGraph,
    ended_after,
    memory_limited,
)
from pincite.judges.nli.windows import PairTokenizer, TokenRow
from pincite.judges.onnx import load_onnxruntime, open_session

_POINTER = b"version https://git-lfs"


class Runner(ABC):
    """Runs the weights of a model: rows of tokens in, raw outputs out."""

    fixed_rows: int | None = None
    """How many rows the model takes at once, if it was exported for one number of them."""
    fixed_length: int | None = None
    seconds = RUN_SECONDS
    may_pad = True
    """Without an attention mask the model would read the padding: only rows of one length go together."""

    def __init__(self, model: ModelFolder) -> None:
        self._pad = {"input_ids": model.pad_id, "attention_mask": 0, "token_type_ids": model.pad_type_id}
        self._left = model.padding_side == "left"

    @abstractmethod
    def run(self, rows: Sequence[TokenRow]) -> list[list[float]]:
        """One list of raw outputs per row."""

    def _table(self, name: str, rows: Sequence[TokenRow], kind: str = "int64") -> Any:
        """One of the model's inputs, with short rows filled up."""
        length = self.fixed_length or max(len(row.ids) for row in rows)
        table = np.full((max(len(rows), self.fixed_rows or 0), length), self._pad[name], kind)
        for place, row in enumerate(rows):
            values = {"input_ids": row.ids, "token_type_ids": row.types}.get(name, (1,) * len(row.ids))
            first = length - len(values) if self._left else 0
            table[place, first : first + len(values)] = values
        return table


class OnnxRunner(Runner):
    """By onnxruntime, which keeps several threads apart."""

    def __init__(self, model: ModelFolder) -> None:
        super().__init__(model)
        self._megabytes = _megabytes(model.weights)
        self.seconds = TRY_SECONDS
        """How long one batch may take."""
        with memory_limited(self._megabytes):
            self._session = _open_session(model)
        inputs = self._session.get_inputs()
        names = [item.name for item in inputs]
        if "input_ids" not in names or not set(names) <= set(self._pad):
            raise JudgeError(
                f"{model.weights}: expects the inputs {', '.join(names)[:200]}; a classifier of "
                f"two texts expects {', '.join(self._pad)}. Export it with "
                "`optimum-cli export onnx --task text-classification`"
            )
        self._kinds = {item.name: "int32" if item.type == "tensor(int32)" else "int64" for item in inputs}
        outputs = [item.name for item in self._session.get_outputs()]
        self._output = "logits" if "logits" in outputs else outputs[0]
        shape = next(item.shape for item in inputs if item.name == "input_ids")
        if len(shape) == 2:
            self.fixed_rows, self.fixed_length = (size if isinstance(size, int) else None for size in shape)
        self.may_pad = "attention_mask" in self._kinds

    def run(self, rows: Sequence[TokenRow]) -> list[list[float]]:
        feed = {name: self._table(name, rows, kind) for name, kind in self._kinds.items()}
        options = load_onnxruntime().RunOptions()

        def end() -> None:
            options.terminate = True

        with memory_limited(self._megabytes), ended_after(self.seconds, end):
            try:
                given = self._session.run([self._output], feed, options)[0]
            except Exception:
                if options.terminate:
                    raise TimeoutError(f"it took more than {self.seconds:g} s") from None
                raise
        found = np.asarray(given, dtype=float)
        if found.ndim == 1:
            found = found[:, None]
        if found.ndim != 2 or len(found) != max(len(rows), self.fixed_rows or 0):
            raise ValueError(f"the output has the shape {found.shape}")
        values: list[list[float]] = found[: len(rows)].tolist()
        return values


def _open_session(model: ModelFolder) -> Any:
    load_onnxruntime()  # what keeps it from being imported says nothing about the file
    path = model.weights
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            raise JudgeError(f"{path}: is only a pointer; fetch the file itself with `git lfs pull`")
    leave_out = ("ConstantFolding",) if _looked_at(model).computes_at_load else ()
    try:
        # Eight-bit products overflow on x86 processors without VNNI unless they are summed with care.
        return open_session(path, cores(), 4, leave_out, x64quantprecision="1")
    except Exception as error:  # onnxruntime's exceptions have no public base class
        raise JudgeError(
            f"{path}: onnxruntime cannot load it ({_short(error)}); get the file again, or export the model "
            "again"
        ) from None


def _looked_at(model: ModelFolder) -> OnnxGraph:
    """What is in the file; a `JudgeError` for what would run without end, or read elsewhere."""
    path = model.weights
    graph = OnnxGraph(path)
    endless = graph.operators & ENDLESS
    if endless:
        raise JudgeError(
            f"{path}: has the operator {min(endless)}, which may run for ever; export the model without it"
        )
    for name in sorted(graph.files):
        file = path.parent / name
        require_inside(model.folder, file)
        if not file.is_file():
            raise JudgeError(f"{path}: its weights are in {name!r:.100}, which is not in the folder")
    return graph


def _megabytes(weights: Path) -> int:
    """Large weights lie beside the file, under a name that begins with its name."""
    size = sum(path.stat().st_size for path in weights.parent.glob(f"{glob_escape(weights.name)}*"))
    return 100 + size * 3 // 2 // 2**20


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


class TorchRunner(Runner):
    """By transformers and torch, for weights that are not ONNX."""

    def __init__(self, model: ModelFolder) -> None:
        super().__init__(model)
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
        torch.set_num_threads(cores())
        try:
            # Code that comes with a model is never run.
            self._model: Any = transformers.AutoModelForSequenceClassification.from_pretrained(
                str(model.folder), local_files_only=True, trust_remote_code=False
            ).eval()
        except Exception as error:  # anything may be wrong with a folder from elsewhere
            raise JudgeError(f"{model.folder}: transformers cannot load it ({_short(error)})") from None
        wants_types = "token_type_ids" in inspect.signature(self._model.forward).parameters
        self._inputs = [name for name in self._pad if wants_types or name != "token_type_ids"]

    def run(self, rows: Sequence[TokenRow]) -> list[list[float]]:
        feed = {name: self._torch.from_numpy(self._table(name, rows)) for name in self._inputs}
        with self._torch.inference_mode():
            found: list[list[float]] = self._model(**feed).logits.float().tolist()
        return found


TOKENS_AT_ONCE = 8192
"""Rows × their padded length. Memory grows with this and with the length of a row."""

ROWS_AT_ONCE = 64

Question = tuple[str, str]
"""A claim and the evidence to be shown with it."""


class NliModel:
    """A model that was loaded and asked one question to see that it answers as its labels say."""

    def __init__(self, folder: ModelFolder) -> None:
        self.head = folder.head
        self.megabytes = _megabytes(folder.weights)
        """About what it takes in memory: its weights, and half as much again to work with."""
        self.tokens = PairTokenizer(folder)
        self._runner: Runner = OnnxRunner(folder) if folder.kind == "onnx" else TorchRunner(folder)
        if self._runner.fixed_length is not None:
            self.tokens.max_length = min(self.tokens.max_length, self._runner.fixed_length)
        self._try_out(folder)

    def ask(self, questions: Sequence[Question]) -> list[Odds | None]:
        """How likely each outcome is, in order; None where the model gave no numbers to go by."""
        rows = [self.tokens.row(claim, evidence) for claim, evidence in questions]
        found: list[Odds | None] = [None] * len(rows)
        for batch in _batches([len(row.ids) for row in rows], self._runner):
            try:
                outputs = self._runner.run([rows[index] for index in batch])
            except Exception:  # noqa: S112 - what a foreign model raises leaves these rows without odds
                continue
            for index, logits in zip(batch, outputs, strict=True):
                found[index] = self.head.odds(logits)
        return found

    def _try_out(self, folder: ModelFolder) -> None:
        try:
            outputs = self._runner.run([self.tokens.row("It rains.", "It rains today.")])
        except Exception as error:
            raise JudgeError(f"{folder.weights}: fails on a plain sentence ({_short(error)})") from None
        self._runner.seconds = RUN_SECONDS
        if len(outputs[0]) != len(self.head.roles):
            known = ", ".join(self.head.roles)
            raise JudgeError(
                f"{folder.weights}: gives {len(outputs[0])} outputs per pair, but the labels are for "
                f"{len(self.head.roles)} ({known}); state them with ?labels= in the order of the outputs"
            )


def _batches(lengths: Sequence[int], runner: Runner) -> Iterator[list[int]]:
    """The rows in groups of like length, so that little is padded."""
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: lengths[index]):
        most = min(runner.fixed_rows or ROWS_AT_ONCE, max(1, TOKENS_AT_ONCE // max(1, lengths[index])))
        unlike = not runner.may_pad and group and lengths[group[0]] != lengths[index]
        if group and (len(group) >= most or unlike):
            yield group
            group = []
        group.append(index)
    if group:
        yield group
