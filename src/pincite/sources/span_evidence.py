"""Evidence for a target that names a document, a page or characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, structs

from pincite.records import Evidence, Source, SpanTarget, UnreadSource
from pincite.sources.library import Library
from pincite.sources.passages import (
    HAVE_LINES,
    find_section,
    line_count,
    lines_span,
    page_of,
    page_span,
    passage,
)

Offsets = Literal["document", "page"]


def resolve_span(
    target: SpanTarget, library: Library, offsets: Offsets = "document", max_span_length: int | None = None
) -> Evidence:
    """The cited characters, page or document; each way to miss them is a status of its own."""
    source = find_document(target.document, library)
    if isinstance(source, Evidence):
        parts = _parts(target, library) if source.status == "ambiguous_document" else ()
        if parts:
            verified = None if target.page is None else any(part.page == target.page for part in parts)
            return structs.replace(whole_sources(parts, "of one document"), page_verified=verified)
        return source
    missing = _missing_page(source, target)
    if missing is not None:
        return missing
    if target.lines is not UNSET:
        return _lines(source, *target.lines)
    if target.section is not UNSET:
        return _section(source, target.section)
    if target.start is None and target.end is None:
        return _whole(source, target)
    return _characters(source, target, offsets, max_span_length)


_LABEL = re.compile(r"(?:sources?|documents?|docs?|files?|refs?|references?|see|from) ?: ?", re.IGNORECASE)
"""`[Source: report.pdf]` names report.pdf."""


def find_document(name: str, library: Library) -> Source | Evidence:
    """The one source of that name, or the evidence that says why there is none."""
    found = library.find(name)
    if not found and (labelled := _LABEL.match(name)):
        found = library.find(name[labelled.end() :])
    if not found and name.startswith("#") and name[1:].isdecimal() and len(name) < 12:
        at_place = library.nth(int(name[1:]))
        if isinstance(at_place, UnreadSource):
            return unreadable(at_place)
        found = (at_place,) if at_place is not None else ()
    if len(found) == 1:
        return found[0]
    if found:
        return ambiguous(_shown(name), found, "; cite one by its full name")
    unread = library.find_unread(name)
    if unread is not None:
        return unreadable(unread)
    if not library.given:
        return Evidence("not_given", f"no source was given, so {_shown(name)} cannot be looked up")
    near = library.near(name)
    hint = f"; did you mean {near[0]}?" if near else ""
    return Evidence("unknown_document", f"no source is named {_shown(name)}{hint}", candidates=near)


def whole_source(source: Source) -> Evidence:
    """A document as a whole: the caller chooses what of it is judged."""
    whole = passage(source, 0, len(source.text))
    return Evidence("found", f"{source.name} as a whole", (whole,), source.name, whole=True)


def whole_sources(sources: Sequence[Source], what: str = "of one name") -> Evidence:
    """Sources that are parts of one document or page: evidence together."""
    if len(sources) == 1:
        return whole_source(sources[0])
    passages = tuple(passage(source, 0, len(source.text)) for source in sources)
    return Evidence("found", f"{len(sources)} sources {what}", passages, sources[0].name, whole=True)


def _parts(target: SpanTarget, library: Library) -> tuple[Source, ...]:
    """The given passages of a document that is cited as a whole, or by a page: those on it, if any is."""
    if not library.in_parts or target.start is not None or target.end is not None:
        return ()
    if target.lines is not UNSET or target.section is not UNSET:
        return ()
    found = library.find(target.document)
    on_page = tuple(source for source in found if target.page is not None and source.page == target.page)
    return on_page or found


def ambiguous(what: str, found: Sequence[Source], advice: str = "") -> Evidence:
    """Several sources that something may mean."""
    names = tuple(source.name for source in found)
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    reason = f"{what} fits {len(names)} sources: {shown}{advice}"
    return Evidence("ambiguous_document", reason, candidates=names)


def unreadable(source: UnreadSource) -> Evidence:
    return Evidence("unreadable", f"{source.name} could not be read: {source.reason}", document=source.name)


def _missing_page(source: Source, target: SpanTarget) -> Evidence | None:
    if target.page is None or source.page_starts is None:
        return None
    count, last = len(source.page_starts), _last_page(target, target.page)
    if 1 <= target.page <= count and last <= count:
        if target.page not in (source.metadata.get("unreadable_pages") or ()):
            return None
        reason = f"page {target.page} of {source.name} could not be read"
        return Evidence("unreadable", reason, document=source.name)
    cited = target.page if not 1 <= target.page <= count else last
    pages = "1 page" if count == 1 else f"{count} pages"
    reason = f"{source.name} has {pages}; page {cited} was cited"
    start, end = target.start, target.end
    if cited < 1:
        reason += " (pages count from 1)"
    elif start is not None and end is not None and 0 <= start < end <= len(source.text):
        reason += f" (characters {start}-{end} are on page {page_of(source, start)})"
    return Evidence("no_such_page", reason, document=source.name)


def _last_page(target: SpanTarget, first: int) -> int:
    return first if target.end_page is UNSET else max(first, target.end_page)


def _whole(source: Source, target: SpanTarget) -> Evidence:
    blocks = _cited_blocks(source, target)
    if blocks is not None:
        return blocks
    evidence = whole_source(source)
    if target.page is None:
        return evidence
    if source.page_starts is None:
        reason = f"{evidence.reason} (it has no pages to verify page {target.page} by)"
        return structs.replace(evidence, reason=reason, page_verified=False)
    last = _last_page(target, target.page)
    found = passage(source, *_page_bounds(source, target.page, last))
    pages = f"page {target.page}" if last == target.page else f"pages {target.page} to {last}"
    reason = f"{pages} of {source.name}"
    return Evidence("found", reason, (found,), source.name, whole=True, page_verified=True)


def _lines(source: Source, first: int, last: int) -> Evidence:
    if source.kind not in HAVE_LINES:
        note = f"{source.name} has no line numbers, so the whole document was used"
        return structs.replace(whole_source(source), note=note)
    named = f"line {first}" if first == last else f"lines {first} to {last}"
    if first > last:
        return Evidence("bad_span", f"{named} are not a range", document=source.name)
    found = lines_span(source, first, last)
    if found is None:
        count = line_count(source)
        has = "1 line" if count == 1 else f"{count:,} lines"
        reason = f"{source.name} has {has}; the citation names {named}"
        return Evidence("out_of_bounds", reason, document=source.name)
    return Evidence("found", f"{named} of {source.name}", (passage(source, *found),), source.name)


_ROWS = re.compile(r"rows?[ ]?(\d{1,9})(?:[ ]?[-–—][ ]?(\d{1,9}))?", re.IGNORECASE)


def _rows(source: Source, first: int, last: int) -> Evidence:
    """Rows of a table, counted from 1 below its header."""
    count = len(source.data["rows"])
    named = f"row {first}" if first == last else f"rows {first} to {last}"
    if not 1 <= first <= last:
        reason = f"{named}: rows count from 1, starting below the header"
        return Evidence("bad_span", reason, document=source.name)
    if last > count:
        has = "1 row" if count == 1 else f"{count:,} rows"
        reason = f"{source.name} has {has} below its header; the citation names {named}"
        return Evidence("out_of_bounds", reason, document=source.name)
    spans = source.value_spans[f"rows[{first - 1}]"], source.value_spans[f"rows[{last - 1}]"]
    found = passage(source, spans[0].start, spans[1].end)
    return Evidence("found", f"{named} of {source.name}", (found,), source.name)


def _section(source: Source, section: str) -> Evidence:
    rows = _ROWS.fullmatch(section) if source.kind == "csv" else None
    if rows is not None:
        return _rows(source, int(rows[1]), int(rows[2] or rows[1]))
    found = find_section(source, section)
    if found is None:
        note = f"{source.name} has no heading {_shown(section)}, so the whole document was used"
        return structs.replace(whole_source(source), note=note)
    reason = f"{_shown(section)} in {source.name}"
    return Evidence("found", reason, (passage(source, *found),), source.name, whole=True)


def _cited_blocks(source: Source, target: SpanTarget) -> Evidence | None:
    """The content blocks that a provider cites, where the source was given in blocks."""
    spans = source.metadata.get("blocks")
    if target.blocks is UNSET or not isinstance(spans, list):
        return None
    first, last = target.blocks
    if first < 0 or first >= last:
        return Evidence("bad_span", f"blocks {first} to {last} are not a range", document=source.name)
    if last > len(spans):
        reason = f"{source.name} has {len(spans)} content blocks; blocks {first} to {last} were cited"
        return Evidence("out_of_bounds", reason, document=source.name)
    found = passage(source, spans[first][0], spans[last - 1][1])
    return Evidence("found", f"blocks {first} to {last} of {source.name}", (found,), source.name)


def _page_bounds(source: Source, first: int, last: int) -> tuple[int, int]:
    start, end = page_span(source, first), page_span(source, last)
    # An empty page is a span of no length, which counts as false.
    return (0 if start is None else start.start), (len(source.text) if end is None else end.end)


def _characters(source: Source, target: SpanTarget, offsets: Offsets, longest: int | None) -> Evidence:
    start, end = target.start, target.end
    problem = _bad_span(start, end, longest)
    if problem is not None or start is None or end is None:
        return Evidence("bad_span", problem or "half a span", document=source.name)
    name, first, limit = source.name, 0, len(source.text)
    place, pages = name, (0, limit)
    verified = None if target.page is None else source.page_starts is not None
    if target.page is not None and verified:
        pages = _page_bounds(source, target.page, _last_page(target, target.page))
        if offsets == "page":
            first, limit, place = pages[0], pages[1] - pages[0], f"page {target.page} of {name}"
    if end > limit:
        reason = f"{place} has {limit:,} characters; {start}-{end} was cited"
        return Evidence("out_of_bounds", reason, document=name)
    found = passage(source, first + start, first + end)
    # A span may run on to the next page, as long as any cited character is on the cited one.
    if offsets == "document" and not (start < pages[1] and pages[0] < end):
        first_page, last_page = page_of(source, start), page_of(source, end - 1)
        on = f"page {first_page}" if first_page == last_page else f"pages {first_page} to {last_page}"
        reason = f"page {target.page} was cited, but characters {start}-{end} of {name} are on {on}"
        return Evidence("page_disagrees", reason, (found,), name, page_verified=True)
    reason = f"characters {found.start}-{found.end} of {name}"
    if verified is False:
        reason += f" (it has no pages to verify page {target.page} by)"
    return Evidence("found", reason, (found,), name, page_verified=verified)


def _bad_span(start: int | None, end: int | None, longest: int | None) -> str | None:
    if start is None or end is None:
        return "the span has only one end"
    if start < 0 or end < 0:
        return f"the span {start} to {end} has a negative offset; offsets count from 0"
    if start == end:
        return f"the span {start}-{end} is empty: the end is exclusive"
    if start > end:
        return f"the span {start}-{end} is reversed: it ends before it starts"
    if longest is not None and end - start > longest:
        return f"the span {start}-{end} is {end - start:,} characters long; at most {longest:,} are allowed"
    return None


def _shown(name: str) -> str:
    return f"{name!r}" if len(name) <= 100 else f"{name[:97]!r}…"
