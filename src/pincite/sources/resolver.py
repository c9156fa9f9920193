"""From a target to its evidence, or to the reason why it has none. Nothing is read here, only looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, structs

from pincite.records import (
    Evidence,
    NumberTarget,
    PathTarget,
    Reference,
    Source,
    Span,
    SpanTarget,
    Target,
    UnreadSource,
    WebTarget,
    WorkTarget,
)
from pincite.sources.json_paths import find_path, nearest_paths, write_path
from pincite.sources.library import Library
from pincite.sources.passages import passage
from pincite.sources.readers import kind_of
from pincite.sources.reference_index import (
    ReferenceIndex,
    references_of_work,
    sources_named_in,
    sources_of_work,
)
from pincite.sources.span_evidence import (
    ambiguous,
    find_document,
    resolve_span,
    unreadable,
    whole_source,
    whole_sources,
)
from pincite.text import word_list

_ALIKE = 60
"""From which likeness on, of 100, a path is suggested in words."""
_MOST_TARGETS = 20
_MOST_ENTRIES = 20
"""How many entries of one label are looked at."""
_TELLING = word_list(
    "found ambiguous_document unreadable no_such_page page_disagrees out_of_bounds bad_span unknown_document "
    "not_given no_entry path_not_found"
)
"""Statuses, the most telling first: a source found, then one that was meant, then one not given."""


def resolve(
    target: Target,
    library: Library,
    references: Sequence[Reference] | ReferenceIndex = (),
    offsets: Literal["document", "page"] = "document",
    max_span_length: int | None = None,
) -> Evidence:
    """What a target points to among the sources.

    `references` is the answer's own list; an index of it serves many targets. `offsets` says what cited
    offsets count from: the start of the document, or of the cited page. A span longer than `max_span_length`
    is a bad one.
    """
    if isinstance(target, SpanTarget):
        return resolve_span(target, library, offsets, max_span_length)
    listed = references if isinstance(references, ReferenceIndex) else ReferenceIndex(references)
    if isinstance(target, NumberTarget):
        return resolve_number(target, library, listed)
    if isinstance(target, WebTarget):
        return resolve_web(target, library)
    if isinstance(target, PathTarget):
        return resolve_path(target, library)
    return resolve_work(target, library, listed)


def resolve_path(target: PathTarget, library: Library) -> Evidence:
    """The value at a path, in the one source that has it."""
    data_sources = [source for source in library.sources if source.kind in ("json", "csv")]
    shown = target.path[:200]
    if not data_sources:
        reason = f"no JSON or CSV source was given in which {shown!r} could be looked up"
        return Evidence("path_not_found" if library.given else "not_given", reason)
    tried = [(source, find_path(source, target.path)) for source in data_sources]
    hits = [(source, steps) for source, steps in tried if steps is not None]
    if len(hits) == 1:
        return _value(*hits[0])
    if hits:
        names = tuple(source.name for source, _ in hits)
        reason = f"the path {shown!r} leads to a value in {len(names)} sources: {', '.join(names[:4])}"
        return Evidence("ambiguous_document", reason, candidates=names)
    near = nearest_paths(data_sources, target.path)
    where = data_sources[0].name if len(data_sources) == 1 else f"any of {len(data_sources)} sources of data"
    hint = f"; did you mean {near[0][0]}?" if near and near[0][1] >= _ALIKE else ""
    reason = f"there is no {shown!r} in {where}{hint}"
    return Evidence("path_not_found", reason, candidates=tuple(path for path, _ in near))


def _value(source: Source, steps: tuple[str | int, ...]) -> Evidence:
    path = write_path(steps)
    span = source.value_spans.get(path, Span(0, len(source.text)))
    found = passage(source, span.start, span.end)
    context = "; ".join(part for part in (path, found.context) if part)
    found = structs.replace(found, context=context)
    return Evidence("found", f"the value at {path} in {source.name}", (found,), source.name)


# --- through a list: a number, a work, an address on the web -------------------------------------


def resolve_number(target: NumberTarget, library: Library, references: ReferenceIndex) -> Evidence:
    """The entry of the answer's own list, the source with that number, or the n-th of a list."""
    labelled = None if target.label is UNSET else find_document(target.label, library)
    if isinstance(labelled, Source):
        return whole_source(labelled)
    entries = references.by_label(target.key)
    if not entries and target.number is not None:
        entries = references.by_label(str(target.number))
    if entries:
        return _first_found([resolve_entry(entry, library) for entry in entries[:_MOST_ENTRIES]])
    if labelled is not None and (labelled.status == "unreadable" or kind_of(str(target.label)) is not None):
        return labelled
    # A number that the answer's own numbered list leaves out points to no entry, whatever sources were given.
    numbered = None if references.numbered and ":" not in target.key else _numbered(target, library)
    if numbered is not None:
        return numbered
    shown = f"[{target.key}]" if target.number is None else f"[{target.number}]"
    if references.labelled:
        return Evidence("no_entry", f"the answer's list of references has no entry {shown}")
    if not library.entries:
        why = "the answer has no list of references, and there is no source"
    elif not library.ordered and library.in_parts:
        why = "no source has that number as its id"
    elif not library.ordered:
        example = f"{shown} {(library.sources or library.entries)[0].name}"
        why = (
            "the answer has no list of references, and the files of a folder have no order; "
            f"add a list such as '{example}', or list the sources"
        )
    else:
        given = "1 source was" if len(library.entries) == 1 else f"{len(library.entries)} sources were"
        why = f"{given} given, and the answer has no list of references"
    given_any = library.entries or library.given
    return Evidence("no_entry" if given_any else "not_given", f"{shown} points to nothing: {why}")


