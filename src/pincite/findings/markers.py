"""Markers that are badly made (PIN401) and references that nothing cites (PIN402)."""

from __future__ import annotations

from pincite.findings.places import Places
from pincite.reading import Reading
from pincite.records import Finding, Fix, NumberTarget, Reference, SpanTarget


def check_markers(reading: Reading, place: Places) -> list[Finding]:
    """Findings about the markers themselves and about the answer's list of references."""
    findings = []
    for bad in reading.parsed.malformed:
        fix = None
        if bad.replacement is not None:
            fix = Fix(bad.start, bad.end, bad.replacement, True, f"write it as {bad.replacement}")
        message = f"malformed citation: {bad.problem}"
        findings.append(place.finding("PIN401", message, bad.start, bad.end, citation=bad.text, fix=fix))
    for one in reading.citations:
        if one.problem is not None:
            message = f"the citation does not fit the answer: {one.problem}"
            findings.append(place.finding("PIN401", message, one.start, one.end, citation=one.text))
    for problem in reading.answer.problems:
        findings.append(place.finding("PIN401", f"a field of the record cannot be read: {problem}", 0, 0))
    for reference in _never_cited(reading):
        label = f"reference {reference.label}" if reference.label else "this reference"
        findings.append(place.finding("PIN402", f"{label} is never cited", reference.start, reference.end))
    return findings


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
