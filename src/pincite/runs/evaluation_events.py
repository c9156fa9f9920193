"""Results written back to where traces are kept: `gen_ai.evaluation.result` events, as OTLP JSON.

One line per trace, an `ExportLogsServiceRequest` with an event for each metric and one for what went wrong
in the answer. A collector's file receiver reads them as they are. Since every trace that was measured has its
line, the file also says which traces are done.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Self

import msgspec

from pincite.answers import LONGEST, lines_of
from pincite.base import read_lenient_json, write_json
from pincite.datasets import TracePlace
from pincite.errors import InputError
from pincite.records import ItemResult, Result
from pincite.runs.environment import version

EVENT = "gen_ai.evaluation.result"
FAILURES = "answer_failures"
"""The name of the event that lists what went wrong in an answer; its value is how many things did."""
_TRACE = "pincite.trace.id"
"""Where a trace is named that has no id of OpenTelemetry's."""
_HEX = re.compile(r"[0-9a-f]+")
_OPENING = b'{"resourceLogs":['
_INFO = 9
_MOST_FAILURES = 10
_LONGEST = 2000
"""Characters of an explanation."""


def events_line(item: ItemResult, place: TracePlace) -> bytes:
    """The events of one answer, as one line."""
    moment = str(time.time_ns())
    common = _common(place)
    events = [_failures(item), *(map(_scored, item.results) if item.failure is None else ())]
    records = [
        {
            "timeUnixNano": moment,
            "observedTimeUnixNano": moment,
            "severityNumber": _INFO,
            "eventName": EVENT,
            **_ids(place),
            "attributes": _attributes({**event, **common}),
        }
        for event in events
    ]
    scope = {"name": "pincite", "version": version()}
    resource = {"attributes": _attributes({"service.name": "pincite"})}
    request = {
        "resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": records}]}]
    }
    return write_json(request).rstrip(b"\n") + b"\n"


class EventsFile:
    """A file of events that is added to. A line that was cut off by a kill is taken out when it is opened."""

    def __init__(self, path: Path, warn: Callable[[str], None] = lambda text: None) -> None:
        self.path = path
        self.traces: set[str] = set()
        """The ids of all traces that have their line."""
        with self._or_say():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("a+b", buffering=0)
        try:
            self._lock()
            self._read(warn)
        except BaseException:
            self._file.close()
            raise

    def add(self, items: Iterable[ItemResult], places: Mapping[str, TracePlace]) -> int:
        """Add what was measured about each answer whose trace has no line yet; how many there were."""
        before = len(self.traces)
        for item in items:
            place = places.get(item.query_id)
            if place is not None and place.trace_id not in self.traces:
                self._append(events_line(item, place))
                self.traces.add(place.trace_id)
        with self._or_say():
            os.fsync(self._file.fileno())
        return len(self.traces) - before

    def _append(self, line: bytes) -> None:
        end = self._file.seek(0, os.SEEK_END)
        with self._or_say():
            try:
                if self._file.write(line) != len(line):
                    raise OSError("the disk is full")
            except OSError:
                with suppress(OSError):
                    self._file.truncate(end)
                raise

    @contextmanager
    def _or_say(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(f"{self.path}: cannot write the events: {error.strerror or error}") from error

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{self.path}: another process writes to this file; give each its own") from None
        except OSError:
            return  # a file system that knows no locks

    def _read(self, warn: Callable[[str], None]) -> None:
        self._file.seek(0)
        with os.fdopen(os.dup(self._file.fileno()), "rb") as file:
            for number, offset, raw in lines_of(file, LONGEST):
                line = raw or b""
                if not line.endswith(b"\n") and (line.startswith(_OPENING) or _OPENING.startswith(line)):
                    warn(f"{self.path}: the last line was cut off; its trace is measured again")
                    self._file.truncate(offset)
                    return
                found = _trace_of(line)
                if found is None:  # somebody else's file, of which nothing must be lost
                    raise InputError(
                        f"{self.path}: line {number} holds no events of `pincite eval`; give another file"
                    )
                self.traces.add(found)


def _trace_of(raw: bytes) -> str | None:
    """The trace that a line is about."""
    try:
        value, _ = read_lenient_json(raw)
        record = value["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]
        if record["eventName"] != EVENT:
            return None
        for one in record["attributes"]:
            if one["key"] == _TRACE:
                return str(one["value"]["stringValue"])
        return str(record["traceId"])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return None


# --- one event ---


def _scored(result: Result) -> dict[str, Any]:
    event: dict[str, Any] = {"gen_ai.evaluation.name": result.metric}
    if result.score is not None:
        event["gen_ai.evaluation.score.value"] = float(result.score)
        if result.passed is not None:
            event["gen_ai.evaluation.score.label"] = "pass" if result.passed else "fail"
    elif result.unjudged:
        event |= {"gen_ai.evaluation.score.label": "unjudged", "error.type": "unjudged"}
    else:
        event["gen_ai.evaluation.score.label"] = "not_scorable"
    _, *told = result.pretty().splitlines()
    event["gen_ai.evaluation.explanation"] = "; ".join(told)[:_LONGEST]
    return event


def _failures(item: ItemResult) -> dict[str, Any]:
    event: dict[str, Any] = {"gen_ai.evaluation.name": FAILURES}
    if item.failure is not None:
        return {
            **event,
            "gen_ai.evaluation.score.label": "no_answer",
            "gen_ai.evaluation.explanation": item.failure[:_LONGEST],
            "error.type": "no_answer",
        }
    told = [
        f"{one.kind}{f' ({one.document})' if one.document else ''}: {one.detail}"
        for one in item.failures[:_MOST_FAILURES]
    ]
    more = len(item.failures) - len(told)
    return {
        **event,
        "gen_ai.evaluation.score.value": float(len(item.failures)),
        "gen_ai.evaluation.score.label": "found" if item.failures else "none",
        "gen_ai.evaluation.explanation": (
            "; ".join((*told, f"and {more} more") if more > 0 else told) or "nothing was found"
        )[:_LONGEST],
    }


def _common(place: TracePlace) -> dict[str, Any]:
    common = {} if place.response_id is None else {"gen_ai.response.id": place.response_id}
    return common if _ids(place).get("traceId") else {**common, _TRACE: place.trace_id}


def _ids(place: TracePlace) -> dict[str, str]:
    """The ids of OpenTelemetry; other systems have ids that OTLP cannot hold."""
    if len(place.trace_id) != 32 or not _HEX.fullmatch(place.trace_id):
        return {}
    own = len(place.span_id) == 16 and _HEX.fullmatch(place.span_id)
    return {"traceId": place.trace_id, **({"spanId": place.span_id} if own else {})}


def _attributes(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": name, "value": {"doubleValue" if isinstance(value, float) else "stringValue": value}}
        for name, value in given.items()
    ]
