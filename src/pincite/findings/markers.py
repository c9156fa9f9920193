"""Markers that are badly made (PIN401), references that nothing cites (PIN402), and quotes that are wrong.

A quote is not in the cited source (PIN204), or it is elsewhere in it (PIN205).
"""

from __future__ import annotations

from collections.abc import Iterable

from pincite.findings.context import Check, excerpt_at
from pincite.findings.relocate import marker_fix, moved_target
from pincite.reading import Assessment, QuoteCheck, Reading, Verdicts
from pincite.records import Finding, Fix, NumberTarget, Reference, SpanTarget


class Markers(Check):
    """The markers themselves, and the answer's list of references."""

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        reading, finding = self.reading, self.context.finding
        for bad in reading.parsed.malformed:
            fix = None
            if bad.replacement is not None:
                fix = Fix(bad.start, bad.end, bad.replacement, True, f"write it as {bad.replacement}")
            message = f"malformed citation: {bad.problem}"
            yield finding("PIN401", message, bad.start, bad.end, citation=bad.text, fix=fix)
        for one in reading.citations:
            if one.problem is not None:
                message = f"the citation does not fit the answer: {one.problem}"
                yield finding("PIN401", message, one.start, one.end, citation=one.text)
        for problem in reading.answer.problems:
            yield finding("PIN401", f"a field of the record cannot be read: {problem}", 0, 0)
        for reference in _never_cited(reading):
            label = f"reference {reference.label}" if reference.label else "this reference"
            yield finding("PIN402", f"{label} is never cited", reference.start, reference.end)


def _never_cited(reading: Reading) -> list[Reference]:
    """Entries cited neither by number nor by what they name: the same link, document, or author and year."""
    numbers = {cited.target.key for cited in reading.targets if isinstance(cited.target, NumberTarget)}
    keys = {cited.target.key for cited in reading.targets if not isinstance(cited.target, NumberTarget)}
    documents = {cited.target.document for cited in reading.targets if isinstance(cited.target, SpanTarget)}
    return [
        reference
        for reference in reading.parsed.references
        if reference.label not in numbers
        and not any(target.key in keys for target in reference.targets)
        and not any(isinstance(t, SpanTarget) and t.document in documents for t in reference.targets)
    ]


# --- quotes --------------------------------------------------------------------------------------

_CODES = {"nowhere": "PIN204", "elsewhere": "PIN205"}


class Quotes(Check):
    """Quotes that are not where they are cited."""

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        for one in self.reading.quotes:
            if one.standing in _CODES:
                yield self.context.about(
                    one.cited,
                    _CODES[one.standing],
                    one.reason,
                    source=excerpt_at(one.found[0]) if one.found else None,
                    fix=_moved(one, self.reading) if one.standing == "elsewhere" else _true_words(one),
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
