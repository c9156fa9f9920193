"""What is in an ONNX file, read before any of it is run: operators, constants, and files that it points to.

Only these few fields of the format are read, so that no library for it is needed. Weights are skipped.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

from pincite.errors import JudgeError
from pincite.text import word_set

_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
_MOST_NESTED = 32
_MOST_NODES = 200_000

# The numbers of the fields, by the message that they are in.
_MODEL_GRAPH, _MODEL_FUNCTIONS = 7, 25
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_SPARSE = 1, 5, 15
_FUNCTION_NODE = 7
_NODE_INPUT, _NODE_OUTPUT, _NODE_TYPE, _NODE_ATTRIBUTE = 1, 2, 4, 5
_ATTRIBUTE_TENSOR, _ATTRIBUTE_GRAPH, _ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS = 5, 6, 10, 11
_ATTRIBUTE_SPARSE, _ATTRIBUTE_SPARSES = 22, 23
_TENSOR_NAME, _TENSOR_EXTERNAL = 8, 13
_SPARSE_VALUES, _SPARSE_INDICES = 1, 2
_ENTRY_KEY, _ENTRY_VALUE = 1, 2

ENDLESS = frozenset({"Loop", "Scan"})
"""What repeats a graph as often as the file says. No classifier of text needs them."""
_GROWING = word_set(
    "ConstantOfShape Expand Tile Range Pad Resize Upsample OneHot EyeLike MatMul Gemm Conv Einsum CumSum "
    "RandomNormal RandomUniform RandomNormalLike RandomUniformLike Multinomial Concat GatherND ScatterND "
    "MatMulInteger ConvInteger ConvTranspose If Gather Trilu DFT STFT"
)
"""What may make much of little. Over constants alone it would be computed while the model is loaded."""


class OnnxGraph:
    """What was found in a file."""

    def __init__(self, path: Path) -> None:
        self.operators: set[str] = set()
        self.files: set[str] = set()
        """The files that weights are in, as the model names them."""
        self.computes_at_load = False
        """Whether loading would compute more than a few small shapes."""
        self._path = path
        self._constants: set[str] = set()
        self._nodes = 0
        try:
            with path.open("rb") as file:
                if not file.seek(0, 2):
                    raise _Malformed
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                    self._model(content)
        except OSError as error:
            raise JudgeError(f"{path}: cannot be read: {error.strerror or error}") from None
        except _Malformed:
            raise JudgeError(
                f"{path}: onnxruntime cannot load it: it is no ONNX file; get the file again, or export the "
                "model again"
            ) from None

    def _model(self, content: mmap.mmap) -> None:
        for number, start, end in _fields(content, 0, len(content)):
            if number == _MODEL_GRAPH:
                self._graph(content, start, end, 0)
            elif number == _MODEL_FUNCTIONS:
                for inner, first, last in _fields(content, start, end):
                    if inner == _FUNCTION_NODE:
                        self._node(content, first, last, 0)

    def _graph(self, content: mmap.mmap, start: int, end: int, depth: int) -> None:
        if depth > _MOST_NESTED:
            raise JudgeError(f"{self._path}: its graphs are nested more than {_MOST_NESTED} deep")
        nodes = []
        for number, first, last in _fields(content, start, end):
            if number == _GRAPH_INITIALIZER:
                self._tensor(content, first, last)
            elif number == _GRAPH_SPARSE:
                self._sparse(content, first, last)
            elif number == _GRAPH_NODE:
                nodes.append((first, last))
        for first, last in nodes:
            self._node(content, first, last, depth)

    def _tensor(self, content: mmap.mmap, start: int, end: int) -> None:
        for number, first, last in _fields(content, start, end):
            if number == _TENSOR_NAME:
                self._constants.add(_text(content, first, last))
            elif number == _TENSOR_EXTERNAL:
                entry = {inner: _text(content, a, b) for inner, a, b in _fields(content, first, last)}
                if entry.get(_ENTRY_KEY) == "location":
                    self.files.add(entry.get(_ENTRY_VALUE, ""))

    def _sparse(self, content: mmap.mmap, start: int, end: int) -> None:
        for number, first, last in _fields(content, start, end):
            if number in (_SPARSE_VALUES, _SPARSE_INDICES):
                self._tensor(content, first, last)

    def _node(self, content: mmap.mmap, start: int, end: int, depth: int) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise JudgeError(f"{self._path}: it has more than {_MOST_NODES:,} operators")
        operator, inputs, outputs = "", [], []
        for number, first, last in _fields(content, start, end):
            if number == _NODE_TYPE:
                operator = _text(content, first, last)
            elif number == _NODE_INPUT:
                inputs.append(_text(content, first, last))
            elif number == _NODE_OUTPUT:
                outputs.append(_text(content, first, last))
            elif number == _NODE_ATTRIBUTE:
                self._attribute(content, first, last, depth)
        self.operators.add(operator)
        if all(name in self._constants for name in inputs if name):
            self._constants.update(outputs)
            self.computes_at_load |= operator in _GROWING

    def _attribute(self, content: mmap.mmap, start: int, end: int, depth: int) -> None:
        for number, first, last in _fields(content, start, end):
            if number in (_ATTRIBUTE_GRAPH, _ATTRIBUTE_GRAPHS):
                self._graph(content, first, last, depth + 1)
            elif number in (_ATTRIBUTE_TENSOR, _ATTRIBUTE_TENSORS):
                self._tensor(content, first, last)
            elif number in (_ATTRIBUTE_SPARSE, _ATTRIBUTE_SPARSES):
                self._sparse(content, first, last)


class _Malformed(Exception):
    """The bytes are not of this format."""


def _text(content: mmap.mmap, start: int, end: int) -> str:
    return content[start : min(end, start + 4096)].decode("utf-8", "replace")


def _fields(content: mmap.mmap, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a message: the number of each, and where its value begins and ends."""
    while start < end:
        key, start = _number(content, start, end)
        kind, value = key & 7, start
        if kind == _VARINT:
            _, start = _number(content, start, end)
            yield key >> 3, start, start  # of no interest here
            continue
        if kind == _LENGTH:
            size, value = _number(content, start, end)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise _Malformed
        start = value + size
        if start > end or key >> 3 == 0:
            raise _Malformed
        yield key >> 3, value, start


def _number(content: mmap.mmap, start: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while start < end and shift < 70:
        byte = content[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, start
        shift += 7
    raise _Malformed
