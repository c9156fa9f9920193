"""An answer read against its sources: every target with its evidence, every claim with its targets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import msgspec

from pincite.answers import read_listed
from pincite.citations import attach, covered_spans, kept_words, marker_spans, parse, provided_markers
from pincite.config import Settings
from pincite.reading.passages import read_cited_claims
from pincite.reading.quotes import check_quotes
from pincite.reading.reading import LONG, CitedTarget, Reading
from pincite.reading.verdicts import Tell
from pincite.records import Answer, Citation, Claim, Evidence, NumberTarget, Parsed, Reference, Span, Target
from pincite.sources import Library, ReferenceIndex, resolve
from pincite.text import claims_among, find_statements, find_terms, term_weights

MOST_CITED_CHARACTERS = 200_000
"""So much of a long cited stretch is read for its words."""


def read_answer(answer: Answer, library: Library, settings: Settings, tell: Tell | None = None) -> Reading:
    """Parse the answer, split it into claims, attach one to the other and resolve every target.

    A number counts in the list that came with the answer, else in the answer's own list, else in the
    documents that the system was shown, else in the sources. `tell` is called with the progress.
    """
    cited = _read_targets(answer, library, settings)
    quotes = tuple(check_quotes(cited))
    misquoted = {
        target.ordinal: one.reason
        for one in reversed(quotes)
        if one.standing in ("elsewhere", "nowhere")
        for target in one.wrong
    }
    cited = msgspec.structs.replace(cited, quotes=quotes, misquoted=misquoted)
    return msgspec.structs.replace(cited, cited_claims=read_cited_claims(cited, tell))


def _read_targets(answer: Answer, library: Library, settings: Settings) -> Reading:
    """The reading as far as its targets: no quote looked up, and no claim shown its passages."""
    text = answer.text
    parsed = parse(text, library)
    citations = parsed.citations if answer.citations is None else answer.citations
    # What was meant as a marker is no part of a claim either, and a claim that has one is not uncited.
    meant = [Citation("span", bad.text, bad.start, bad.end, ()) for bad in parsed.malformed]
    inside = provided_markers(answer)
    markers = sorted({*inside, *(citation.span for citation in (*parsed.citations, *meant))})
    placed = [citation for citation in citations if not is_loose(citation, answer)]
    attached_as = _as_markers(placed, inside)
    kept = kept_words(parsed.citations, text)
    covered = covered_spans(attached_as)
    statements = tuple(find_statements(text, markers, settings.language, kept, covered))
    claims = claims_among(statements)
    same = not kept and markers == marker_spans(attached_as)
    read = statements if same else None
    claims_of = attach(claims, attached_as, text, settings.attach, settings.language, read)
    claims_meant = attach(claims, meant, text, settings.attach, settings.language)
    references = _reference_list(answer, parsed, citations)
    numbered = ReferenceIndex(references)
    works = numbered if references is parsed.references else ReferenceIndex((*references, *parsed.references))
    nearest = NearestClaims(claims, library)
    targets: list[CitedTarget] = []
    known: dict[Target, Evidence] = {}
    of_placed = iter(claims_of)
    for citation in citations:
        loose = is_loose(citation, answer)
        attached = () if loose else next(of_placed)
        for index, target in enumerate(citation.targets):
            evidence = known.get(target)
            if evidence is None:
                listed = numbered if isinstance(target, NumberTarget) else works
                found = resolve(target, library, listed, settings.offsets, settings.max_span_length)
                evidence = known[target] = _lean(found)
            behind = nearest.find(evidence, citation) if loose else attached
            targets.append(CitedTarget(len(targets), citation, index, target, evidence, behind))
    targets_of: list[list[CitedTarget]] = [[] for _ in claims]
    for cited in targets:
        for claim in cited.claims:
            targets_of[claim].append(cited)
    cited_claims = set().union(*claims_of, *claims_meant, *(cited.claims for cited in targets))
    return Reading(
        answer,
        library,
        settings,
        parsed,
        tuple(citations),
        claims,
        tuple(statement for statement in statements if statement.role != "claim"),
        tuple(index for index in range(len(claims)) if index not in cited_claims),
        tuple(targets),
        tuple(tuple(behind) for behind in targets_of),
    )


def is_loose(citation: Citation, answer: Answer) -> bool:
    """Whether a citation came beside the answer and has no marker in it."""
    return answer.citations is not None and citation.start == citation.end


def _reference_list(answer: Answer, parsed: Parsed, citations: Sequence[Citation]) -> tuple[Reference, ...]:
    if answer.references is not None:
        return tuple(read_listed(answer.references))
    if parsed.references or answer.retrieved is None:
        return parsed.references
    numbers = any(isinstance(target, NumberTarget) for one in citations for target in one.targets)
    return tuple(read_listed(answer.retrieved)) if numbers else ()


def _lean(evidence: Evidence) -> Evidence:
    """The same evidence with long passages cut short: twenty thousand markers may each cite a megabyte."""
    if all(len(passage.text) <= LONG for passage in evidence.passages):
        return evidence
    passages = (msgspec.structs.replace(p, text=p.text[: LONG + 1]) for p in evidence.passages)
    return msgspec.structs.replace(evidence, passages=tuple(passages))


def _as_markers(citations: Sequence[Citation], markers: Collection[Span]) -> list[Citation]:
    """The same citations; those of a provider that are markers in the text attach as markers do."""
    inside = set(markers)
    return [
        msgspec.structs.replace(citation, family="number")
        if citation.family == "provider" and citation.span in inside
        else citation
        for citation in citations
    ]


class NearestClaims:
    """The claim that a citation without a marker is about: the one with which its evidence shares most words.

    A system may hand over its citations beside the answer, as a list. No judge is asked which claim one
    belongs to: to pick the claim that a judge likes best would measure the picking, and the same answer must
    be read alike whoever judges it. Rare words count for more.
    """

    def __init__(self, claims: Sequence[Claim], library: Library) -> None:
        self._claims = claims
        self._library = library
        self._known: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def find(self, evidence: Evidence, citation: Citation) -> tuple[int, ...]:
        """The claim that shares most with the evidence, the first of equals; none where there is no text.

        Where no word is shared, the first claim is taken, and it is for the judge to say what that is worth.
        """
        if not self._claims:
            return ()
        places = tuple((found.document, found.start, found.end) for found in evidence.passages)
        key = (places, citation.cited_text)
        if key not in self._known:
            text = self._cited_words(evidence, citation)
            self._known[key] = (self._best(text),) if text.strip() else ()
        return self._known[key]

    @cached_property
    def _weights(self) -> dict[str, float]:
        return term_weights(claim.text for claim in self._claims)

    @cached_property
    def _holding(self) -> dict[str, list[int]]:
        holding: dict[str, list[int]] = {}
        for index, claim in enumerate(self._claims):
            for stem in _stems(claim.text):
                holding.setdefault(stem, []).append(index)
        return holding

    def _best(self, text: str) -> int:
        shared = [0.0] * len(self._claims)
        for stem in sorted(_stems(text)):
            for index in self._holding.get(stem, ()):
                shared[index] += self._weights[stem]
        return max(range(len(shared)), key=lambda index: (round(shared[index], 9), -index))

    def _cited_words(self, evidence: Evidence, citation: Citation) -> str:
        shown: list[str] = []
        for found in evidence.passages:
            source = self._library.get(found.document)
            end = min(found.end, found.start + MOST_CITED_CHARACTERS)
            shown.append(found.text if source is None else source.text[found.start : end])
        return "\n".join(shown) or citation.cited_text or ""


def _stems(text: str) -> set[str]:
    return {term.stem for term in find_terms(text) if not term.stop}
