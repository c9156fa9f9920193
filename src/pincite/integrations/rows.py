"""The rows of an evaluation: what a system was given and what it returned, checked as one answer.

Every framework names these things in its own way, so the usual names are tried in turn. What cannot be
checked is an outcome without a score and with the reason: no framework shall read a 0 where nothing was
measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal

import msgspec

from pincite.citations import read_response
from pincite.errors import ConfigError, InputError, PayloadError
from pincite.findings import check_contexts
from pincite.integrations.langchain import is_message, read_message
from pincite.integrations.outcome import CheckOutcome, CitationOutcome, outcome_of
from pincite.reports import folded, safe

ANSWER_NAMES = (
    "answer", "response", "output", "generated_answer", "actual_output", "text", "content", "result",
)  # fmt: skip
CONTEXT_NAMES = (
    "contexts", "retrieved_contexts", "retrieval_context", "context", "documents", "source_documents",
    "retrieved_documents", "sources",
)  # fmt: skip
QUERY_NAMES = ("question", "query", "user_input", "input", "prompt")
_MESSAGES = "messages"
_FROM_A_MODEL = ("assistant", "ai", "model")
_MOST_LINES = 50
"""Citations that a comment lists: a person reads no more of them beside a score."""
_LONGEST_NAME = 80

Label = Literal["ok", "problems", "unjudged"]


def check_row(
    outputs: Any, *others: Any, contexts: Any = None, query: str | None = None, **options: Any
) -> CheckOutcome:
    """Check the answer in `outputs` against its contexts, which are looked for in `others` too.

    What is given by name is not looked for. `options` are those of `check_contexts`.
    """
    try:
        answer = find_answer(outputs)
        texts, ids = _listed(find_contexts(outputs, *others) if contexts is None else contexts)
        asked = query if query is not None else find_query(*others)
        return outcome_of(check_contexts(answer, texts, ids=ids, query=asked, **options))
    except ConfigError:
        raise  # it is not about this row
    except InputError as error:
        return not_checked(str(error))


def not_checked(reason: str) -> CheckOutcome:
    """The outcome of a row that could not be checked at all."""
    return CheckOutcome(score=None, reason=f"not checked: {reason}", citations=(), unjudged=0, ok=False)


# --- what is in a row ----------------------------------------------------------------------------


def find_answer(outputs: Any) -> Any:
    """The answer in what a system returned: a text, or what `check` reads as one."""
    if isinstance(outputs, str):
        return outputs
    if is_message(outputs):
        return read_message(outputs)
    if isinstance(outputs, list | tuple):
        return _last_message(outputs)
    if isinstance(outputs, Mapping):
        for name in ANSWER_NAMES:
            value = outputs.get(name)
            if isinstance(value, str):
                return value
            if is_message(value):
                return read_message(value)
        if isinstance(outputs.get(_MESSAGES), list | tuple):
            return _last_message(outputs[_MESSAGES])
        if not outputs:
            raise InputError("the system returned nothing")
        return _read_response(outputs)
    if outputs is None:
        raise InputError("the system returned nothing")
    if isinstance(outputs, PathLike):
        raise InputError("a path is not read as an answer: what a system returns must not choose files")
    return outputs


def _read_response(outputs: Mapping[Any, Any]) -> Any:
    try:
        return read_response(dict(outputs))
    except PayloadError:
        names = ", ".join(ANSWER_NAMES)
        raise InputError(f"there is no answer: give it under one of the names {names}") from None


def _last_message(messages: Iterable[Any]) -> Any:
    for message in reversed(list(messages)):
        if isinstance(message, str):
            return message
        role = message.get("role", message.get("type")) if isinstance(message, Mapping) else None
        if role in _FROM_A_MODEL:
            content = message.get("content")
            return content if isinstance(content, str) else read_message(content)
        if getattr(message, "type", None) in (*_FROM_A_MODEL, "AIMessageChunk"):
            return read_message(message)
    raise InputError("none of the messages is from a model")


def find_contexts(*places: Any) -> Any:
    """The texts that an answer may cite, under the first of the usual names that any place has."""
    for place in places:
        if isinstance(place, Mapping):
            for name in CONTEXT_NAMES:
                if place.get(name) is not None:
                    return place[name]
    raise InputError(f"there are no contexts: give them under one of the names {', '.join(CONTEXT_NAMES)}")


def find_query(*places: Any) -> str | None:
    """The question: the first place that is a text, or has one under one of the usual names."""
    for place in places:
        if isinstance(place, str):
            return place
        if isinstance(place, Mapping):
            found = next((place[name] for name in QUERY_NAMES if isinstance(place.get(name), str)), None)
            if found is not None:
                return str(found)
    return None


def _listed(contexts: Any) -> tuple[list[Any], list[Any] | None]:
    """The contexts as a list, and their names where they came as a dict of name → text."""
    if isinstance(contexts, str):
        return [contexts], None
    if isinstance(contexts, Mapping):
        if any(isinstance(contexts.get(name), str) for name in ("content", "page_content", "text")):
            return [contexts], None
        return list(contexts.values()), list(contexts)
    if not isinstance(contexts, Iterable):
        raise InputError(f"contexts is of type {type(contexts).__name__}: give a list of texts")
    return list(contexts), None


# --- what came of it -----------------------------------------------------------------------------


def label_of(outcome: CheckOutcome) -> Label:
    """One word for a row: `ok`, `problems`, or `unjudged` where there is no score."""
    if outcome.score is None:
        return "unjudged"
    return "ok" if outcome.ok and outcome.score >= 1.0 else "problems"


def comment_of(outcome: CheckOutcome) -> str:
    """What came of it in a sentence, and a line for each citation."""
    lines = [safe(outcome.reason)]
    for one in outcome.citations[:_MOST_LINES]:
        codes = f" {', '.join(one.codes)}" if one.codes else ""
        lines.append(f"- {name_of(one)}:{codes} {one.verdict}, {safe(one.reason)}")
    more = len(outcome.citations) - _MOST_LINES
    if more > 0:
        lines.append(f"- and {more:,} more")
    return "\n".join(lines)


def name_of(citation: CitationOutcome) -> str:
    """A citation on one line. What a model cites beside its text has no marker but all that it covers."""
    name = safe(folded(citation.marker or citation.target))
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def citation_rows(outcome: CheckOutcome) -> list[dict[str, Any]]:
    """A row for each citation, as JSON has it."""
    rows: list[dict[str, Any]] = msgspec.to_builtins(outcome.citations)
    return rows
