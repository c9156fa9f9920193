"""Quoted words must stand where the citation says (PIN204), or at least elsewhere in the source (PIN205).

Both kinds are checked: words between quotation marks in a claim, and the `excerpt:` or `cited_text` that
comes with a citation. Neither is trusted; both are compared with the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincite.citations.quotes import Quote, find_quotes
from pincite.findings.places import Places
from pincite.findings.reading import CitedTarget, Reading
from pincite.findings.relocate import marker_fix, moved_target
from pincite.findings.standing import Standing
from pincite.records import Claim, Finding, Fix, Match, Source, SourceExcerpt, Span
from pincite.text.spans import SpanIndex

_ELLIPSIS = re.compile(r"[(\[]?(?:…|\.{3,})[)\]]?")

NOT_HERE = ("not_given", "unreadable")
MOST_TARGETS = 50
"""A claim with more targets than this is a list of markers: a quote in it answers to those nearest to it."""


class CheckedQuote(Struct, frozen=True):
    """One quote, the first target that it should stand in, and what is wrong with it, if anything."""

    text: str
    cited: CitedTarget
    finding: Finding | None


class Quoted(Struct, frozen=True):
    checked: tuple[CheckedQuote, ...]
    """Every quote that could be looked up."""
    unread: tuple[tuple[str, CitedTarget], ...]
    """The others, each with a target that nobody can look at here or that points nowhere."""
    findings: tuple[Finding, ...]
    explained: frozenset[int]
    """The targets that these findings speak of."""
    held: frozenset[int] = frozenset()
    """The targets at whose places a quotation of their claim stands."""


def check_quotes(reading: Reading, place: Places) -> Quoted:
    """Check every excerpt against its span, and every quotation in a claim against the claim's sources."""
    checked = []
    held: set[int] = set()
    standing = Standing(reading)
    for together in excerpts(reading):
        found = _check_excerpt(together, standing, reading, place)
        checked.append(CheckedQuote(together[0].citation.cited_text or "", together[0], found))
    unread = list(_unread(reading))
    for quote, targets, elsewhere in quotations(reading):
        near = _nearest_to(quote.span, targets)
        held |= {cited.ordinal for cited in near if standing.holds(quote.text, cited)}
        found = _check_quotation(quote.text, quote.span, near, standing, reading, place)
        if elsewhere is not None and found is not None and found.code == "PIN204":
            unread.append((quote.text, elsewhere))  # it may well stand in the source that is not here
        else:
            checked.append(CheckedQuote(quote.text, near[0], found))
    findings = tuple(one.finding for one in checked if one.finding is not None)
    explained = frozenset(target for finding in findings for target in finding.targets)
    return Quoted(tuple(checked), tuple(unread), findings, explained, frozenset(held))


def excerpts(reading: Reading) -> Iterator[Sequence[CitedTarget]]:
    """The targets of each citation that brings words of its source with it."""
    for first, cited in enumerate(reading.targets):
        if cited.index == 0 and cited.citation.cited_text and cited.evidence.status == "found":
            yield reading.targets[first : first + len(cited.citation.targets)]


def quotations(reading: Reading) -> Iterator[tuple[Quote, list[CitedTarget], CitedTarget | None]]:
    """Each quotation in a claim with the targets that it should stand in; no excerpt inside a marker.

    Last comes a target of the claim whose source is not here, where there is one.
    """
    for index, claim in enumerate(reading.claims):
        targets = [cited for cited in reading.targets_of[index] if cited.evidence.status == "found"]
        if targets:
            absent = (cited for cited in reading.targets_of[index] if cited.evidence.status in NOT_HERE)
            elsewhere = next(absent, None)
            for quote in _quotes_of(claim, targets, reading):
                yield quote, targets, elsewhere


def _unread(reading: Reading) -> Iterator[tuple[str, CitedTarget]]:
    """The quotes that cannot be looked up, each with a target: nothing that is cited for them was found."""
    for cited in reading.targets:
        if cited.index == 0 and cited.citation.cited_text and cited.evidence.status != "found":
            yield cited.citation.cited_text, cited
    for index, claim in enumerate(reading.claims):
        targets = reading.targets_of[index]
        if targets and all(cited.evidence.status != "found" for cited in targets):
            for quote in _quotes_of(claim, targets, reading):
                yield quote.text, targets[0]


