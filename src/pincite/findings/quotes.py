"""Quoted words must stand where the citation says (PIN204), or at least elsewhere in the source (PIN205).

Both kinds are checked: words between quotation marks in a claim, and the `excerpt:` or `cited_text` that
comes with a citation. Neither is trusted; both are compared with the source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pincite.citations.quotes import find_quotes
from pincite.findings.places import Places
from pincite.findings.reading import CitedTarget, Reading
from pincite.findings.relocate import marker_fix, moved_target
from pincite.records import Finding, Fix, Match, Source, SourceExcerpt, Span
from pincite.sources.locate import locate_quote
from pincite.text.normalise import normalise

_ELLIPSIS = re.compile(r"[(\[]?(?:…|\.{3,})[)\]]?")


class Quoted(Struct, frozen=True):
    findings: tuple[Finding, ...]
    explained: frozenset[int]
    """The targets that these findings speak of."""


def check_quotes(reading: Reading, place: Places) -> Quoted:
    """Check every excerpt against its span, and every quotation in a claim against the claim's sources."""
    findings = []
    for first, cited in enumerate(reading.targets):
        if cited.index == 0 and cited.citation.cited_text and cited.evidence.status == "found":
            together = reading.targets[first : first + len(cited.citation.targets)]
            findings += _check_excerpt(together, reading, place)
    for index, claim in enumerate(reading.claims):
        targets = [cited for cited in reading.targets_of[index] if cited.evidence.status == "found"]
        if not targets:
            continue
        markers = [cited.citation.span for cited in targets if cited.citation.family != "provider"]
        for quote in find_quotes(reading.answer.text, claim.start, claim.end, markers):
            # An excerpt inside a marker was checked above.
            if not any(marker.start <= quote.start < marker.end for marker in markers):
                findings += _check_quotation(quote.text, quote.span, targets, reading, place)
    return Quoted(tuple(findings), frozenset(t for finding in findings for t in finding.targets))


def _check_excerpt(together: Sequence[CitedTarget], reading: Reading, place: Places) -> list[Finding]:
    """An excerpt belongs to all the spans of its citation together."""
    cited, citation = together[0], together[0].citation
    ordinals = tuple(other.ordinal for other in together)
    for part in _parts(citation.cited_text or ""):
        if any(_stands_in(part, other, reading) for other in together):
            continue
        source = reading.library.get(cited.evidence.document or "")
        found = locate_quote(part, source) if source is not None else []
        if found and found[0].method != "fuzzy" and source is not None:
            return [_elsewhere(cited, found, source, reading, place, "the excerpt", ordinals)]
        said = _nearly(found)
        message = f"the excerpt does not stand in {cited.evidence.document}{said}"
        shown = _shown(found[0]) if found else None
        return [
            place.finding(
                "PIN204",
                message,
                citation.start,
                citation.end,
                citation=citation.text,
                source=shown,
                targets=ordinals,
            )
        ]
    return []


def _parts(excerpt: str) -> list[str]:
    """The stretches that must stand word for word: what lies between ellipses."""
    return [part for part in (piece.strip() for piece in _ELLIPSIS.split(excerpt)) if part]


def _check_quotation(
    quote: str, where: Span, targets: list[CitedTarget], reading: Reading, place: Places
) -> list[Finding]:
    if any(_stands_in(quote, cited, reading) for cited in targets):
        return []
    nearest: tuple[CitedTarget, Match] | None = None
    for cited in targets:
        source = reading.library.get(cited.evidence.document or "")
        found = locate_quote(quote, source) if source is not None else []
        if found and found[0].method != "fuzzy" and source is not None:
            return [_elsewhere(cited, found, source, reading, place, "the quote", (cited.ordinal,))]
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
    return [
        place.finding(
            "PIN204",
            f"the quote “{_short(quote)}” does not stand in {names}{said}",
            cited.citation.start,
            cited.citation.end,
            citation=cited.citation.text,
            source=shown,
            fix=fix,
            targets=tuple(t.ordinal for t in targets),
        )
    ]


def _stands_in(quote: str, cited: CitedTarget, reading: Reading) -> bool:
    """Whether the quote stands inside the cited place, give or take the tolerance at its ends."""
    source = reading.library.get(cited.evidence.document or "")
    tolerance = reading.settings.tolerance_chars
    wanted = normalise(quote, fold_case=True).text.strip()
    for found in cited.evidence.passages:
        text = found.text
        if source is not None:
            text = source.text[max(0, found.start - tolerance) : found.end + tolerance]
        if wanted in normalise(text, fold_case=True).text:
            return True
        if source is None or cited.evidence.whole:
            continue
        for match in locate_quote(quote, source):
            if match.method != "fuzzy" and _overlap(match, found.start, found.end) >= _enough(reading):
                return True
    return False


def _overlap(match: Match, start: int, end: int) -> float:
    """Shared characters ÷ all characters of the two places together."""
    shared = min(match.end, end) - max(match.start, start)
    joined = max(match.end, end) - min(match.start, start)
    return shared / joined if shared > 0 and joined > 0 else 0.0


def _enough(reading: Reading) -> float:
    return reading.settings.min_overlap_threshold


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
        f"{what} stands elsewhere: {match.document} {match.start}-{match.end}{page}",
        cited.citation.start,
        cited.citation.end,
        citation=cited.citation.text,
        source=_shown(match),
        fix=marker_fix(cited, target, safe, f"cite the place where {what} stands"),
        targets=ordinals,
    )


def _shown(match: Match) -> SourceExcerpt:
    return SourceExcerpt(match.document, match.page, match.start, match.end, match.text)


def _nearly(found: list[Match]) -> str:
    return f"; it says “{_short(' '.join(found[0].text.split()))}”" if found else ""


def _short(words: str, limit: int = 80) -> str:
    return words if len(words) <= limit else words[: limit - 1].rstrip() + "…"
