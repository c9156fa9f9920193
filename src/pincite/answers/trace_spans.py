"""One span of a trace, reduced to what a recorded answer needs.

Values of all kinds are read with care: attributes may be flat (`retrieval.documents.0.document.id`), nested,
or JSON inside a string.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pincite.base import read_lenient_json

SpanRole = Literal["retriever", "reranker", "model", "step", "aside"]
"""`model` is a call of a language model, `step` a chain or an agent; an `aside` answers nobody: a tool, an
embedding, a guardrail."""
MOST_LEVELS = 12
"""Nesting that is followed in attributes, and dots in their names; what is deeper is left as it is."""
LONGEST_NAME = 500
"""Characters of an attribute's full name; what has a longer one is left out. Every value inside an object
repeats the name of the object, and none that is looked for is nearly as long."""
_HEX = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{16})")
_INDEX = re.compile(r"([0-9]{1,6})(?:\.|\Z)")


class TraceSpan(Struct, frozen=True, kw_only=True):
    """What one span says about an answer."""

    trace_id: str
    span_id: str
    parent_id: str | None = None
    role: SpanRole = "step"
    start: float | None = None
    end: float | None = None
    """Seconds since 1970."""
    error: str | None = None
    query: str | None = None
    answer: str | None = None
    documents: tuple[dict[str, Any], ...] | None = None
    """`{document_id, content, score, title, file_path, url}` each; None where the span retrieved nothing."""
    response_id: str | None = None
    tokens: int | None = None
    cost: float | None = None
    conversation_id: str | None = None
    query_id: str | None = None
    """The id of a dataset's query, where the system noted it in the trace."""

    @property
    def says_something(self) -> bool:
        """Whether it is about an answer at all, and not a request to a database or a health check."""
        return any(value is not None for value in (self.query, self.answer, self.documents))


def read_trace_id(given: Any) -> str | None:
    """An id as lower-case hexadecimal digits; ids of other systems stay as they are.

    OTLP writes hexadecimal digits, protobuf's own JSON writes base64, and the Python SDK puts `0x` before.
    """
    if not isinstance(given, str) or not given or len(given) > 200:
        return None
    plain = given.removeprefix("0x").lower()
    if _HEX.fullmatch(plain):
        return plain if plain.strip("0") else None
    if len(given) in (12, 24):  # 8 or 16 bytes
        try:
            raw = base64.b64decode(given, validate=True)
        except binascii.Error:
            return given
        if len(raw) in (8, 16):
            return raw.hex()
    return given


def read_time(given: Any) -> float | None:
    """Seconds since 1970, of a number of nanoseconds or milliseconds, or of a date, in UTC without a zone."""
    if isinstance(given, str) and given.isdecimal() and len(given) < 25:
        given = int(given)
    if isinstance(given, datetime):
        moment = given
    elif isinstance(given, int | float) and not isinstance(given, bool):
        size = abs(given)
        return given / (1e9 if size > 1e16 else 1e6 if size > 1e14 else 1e3 if size > 1e11 else 1.0)
    elif isinstance(given, str):
        try:
            moment = datetime.fromisoformat(given)
        except ValueError:
            return None
    else:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, ValueError, OSError):
        return None


def flat(attributes: Mapping[str, Any], whole: Collection[str] = (), prefix: str = "") -> dict[str, Any]:
    """Attributes by their full names: objects inside objects become `outer.inner`. Lists stay.

    Those that are named `whole` stay too: they hold what a system took or gave, whatever it is.
    """
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        if not isinstance(name, str) or value is None or len(prefix) + len(name) > LONGEST_NAME:
            continue
        full = f"{prefix}{name}"
        if isinstance(value, Mapping) and full not in whole and full.count(".") < MOST_LEVELS:
            for inner, held in flat(value, whole, f"{full}.").items():
                found.setdefault(inner, held)
        else:
            found[full] = value
    return found


def elements(attributes: Mapping[str, Any], name: str) -> list[Any]:
    """The elements of a list in flat attributes: under its name, as JSON too, or as `name.0.…` each.

    An element of several fields is a flat object; one without is the value itself.
    """
    given = plain_value(attributes.get(name))
    if isinstance(given, list | tuple):
        return [flat(one) if isinstance(one, Mapping) else one for one in given]
    found: dict[int, Any] = {}
    prefix = f"{name}."
    for key, value in attributes.items():
        if key.startswith(prefix) and (index := _INDEX.match(key, len(prefix))):
            place, rest = int(index[1]), key[index.end() :]
            if rest:
                held = found.setdefault(place, {})
                if isinstance(held, dict):
                    held[rest] = value
            else:
                found[place] = value
    return [found[place] for place in sorted(found)]


def plain_value(given: Any) -> Any:
    """What a string holds where it is an object or a list as JSON; anything else as it is."""
    if not isinstance(given, str) or given.lstrip()[:1] not in ("[", "{"):
        return given
    try:
        return read_lenient_json(given)[0]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return given
