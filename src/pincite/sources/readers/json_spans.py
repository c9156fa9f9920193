"""Where every value of a JSON text stands: one pass, no recursion."""

from __future__ import annotations

import json
import re
from typing import Any

from pincite.records import Span
from pincite.sources.paths import extend_path
from pincite.sources.readers.common import Unreadable

DEEPEST = 200
"""How many lists and objects may stand inside one another."""

LONGEST_PATH = 1000
"""A longer path is not recorded: its value can be read, but not shown in its place."""

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
    depth = 0
    for match in _DEPTH.finditer(text):
        piece = match.group()
        if piece in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Unreadable(f"JSON nested more than {DEEPEST} levels deep is not read")
        elif piece in "]}":
            depth -= 1


def value_spans(text: str) -> dict[str, Span]:
    """Canonical path → span of the value, for a text that is valid JSON. The root has no path: left out."""
    spans: dict[str, Span] = {}
    containers: list[_Container] = []
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece == ",":
            containers[-1].next_item()
        elif piece == ":":
            continue
        elif piece in "]}":
            closed = containers.pop()
            if closed.path:
                spans[closed.path] = Span(closed.start, match.end())
        elif containers and containers[-1].expects_key:
            containers[-1].set_key(json.loads(piece))
        else:
            path = containers[-1].child_path() if containers else ""
            if piece in "[{":
                containers.append(_Container(path, match.start(), piece == "{"))
            elif path:
                spans[path] = Span(match.start(), match.end())
    return spans


class _Container:
    """An object or a list that is being read."""

    __slots__ = ("expects_key", "index", "is_object", "key", "path", "start")

    def __init__(self, path: str | None, start: int, is_object: bool) -> None:
        self.path = path
        self.start = start
        self.is_object = is_object
        self.expects_key = is_object
        self.index = 0
        self.key = ""

    def next_item(self) -> None:
        self.index += 1
        self.expects_key = self.is_object

    def set_key(self, key: str) -> None:
        self.key = key
        self.expects_key = False

    def child_path(self) -> str | None:
        # Every child repeats the path, so that long keys would cost their square; nobody cites them.
        if self.path is None or len(self.path) + len(self.key) > LONGEST_PATH:
            return None
        return extend_path(self.path, self.key if self.is_object else self.index)
