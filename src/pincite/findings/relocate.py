"""Another place for a citation: where the claim or the quote really is, and the marker that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import UNSET, structs

from pincite.citations import replace_target, span_target
from pincite.findings.context import CheckContext
from pincite.reading import CitedTarget, Reading, passages_in
from pincite.records import Fix, Match, NumberTarget, Passage, Source, Span, SpanTarget, Target
from pincite.sources import (
    HAVE_LINES,
    ReferenceIndex,
    find_section,
    heading_above,
    is_label,
    line_of,
    locate_claim,
    locate_claims,
    page_of,
    page_span,
    resolve,
)

SURE = 0.8
"""From this score on, a citation is moved to where its claim is without being asked for."""
PLACES = 3
LEAST_SHARE = 0.25
"""A place in another document that carries less of the claim than this is not asked about."""
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,5}")
"""A section's number."""
MOST_ENTRIES = 200
"""So many entries of a list of sources are looked at for the one that leads to a document."""


def other_places(claim: str, source: Source, avoid: Span | None, context: CheckContext) -> list[Match]:
    """The best places of `source` for the claim that do not lie inside the place to avoid."""
    key = (claim, source.name)
    if key not in context.located:
        found = locate_claim(claim, source, limit=PLACES + 4)
        # A heading or a question supports nothing.
        context.located[key] = [one for one in found if not is_label(source, Span(one.start, one.end))]
    matches = context.located[key]
    outside = [match for match in matches if avoid is None or not mostly_inside(match, avoid)]
    return outside[:PLACES]


def mostly_inside(match: Match, avoid: Span) -> bool:
    shared = min(match.end, avoid.end) - max(match.start, avoid.start)
    return shared > 0.8 * (match.end - match.start)


def other_wholes(
    claim: str, cited: CitedTarget, group: Sequence[CitedTarget], context: CheckContext
) -> list[tuple[Match, tuple[Passage, ...]]]:
    """Other documents, pages or sections that may support a claim, for one that cites a whole one.

    Each comes with its best place and with what a judge would be shown if it were cited. `group` are all
    targets of the claim: what one of them cites already is no other place.
    """
    key = (claim, "")
    library = context.reading.library
    if key not in context.located:
        context.located[key] = locate_claims(claim, library, limit=4 * PLACES)
    cited_here = [found for one in group for found in one.evidence.passages]
    taken = [(found.document, Span(found.start, found.end)) for found in cited_here]
    wholes: dict[tuple[str, Span], Match] = {}
    for match in context.located[key]:
        source = library.get(match.document)
        if source is None or match.score < LEAST_SHARE:
            continue
        if any(document == match.document and mostly_inside(match, span) for document, span in taken):
            continue
        within = _whole_around(cited, source, match)
        if within is not None:
            wholes.setdefault((match.document, within), match)
    found = []
    for (document, within), match in list(wholes.items())[:PLACES]:
        source = library.get(document)
        passages = passages_in(claim, source, within) if source is not None else ()
        if passages:
            found.append((match, passages))
    return found


def _whole_around(cited: CitedTarget, source: Source, match: Match) -> Span | None:
    """What would be cited in the place of a whole: a document for a document, a page for a page."""
    whole = Span(0, len(source.text))
    if source.name != cited.evidence.document:
        page = match.page if _cites_page(cited) else None
        return (page_span(source, page) if page is not None else None) or whole
    if _cites_page(cited) and match.page is not None:
        return page_span(source, match.page)
    if not isinstance(cited.target, SpanTarget) or cited.target.section is UNSET:
        return None
    section = _section_around(source, match)
    return section[1] if section is not None else None


def _section_around(source: Source, match: Match) -> tuple[str, Span] | None:
    """The heading above a place and the section it opens, where a citation of that heading leads there."""
    title = heading_above(source, match.start)
    found = find_section(source, title) if title else None
    if title is None or found is None or not found[0] <= match.start < found[1]:
        return None
    return title, Span(*found)


def _cites_page(cited: CitedTarget) -> bool:
    """Whether a marker, or the entry it leads to, names a page."""
    return cited.evidence.page_verified is not None


