"""Another place for a citation: where the claim or the quote really stands, and the marker that says so."""

from __future__ import annotations

from pincite.citations.formats.span_places import span_target
from pincite.citations.render import replace_target
from pincite.findings.reading import CitedTarget, Reading
from pincite.records import Fix, Match, Source, Span, SpanTarget
from pincite.sources.locate import locate_claim
from pincite.sources.passages import page_of

SURE = 0.8
"""From this score on, a claim that stands elsewhere is moved without being asked for."""


PLACES = 3


def other_places(claim: str, source: Source, avoid: Span | None, reading: Reading) -> list[Match]:
    """The best places of `source` for the claim that do not lie inside the place to avoid."""
    key = (claim, source.name)
    if key not in reading.places:
        reading.places[key] = locate_claim(claim, source, limit=PLACES + 2)
    matches = reading.places[key]
    outside = [match for match in matches if avoid is None or not mostly_inside(match, avoid)]
    return outside[:PLACES]


def mostly_inside(match: Match, avoid: Span) -> bool:
    shared = min(match.end, avoid.end) - max(match.start, avoid.start)
    return shared > 0.8 * (match.end - match.start)


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


def marker_fix(cited: CitedTarget, target: SpanTarget | None, safe: bool, description: str) -> Fix | None:
    """The fix that writes `target` in the place of the cited one."""
    if target is None or cited.citation.family != "span":
        return None
    replacement = replace_target(cited.citation, cited.index, target)
    if replacement == cited.citation.text:
        return None
    return Fix(cited.citation.start, cited.citation.end, replacement, safe, f"{description}: {replacement}")
