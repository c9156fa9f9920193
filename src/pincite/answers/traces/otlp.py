"""OTLP as JSON: what an OpenTelemetry SDK or collector writes, `resourceSpans` and `resourceLogs`.

Names may be in camel or snake case, ids hexadecimal or base64, as different writers have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pincite.answers.traces.attributes import make_span, with_events
from pincite.answers.traces.spans import MOST_LEVELS, TraceSpan, read_time, read_trace_id
from pincite.errors import InputError

_SPANS = ("resourceSpans", "resource_spans")
_LOGS = ("resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
_ERROR = (2, "2", "STATUS_CODE_ERROR", "ERROR")


def is_request(value: Mapping[str, Any]) -> bool:
    """Whether it is what an exporter sends. Logs and metrics are none of ours, but no mistake either."""
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
