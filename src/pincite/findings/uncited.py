"""Claims without a citation (PIN301), and the source that would support them (PIN302)."""

from __future__ import annotations

from msgspec import Struct

from pincite.findings.places import Places, excerpt_at
from pincite.reading.questions import Questions, told
from pincite.reading.reading import Reading
from pincite.records import Claim, Finding, Fix, Match, NumberTarget, Pair
from pincite.sources.library import Library
from pincite.sources.locate import locate_claims, shared_passage

SURE = 0.9
"""From this support on, a suggested citation may be inserted with `--unsafe-fixes`."""


class UncitedCase(Struct, frozen=True):
    claims: tuple[tuple[int, tuple[tuple[Match, Pair], ...]], ...]
    """Each uncited claim with the places that may support it, and what the judge is asked about them."""


def ask(reading: Reading, questions: Questions) -> UncitedCase:
    """Look for support of every uncited claim in all sources, and ask whether it is any."""
    known: dict[str, tuple[tuple[Match, Pair], ...]] = {}
    for index in told("looking for sources of uncited claims", reading.uncited, reading.tell):
        text = reading.claims[index].text
        if text not in known:
            known[text] = _asked(text, reading.library, questions)
    return UncitedCase(tuple((index, known[reading.claims[index].text]) for index in reading.uncited))


def tell(case: UncitedCase, reading: Reading, questions: Questions, place: Places) -> list[Finding]:
    """One finding per uncited claim."""
    findings = []
    numbers = _numbers(reading)
    for index, places in case.claims:
        claim = reading.claims[index]
        supporting = [
            (questions.verdict(pair).score or 0.0, match)
            for match, pair in places
            if questions.verdict(pair).outcome == "supported"
        ]
        if not supporting:
            findings.append(place.finding("PIN301", "this claim has no citation", claim.start, claim.end))
            continue
        score, match = max(supporting, key=lambda found: found[0])
        marker = numbers.get(match.document, match.citation)
        findings.append(
            place.finding(
                "PIN302",
                f"this claim has no citation, but {match.document} supports it",
                claim.start,
                claim.end,
                source=excerpt_at(match),
                fix=_insertion(claim, marker, reading.answer.text, score >= SURE),
            )
        )
    return findings


def _asked(claim: str, library: Library, questions: Questions) -> tuple[tuple[Match, Pair], ...]:
    tickets = []
    for match in locate_claims(claim, library, limit=3):
        source = library.get(match.document)
        if source is not None:
            pair = Pair(claim, (shared_passage(source, match.start, match.end),))
            tickets.append((match, questions.ask(pair)))
    return tuple(tickets)


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
    end = claim.end
    while end > claim.start and text[end - 1] in " \t\r\n":
        end -= 1
    while end > claim.start and text[end - 1] in ".!?。！？":
        end -= 1
    return Fix(end, end, f" {marker}", False, f"cite {marker}", sure)
