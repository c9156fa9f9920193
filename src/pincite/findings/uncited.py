"""Claims without a citation, and citations without a claim.

For a claim without a citation (PIN301) all sources are searched for one that supports it (PIN302). A citation
in a sentence that claims nothing is reported too (PIN206): no marker passes in silence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from pincite.findings.context import Check, CheckContext, excerpt_at
from pincite.reading import Assessment, CitedTarget, Reading, Verdicts, with_progress
from pincite.records import Claim, Finding, Fix, Match, NumberTarget, Pair
from pincite.sources import locate_claims, marker_of, shared_passage
from pincite.text import SpanIndex

SURE = 0.9
"""From this support on, a suggested citation may be inserted with `--unsafe-fixes`."""


class UncitedClaims(Check):
    """Claims without a citation, each with the places that may support it."""

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._asked: dict[str, list[tuple[Match, Pair]]] = {}
        """By the claim's words: the places, and what the judge is asked about each."""

    def questions(self) -> Iterable[Pair]:
        reading, library = self.reading, self.reading.library
        told = with_progress("looking for sources of uncited claims", reading.uncited, self.context.tell)
        for index in told:
            claim = reading.claims[index].text
            if claim in self._asked:
                continue
            self._asked[claim] = [
                (match, Pair(claim, (shared_passage(source, match.start, match.end),)))
                for match in locate_claims(claim, library, limit=3)
                if (source := library.get(match.document)) is not None
            ]
            yield from (pair for _, pair in self._asked[claim])

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        """One finding per uncited claim."""
        reading = self.reading
        numbers = _numbers(reading)
        for index in reading.uncited:
            claim = reading.claims[index]
            place = (claim.start, claim.end)
            judged = [(verdicts[pair], match) for match, pair in self._asked[claim.text]]
            supporting = [(one.score or 0.0, match) for one, match in judged if one.outcome == "supported"]
            if not supporting:
                yield self.context.finding("PIN301", "this claim has no citation", *place)
                continue
            score, match = max(supporting, key=lambda found: found[0])
            marker = numbers.get(match.document) or marker_of(match)
            fix = _insertion(claim, marker, reading.answer.text, score >= SURE)
            message = f"this claim has no citation, but {match.document} supports it"
            yield self.context.finding("PIN302", message, *place, source=excerpt_at(match), fix=fix)


def _numbers(reading: Reading) -> dict[str, str]:
    """The answer's own marker for a source, as `[1]`, where it has one."""
    numbers: dict[str, str] = {}
    for cited in reading.targets:
        numbered = isinstance(cited.target, NumberTarget) and cited.citation.text == f"[{cited.target.key}]"
        if numbered and cited.evidence.document is not None:
            numbers.setdefault(cited.evidence.document, cited.citation.text)
    return numbers


def _insertion(claim: Claim, marker: str, text: str, sure: bool) -> Fix:
    """Put the marker before the full stop that ends the claim."""
    said = text[claim.start : claim.end].rstrip(" \t\r\n").rstrip(".!?。！？")
    end = claim.start + len(said)
    return Fix(end, end, f" {marker}", False, f"cite {marker}", sure)


# --- citations without a claim -------------------------------------------------------------------

_COUNTED = ("courtesy", "question", "refusal", "pointer", "label", "lead_in")
_COUNTED_WITH_MARKER = ("empty", "heading")
"""A bare rule or a title is no sentence that anybody expects to be checked, unless it cites."""

_WHY = {
    "question": "nothing to judge: the marker is in a question, which makes no claim",
    "refusal": "cannot be judged: no passage can show what the sources leave out",
    "courtesy": "nothing to judge: the sentence makes no claim",
    "heading": "nothing to judge: the marker is in a heading, which makes no claim",
    "lead_in": "nothing to judge: the sentence introduces a list whose items have their own markers",
}
_ALONE = "nothing to judge: there is no claim next to the marker"
_STANDS_ALONE = ("question", "refusal", "courtesy")
"""Told even when another claim has the same target: what these say is not what that claim says."""


class WithoutClaim(Check):
    """Targets that were found and speak for no claim; one with a wrong quote is reported for that.

    `See [1].` and `Sources: [1], [2]` lose nothing where the same is cited for a claim as well.
    """

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        reading = self.reading
        cited_for_claims = {cited.target for cited in reading.targets if cited.claims}
        for cited in reading.targets:
            if cited.claims or cited.evidence.status != "found" or cited.ordinal in reading.misquoted:
                continue
            role = _role_at(cited, reading)
            if cited.target not in cited_for_claims or role in _STANDS_ALONE:
                yield self.context.about(cited, "PIN206", _WHY.get(role, _ALONE))


def count_skipped(reading: Reading) -> dict[str, int]:
    """How many sentences were not judged, by what they are: `{"courtesy": 2, "question": 1}`."""
    markers = SpanIndex(citation.span for citation in reading.citations)
    counts: Counter[str] = Counter()
    for statement in reading.skipped:
        cited = statement.role in _COUNTED_WITH_MARKER and markers.overlaps(statement.start, statement.end)
        if statement.role in _COUNTED or cited:
            counts[statement.role] += 1
    return dict(sorted(counts.items()))


def _role_at(cited: CitedTarget, reading: Reading) -> str:
    """What the sentence with the marker does; nothing where the marker is outside of all."""
    at = bisect_right(reading.skipped, cited.citation.start, key=lambda statement: statement.start) - 1
    if at < 0 or cited.citation.start >= reading.skipped[at].end:
        return ""
    return reading.skipped[at].role
