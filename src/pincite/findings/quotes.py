"""Quotes that are not where they are cited (PIN204), or are elsewhere in the source (PIN205)."""

from __future__ import annotations

from pincite.findings.places import Places, excerpt_at
from pincite.findings.relocate import marker_fix, moved_target
from pincite.reading import QuoteCheck, Reading
from pincite.records import Finding, Fix


def tell(reading: Reading, place: Places) -> list[Finding]:
    """One finding for each quote that is wrong."""
    return [_finding(one, reading, place) for one in reading.quotes if one.standing in _CODES]


_CODES = {"nowhere": "PIN204", "elsewhere": "PIN205"}


def _finding(one: QuoteCheck, reading: Reading, place: Places) -> Finding:
    return place.about(
        one.cited,
        _CODES[one.standing],
        one.reason,
        source=excerpt_at(one.found[0]) if one.found else None,
        fix=_moved(one, reading) if one.standing == "elsewhere" else _true_words(one),
        targets=tuple(cited.ordinal for cited in one.wrong),
    )


def _moved(one: QuoteCheck, reading: Reading) -> Fix | None:
    """The marker of the place where the quote is."""
    match = one.found[0]
    source = reading.library.get(match.document)
    assert source is not None
    target = moved_target(one.cited, reading, source, match.start, match.end)
    what = "the excerpt" if one.span is None else "the quote"
    # Words that occur in several places might be meant in any of them.
    return marker_fix(one.cited, target, len(one.found) == 1, f"cite the place where {what} appears")


def _true_words(one: QuoteCheck) -> Fix | None:
    """What the source says instead of a quotation that is nearly right."""
    if one.span is None or not one.found:
        return None
    words = " ".join(one.found[0].text.split())
    return Fix(one.span.start, one.span.end, words, False, f"quote what the source says: {words}")
