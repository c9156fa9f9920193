"""The citations of an answer that came as fields or texts, and the numbered list that they count in.

Citations are read as fields, then as records with their place. A number may be a text and a name a number:
each becomes what the format says. A citation is placed at the marker of the same target in the answer; the
second of two alike at the second such marker. One without a marker has no place (`start == end == 0`) and may
belong to any claim.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pincite.answers.values import Oddities, read_id, read_number, read_whole, shown, warn, warn_left_out
from pincite.citations import is_web_address, parse, span_target, web_target
from pincite.errors import InputError
from pincite.records import Citation, Family, NumberTarget, Reference, SpanTarget, Target, WebTarget
from pincite.sources import file_name, fold
from pincite.text import word_list

_NAMES = word_list("file_name document_id file_path document doc_id source title document_title")
_ADDRESSES = ("url", "uri", "link", "doi")
_NUMBERS = ("number", "citation_number")
"""By which fields a citation says what it cites."""
_QUOTES = ("cited_text", "excerpt", "quote", "text")
_ENTRY_NUMBERS = ("number", "id", "index", "label")
_ENTRY_TEXTS = ("source", "text", "title", "reference", "url", "document")
_BRACKET = re.compile(r"[\[\]]")
_PLACES = {"page_number": "page", "start_char": "start", "end_char": "end"}
"""The fields of the format that are whole numbers, each with another name that is read for it."""
_READERS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    **{name: (name, read_id, "a text") for name in ("file_name", "document_id", "file_path", "title")},
    **{name: (name, read_whole, "a whole number") for name in _PLACES},
    **{other: (name, read_whole, "a whole number") for name, other in _PLACES.items()},
}
"""By a field of a citation: what the format calls it, how it is read, and what it is."""
_ANY_PAGE = -1


# --- as fields -----------------------------------------------------------------------------------


def read_citations(given: Any, odd: Oddities | None = None) -> tuple[dict[str, Any], ...] | None:
    """The citations that an answer came with; None where they are to be parsed from its text.

    What cannot be understood is left out and noted in `odd`.
    """
    odd = [] if odd is None else odd
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list | tuple):
        warn(odd, "citations as a list", given)
        return None
    read = [_read(one) for one in given]
    warn_left_out(odd, "citations that name a file, document, url or number", given, read)
    _warn_of_odd_fields([one for one, found in zip(given, read, strict=True) if found], odd)
    found = tuple(fields for one in read for fields in one)
    # Where nothing in it can be understood, the citations may still be in the answer.
    return found if found or not given else None


def fields_of(target: Target, quote: str | None = None, title: str | None = None) -> dict[str, Any] | None:
    """A target with the fields of the format; None for a path or a work, which no field can say."""
    said = {"cited_text": quote, "document_title": title}
    more = {name: value for name, value in said.items() if value is not None}
    if isinstance(target, SpanTarget):
        place = {"page_number": target.page, "start_char": target.start, "end_char": target.end}
        return {"file_name": target.document, **place, **more}
    if isinstance(target, WebTarget):
        return {"url": _address_of(target), **more}
    if isinstance(target, NumberTarget) and target.number is not None:
        return {"number": target.number, **more}
    return None


def _read(given: Any) -> list[dict[str, Any]]:
    if isinstance(given, str):
        return _read_text(given)
    if not isinstance(given, Mapping) or not _says_what_it_cites(given):
        return []
    known = {name for name, value in given.items() if name in _READERS and value is not None}
    return [{name: _READERS[name][1](value) if name in known else value for name, value in given.items()}]


def _says_what_it_cites(given: Mapping[str, Any]) -> bool:
    """Whether a citation has a name, an address or a number, or a null that says it is not known."""
    return (
        any(read_id(given.get(name)) or given.get(name, "") is None for name in _NAMES)
        or any(isinstance(given.get(name), str) for name in _ADDRESSES)
        or any(read_number(given.get(name)) is not None for name in _NUMBERS)
    )


def _read_text(given: str) -> list[dict[str, Any]]:
    """A text is a marker, such as `[d1:0-12]` or `[1][2]`, or else the name or address of a document."""
    text = given.strip()
    # What begins with a letter or a digit is a name, whatever it looks like further on.
    markers = parse(text).citations if text and not text[0].isalnum() else ()
    rest = list(text)
    for marker in markers:
        rest[marker.start : marker.end] = " " * (marker.end - marker.start)
    if not markers or "".join(rest).strip(" ,;()[]"):
        inner = text[1:-1].strip() if text[:1] == "[" and text[-1:] == "]" else ""
        named = inner if inner and not _BRACKET.search(inner) else given
        return [{"file_name": named}] if text else []
    found = [fields_of(target, marker.cited_text) for marker in markers for target in marker.targets]
    return [fields for fields in found if fields is not None]


def _address_of(target: WebTarget) -> str:
    if target.doi:
        return f"https://doi.org/{target.doi}"
    if target.arxiv:
        return f"https://arxiv.org/abs/{target.arxiv}"
    return f"https://pubmed.ncbi.nlm.nih.gov/{target.pmid}" if target.pmid else target.url or target.key


def _warn_of_odd_fields(given: Sequence[Any], told: Oddities) -> None:
    """Note the fields of the wrong kind, and spans with one end."""
    citations = [one for one in given if isinstance(one, Mapping)]
    odd: dict[tuple[str, str], list[Any]] = {}
    half = 0
    for one in citations:
        for field, value in one.items():
            if value is not None and field in _READERS:
                name, read, kind = _READERS[field]
                if read(value) is None and (field == name or name not in one):
                    odd.setdefault((name, kind), []).append(value)
        start, end = (one.get(name, one.get(_PLACES[name])) for name in ("start_char", "end_char"))
        half += (start is None) != (end is None)
    for (name, kind), values in odd.items():
        counted = f"{len(values)} of {len(citations)} count as not given"
        told.append((f"{name} of a citation as {kind}", f"{shown(values[0])}; {counted}"))
    if half:
        found = f"one without the other; {half} of {len(citations)} count as citing no span"
        told.append(("start_char and end_char of a citation", found))


# --- as records with their place in the answer ---------------------------------------------------


def citations_of(
    given: Sequence[Mapping[str, Any]] | None, answer: str | None
) -> tuple[Citation, ...] | None:
    """The records of citations given as fields; None where none were given and the answer is to be parsed."""
    if given is None:
        return None
    places = _Places(answer or "")
    cited = [(target, one) for one in given if (target := target_of(one)) is not None]
    return tuple(citation for target, one in cited for citation in places.put(target, one))


def target_of(given: Mapping[str, Any]) -> Target | None:
    """What a citation's fields point to: a stretch of a document, a document, an address or a number."""
    field = next((key for key in _ADDRESSES if isinstance(given.get(key), str)), None)
    address = None if field is None else given[field].strip()
    if field == "doi" and address and not is_web_address(address):
        address = f"https://doi.org/{address.removeprefix('doi:').strip()}"
    name = next((found for key in _NAMES if (found := read_id(given.get(key)))), None)
    if name is not None and is_web_address(name):
        address = address or name.strip()
        name = None
    if name is None and address:
        title = given.get("title")
        return web_target(address, title if isinstance(title, str) else None)
    if name is not None:
        start, end = _whole(given, "start_char", "start"), _whole(given, "end_char", "end")
        if start is None or end is None:
            start = end = None
        return span_target(name, _whole(given, "page_number", "page"), start, end)
    number = _whole(given, *_NUMBERS)
    return None if number is None else NumberTarget(number, str(number))


