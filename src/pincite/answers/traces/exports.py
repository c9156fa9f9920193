"""Spans as tools export them: Phoenix (a row or an object per span), the OpenTelemetry SDK's own JSON, and
Langfuse (traces with observations, or observations alone).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pincite.answers.traces.attributes import make_span, with_events
from pincite.answers.traces.spans import TraceSpan, flat, plain_value, read_time, read_trace_id
from pincite.answers.values import read_id
from pincite.errors import InputError
from pincite.text import word_list

# --- Phoenix, and the SDK's console exporter ---


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


# --- Langfuse ---

_OF_AN_OBSERVATION = word_list(
    "parentObservationId parent_observation_id isRootObservation is_root_observation"
)


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