def named_place(cited: CitedTarget, source: Source, match: Match) -> str:
    """Where a place is, as precisely as the answer cites: by characters, or by page or line."""
    if not cited.evidence.whole:
        on_page = f" on page {match.page}" if match.page is not None else ""
        return f"{match.document} {match.start}-{match.end}{on_page}"
    if match.page is not None:
        return f"{match.document}, page {match.page}"
    if source.kind in HAVE_LINES:
        return f"{match.document}, line {line_of(source, match.start)}"
    return match.document


def moved_whole(cited: CitedTarget, reading: Reading, source: Source, match: Match) -> Target | None:
    """The target that cites the other document, page or section as the answer cites this one, if any can."""
    target = cited.target
    if isinstance(target, NumberTarget):
        return _number_for(target, reading, source, match)
    if cited.citation.family != "span" or not isinstance(target, SpanTarget) or target.lines is not UNSET:
        return None
    if target.section is not UNSET:
        section = _section_around(source, match)
        if section is None:
            return None
        heading = _in_short(section[0], source) if _NUMBER.fullmatch(target.section) else section[0]
        return structs.replace(span_target(_name(cited, source)), section=heading)
    return span_target(_name(cited, source), match.page if target.page is not None else None)


def _in_short(heading: str, source: Source) -> str:
    """The number of a heading where that alone leads to it, as in `§ 4`; otherwise all of it."""
    number = heading.partition(" ")[0].rstrip(".):")
    leads = _NUMBER.fullmatch(number) and find_section(source, number) == find_section(source, heading)
    return number if leads else heading


def _name(cited: CitedTarget, source: Source) -> str:
    """A source as the answer calls it, where it does so here already."""
    same = source.name == cited.evidence.document and isinstance(cited.target, SpanTarget)
    return cited.target.document if same and isinstance(cited.target, SpanTarget) else source.name


def _number_for(target: NumberTarget, reading: Reading, source: Source, match: Match) -> NumberTarget | None:
    """The number of the answer's own list that leads to the place."""
    if target.number is None:
        return None
    entries = reading.parsed.references[:MOST_ENTRIES]
    labels = [entry.label for entry in entries if entry.label.isdecimal()]
    if not entries:
        labels = [str(number) for number in range(1, min(len(reading.library.sources), MOST_ENTRIES) + 1)]
    references = ReferenceIndex(entries)
    for label in labels:
        if len(label) > 6:
            continue
        other = NumberTarget(int(label), label)
        evidence = resolve(other, reading.library, references)
        if evidence.status == "found" and any(
            found.document == match.document and found.start <= match.start and match.end <= found.end
            for found in evidence.passages
        ):
            return structs.replace(other, label=source.name) if target.label is not UNSET else other
    return None


def moved_target(
    cited: CitedTarget, reading: Reading, source: Source, start: int, end: int
) -> SpanTarget | None:
    """The target moved to `source.text[start:end]`, written as the answer writes its offsets.

    None where that cannot be written: the marker has no offsets of its own, or the place crosses pages while
    offsets count from the page.
    """
    target = cited.target
    if cited.citation.family != "span" or not isinstance(target, SpanTarget):
        return None
    if target.lines is not UNSET:
        lines = (line_of(source, start), line_of(source, max(start, end - 1)))
        return structs.replace(span_target(target.document), lines=lines)
    page = page_of(source, start)
    written_page = page if target.page is not None or reading.settings.offsets == "page" else None
    if written_page is None and target.page is not None:
        written_page = target.page  # a source without pages can neither confirm nor refute the page
    if reading.settings.offsets == "page" and page is not None and source.page_starts is not None:
        if page_of(source, max(start, end - 1)) != page:
            return None
        begin = source.page_starts[page - 1]
        start, end = start - begin, end - begin
    return span_target(target.document, written_page, start, end)


def marker_fix(cited: CitedTarget, target: Target | None, safe: bool, description: str) -> Fix | None:
    """The fix that writes `target` in the place of the cited one."""
    if target is None or cited.citation.family not in ("span", "number"):
        return None
    replacement = replace_target(cited.citation, cited.index, target)
    if replacement == cited.citation.text:
        return None
    return Fix(cited.citation.start, cited.citation.end, replacement, safe, f"{description}: {replacement}")