def _whole(given: Mapping[str, Any], *names: str) -> int | None:
    return next((found for name in names if (found := read_whole(given.get(name))) is not None), None)


class _Places:
    """Where an answer's markers are; each target of a marker is handed out once."""

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
        """The citation at its marker; one that says its number is at every marker of that number."""
        number = _whole(given, *_NUMBERS)
        if number is not None and number in self._numbered:
            return [_citation(target, marker, given) for marker in reversed(self._numbered[number])]
        return [_citation(target, self._take(target), given)]

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


def _citation(target: Target, marker: Citation | None, given: Mapping[str, Any]) -> Citation:
    quote = next((given[key] for key in _QUOTES if isinstance(given.get(key), str) and given[key]), None)
    title = given.get("title") or given.get("document_title")
    family: Family = "number"
    if isinstance(target, SpanTarget | WebTarget):
        family = "span" if isinstance(target, SpanTarget) else "web"
    place = (marker.text, marker.start, marker.end) if marker else (f"[{target.key}]", 0, 0)
    named = title if isinstance(title, str) else None
    return Citation(family, *place, (target,), cited_text=quote, document_title=named)


# --- the numbered list that `[1]` counts in, given beside an answer ----------------------------------


def read_listed(listed: Sequence[str | Mapping[str, Any]]) -> Iterator[Reference]:
    """The entries of a list: a text is numbered by its place from 1, a mapping by its own number.

    A text that begins with a number of its own, as `[3] Smith 2020`, keeps that number.
    """
    for position, entry in enumerate(listed, 1):
        if isinstance(entry, str):
            yield _from_text(entry, position)
        elif isinstance(entry, Mapping):
            yield _from_mapping(entry, position)
        else:
            kind = type(entry).__name__
            raise InputError(f"reference {position} is a {kind}: give a text or {{number, source}}")


def _from_text(entry: str, position: int) -> Reference:
    """Read as the one entry of a list, so that labels, links and works are found as they are in an answer."""
    line = " ".join(entry.split())
    read = parse(f"References:\n{line}").references
    if len(read) == 1 and entry.lstrip()[:1] in "[【^(" and read[0].label.isdecimal():
        return Reference(read[0].label, read[0].text, 0, 0, read[0].targets)
    targets = parse(f"References:\n[{position}] {line}").references
    return Reference(str(position), line, 0, 0, targets[0].targets if targets else ())


def _from_mapping(entry: Mapping[str, Any], position: int) -> Reference:
    number = next((entry[name] for name in _ENTRY_NUMBERS if entry.get(name) is not None), position)
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    said = [str(entry[name]) for name in _ENTRY_TEXTS if entry.get(name)]
    label = str(number).strip().strip("[]【】^. ")
    return Reference(label, " ".join(said), 0, 0, _from_text(" ".join(said), position).targets)
