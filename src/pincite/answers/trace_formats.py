"""Which kind of trace a value is, and its spans: those of OTLP, Phoenix and Langfuse.

OTLP as JSON is what an OpenTelemetry SDK or collector writes, `resourceSpans` and `resourceLogs`; its names
may be in camel or snake case, its ids hexadecimal or base64, as different writers have them. Phoenix, and the
SDK's own exporter, write a row or an object per span; Langfuse writes traces with observations, or
observations alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite.answers.json_files import json_values
from pincite.answers.trace_answers import by_trace, trace_record
from pincite.answers.trace_attributes import make_span, with_events
from pincite.answers.trace_spans import MOST_LEVELS, TraceSpan, flat, plain_value, read_time, read_trace_id
from pincite.answers.values import read_id
from pincite.base import within_memory
from pincite.errors import InputError, PinciteError
from pincite.text import word_list

KINDS = (
    "OTLP as JSON (resourceSpans), spans of Phoenix (context.trace_id), "
    "or traces and observations of Langfuse"
)
_LISTS = ("data", "spans", "traces", "observations")
"""Fields under which an answer of an API has its list."""
_DEEPEST = 3
_LOOKED_AT = 65536
_MARKS = (b"resourceSpans", b"resource_spans", b"trace_id", b"traceId", b"observations")


_SPANS = ("resourceSpans", "resource_spans")
_LOGS = ("resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
_ERROR = (2, "2", "STATUS_CODE_ERROR", "ERROR")


_OF_AN_OBSERVATION = word_list(
    "parentObservationId parent_observation_id isRootObservation is_root_observation"
)


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


def is_trace_file(path: Path) -> bool:
    """Whether a file is JSON whose first value is a trace. False for one that cannot be read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT)
        if not any(mark in head for mark in _MARKS):
            return False
        with within_memory(path):
            return looks_like_trace(next(json_values(path), ("", None))[1])
    except (OSError, InputError):
        return False


# --- OTLP as JSON -----------------------------------------------------------------------------------


def is_request(value: Mapping[str, Any]) -> bool:
    """Whether it is what an exporter sends. Logs and metrics are passed over without an error."""
    return any(name in value for name in (*_SPANS, *_LOGS))


def is_otlp_span(value: Mapping[str, Any]) -> bool:
    return ("traceId" in value and "spanId" in value) or ("trace_id" in value and "span_id" in value)


def spans_of_request(value: Mapping[str, Any], place: str) -> Iterator[TraceSpan]:
    """Every span of an `ExportTraceServiceRequest`."""
    for resource in _list(value, place, *_SPANS):
        scopes = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        for scope in _list(resource, place, *scopes):
            for span in _list(scope, place, "spans"):
                yield read_span(span, place)


def read_span(span: Any, place: str) -> TraceSpan:
    """One span."""
    if not isinstance(span, Mapping):
        raise InputError(f"{place}: a span is an object, not a {type(span).__name__}")
    trace_id = read_trace_id(_get(span, "traceId", "trace_id"))
    span_id = read_trace_id(_get(span, "spanId", "span_id"))
    if trace_id is None or span_id is None:
        raise InputError(f"{place}: a span has no traceId and spanId that can be read")
    attributes = read_attributes(span.get("attributes"))
    events = [
        (str(event.get("name")), read_attributes(event.get("attributes")))
        for event in _list(span, place, "events")
        if isinstance(event, Mapping)
    ]
    status = span.get("status")
    status = status if isinstance(status, Mapping) else {}
    message = str(status.get("message") or "the span ended in an error")
    return make_span(
        with_events(attributes, events),
        trace_id=trace_id,
        span_id=span_id,
        parent_id=read_trace_id(_get(span, "parentSpanId", "parent_span_id")),
        start=read_time(_get(span, "startTimeUnixNano", "start_time_unix_nano")),
        end=read_time(_get(span, "endTimeUnixNano", "end_time_unix_nano")),
        error=message if status.get("code") in _ERROR else None,
    )


def read_attributes(given: Any) -> dict[str, Any]:
    """Attributes: a list of keys and values, or already an object."""
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, Any] = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, Mapping) and isinstance(one.get("key"), str):
            found[one["key"]] = read_any_value(one.get("value"))
    return found


def read_any_value(value: Any, level: int = 0) -> Any:
    """An `AnyValue`: exactly one of its fields is set. What is nested too deeply is left out."""
    if not isinstance(value, Mapping) or level > MOST_LEVELS:
        return None
    for name in ("stringValue", "string_value", "boolValue", "bool_value", "doubleValue", "double_value"):
        if name in value:
            return value[name]
    whole = _get(value, "intValue", "int_value")
    if whole is not None:
        try:
            return int(whole)  # a string in OTLP, since JavaScript has no such numbers
        except (TypeError, ValueError):
            return None
    array = _get(value, "arrayValue", "array_value")
    if isinstance(array, Mapping):
        held = array.get("values")
        return [read_any_value(one, level + 1) for one in held] if isinstance(held, list) else []
    pairs = _get(value, "kvlistValue", "kvlist_value")
    if isinstance(pairs, Mapping):
        held = pairs.get("values")
        return {
            one["key"]: read_any_value(one.get("value"), level + 1)
            for one in (held if isinstance(held, list) else ())
            if isinstance(one, Mapping) and isinstance(one.get("key"), str)
        }
    return None


def _get(value: Mapping[str, Any], *names: str) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _list(value: Any, place: str, *names: str) -> list[Any]:
    found = _get(value, *names) if isinstance(value, Mapping) else None
    if found is None:
        return []
    if not isinstance(found, list):
        raise InputError(f"{place}: {names[0]} is a list, not a {type(found).__name__}")
    return found