def _numbered(target: NumberTarget, library: Library) -> Evidence | None:
    if target.number is None:
        found = library.find(target.key)
        return whole_sources(found) if len(found) == 1 or (found and library.in_parts) else None
    bearing = library.numbered(target.number)
    if len(bearing) == 1 or (bearing and library.in_parts):
        return whole_sources(bearing)
    # `【4:0†source】` counts messages before the colon, and the sources of one from 0 after it.
    _, colon, place = target.key.partition(":")
    is_place = colon and place.isdecimal() and len(place) < 9
    at_place = library.nth(int(place) if is_place else target.number - 1)
    if isinstance(at_place, UnreadSource):
        return unreadable(at_place)
    return whole_source(at_place) if at_place is not None else None


def resolve_web(target: WebTarget, library: Library) -> Evidence:
    """The sources that come from the cited address. Nothing is fetched."""
    found = library.by_url(target.key)
    if found:
        return whole_sources(found, "from the same address")
    known = (target.url, target.doi, target.arxiv, target.pmid)
    shown = str(next((value for value in known if value is not UNSET), target.key))[:200]
    if library.knows_urls:
        return Evidence("unknown_document", f"none of the given sources comes from {shown}")
    return Evidence("not_given", f"no given source is {shown}, and nothing is fetched from the web")


def resolve_work(target: WorkTarget, library: Library, references: ReferenceIndex) -> Evidence:
    """The work by the answer's own list, or by what the sources say of their authors and year."""
    shown = f"{' & '.join(target.authors[:3])} ({target.year})"
    entries = references_of_work(target, references)
    resolved = [resolve_entry(entry, library) for entry in entries[:_MOST_ENTRIES]]
    if any(evidence.status == "found" for evidence in resolved):
        return _first_found(resolved)
    direct = sources_of_work(target, library.sources)
    if len(direct) == 1:
        return whole_source(direct[0])
    if direct:
        return ambiguous(shown, direct)
    if resolved:
        return _first_found(resolved)
    if references.bibliography:
        return Evidence("no_entry", f"the answer's list of references has no entry for {shown}")
    return Evidence("not_given", f"no given source is {shown}")


def resolve_entry(entry: Reference, library: Library) -> Evidence:
    """What one entry of a list of references points to among the sources."""
    tried: list[Evidence] = []
    for target in entry.targets[:_MOST_TARGETS]:
        if isinstance(target, SpanTarget):
            tried.append(resolve_span(target, library))
        elif isinstance(target, WebTarget):
            tried.append(resolve_web(target, library))
        elif isinstance(target, WorkTarget):
            works = sources_of_work(target, library.sources)
            if len(works) == 1:
                tried.append(whole_source(works[0]))
        if tried and tried[-1].status == "found":
            return tried[-1]
    by_name = library.find(entry.text.strip(" .")) or sources_named_in(entry.text, library.sources)
    if len(by_name) == 1 or (by_name and library.in_parts):
        return whole_sources(by_name)
    if by_name:
        return ambiguous(f"the entry {_shown(entry)}", by_name)
    if tried:
        evidence = _first_found(tried)
        return structs.replace(evidence, reason=f"the entry {_shown(entry)}: {evidence.reason}")
    unread = library.find_unread(entry.text.strip(" ."))
    if unread is not None:
        return unreadable(unread)
    return Evidence("not_given", f"the entry {_shown(entry)} is none of the given sources")


def _first_found(tried: list[Evidence]) -> Evidence:
    return min(tried, key=lambda evidence: _TELLING.index(evidence.status))


def _shown(entry: Reference) -> str:
    text = " ".join(entry.text[:200].split())
    return f"'{text[:80]}…'" if len(text) > 80 else f"'{text}'"
