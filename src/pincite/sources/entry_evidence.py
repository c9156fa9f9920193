"""Evidence for a target that goes through a list: a number, a work, an address on the web."""

from __future__ import annotations

from msgspec import UNSET, structs

from pincite.records import (
    Evidence,
    NumberTarget,
    Reference,
    Source,
    SpanTarget,
    UnreadSource,
    WebTarget,
    WorkTarget,
)
from pincite.sources.library import Library
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

_MOST_TARGETS = 20
_MOST_ENTRIES = 20
"""How many entries of one label are looked at."""


def resolve_number(target: NumberTarget, library: Library, references: ReferenceIndex) -> Evidence:
    """The entry of the answer's own list, the source with that number, or the n-th of a list."""
    labelled = None if target.label is UNSET else find_document(target.label, library)
    if isinstance(labelled, Source):
        return whole_source(labelled)
    entries = _entries(target, references)
    if entries:
        return _first_found([resolve_entry(entry, library) for entry in entries])
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
        return Evidence(
            "no_entry" if library.given else "not_given",
            f"{shown} points to nothing: the answer has no list of references, and there is no source",
        )
    if not library.ordered and library.in_parts:
        return Evidence("no_entry", f"{shown} points to nothing: no source has that number as its id")
    if not library.ordered:
        example = f"{shown} {(library.sources or library.entries)[0].name}"
        reason = (
            f"{shown} points to nothing: the answer has no list of references, and the files of a folder "
            f"have no order; add a list such as '{example}', or list the sources"
        )
        return Evidence("no_entry", reason)
    given = "1 source was" if len(library.entries) == 1 else f"{len(library.entries)} sources were"
    return Evidence(
        "no_entry", f"{shown} points to nothing: {given} given, and the answer has no list of references"
    )


def _entries(target: NumberTarget, references: ReferenceIndex) -> list[Reference]:
    labels = [target.key.casefold(), target.key.removeprefix("^").casefold()]
    if target.number is not None:
        labels.append(str(target.number))
    for label in labels:
        found = references.by_label(label)
        if found:
            return list(found[:_MOST_ENTRIES])
    return []


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
    shown = next(
        (v for v in (target.url, target.doi, target.arxiv, target.pmid) if v is not UNSET), target.key
    )
    if library.knows_urls:
        return Evidence("unknown_document", f"none of the given sources comes from {str(shown)[:200]}")
    return Evidence(
        "not_given", f"no given source is {str(shown)[:200]}, and nothing is fetched from the web"
    )


def resolve_work(target: WorkTarget, library: Library, references: ReferenceIndex) -> Evidence:
    """The work by the answer's own list, or by what the sources say of their authors and year."""
    shown = f"{' & '.join(target.authors[:3])} ({target.year})"
    entries = references_of_work(target, references)
    resolved = [resolve_entry(entry, library) for entry in entries[:_MOST_ENTRIES]]
    for evidence in resolved:
        if evidence.status == "found":
            return evidence
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


_TELLING = (
    "found",
    "ambiguous_document",
    "unreadable",
    "no_such_page",
    "page_disagrees",
    "out_of_bounds",
    "bad_span",
    "unknown_document",
    "not_given",
    "no_entry",
    "path_not_found",
)
"""Statuses, the most telling first: a source found, then one that was meant, then one not given."""


def _first_found(tried: list[Evidence]) -> Evidence:
    return min(tried, key=lambda evidence: _TELLING.index(evidence.status))


def _shown(entry: Reference) -> str:
    text = " ".join(entry.text[:200].split())
    return f"'{text[:80]}…'" if len(text) > 80 else f"'{text}'"
