"""An entailment model as a whole: texts in, odds out, in batches that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from pincite.errors import JudgeError
from pincite.judges.nli.folder import ModelFolder
from pincite.judges.nli.labels import Odds
from pincite.judges.nli.tokens import Row, Tokens

TOKENS_AT_ONCE = 8192
"""Rows × their padded length. Memory grows with this and with the length of a row."""

ROWS_AT_ONCE = 64

Question = tuple[str, str]
"""A claim and the evidence to be shown with it."""


class Runner(Protocol):
    """Runs the weights of a model."""

    fixed_rows: int | None
    fixed_length: int | None
    may_pad: bool

    def run(self, rows: Sequence[Row]) -> list[list[float]]: ...


class EntailmentModel:
    """A model that was loaded and asked one question to see that it answers as its labels say."""

    def __init__(self, folder: ModelFolder) -> None:
        self.head = folder.head
        self.tokens = Tokens(folder)
        self._runner = _load(folder)
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
            why = " ".join(str(error).split())[:300]
            raise JudgeError(f"{folder.weights}: fails on a plain sentence ({why})") from None
        if len(outputs[0]) != len(self.head.roles):
            known = ", ".join(self.head.roles)
            raise JudgeError(
                f"{folder.weights}: gives {len(outputs[0])} outputs per pair, but the labels are for "
                f"{len(self.head.roles)} ({known}); state them with ?labels= in the order of the outputs"
            )


def _load(folder: ModelFolder) -> Runner:
    if folder.kind == "onnx":
        from pincite.judges.nli.session import OnnxModel

        return OnnxModel(folder)
    from pincite.judges.nli.torch_model import TorchModel

    return TorchModel(folder)


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
