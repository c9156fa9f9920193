"""What a live system gave back, read as a recorded answer: a text, or JSON with the answer in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pincite.answers.citations import fields_of
from pincite.answers.records import read_record
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
EXPECTED_FIELDS = (
    "give back a text, or a dict with generated_answer, and citations and retrieval_results if any"
)

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
    """The answer in what a system gave back. `TargetFailed` says what is wrong with it.

    `hint` says what to do when no answer is found in it.
    """
    if isinstance(value, RecordedAnswer):
        return msgspec.structs.replace(value, query_id=query_id)
    if isinstance(value, Answer):
        value = {"answer": value.text, "citations": _cited(value), "sources": value.sources or None}
    if isinstance(value, str) and answer_path is None:
        return RecordedAnswer(query_id=query_id, answer=value)
    if not isinstance(value, Mapping) and (answer_path is None or not isinstance(value, list)):
        raise TargetFailed(f"the system gave back {_kind_of(value)}, not a text or an object")
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
