"""The citations of an answer, given as fields or as texts, read as objects with the fields of the format.

A number may be a text and a name a number: each becomes what the format says. What cannot be understood is
left out, and `is_citation` and `odd_parts` tell of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pincite.citations.parse import parse
from pincite.datasets.formats.problems import shown
from pincite.datasets.recorded.values import read_id, read_number, read_whole
from pincite.records import Citation, NumberTarget, SpanTarget, Target, WebTarget

CITED_NAMES = (
    "file_name",
    "document_id",
    "file_path",
    "document",
    "doc_id",
    "source",
    "title",
    "document_title",
)
CITED_ADDRESSES = ("url", "uri", "link", "doi")
CITED_NUMBERS = ("number", "citation_number")
"""By which fields a citation says what it cites."""
_IN_BRACKETS = re.compile(r"\[\s*([^\[\]]*[^\s\[\]])\s*\]")
_TEXTS = ("file_name", "document_id", "file_path", "title")
_PLACES = {"page_number": "page", "start_char": "start", "end_char": "end"}
"""The fields of the format that are whole numbers, each with another name that is read for it."""
_READERS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    **{name: (name, read_id, "a text") for name in _TEXTS},
    **{name: (name, read_whole, "a whole number") for name in _PLACES},
    **{other: (name, read_whole, "a whole number") for name, other in _PLACES.items()},
}
"""By a field of a citation: what the format calls it, how it is read, and what it is."""


def read_citations(given: Any) -> tuple[dict[str, Any], ...] | None:
    """The citations that an answer came with; None where they are to be read from its text."""
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list | tuple):
        return None
    found = [fields for one in given for fields in _read(one)]
    # Where nothing in it can be understood, the citations may still stand in the answer.
    return tuple(found) if found or not given else None


def is_citation(given: Any) -> bool:
    """Whether this says what it cites, or that it is not known what: by a name, an address or a number."""
    if isinstance(given, str):
        return bool(_read_text(given))
    if not isinstance(given, Mapping):
        return False
    if read_id(given.get("file_name")):
        return True  # the usual way
    return (
        any(read_id(given.get(name)) for name in CITED_NAMES)
        or any(isinstance(given.get(name), str) for name in CITED_ADDRESSES)
        or any(read_number(given.get(name)) is not None for name in CITED_NUMBERS)
        or any(given.get(name, "") is None for name in CITED_NAMES)
    )


def odd_parts(given: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """What was expected and found where a citation has a field of the wrong kind, or half a span."""
    citations = [one for one in given if isinstance(one, Mapping) and is_citation(one)]
    odd: dict[tuple[str, str], list[Any]] = {}
    for one in citations:
        for field, value in one.items():
            if value is not None and field in _READERS:
                name, read, kind = _READERS[field]
                if read(value) is None and (field == name or name not in one):
                    odd.setdefault((name, kind), []).append(value)
    for (name, kind), values in odd.items():
        counted = f"{len(values)} of {len(citations)} count as not given"
        yield f"{name} of a citation as {kind}", f"{shown(values[0])}; {counted}"
    half = sum(_is_half(one) for one in citations)
    if half:
        found = f"one without the other; {half} of {len(citations)} count as citing no span"
        yield "start_char and end_char of a citation", found


def span_fields(target: SpanTarget) -> dict[str, Any]:
    """A stretch of a document with the fields of the format."""
    return {
        "file_name": target.document,
        "page_number": target.page,
        "start_char": target.start,
        "end_char": target.end,
    }


def _read(given: Any) -> list[dict[str, Any]]:
    if isinstance(given, str):
        return _read_text(given)
    if not is_citation(given):
        return []
    return [
        {
            name: value if value is None or name not in _READERS else _READERS[name][1](value)
            for name, value in given.items()
        }
    ]


def _read_text(given: str) -> list[dict[str, Any]]:
    """A text is a marker, such as `[d1:0-12]` or `[1][2]`, or else the name or address of a document."""
    text = given.strip()
    # What begins with a letter or a digit is a name, whatever it looks like further on.
    markers = parse(text).citations if text and not text[0].isalnum() else ()
    if not _are_all(text, markers):
        name = _IN_BRACKETS.fullmatch(text)
        return [{"file_name": name[1] if name else given}] if text else []
    found = [_target_fields(target, marker) for marker in markers for target in marker.targets]
    return [fields for fields in found if fields is not None]


def _are_all(text: str, markers: Sequence[Citation]) -> bool:
    """Whether the text is markers and nothing else."""
    rest = list(text)
    for marker in markers:
        rest[marker.start : marker.end] = " " * (marker.end - marker.start)
    return bool(markers) and not "".join(rest).strip(" ,;()[]")


def _target_fields(target: Target, marker: Citation) -> dict[str, Any] | None:
    quote = {} if marker.cited_text is None else {"cited_text": marker.cited_text}
    if isinstance(target, SpanTarget):
        return {**span_fields(target), **quote}
    if isinstance(target, WebTarget):
        return {"url": _address(target), **quote}
    if isinstance(target, NumberTarget) and target.number is not None:
        return {"number": target.number, **quote}
    return None  # a path or a work by author and year: no field of a citation says that


def _address(target: WebTarget) -> str:
    if target.doi:
        return f"https://doi.org/{target.doi}"
    if target.arxiv:
        return f"https://arxiv.org/abs/{target.arxiv}"
    return f"https://pubmed.ncbi.nlm.nih.gov/{target.pmid}" if target.pmid else target.url or target.key


def _is_half(citation: Mapping[str, Any]) -> bool:
    start, end = (
        citation[name] if name in citation else citation.get(_PLACES[name])
        for name in ("start_char", "end_char")
    )
    return (start is None) != (end is None)
