"""Judges citations that come apart from the answer: finds the claim of each and asks for its support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pincite import doorway
from pincite.citations.attach import attach, kept_words
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
    answer: str, citations: Sequence[CitationSpan], source_documents: Any
) -> list[CitationCheck]:
    """One check a citation, in order. All pairs go to the judge in one batch."""
    library = open_sources(source_documents)
    found = [
        resolve(span_target(one.file_name, one.page_number, one.start_char, one.end_char), library)
        for one in citations
    ]
    behind = _claims_behind(answer, citations)
    pairs = [
        Pair(claim.text, evidence.passages)
        for standing, evidence in zip(behind, found, strict=True)
        if evidence.status == "found"
        for claim in standing.claims
    ]
    verdicts = iter(doorway.run(make_judge().judge(pairs)) if pairs else [])
    checks = []
    for standing, evidence in zip(behind, found, strict=True):
        if evidence.status != "found" or not standing.claims:
            checks.append(CitationCheck(evidence))
            continue
        answered = [(next(verdicts), claim) for claim in standing.claims]
        verdict, claim = min(answered, key=_support) if standing.marked else max(answered, key=_support)
        checks.append(CitationCheck(evidence, verdict, claim))
    return checks


def _support(answered: tuple[Verdict, Claim]) -> tuple[bool, bool, float]:
    verdict = answered[0]
    return verdict.outcome == "supported", verdict.score is not None, verdict.score or 0.0


class _Behind(Struct, frozen=True):
    """The claims that a citation stands behind: all of them if its marker says so, else any one of them."""

    claims: tuple[Claim, ...]
    marked: bool


def _claims_behind(answer: str, citations: Sequence[CitationSpan]) -> list[_Behind]:
    """By the citation's own marker, where the answer has one: the n-th of a span takes the n-th marker.

    A citation without a marker may stand behind any claim, so the one that it supports best is taken.
    """
    parsed = parse(answer).citations
    markers_at = [citation.span for citation in parsed]
    claims = split_claims(answer, markers_at, keep=kept_words(parsed, answer))
    markers: dict[str, list[_Behind]] = {}
    for citation, attached in zip(parsed, attach(claims, parsed, answer), strict=True):
        standing = _Behind(tuple(claims[index] for index in attached), marked=True)
        for target in citation.targets:
            markers.setdefault(target.key, []).append(standing)
    taken: dict[str, int] = {}
    behind = []
    for one in citations:
        key = span_target(one.file_name, one.page_number, one.start_char, one.end_char).key
        marked = markers.get(key)
        if marked is None:
            behind.append(_Behind(claims, marked=False))
            continue
        turn = taken.get(key, 0)
        taken[key] = turn + 1
        behind.append(marked[min(turn, len(marked) - 1)])
    return behind
