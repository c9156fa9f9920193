"""What a live system returned, read as a recorded answer: a text, or JSON with the answer in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pincite.answers import fields_of, read_record
from pincite.base import read_json
from pincite.errors import InputError
from pincite.records import Answer, RecordedAnswer
from pincite.runs.targets.target import TargetFailed

USUAL_PATHS = (
    "generated_answer",
    "answer",
    "text",
    "output",
    "response",
    "result",
    "content",
    "message.content",
    "choices.0.message.content",
    "output_text",
    "data.answer",
    "reply.text",
    "reply",
)
"""Where an answer is looked for when nobody says where it stands."""
EXPECTED_FIELDS = "return a text, or a dict with generated_answer, and citations and retrieval_results if any"

_MISSING = object()


def look_up(value: Any, path: str) -> Any:
    """The value at a dotted path, `choices.0.text`, or `_MISSING`."""
    for step in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(step, _MISSING)
        elif isinstance(value, Sequence) and not isinstance(value, str) and _is_index(step):
            value = value[int(step)] if int(step) < len(value) else _MISSING
        else:
            return _MISSING
        if value is _MISSING:
            return _MISSING
    return value


def read_reply(
    value: Any,
    query_id: str,
    answer_path: str | None = None,
    citations_path: str | None = None,
    hint: str = EXPECTED_FIELDS,
) -> RecordedAnswer:
    """The answer in what a system returned. `TargetFailed` says what is wrong with it.

    `hint` says what to do when no answer is found in it.
    """
    if isinstance(value, RecordedAnswer):
        return msgspec.structs.replace(value, query_id=query_id)
    if isinstance(value, Answer):
        value = {"answer": value.text, "citations": _cited(value), "sources": value.sources or None}
    if isinstance(value, str) and answer_path is None:
        return RecordedAnswer(query_id=query_id, answer=value)
    if not isinstance(value, Mapping) and (answer_path is None or not isinstance(value, list)):
        raise TargetFailed(f"the system returned {_kind_of(value)}, not a text or an object")
    text = _answer_of(value, answer_path, hint)
    fields = dict(value) if isinstance(value, Mapping) else {}
    # Only the answer's own text counts: a field of these names may be something else.
    for name in ("answer", "generated_answer", "query_id"):
        fields.pop(name, None)
    fields |= {"query_id": query_id, "generated_answer": text}
    if citations_path is not None:
        cited = look_up(value, citations_path)
        fields["citations"] = None if cited is _MISSING else cited
    try:
        return msgspec.structs.replace(read_record(fields), query_id=query_id)
    except InputError as error:
        raise TargetFailed(f"the reply cannot be read: {error}") from None


def _cited(answer: Answer) -> list[dict[str, Any]] | None:
    """The citations that an answer came with, as fields; None where they are to be parsed from its text."""
    if answer.citations is None:
        return None
    found = (
        fields_of(target, citation.cited_text, citation.document_title)
        for citation in answer.citations
        for target in citation.targets
    )
    return [fields for fields in found if fields is not None]


def _answer_of(value: Any, path: str | None, hint: str) -> str:
    for place in (path,) if path is not None else USUAL_PATHS:
        found = look_up(value, place)
        if isinstance(found, str):
            return found
        if path is not None:
            what = "nothing" if found is _MISSING else _kind_of(found)
            raise TargetFailed(f"the reply has {what} at {path}, where its answer should be")
    raise TargetFailed(f"the reply has no answer where one is usually found: {hint}")


def _kind_of(value: Any) -> str:
    """`a list`, `an int`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdigit() and len(step) < 10


# --- a reply in pieces, server-sent events or JSON Lines, joined to one value ---

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
