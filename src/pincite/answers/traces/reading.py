"""Which kind of trace a value is, and its spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pincite.answers.traces.assembling import by_trace, trace_record
from pincite.answers.traces.exports import is_langfuse, is_row, read_langfuse, read_row
from pincite.answers.traces.otlp import is_otlp_span, is_request, read_span, spans_of_request
from pincite.answers.traces.spans import TraceSpan
from pincite.errors import InputError, PinciteError

KINDS = (
    "OTLP as JSON (resourceSpans), spans of Phoenix (context.trace_id), "
    "or traces and observations of Langfuse"
)
_LISTS = ("data", "spans", "traces", "observations")
"""Fields under which an answer of an API has its list."""
_DEEPEST = 3


def looks_like_trace(value: Any, level: int = 0) -> bool:
    """Whether a value is a trace, a span, or a list of them."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, Mapping) or level > _DEEPEST:
        return False
    if any(is_one(value) for is_one in (is_request, is_row, is_otlp_span, is_langfuse)):
        return True
    return any(
        isinstance(value.get(name), list) and looks_like_trace(value[name], level + 1) for name in _LISTS
    )


def spans_in(value: Any, place: str, level: int = 0) -> Iterator[TraceSpan]:
    """Every span of a value, whatever kind of trace it is. `InputError` says what cannot be read."""
    if isinstance(value, list) and level <= _DEEPEST:
        for number, one in enumerate(value, 1):
            yield from spans_in(one, f"{place} item {number}", level + 1)
        return
    if not isinstance(value, Mapping):
        raise InputError(f"{place}: expected {KINDS}")
    if is_request(value):
        yield from spans_of_request(value, place)
    elif is_row(value):
        yield read_row(value, place)
    elif is_langfuse(value):
        yield from read_langfuse(value, place)
    elif is_otlp_span(value):
        yield read_span(value, place)
    else:
        held = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        if held is None:
            raise InputError(f"{place}: expected {KINDS}")
        yield from spans_in(held, place, level + 1)


def read_spans(value: Any, place: str, problems: list[PinciteError]) -> list[TraceSpan]:
    """The spans of a value, up to the first that cannot be read, which goes to the problems."""
    if isinstance(value, PinciteError):
        problems.append(value)
        return []
    found: list[TraceSpan] = []
    try:
        for span in spans_in(value, place):
            found.append(span)
    except PinciteError as error:
        problems.append(error)
    return found


def trace_records(spans: Iterable[TraceSpan]) -> Iterator[dict[str, Any] | None]:
    """A recorded answer for each trace; None for a trace that is not about an answer."""
    for held in by_trace(spans).values():
        yield trace_record(held)
