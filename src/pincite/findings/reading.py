"""An answer read against its sources: every target with its evidence, every claim with its targets."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec import Struct, field

from pincite.citations.attach import attach, covered_spans, kept_words, marker_spans
from pincite.citations.parse import parse
from pincite.citations.providers import marker_spans as provided_markers
from pincite.config import Settings
from pincite.findings.questions import Tell
from pincite.records import Answer, Citation, Claim, Evidence, Match, Parsed, Span, Target
from pincite.sources.library import Library
from pincite.sources.paths import has_path
from pincite.sources.reference_index import ReferenceIndex
from pincite.sources.resolve import resolve
from pincite.text.claims import Statement, claims_among, find_statements

LONG = 1200
"""Evidence longer than this is shown to the judge by its best sentences."""


class CitedTarget(Struct, frozen=True):
    """One target of one citation, what it points to, and the claims that it stands behind."""

    ordinal: int
    citation: Citation
    index: int
    """Which of the citation's targets it is."""
    target: Target
    evidence: Evidence
    """Of a passage longer than `LONG` only the beginning is kept as text; its offsets span all of it."""
    claims: tuple[int, ...]


class Reading(Struct, frozen=True):
    """Everything that is known about an answer before anything is judged."""

    answer: Answer
    library: Library
    settings: Settings
    parsed: Parsed
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    skipped: tuple[Statement, ...]
    """What stands beside the claims and is none: questions, small talk, headings and so on."""
    uncited: tuple[int, ...]
    """The claims that no marker speaks for."""
    targets: tuple[CitedTarget, ...]
    targets_of: tuple[tuple[CitedTarget, ...], ...]
    """For each claim, the targets that stand behind it."""
    places: dict[tuple[str, str], list[Match]] = field(default_factory=dict)
    """Where a source speaks of a claim, by claim and source: many markers may ask the same."""
    tell: Tell | None = None


def read_answer(answer: Answer, library: Library, settings: Settings, tell: Tell | None = None) -> Reading:
    """Parse the answer, split it into claims, attach one to the other and resolve every target."""
    text = answer.text
    parsed = parse(text, has_path(library), library.bears)
    citations = parsed.citations if answer.citations is None else answer.citations
    # What was meant as a marker is no part of a claim either, and a claim that has one is not uncited.
    meant = [Citation("span", bad.text, bad.start, bad.end, ()) for bad in parsed.malformed]
    inside = provided_markers(answer)
    markers = sorted({*inside, *(citation.span for citation in (*parsed.citations, *meant))})
    attached_as = _as_markers(citations, inside)
    kept = kept_words(parsed.citations, text)
    covered = covered_spans(attached_as)
    statements = tuple(find_statements(text, markers, settings.language, kept, covered))
    claims = claims_among(statements)
    same = not kept and markers == marker_spans(attached_as)
    read = statements if same else None
    claims_of = attach(claims, attached_as, text, settings.attach, settings.language, read)
    claims_meant = attach(claims, meant, text, settings.attach, settings.language)
    uncited = set(range(len(claims))).difference(*claims_of, *claims_meant)
    targets: list[CitedTarget] = []
    references = ReferenceIndex(parsed.references)
    known: dict[Target, Evidence] = {}
    for citation, attached in zip(citations, claims_of, strict=True):
        for index, target in enumerate(citation.targets):
            evidence = known.get(target)
            if evidence is None:
                evidence = known[target] = _lean(
                    resolve(
                        target,
                        library,
                        references,
                        offsets=settings.offsets,
                        max_span_length=settings.max_span_length,
                    )
                )
            targets.append(CitedTarget(len(targets), citation, index, target, evidence, attached))
    targets_of: list[list[CitedTarget]] = [[] for _ in claims]
    for cited in targets:
        for claim in cited.claims:
            targets_of[claim].append(cited)
    return Reading(
        answer,
        library,
        settings,
        parsed,
        citations,
        claims,
        tuple(statement for statement in statements if statement.role != "claim"),
        tuple(sorted(uncited)),
        tuple(targets),
        tuple(tuple(behind) for behind in targets_of),
        tell=tell,
    )


def _lean(evidence: Evidence) -> Evidence:
    """The same evidence with long passages cut short: twenty thousand markers may each cite a megabyte."""
    if all(len(passage.text) <= LONG for passage in evidence.passages):
        return evidence
    passages = (msgspec.structs.replace(p, text=p.text[: LONG + 1]) for p in evidence.passages)
    return msgspec.structs.replace(evidence, passages=tuple(passages))


def _as_markers(citations: Sequence[Citation], markers: Collection[Span]) -> list[Citation]:
    """The same citations; those of a provider that stand as markers in the text attach as markers do."""
    inside = set(markers)
    return [
        msgspec.structs.replace(citation, family="number")
        if citation.family == "provider" and citation.span in inside
        else citation
        for citation in citations
    ]
