"""What a valid file keeps to beyond its schema: ids that come once, spans that run forwards, real dates."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from typing import Any, TypeGuard

from pincite.datasets.files.kinds import Kind
from pincite.datasets.formats.problems import shown
from pincite.datasets.formats.schema_check import Found, Place

_ID_OF = {
    "queries": "query_id",
    "documents": "document_id",
    "annotations": "annotation_id",
    "query_results": "query_id",
}


def check_element(name: str, value: Any, place: Place, found: list[Found]) -> None:
    """The rules for one element of a long list."""
    if not isinstance(value, dict):
        return
    if name in ("queries", "annotations", "query_results"):
        _check_spans(value.get("citations"), (place, "citations"), found)
    sets = value.get("alternative_citations") if name == "queries" else None
    for index, spans in enumerate(sets if isinstance(sets, list) else ()):
        _check_spans(spans, ((place, "alternative_citations"), index), found)
    if name == "annotations":
        _check_date(value.get("timestamp"), (place, "timestamp"), found)
    if name == "entries":
        _check_interval(value.get("confidence_interval"), (place, "confidence_interval"), found)


def check_head(kind: Kind, value: dict[str, Any], found: list[Found]) -> None:
    """The rules for what stands beside the long lists."""
    for key in ("created_at", "timestamp"):
        _check_date(value.get(key), (None, key), found)
    if kind == "results":
        _check_intervals(value, found)
    if kind == "configuration":
        _check_settings(value, found)


class UniqueIds:
    """Notices ids that come again, at eight bytes an id."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._field = _ID_OF.get(name)
        self._hashes = array("Q")

    def add(self, value: Any) -> None:
        """Note the next element of the list."""
        if self._field is None:
            return
        given = value.get(self._field) if isinstance(value, dict) else None
        # One without a usable id is told of elsewhere; here it only keeps the count.
        named = isinstance(given, str)
        text = f"+{given}" if named else f"-{len(self._hashes)}"
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        self._hashes.append(int.from_bytes(digest, "little"))

    def repeated(self) -> Iterator[Found]:
        """Every element whose id an earlier one has."""
        if len(self._hashes) < 2:
            return
        import numpy as np

        hashes = np.frombuffer(self._hashes, np.uint64)
        order = np.argsort(hashes, kind="stable")
        ordered = hashes[order]
        fresh = np.r_[True, ordered[1:] != ordered[:-1]]
        firsts = order[np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))]
        again = np.flatnonzero(~fresh)
        for at in again[np.argsort(order[again], kind="stable")].tolist():
            place: Place = (((None, self._name), int(order[at])), str(self._field))
            yield place, "an id of its own", f"the id of /{self._name}/{int(firsts[at])}"


def _check_spans(spans: Any, place: Place, found: list[Found]) -> None:
    for index, span in enumerate(spans if isinstance(spans, list) else ()):
        if not isinstance(span, dict):
            continue
        start, end = span.get("start_char"), span.get("end_char")
        if _is_whole(start) and _is_whole(end) and start >= end:
            words = f"an end after the start, {shown(start).removeprefix('the number ')}"
            found.append((((place, index), "end_char"), words, shown(end)))


def _check_date(value: Any, place: Place, found: list[Found]) -> None:
    if not isinstance(value, str):
        return
    from datetime import datetime

    try:
        datetime.fromisoformat(value)
    except ValueError:
        found.append((place, "a date and time as 2025-08-30T12:00:00Z", shown(value)))


def _check_intervals(value: dict[str, Any], found: list[Found]) -> None:
    """Every `confidence_interval` of a results document, wherever its metric stands."""
    groups = ("retrieval_metrics", "citation_metrics", "answer_quality_metrics")
    work: list[tuple[Any, Place]] = [(value.get(group), (None, group)) for group in groups]
    while work:
        node, place = work.pop()
        if not isinstance(node, dict):
            continue
        for key, held in node.items():
            if key == "confidence_interval":
                _check_interval(held, (place, key), found)
            elif isinstance(held, dict):
                work.append((held, (place, key)))


def _check_interval(value: Any, place: Place, found: list[Found]) -> None:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        return  # the schema tells of that
    if value[0] > value[1]:
        found.append((place, "a lower end that is not above the upper one", f"{value[0]} and {value[1]}"))


def _check_settings(value: dict[str, Any], found: list[Found]) -> None:
    from pincite.config import settings_from
    from pincite.errors import ConfigError

    known = {key: held for key, held in value.items() if key != "schema_version"}
    try:
        settings_from(known)
    except ConfigError as error:
        found.append((None, "settings that Pincite knows", str(error)))


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
