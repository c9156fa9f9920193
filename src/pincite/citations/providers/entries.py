"""From a payload's citation entries to citations, and back.

Each citation keeps, in `form`, the entry it came from and where its values stand in it. `write_citations`
puts the citation's own values back into the provider's fields and unit, so that the round trip is to the
payload.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from pincite.citations.providers.offsets import Unit, from_code_points, place_spans
from pincite.citations.providers.payload import Node
from pincite.errors import PayloadError
from pincite.records import Answer, Citation, Source, Span, Target

FieldPath = tuple[str, ...]

MAX_COVERED = 200_000_000
"""Each citation holds the text that it covers; a payload that repeats a long text too often is refused."""


class Entry(Struct, frozen=True):
    """One citation as the payload gives it. `start` and `end` are whatever stands there, not yet read."""

    node: Node
    targets: tuple[Target, ...] = ()
    start: object = None
    end: object = None
    covered: str | None = None
    """The answer text that the payload says is covered, where it says so."""
    cited_text: str | None = None
    source_span: tuple[int, int] | None = None
    document_title: str | None = None
    problem: str | None = None
    fields: dict[str, FieldPath] = field(default_factory=dict)
    """Where the entry keeps `start`, `end`, `covered`, `cited_text`, `title`, `source_start` and `_end`."""
    kept: bool = True
    """False for a citation that the payload has no entry for: there is nothing to write back."""
    marker: bool = False
    """The span is a marker in the text, such as `[1]`, rather than the text that it speaks for."""


class _Part(Struct):
    """A text block of the payload, and the entries whose offsets count from its start."""

    span: Span
    entries: list[tuple[int, Entry]]
    unit: Unit


class Collector:
    """Gathers the text blocks, entries and documents of one payload, then makes the answer."""

    def __init__(self, provider: str, unit: Unit) -> None:
        self.provider = provider
        self.unit: Unit = unit
        self.sources = SourceBook()
        self._texts: list[str] = []
        self._length = 0
        self._parts: dict[tuple[Span, Unit], _Part] = {}
        self._count = 0

    @property
    def length(self) -> int:
        """How much text there is so far."""
        return self._length

    def add_text(self, text: str) -> Span:
        """Append a text block; returns its span in the answer."""
        span = Span(self._length, self._length + len(text))
        self._texts.append(text)
        self._length = span.end
        return span

    def cite(self, part: Span, entries: Sequence[Entry], unit: Unit | None = None) -> None:
        """Add entries whose offsets count from the start of a text block, in the provider's unit."""
        unit = unit or self.unit
        block = self._parts.setdefault((part, unit), _Part(part, [], unit))
        block.entries.extend(enumerate(entries, self._count))
        self._count += len(entries)

    def answer(self, name: str, query: str | None = None) -> Answer:
        """The answer, its citations in the order of the text."""
        text = "".join(self._texts)
        citations = [citation for part in self._parts.values() for citation in _place_part(text, part)]
        citations.sort(key=lambda citation: (citation.start, citation.end))
        return Answer(
            text=text,
            name=name,
            query=query,
            # Without any of the provider's own, what the model wrote into the text is still to be parsed.
            citations=tuple(citations) if self._count else None,
            sources=self.sources.sources(),
            provider=self.provider,
        )


def _place_part(text: str, part: _Part) -> list[Citation]:
    block = part.span.of(text)
    entries = [entry for _, entry in part.entries]
    places = place_spans(
        block,
        [(entry.start, entry.end) for entry in entries],
        part.unit,
        [entry.covered for entry in entries],
    )
    if sum(place.end - place.start for place in places) > MAX_COVERED:
        raise PayloadError(
            f"the citations of one text block cover more than {MAX_COVERED:,} characters in all"
        )
    citations = []
    for (number, entry), place in zip(part.entries, places, strict=True):
        problems = [problem for problem in (place.problem, entry.problem) if problem]
        citations.append(
            Citation(
                family="provider",
                text=block[place.start : place.end],
                start=part.span.start + place.start,
                end=part.span.start + place.end,
                targets=entry.targets,
                form=_make_form(number, part, entry),
                cited_text=entry.cited_text,
                source_span=entry.source_span,
                document_title=entry.document_title,
                problem="; ".join(problems) or None,
            )
        )
    return citations


