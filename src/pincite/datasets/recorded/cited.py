"""Citations that a system gave as fields, turned into records with their place in the answer.

A citation stands where the answer has the marker of the same target; the second of two alike stands at the
second such marker. One without a marker has no place (`start == end == 0`) and may stand behind any claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.citations.formats.span_places import span_target
from pincite.citations.parse import parse
from pincite.citations.providers.targets import is_web_address, web_target
from pincite.datasets.recorded.citations import CITED_ADDRESSES, CITED_NAMES, CITED_NUMBERS
from pincite.datasets.recorded.values import read_id, read_whole
from pincite.records import Citation, Family, NumberTarget, SpanTarget, Target, WebTarget
from pincite.sources.names import file_name, fold

_QUOTES = ("cited_text", "excerpt", "quote", "text")
_ANY_PAGE = -1


def citations_of(
    given: Sequence[Mapping[str, Any]] | None, answer: str | None
) -> tuple[Citation, ...] | None:
    """The records of citations given as fields; None where none were given and the answer is to be parsed."""
    if given is None:
        return None
    places = _Places(answer or "")
    return tuple(
        citation
        for one in given
        if (target := target_of(one)) is not None
        for citation in places.put(target, one)
    )


def target_of(given: Mapping[str, Any]) -> Target | None:
    """What a citation's fields point to: a stretch of a document, a document, an address or a number."""
    given_as = next((key for key in CITED_ADDRESSES if isinstance(given.get(key), str)), None)
    address = None if given_as is None else _address(given_as, given[given_as])
    name = next((found for key in CITED_NAMES if (found := read_id(given.get(key)))), None)
    if name is not None and is_web_address(name):
        name, address = None, address or name
    if name is None and address:
        title = given.get("title")
        return web_target(address.strip(), title if isinstance(title, str) else None)
    if name is not None:
        start, end = _whole(given, "start_char", "start"), _whole(given, "end_char", "end")
        if start is None or end is None:
            start = end = None
        return span_target(name, _whole(given, "page_number", "page"), start, end)
    number = _whole(given, *CITED_NUMBERS)
    return None if number is None else NumberTarget(number, str(number))


def _address(field: str, given: str) -> str:
    """An address; a DOI by itself is one at doi.org."""
    bare = field == "doi" and given.strip() and not is_web_address(given.strip())
    return f"https://doi.org/{given.strip().removeprefix('doi:').strip()}" if bare else given


def _whole(given: Mapping[str, Any], *names: str) -> int | None:
    return next((found for name in names if (found := read_whole(given.get(name))) is not None), None)


class _Places:
    """Where an answer's markers stand; each target of a marker is handed out once."""

    def __init__(self, answer: str) -> None:
        self._free: dict[object, list[tuple[int, int]]] = defaultdict(list)
        self._numbered: dict[int, list[Citation]] = defaultdict(list)
        self._markers = parse(answer).citations if answer else ()
        self._taken: set[tuple[int, int]] = set()
        for i in reversed(range(len(self._markers))):
            for j, target in enumerate(self._markers[i].targets):
                for key in _offered(target):
                    self._free[key].append((i, j))
                if isinstance(target, NumberTarget) and target.number is not None:
                    self._numbered[target.number].append(self._markers[i])

    def put(self, target: Target, given: Mapping[str, Any]) -> list[Citation]:
        """The citation at its marker; one that says its number stands at every marker of that number."""
        quote = next((given[key] for key in _QUOTES if isinstance(given.get(key), str) and given[key]), None)
        title = given.get("title") or given.get("document_title")
        more = {"cited_text": quote, "document_title": title if isinstance(title, str) else None}
        number = _whole(given, *CITED_NUMBERS)
        if number is not None and number in self._numbered:
            return [_citation(target, marker, more) for marker in reversed(self._numbered[number])]
        return [_citation(target, self._take(target), more)]

    def _take(self, target: Target) -> Citation | None:
        for key in _wanted(target):
            free = self._free.get(key, [])
            while free:
                place = free.pop()
                if place not in self._taken:
                    self._taken.add(place)
                    return self._markers[place[0]]
        return None


def _offered(target: Target) -> list[object]:
    """What a marker's target is found by."""
    if isinstance(target, SpanTarget):
        place = (fold(file_name(target.document)), target.start, target.end)
        return [(place, target.page), (place, _ANY_PAGE)]
    return [target.key] if isinstance(target, WebTarget | NumberTarget) else []


def _wanted(target: Target) -> list[object]:
    """What a given target looks for, the strictest first: a page on one side only does not matter."""
    if isinstance(target, SpanTarget):
        place = (fold(file_name(target.document)), target.start, target.end)
        return [(place, target.page), (place, _ANY_PAGE if target.page is None else None)]
    return _offered(target)


def _citation(target: Target, marker: Citation | None, more: dict[str, str | None]) -> Citation:
    family: Family = "number"
    if isinstance(target, SpanTarget | WebTarget):
        family = "span" if isinstance(target, SpanTarget) else "web"
    return Citation(
        family,
        marker.text if marker else f"[{target.key}]",
        marker.start if marker else 0,
        marker.end if marker else 0,
        (target,),
        cited_text=more["cited_text"],
        document_title=more["document_title"],
    )
