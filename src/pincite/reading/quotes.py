"""Quoted words must be where the citation says, or at least elsewhere in the source.

Both kinds are checked: words between quotation marks in a claim, and the `excerpt:` or `cited_text` that
comes with a citation. Neither is trusted; both are compared with the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pincite.citations import Quote, find_quotes
from pincite.reading.reading import UNKNOWABLE, CitedTarget, QuoteCheck, Reading
from pincite.records import Claim, Match, Passage, Source, Span
from pincite.sources import locate_quote
from pincite.text import SpanIndex, normalise, without_dashes

_ELLIPSIS = re.compile(r"[(\[]?(?:…|\.{3,})[)\]]?")

MOST_TARGETS = 50
"""A claim with more targets than this is a list of markers: a quote in it answers to those nearest to it."""
LONG = 20_000
"""A cited place of more characters is looked at through the index of its source, not read anew."""
_MOST_PLACES = 1_000


def check_quotes(reading: Reading) -> Iterator[QuoteCheck]:
    """Every excerpt against its span, and every quotation in a claim against what is cited for the claim."""
    places = _QuotePlaces(reading)
    for together in _excerpts(reading):
        yield _check_excerpt(together, places)
    for quote, targets, absent in _quotations(reading):
        near = _nearest_to(quote.span, targets)
        one = _check_quotation(quote, near, places)
        if absent is not None and one.standing == "nowhere":
            # It may well be in the source that is not here.
            one = QuoteCheck(quote.text, absent, "unknown", absent.evidence.reason, quote.span, held=one.held)
        yield one
    for text, cited in _unread(reading):
        yield QuoteCheck(text, cited, "unknown", cited.evidence.reason)


def _excerpts(reading: Reading) -> Iterator[Sequence[CitedTarget]]:
    """The targets of each citation that brings words of its source with it."""
    for first, cited in enumerate(reading.targets):
        if cited.index == 0 and cited.citation.cited_text and cited.evidence.status == "found":
            yield reading.targets[first : first + len(cited.citation.targets)]


def _quotations(reading: Reading) -> Iterator[tuple[Quote, list[CitedTarget], CitedTarget | None]]:
    """Each quotation in a claim with the targets that it should be in; no excerpt inside a marker.

    Last comes a target of the claim whose source is not here, where there is one.
    """
    for index, claim in enumerate(reading.claims):
        targets = [cited for cited in reading.targets_of[index] if cited.evidence.status == "found"]
        if targets:
            absent = (cited for cited in reading.targets_of[index] if cited.evidence.status in UNKNOWABLE)
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
        if not inside.overlaps(quote.start, quote.start + 1):
            yield quote


def _nearest_to(quote: Span, targets: list[CitedTarget]) -> list[CitedTarget]:
    """The targets that may be meant for a quote: all of them, or those nearest to it where there are many."""
    if len(targets) <= MOST_TARGETS:
        return targets
    after = bisect_left(targets, quote.end, key=lambda cited: cited.citation.start)
    first = min(max(0, after - MOST_TARGETS // 2), len(targets) - MOST_TARGETS)
    return targets[first : first + MOST_TARGETS]


def _check_excerpt(together: Sequence[CitedTarget], places: _QuotePlaces) -> QuoteCheck:
    """An excerpt belongs to all the spans of its citation together."""
    cited = together[0]
    excerpt = cited.citation.cited_text or ""
    # What is between ellipses must be there word for word.
    for part in filter(None, map(str.strip, _ELLIPSIS.split(excerpt))):
        if any(places.holds(part, other) for other in together):
            continue
        found = tuple(places.of(part, cited))
        if found and found[0].method != "fuzzy":
            reason = f"the excerpt is elsewhere: {_where(found[0])}"
            return QuoteCheck(excerpt, cited, "elsewhere", reason, None, found, tuple(together))
        reason = f"the excerpt is not in {cited.evidence.document}{_nearly(found)}"
        return QuoteCheck(excerpt, cited, "nowhere", reason, None, found, tuple(together))
    return QuoteCheck(excerpt, cited, "there")


def _check_quotation(quote: Quote, targets: list[CitedTarget], places: _QuotePlaces) -> QuoteCheck:
    held = tuple(cited for cited in targets if places.holds(quote.text, cited))
    if held:
        return QuoteCheck(quote.text, targets[0], "there", span=quote.span, held=held)
    nearest: tuple[CitedTarget, tuple[Match, ...]] = (targets[0], ())
    for cited in targets:
        found = tuple(places.of(quote.text, cited))
        if found and found[0].method != "fuzzy":
            reason = f"the quote is elsewhere: {_where(found[0])}"
            return QuoteCheck(quote.text, cited, "elsewhere", reason, quote.span, found, (cited,))
        if found and not nearest[1]:
            nearest = (cited, found)
    names = ", ".join(dict.fromkeys(cited.evidence.document or "" for cited in targets))
    reason = f"the quote “{_short(quote.text)}” is not in {names}{_nearly(nearest[1])}"
    return QuoteCheck(quote.text, nearest[0], "nowhere", reason, quote.span, nearest[1], tuple(targets))


def _where(match: Match) -> str:
    page = f" on page {match.page}" if match.page is not None else ""
    return f"{match.document} {match.start}-{match.end}{page}"


def _nearly(found: Sequence[Match]) -> str:
    return f"; it says “{_short(' '.join(found[0].text.split()))}”" if found else ""


def _short(words: str, limit: int = 80) -> str:
    return words if len(words) <= limit else words[: limit - 1].rstrip() + "…"


class _QuotePlaces:
    """Where the quotes of one answer are in its sources; kept, as answers repeat themselves."""

    def __init__(self, reading: Reading) -> None:
        self._library = reading.library
        self._tolerance = reading.settings.tolerance_chars
        self._enough = reading.settings.min_overlap_threshold
        self._places: dict[tuple[str, str, int], list[Match]] = {}
        self._cleaned = lru_cache(maxsize=256)(self._clean)

    def of(self, quote: str, cited: CitedTarget) -> list[Match]:
        """Where the quote is in the cited source, or where something like it is."""
        source = self._library.get(cited.evidence.document or "")
        return [] if source is None else self._in_source(quote, source)

    def _in_source(self, quote: str, source: Source, limit: int = 20) -> list[Match]:
        key = (quote, source.name, limit)
        if key not in self._places:
            self._places[key] = locate_quote(quote, source, limit)
        return self._places[key]

    def holds(self, quote: str, cited: CitedTarget) -> bool:
        """Whether the quote is inside the cited place, give or take the tolerance at its ends."""
        source = self._library.get(cited.evidence.document or "")
        wanted = _wanted(quote)
        for found in cited.evidence.passages:
            if source is None:
                if wanted in _compared(found.text):
                    return True
            elif found.end - found.start > LONG:
                if self._indexed(quote, source, found):
                    return True
            elif wanted in self._cleaned(source.name, found.start, found.end) or (
                not cited.evidence.whole and self._overlaps(quote, source, found)
            ):
                return True
        return False

    def _clean(self, document: str, start: int, end: int) -> str:
        source = self._library.get(document)
        text = source.text if source is not None else ""
        around = text[max(0, start - self._tolerance) : end + self._tolerance]
        return _compared(around)

    def _overlaps(self, quote: str, source: Source, found: Passage) -> bool:
        return any(
            match.method != "fuzzy" and _overlap(match, found.start, found.end) >= self._enough
            for match in self._in_source(quote, source)
        )

    def _indexed(self, quote: str, source: Source, found: Passage) -> bool:
        start, end = found.start - self._tolerance, found.end + self._tolerance
        few = self._in_source(quote, source)
        matches = few if len(few) < 20 else self._in_source(quote, source, _MOST_PLACES)
        return any(m.method != "fuzzy" and start <= m.start and m.end <= end for m in matches)


@lru_cache(maxsize=64)
def _wanted(quote: str) -> str:
    return _compared(quote).strip()


def _compared(text: str) -> str:
    """A text without the differences of setting, dashes and hyphens included."""
    return without_dashes(normalise(text, fold_case=True).text)[0]


def _overlap(match: Match, start: int, end: int) -> float:
    """Shared characters ÷ all characters of the two places together."""
    shared = min(match.end, end) - max(match.start, start)
    joined = max(match.end, end) - min(match.start, start)
    return shared / joined if shared > 0 and joined > 0 else 0.0
