"""A reply in pieces, server-sent events or a line of JSON each, put together as one value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pincite.any_json import read_json
from pincite.runs.targets.replies import look_up
from pincite.runs.targets.target import TargetFailed

EVENTS = "text/event-stream"
_LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
_END = "[DONE]"
_PIECE_PATHS = (
    "choices.0.delta.content",
    "choices.0.text",
    "delta.content",
    "delta.text",
    "delta",
    "message.content",
    "token",
    "text",
    "content",
    "answer",
    "generated_answer",
    "response",
    "output",
)
"""Where the text of a piece is looked for when nobody says where it stands."""


def read_events(text: str, kind: str, answer_path: str | None) -> dict[str, Any] | None:
    """The pieces as one value with `generated_answer`, beside it the other fields of each; None if not so.

    Of a field that comes several times, the last one holds.
    """
    pieces = _pieces(text, kind)
    if pieces is None:
        return None
    value: dict[str, Any] = {}
    said: list[str] = []
    for piece in pieces:
        if isinstance(piece, Mapping):
            value |= piece
        said += _said(piece, answer_path)
    if not said:
        raise TargetFailed(
            "the reply comes in pieces that have no text where one is usually found: "
            "name its place in each (--answer-path)"
        )
    return value | {"generated_answer": "".join(said)}


def _pieces(text: str, kind: str) -> list[Any] | None:
    if kind == EVENTS:
        events = text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n")
        return [_value(data) for event in events if (data := _data(event)) is not None and data != _END]
    lines = [line for line in text.splitlines() if line.strip()]
    if kind not in _LINES and (len(lines) < 2 or not all(line.lstrip()[:1] == "{" for line in lines)):
        return None
    try:
        return [read_json(line) for line in lines]
    except (msgspec.DecodeError, RecursionError):
        return None


def _data(event: str) -> str | None:
    """What an event carries; None for comments and for fields that say nothing."""
    found = [line[5:].removeprefix(" ") for line in event.split("\n") if line.startswith("data:")]
    return "\n".join(found) if found else None


def _value(data: str) -> Any:
    try:
        return read_json(data)
    except (msgspec.DecodeError, RecursionError):
        return data  # a piece of the text itself


def _said(piece: Any, answer_path: str | None) -> list[str]:
    if isinstance(piece, str):
        return [piece]
    for path in (answer_path,) if answer_path is not None else _PIECE_PATHS:
        found = look_up(piece, path)
        if isinstance(found, str):
            return [found]
    return []