# --- Phoenix, and the SDK's console exporter --------------------------------------------------------


def is_row(value: Mapping[str, Any]) -> bool:
    """Whether it is a span with `context.trace_id`, as a column of a table or as an object in an object."""
    context = value.get("context")
    return "context.trace_id" in value or (isinstance(context, Mapping) and "trace_id" in context)


def read_row(value: Mapping[str, Any], place: str) -> TraceSpan:
    """One span."""
    context = plain_value(value.get("context"))
    context = context if isinstance(context, Mapping) else {}
    trace_id = read_trace_id(value.get("context.trace_id") or context.get("trace_id"))
    span_id = read_trace_id(value.get("context.span_id") or context.get("span_id"))
    if trace_id is None or span_id is None:
        raise InputError(f"{place}: a span has no context.trace_id and context.span_id that can be read")
    attributes: dict[str, Any] = {}
    for name, held in value.items():
        if name.startswith("attributes."):
            attributes[name.removeprefix("attributes.")] = plain_value(held)
    nested = plain_value(value.get("attributes"))
    if isinstance(nested, Mapping):
        attributes |= nested
    if isinstance(value.get("span_kind"), str):
        attributes.setdefault("openinference.span.kind", value["span_kind"])
    status = plain_value(value.get("status"))
    status = status if isinstance(status, Mapping) else {}
    code = str(value.get("status_code") or status.get("status_code") or "")
    message = value.get("status_message") or status.get("description")
    return make_span(
        with_events(attributes, _events(value.get("events"))),
        trace_id=trace_id,
        span_id=span_id,
        parent_id=read_trace_id(value.get("parent_id")),
        start=read_time(value.get("start_time")),
        end=read_time(value.get("end_time")),
        error=str(message or "the span ended in an error") if code.upper().endswith("ERROR") else None,
    )


def _events(given: Any) -> list[tuple[str, Mapping[str, Any]]]:
    held = plain_value(given)
    found = []
    for event in held if isinstance(held, list) else ():
        attributes = event.get("attributes") if isinstance(event, Mapping) else None
        if isinstance(attributes, Mapping):
            found.append((str(event.get("name")), attributes))
    return found


# --- Langfuse ---------------------------------------------------------------------------------------


def is_langfuse(value: Mapping[str, Any]) -> bool:
    """Whether it is a trace with its observations, or one observation."""
    if isinstance(plain_value(value.get("observations")), list) and "id" in value:
        return True
    own = "traceId" in value or "trace_id" in value
    return own and "id" in value and ("type" in value or any(name in value for name in _OF_AN_OBSERVATION))


def read_langfuse(value: Mapping[str, Any], place: str) -> Iterator[TraceSpan]:
    """The observations of a trace, and the trace itself, which has the question and the answer too."""
    observations = plain_value(value.get("observations"))
    if not isinstance(observations, list):
        yield _observation(value, None, place)
        return
    trace_id = read_id(value.get("id"))
    if not trace_id:
        raise InputError(f"{place}: the trace has no id")
    held = [one for one in observations if isinstance(one, Mapping)]
    spans = [_observation(one, trace_id, place) for one in held]
    yield from spans
    ends = [span.end for span in spans if span.end is not None]
    root = _frame(value, trace_id, f"trace:{trace_id}", None)
    root["end"] = root["end"] or max(ends, default=None)
    yield make_span(_attributes(value, "span"), **root)


def _observation(value: Mapping[str, Any], trace_id: str | None, place: str) -> TraceSpan:
    own = read_trace_id(trace_id or read_id(value.get("traceId")) or read_id(value.get("trace_id")))
    span_id = read_trace_id(read_id(value.get("id")))
    if own is None or span_id is None:
        raise InputError(f"{place}: an observation has no id and no traceId that can be read")
    parent = value.get("parentObservationId") or value.get("parent_observation_id")
    if parent is None and trace_id is not None:
        parent = f"trace:{trace_id}"
    attributes = _attributes(value, str(value.get("type") or "span"))
    return make_span(attributes, **_frame(value, own, span_id, parent))


def _frame(value: Mapping[str, Any], trace_id: str, span_id: str, parent: Any) -> dict[str, Any]:
    failed = str(value.get("level") or "").upper() == "ERROR"
    message = value.get("statusMessage") or value.get("status_message")
    return {
        "trace_id": trace_id,
        "span_id": span_id,
        "parent_id": read_trace_id(parent),
        "start": read_time(value.get("startTime") or value.get("start_time") or value.get("timestamp")),
        "end": read_time(value.get("endTime") or value.get("end_time")),
        "error": str(message or "the observation ended in an error") if failed else None,
    }


def _attributes(value: Mapping[str, Any], kind: str) -> dict[str, Any]:
    metadata = plain_value(value.get("metadata"))
    metadata = metadata if isinstance(metadata, Mapping) else {}
    used = value.get("usageDetails") or value.get("usage_details") or value.get("usage")
    # What an OpenTelemetry span had before Langfuse took it in.
    before = plain_value(metadata.get("attributes"))
    return {
        **(flat(before) if isinstance(before, Mapping) else {}),
        "langfuse.observation.type": kind,
        "langfuse.observation.input": value.get("input"),
        "langfuse.observation.output": value.get("output"),
        "langfuse.observation.metadata": metadata,
        "langfuse.observation.usage_details": used,
        "gen_ai.usage.cost": value.get("totalCost") or value.get("total_cost"),
        "session.id": value.get("sessionId") or value.get("session_id"),
    }