def _quotes_of(claim: Claim, targets: Sequence[CitedTarget], reading: Reading) -> Iterator[Quote]:
    markers = [cited.citation.span for cited in targets if cited.citation.family != "provider"]
    inside = SpanIndex(markers)
    for quote in find_quotes(reading.answer.text, claim.start, claim.end, markers):
        if not inside.covers(quote.start):
            yield quote


def _nearest_to(quote: Span, targets: list[CitedTarget]) -> list[CitedTarget]:
    """The targets that may be meant for a quote: all of them, or those nearest to it where there are many."""
    if len(targets) <= MOST_TARGETS:
        return targets
    after = bisect_left(targets, quote.end, key=lambda cited: cited.citation.start)
    first = min(max(0, after - MOST_TARGETS // 2), len(targets) - MOST_TARGETS)
    return targets[first : first + MOST_TARGETS]


def _check_excerpt(
    together: Sequence[CitedTarget], standing: Standing, reading: Reading, place: Places
) -> Finding | None:
    """An excerpt belongs to all the spans of its citation together."""
    cited, citation = together[0], together[0].citation
    ordinals = tuple(other.ordinal for other in together)
    for part in _parts(citation.cited_text or ""):
        if any(standing.holds(part, other) for other in together):
            continue
        source = standing.source_of(cited)
        found = standing.places(part, source) if source is not None else []
        if found and found[0].method != "fuzzy" and source is not None:
            return _elsewhere(cited, found, source, reading, place, "the excerpt", ordinals)
        said = _nearly(found)
        message = f"the excerpt is not in {cited.evidence.document}{said}"
        shown = _shown(found[0]) if found else None
        return place.finding(
            "PIN204",
            message,
            citation.start,
            citation.end,
            citation=citation.text,
            source=shown,
            targets=ordinals,
        )
    return None


def _parts(excerpt: str) -> list[str]:
    """The stretches that must stand word for word: what lies between ellipses."""
    return [part for part in (piece.strip() for piece in _ELLIPSIS.split(excerpt)) if part]


def _check_quotation(
    quote: str,
    where: Span,
    targets: list[CitedTarget],
    standing: Standing,
    reading: Reading,
    place: Places,
) -> Finding | None:
    if any(standing.holds(quote, cited) for cited in targets):
        return None
    nearest: tuple[CitedTarget, Match] | None = None
    for cited in targets:
        source = standing.source_of(cited)
        found = standing.places(quote, source) if source is not None else []
        if found and found[0].method != "fuzzy" and source is not None:
            return _elsewhere(cited, found, source, reading, place, "the quote", (cited.ordinal,))
        if found and nearest is None:
            nearest = (cited, found[0])
    cited = nearest[0] if nearest else targets[0]
    fix = shown = None
    if nearest is not None:
        match = nearest[1]
        shown = _shown(match)
        words = " ".join(match.text.split())
        fix = Fix(where.start, where.end, words, False, f"quote what the source says: {words}")
    said = _nearly([nearest[1]] if nearest else [])
    names = ", ".join(dict.fromkeys(t.evidence.document or "" for t in targets))
    return place.finding(
        "PIN204",
        f"the quote “{_short(quote)}” is not in {names}{said}",
        cited.citation.start,
        cited.citation.end,
        citation=cited.citation.text,
        source=shown,
        fix=fix,
        targets=tuple(t.ordinal for t in targets),
    )


def _elsewhere(
    cited: CitedTarget,
    found: list[Match],
    source: Source,
    reading: Reading,
    place: Places,
    what: str,
    ordinals: tuple[int, ...],
) -> Finding:
    match = found[0]
    # Words that stand in several places might be meant in any of them.
    safe = len(found) == 1
    target = moved_target(cited, reading, source, match.start, match.end)
    page = f" on page {match.page}" if match.page is not None else ""
    return place.finding(
        "PIN205",
        f"{what} is elsewhere: {match.document} {match.start}-{match.end}{page}",
        cited.citation.start,
        cited.citation.end,
        citation=cited.citation.text,
        source=_shown(match),
        fix=marker_fix(cited, target, safe, f"cite the place where {what} appears"),
        targets=ordinals,
    )


def _shown(match: Match) -> SourceExcerpt:
    return SourceExcerpt(match.document, match.page, match.start, match.end, match.text)


def _nearly(found: list[Match]) -> str:
    return f"; it says “{_short(' '.join(found[0].text.split()))}”" if found else ""


def _short(words: str, limit: int = 80) -> str:
    return words if len(words) <= limit else words[: limit - 1].rstrip() + "…"