class SourceBook:
    """The documents that came with a payload. What is sent in several pieces becomes one source."""

    def __init__(self) -> None:
        self._texts: dict[str, dict[str, None]] = {}
        self._facts: dict[str, dict[str, str | None]] = {}

    def add(
        self,
        name: str | None,
        text: str | None,
        title: str | None = None,
        url: str | None = None,
        document_id: str | None = None,
    ) -> None:
        """Keep a document, or another piece of one. Without a name or a text there is nothing to keep."""
        if not name or not text:
            return
        self._texts.setdefault(name, {})[text] = None
        facts = self._facts.setdefault(name, {})
        for key, value in (("title", title), ("url", url), ("document_id", document_id)):
            facts[key] = facts.get(key) or value

    def __contains__(self, name: str | None) -> bool:
        return name in self._texts

    def text(self, name: str) -> str:
        return "\n\n".join(self._texts[name])

    def sources(self) -> tuple[Source, ...]:
        return tuple(_make_source(name, self.text(name), self._facts[name]) for name in self._texts)


def _make_source(name: str, text: str, facts: dict[str, str | None]) -> Source:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Source(
        name=name,
        text=text,
        title=facts.get("title"),
        url=facts.get("url"),
        document_id=facts.get("document_id"),
        sha256=digest,
    )


# --- back to the payload -------------------------------------------------------------------------


def _make_form(number: int, part: _Part, entry: Entry) -> str:
    return json.dumps(
        {
            "order": number,
            "at": entry.node.pointer,
            "base": part.span.start,
            "unit": part.unit,
            "marker": entry.marker,
            "fields": entry.fields,
            "entry": entry.node.value if entry.kept else None,
        }
    )


class EntryForm(Struct, frozen=True):
    """What a provider citation's `form` holds."""

    order: int
    at: str
    base: int
    unit: Unit
    marker: bool
    fields: dict[str, FieldPath]
    entry: Any


def read_form(citation: Citation) -> EntryForm:
    """The form of a citation that `read_response` made."""
    import msgspec

    try:
        return msgspec.convert(json.loads(citation.form), EntryForm)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise PayloadError(f"the citation at {citation.start}–{citation.end} came from no payload") from error


def write_entries(answer: Answer) -> list[dict[str, Any]]:
    """The provider's own entries again, in the payload's order, with each citation's values in its fields."""
    pairs = [(citation, read_form(citation)) for citation in answer.citations or ()]
    pairs.sort(key=lambda pair: pair[1].order)
    wanted: dict[Unit, set[int]] = {}
    for citation, form in pairs:
        wanted.setdefault(form.unit, set()).update((citation.start, citation.end, form.base))
    units: dict[Unit, dict[int, int]] = {}
    for unit, offsets in wanted.items():
        inside = [min(max(0, offset), len(answer.text)) for offset in sorted(offsets)]
        units[unit] = dict(zip(sorted(offsets), from_code_points(answer.text, inside, unit), strict=True))
    return [_write(citation, form, units[form.unit]) for citation, form in pairs if form.entry is not None]


def _write(citation: Citation, form: EntryForm, units: dict[int, int]) -> dict[str, Any]:
    entry: dict[str, Any] = form.entry
    if citation.problem is not None:
        # What does not fit the answer was clamped, so only the entry itself still says what was sent.
        return entry
    values: dict[str, Any] = {
        "start": units[citation.start] - units[form.base],
        "end": units[citation.end] - units[form.base],
        "covered": citation.text,
        "cited_text": citation.cited_text,
        "title": citation.document_title,
    }
    if citation.source_span is not None:
        values["source_start"], values["source_end"] = citation.source_span
    for name, path in form.fields.items():
        if name in values:
            _set(entry, path, values[name])
    return entry


def _set(entry: Any, path: FieldPath, value: Any) -> None:
    """Set what stands at a path. A step into a list is its index, written as a string."""
    for step in path[:-1]:
        entry = entry[int(step)] if isinstance(entry, list) else entry[step]
    if isinstance(entry, list):
        entry[int(path[-1])] = value
    else:
        entry[path[-1]] = value
