"""Claims without a citation (PIN301), and the source that would support them (PIN302)."""

from __future__ import annotations

from pincite.findings.places import Places, excerpt_at
from pincite.reading import Questions, Reading, told
from pincite.records import Claim, Finding, Fix, Match, NumberTarget, Pair
from pincite.sources import Library, locate_claims, shared_passage

SURE = 0.9
"""From this support on, a suggested citation may be inserted with `--unsafe-fixes`."""


AskedPlaces = list[tuple[Match, Pair]]
"""The places that may support a claim, and what the judge is asked about each."""


def ask(reading: Reading, questions: Questions) -> list[tuple[int, AskedPlaces]]:
    """Look for support of every uncited claim in all sources, and ask whether it is any."""
    known: dict[str, AskedPlaces] = {}
    for index in told("looking for sources of uncited claims", reading.uncited, reading.tell):
        text = reading.claims[index].text
        if text not in known:
            known[text] = _asked(text, reading.library, questions)
    return [(index, known[reading.claims[index].text]) for index in reading.uncited]


def tell(
    asked: list[tuple[int, AskedPlaces]], reading: Reading, questions: Questions, place: Places
) -> list[Finding]:
    """One finding per uncited claim."""
    findings = []
    numbers = _numbers(reading)
    for index, places in asked:
        claim = reading.claims[index]
        verdicts = [(questions.verdict(pair), match) for match, pair in places]
        supporting = [(one.score or 0.0, match) for one, match in verdicts if one.outcome == "supported"]
        if not supporting:
            findings.append(place.finding("PIN301", "this claim has no citation", claim.start, claim.end))
            continue
        score, match = max(supporting, key=lambda found: found[0])
        marker = numbers.get(match.document, match.citation)
        fix = _insertion(claim, marker, reading.answer.text, score >= SURE)
        message = f"this claim has no citation, but {match.document} supports it"
        shown = excerpt_at(match)
        findings.append(place.finding("PIN302", message, claim.start, claim.end, source=shown, fix=fix))
    return findings


def _asked(claim: str, library: Library, questions: Questions) -> AskedPlaces:
    return [
        (match, questions.ask(Pair(claim, (shared_passage(source, match.start, match.end),))))
        for match in locate_claims(claim, library, limit=3)
        if (source := library.get(match.document)) is not None
    ]


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
