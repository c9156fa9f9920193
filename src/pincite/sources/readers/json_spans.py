"""Where every value of a JSON text stands: one pass, no recursion."""

from __future__ import annotations

import json
import re
from typing import Any

from pincite.records import Span
from pincite.sources.paths import write_step
from pincite.sources.readers.budget import CONTAINER, NAMED, spend
from pincite.sources.readers.common import Unreadable

DEEPEST = 200
"""How many lists and objects may stand inside one another."""

LONGEST_PATH = 1000
"""A longer path is not recorded: its value can be read, but not shown in its place."""

_PAID_AT_ONCE = 100_000

_PIECE = re.compile(r'[\[\]{},:]|"(?:[^"\\]|\\.)*+"|[^\s\[\]{},:"]++', re.DOTALL)
# A string without an end runs to the end of the text, so it is read once and not from each quote.
_DEPTH = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)', re.DOTALL)


def load_json(text: str) -> Any:
    """The JSON value of a text. What is wrong is said with its line and column."""
    _check_depth(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise Unreadable(f"JSON nested more than {DEEPEST} levels deep is not read") from None
    except ValueError as error:
        raise Unreadable(f"not valid JSON: {error}") from None


def _check_depth(text: str) -> None:
    # The standard parser recurses, so that the input would decide how deep the stack goes.
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    unpaid = 0
    for match in _DEPTH.finditer(text):
        piece = match.group()
        if piece in "[{":
            depth += 1
            unpaid += CONTAINER
            if unpaid > _PAID_AT_ONCE:
                spend(unpaid)
                unpaid = 0
            if depth > DEEPEST:
                raise Unreadable(f"JSON nested more than {DEEPEST} levels deep is not read")
        elif piece in "]}":
            depth -= 1


def value_spans(text: str) -> dict[str, Span]:
    """Canonical path → span of the value, for a text that is valid JSON. The root has no path: left out."""
    spans: dict[str, Span] = {}
    steps: dict[str, str] = {}
    containers: list[_Container] = []
    unpaid = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece == ":":
            continue
        if piece == ",":
            container = containers[-1]
            container.index += 1
            container.expects_key = container.is_object
        elif piece in "]}":
            closed = containers.pop()
            if closed.path:
                spans[closed.path.removeprefix(".")] = Span(closed.start, match.end())
        elif containers and containers[-1].expects_key:
            container = containers[-1]
            container.expects_key = False
            # The same few keys come again and again.
            if piece not in steps:
                steps[piece] = write_step(json.loads(piece))
            container.step = steps[piece]
        else:
            path = containers[-1].child_path() if containers else ""
            unpaid += NAMED + len(path or "")
            if unpaid > _PAID_AT_ONCE:
                spend(unpaid)
                unpaid = 0
            if piece in "[{":
                containers.append(_Container(path, match.start(), piece == "{"))
            elif path:
                spans[path.removeprefix(".")] = Span(match.start(), match.end())
    return spans


class _Container:
    """An object or a list that is being read."""

    __slots__ = ("expects_key", "index", "is_object", "path", "start", "step")

    def __init__(self, path: str | None, start: int, is_object: bool) -> None:
        self.path = path
        self.start = start
        self.is_object = is_object
        self.expects_key = is_object
        self.index = 0
        self.step = ""

    def child_path(self) -> str | None:
        # Every child repeats the path, so that long keys would cost their square; nobody cites them.
        if self.path is None or len(self.path) + len(self.step) > LONGEST_PATH:
            return None
        return self.path + self.step if self.is_object else f"{self.path}[{self.index}]"
