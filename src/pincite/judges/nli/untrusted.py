"""What keeps a model from elsewhere from doing harm: its files are looked at before any of it is run.

Of an ONNX file operators, constants and the files that it points to are read: only these few fields of the
format, so that no library for it is needed, and no weights. Of a tokenizer, whether it could run for ever.
What a model takes in memory and time is limited too.
"""

from __future__ import annotations

import mmap
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pincite.errors import JudgeError
from pincite.text import word_set

# --- what is in an ONNX file ------------------------------------------------------------------------

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
    """What was found in an ONNX file."""

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


# --- tokenizers ------------------------------------------------------------------------------------


MOST_CHARACTERS = 4_000
MOST_REPEATS = 3
"""Unbounded repeats in one alternative. The tokenizers in use have two."""
MOST_GROWTH = 100
"""How many characters may be put in the place of one, all replacements together."""

_PART = re.compile(
    r"""(?P<escape>\\(?:[pP]\{[^}]{0,64}\}|x\{[^}]{0,64}\}|.))
      | (?P<class>\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\]){0,4000}+\])
      | (?P<repeat>[*+]|\{\d*,\d*\})
      | (?P<few>\?|\{\d+\})
      | (?P<sign>[()|])
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


def why_not_tokenized(table: dict[str, Any]) -> str | None:
    """What in a `tokenizer.json` must not be run; None where all of it may."""
    growth = 1
    for part in _parts(table.get("normalizer")):
        content = part.get("content") if part.get("type") == "Replace" else part.get("prepend")
        growth *= max(1, len(content)) if isinstance(content, str) else 1
        if growth > MOST_GROWTH:
            return f"its replacements make more than {MOST_GROWTH} characters of one"
    for part in _parts(table):
        pattern = part.get("Regex")
        why = _why_not_matched(pattern) if isinstance(pattern, str) else None
        if why is not None:
            return f"the expression {pattern!r:.80} {why}"
    return None


def _why_not_matched(pattern: str) -> str | None:
    """Why an expression may take for ever on some text; None where it cannot."""
    if len(pattern) > MOST_CHARACTERS:
        return f"is longer than {MOST_CHARACTERS:,} characters"
    # For each open group: the repeats in this alternative, and the most in one before it.
    open_groups = [[0, 0]]
    closed: int | None = None
    """The repeats in the group that ended just before, which a repeat would repeat."""
    for part in _PART.finditer(pattern):
        kind, text, here = part.lastgroup, part[0], open_groups[-1]
        if kind == "escape" and (text[1:2].isdigit() or text[1:2] in "kg"):
            return "refers back to what it matched"
        if kind == "repeat":
            if closed:
                return "repeats what is repeated"
            here[0] += 1
            if here[0] > MOST_REPEATS:
                return f"has more than {MOST_REPEATS} repeats in a row"
        if text == "(" and kind == "sign":
            open_groups.append([0, 0])
        elif text == "|" and kind == "sign":
            here[:] = [0, max(here)]
        if text == ")" and kind == "sign" and len(open_groups) > 1:
            closed = max(open_groups.pop())
            open_groups[-1][0] += closed
        elif kind != "few":
            closed = None
    return None


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every table in the value, but for the vocabulary, which is large and holds only words."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting += [inner for name, inner in value.items() if name not in ("vocab", "merges")]
        elif isinstance(value, list):
            waiting += value


# --- memory and time -------------------------------------------------------------------------------


TRY_SECONDS = 120.0
"""For one short question, with which a model is tried out."""
RUN_SECONDS = 900.0
"""For one batch of questions."""
SPARE_MEGABYTES = 6 * 1024
"""What a model may take beyond three times its weights."""

_guard = threading.Lock()
_inside = 0
_usual: tuple[int, int] = (0, 0)


@contextmanager
def memory_limited(megabytes: int) -> Iterator[None]:
    """Inside it this process may grow by so much. What needs more fails, and does not take the machine along.

    Several threads may be inside at once: the limit of the first counts. Only Linux can do it.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    global _inside, _usual
    with _guard:
        if not _inside:
            _usual = resource.getrlimit(resource.RLIMIT_AS)
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * 4096
            wanted = taken + (megabytes * 3 + SPARE_MEGABYTES) * 1024 * 1024
            lowest = min([wanted, *(limit for limit in _usual if limit != resource.RLIM_INFINITY)])
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_AS, (lowest, _usual[1]))
        _inside += 1
    try:
        yield
    finally:
        with _guard:
            _inside -= 1
            if not _inside:
                with suppress(ValueError, OSError):
                    resource.setrlimit(resource.RLIMIT_AS, _usual)


@contextmanager
def ended_after(seconds: float, end: Callable[[], None]) -> Iterator[None]:
    """Call `end` if what is inside takes longer."""
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
