"""Judges citations that come apart from the answer: finds the claim of each, and asks whether it is supported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pincite import doorway
from pincite.citations.attach import attach
from pincite.citations.formats.span import span_target
from pincite.citations.parse import parse
from pincite.compat.citation_span import CitationSpan
from pincite.judges.judge import make_judge
from pincite.records import Claim, Evidence, Pair, Verdict
from pincite.sources.library import open_sources
from pincite.sources.resolve import resolve
from pincite.text.claims import split_claims


class CitationCheck(Struct, frozen=True):
    """What became of one citation. `verdict` is None when it points nowhere or no claim was found for it."""

    evidence: Evidence
    verdict: Verdict | None = None
    claim: Claim | None = None

    @property
    def resolved(self) -> bool:
        return self.evidence.status == "found"


def check_support(
    answer: str, citations: Sequence[CitationSpan], source_documents: Mapping[str, str]
) -> list[CitationCheck]:
    """One check a citation, in order. All pairs go to the judge in one batch."""
    library = open_sources(dict(source_documents))
    found = [
        resolve(span_target(one.file_name, one.page_number, one.start_char, one.end_char), library)
        for one in citations
    ]
    asked = [
        claims if evidence.status == "found" else ()
        for claims, evidence in zip(_claims_of(answer, citations), found, strict=True)
    ]
    pairs = [
        Pair(claim.text, evidence.passages)
        for claims, evidence in zip(asked, found, strict=True)
        for claim in claims
    ]
    verdicts = iter(doorway.run(make_judge("rules").judge(pairs)) if pairs else [])
    checks = []
    for claims, evidence in zip(asked, found, strict=True):
        answered = [(next(verdicts), claim) for claim in claims]
        if answered:
            verdict, claim = max(answered, key=_support)
            checks.append(CitationCheck(evidence, verdict, claim))
        else:
            checks.append(CitationCheck(evidence))
    return checks


def _support(answered: tuple[Verdict, Claim]) -> tuple[bool, bool, float]:
    """A citation rests on the claim that it supports best; a verdict beats none."""
    verdict = answered[0]
    return verdict.outcome == "supported", verdict.score is not None, verdict.score or 0.0


def _claims_of(answer: str, citations: Sequence[CitationSpan]) -> list[tuple[Claim, ...]]:
    """The claims that each citation may stand behind.

    Those of its own marker, where the answer has one; the n-th citation of the same span takes the n-th such
    marker. A citation without a marker may stand behind any claim.
    """
    parsed = parse(answer).citations
    claims = split_claims(answer, [citation.span for citation in parsed])
    markers: dict[str, list[tuple[Claim, ...]]] = {}
    for citation, attached in zip(parsed, attach(claims, parsed, answer), strict=True):
        for target in citation.targets:
            markers.setdefault(target.key, []).append(tuple(claims[index] for index in attached))
    chosen = []
    for one in citations:
        key = span_target(one.file_name, one.page_number, one.start_char, one.end_char).key
        waiting = markers.get(key)
        if waiting is None:
            chosen.append(claims)
        else:
            chosen.append(waiting.pop(0) if len(waiting) > 1 else waiting[0])
    return chosen
