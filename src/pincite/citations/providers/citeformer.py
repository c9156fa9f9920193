"""citeformer: a `GenerationResult` of schema 2 or 3, one citation a marker in its text.

`span` is the marker, in code points; `source_id` counts from 1 in `sources`. Schema 3 may add `cited_text`,
`source_span` and `document_title`; in schema 2 they are None. A list that does not fit the markers is never
dropped: a wrong entry, and a marker without one, each become a citation with a problem.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from pincite.citations.providers.entries import Collector, PayloadEntry, document_target, web_target
from pincite.citations.providers.offsets import Unit, shorten
from pincite.citations.providers.payload import Node
from pincite.records import NumberTarget, Target

UNIT: Unit = "code_point"
SCHEMAS = (2, 3)

_MARKER = re.compile(r"\[(\d{1,9})\]|\((\d{1,9})\)|\{(\d{1,9})\}|\^(\d{1,9})")


def looks_like(data: Any) -> bool:
    """Whether a payload has the shape of a generation result."""
    return (
        isinstance(data, dict)
        and "schema_version" in data
        and "kind" not in data
        and isinstance(data.get("text"), str)
        and isinstance(data.get("citations"), list)
    )


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A generation result."""
    version = root.raw("schema_version")
    if version not in SCHEMAS or isinstance(version, (bool, float)):
        raise root.need("schema_version").fail(f"schema {str(version)[:40]} is unknown; 2 and 3 are read")
    text = root.string("text") or ""
    span = collector.add_text(text)
    sources = [_Source(node, number, collector) for number, node in enumerate(root.objects("sources"), 1)]
    entries = [_read_citation(node, text, sources, version) for node in root.objects("citations")]
    entries += _missing(text, entries, sources, root)
    collector.cite(span, entries)


class _Source:
    """A source of the result: its bibliographic record, and its text where it has one."""

    def __init__(self, node: Node, number: int, collector: Collector) -> None:
        metadata = node.inner("metadata")
        self.title = metadata.string("title")
        self.url = metadata.string("URL")
        self.doi = metadata.string("DOI")
        identifier = metadata.raw("id")
        self.name = str(identifier) if identifier is not None else self.title or f"#{number - 1}"
        if self.name in collector.sources:
            self.name = f"#{number - 1}"
        collector.sources.add(self.name, node.string("content"), self.title, self.url)
        self.has_text = self.name in collector.sources

    def target(self, span: tuple[int, int] | None) -> Target:
        address = f"https://doi.org/{self.doi}" if self.doi else self.url
        if address and not self.has_text:
            return web_target(address, self.title)
        start, end = span or (None, None)
        return document_target(self.name, start=start, end=end)


def _read_citation(node: Node, text: str, sources: list[_Source], version: int) -> PayloadEntry:
    bounds = node.raw("span")
    start, end = bounds if isinstance(bounds, list) and len(bounds) == 2 else (None, None)
    number = node.number("source_id")
    problems: list[str] = []
    rich = version >= 3
    title = node.string("document_title") if rich else None
    source_span = _read_range(node.raw("source_span")) if rich else None
    if rich and node.raw("source_span") is not None and source_span is None:
        problems.append("source_span is not a range")
    target: Target
    if number is None or number < 1:
        problems.append("source_id is not a number from 1")
        target = _absent(node.raw("source_id"))
    elif number <= len(sources):
        target = sources[number - 1].target(source_span)
    elif sources:
        problems.append(f"source {number} is not in the list of {len(sources)}")
        target = _absent(number)
    else:
        place = source_span or (None, None)
        target = document_target(title or f"#{number - 1}", start=place[0], end=place[1])
    if number is not None and type(start) is int and type(end) is int and 0 <= start <= end <= len(text):
        here = text[start : min(end, start + 100)]
        if _number_of(here) != number:
            problems.append(f"the text at the span is {shorten(here)}, no marker of source {number}")
    problem = "; ".join(problems) or None
    entry = PayloadEntry(node, (target,), start, end, document_title=title, problem=problem, marker=True)
    return replace(entry, cited_text=node.string("cited_text") if rich else None, source_span=source_span)


def _absent(number: Any) -> Target:
    """A source that the payload does not have: a document that cannot be found, so that it is wrong."""
    return document_target(f"source_id {str(number)[:40]}")


def _read_range(value: Any) -> tuple[int, int] | None:
    is_pair = isinstance(value, list) and len(value) == 2
    return (value[0], value[1]) if is_pair and all(type(one) is int and one >= 0 for one in value) else None


def _number_of(marker: str) -> int | None:
    match = _MARKER.fullmatch(marker)
    return None if match is None else int(next(group for group in match.groups() if group))


def _missing(
    text: str, entries: list[PayloadEntry], sources: list[_Source], root: Node
) -> list[PayloadEntry]:
    """The markers in the text that the list has no entry for."""
    from pincite.citations.parser import parse

    listed = {entry.start for entry in entries if type(entry.start) is int}
    missing = []
    for citation in parse(text).citations:
        if citation.family != "number" or citation.start in listed:
            continue
        numbers = [target.number for target in citation.targets if isinstance(target, NumberTarget)]
        targets = tuple(
            sources[number - 1].target(None) if number and 0 < number <= len(sources) else _absent(number)
            for number in numbers
        )
        problem = f"the marker {citation.text} has no entry in the payload's list of citations"
        place, node = (citation.start, citation.end), Node(None, root.pointer)
        missing.append(PayloadEntry(node, targets, *place, problem=problem, marker=True))
    return missing
