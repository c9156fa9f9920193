"""Which claims each citation of a case stands behind, also where the system gave it no place in the answer.

A system may hand over its citations beside the answer, as a list. One that has no marker in the answer is
attached to the claim with which its evidence shares the most words, rare words counting for more. No judge is
asked for that: to pick the claim that a judge likes best would measure the picking, and the same answer must
be read alike whoever judges it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from pincite.citations.parse import parse
from pincite.findings.reading import CitedTarget, Reading, read_answer
from pincite.metrics.case import Case
from pincite.records import Citation, Claim, Evidence, NumberTarget, Reference
from pincite.sources.reference_index import ReferenceIndex
from pincite.sources.resolve import resolve
from pincite.text.terms import find_terms, term_weights

_KEY = "attached"
MOST_CHARACTERS = 200_000
"""So much of a long cited stretch is read for its words."""
LONGEST_REFERENCE = 2_000


def attached(case: Case) -> Reading:
    """The reading of a case with every citation at its claims; worked out once."""
    if _KEY not in case.kept:
        case.kept[_KEY] = _read(case)
    found: Reading = case.kept[_KEY]
    return found


def _read(case: Case) -> Reading:
    reading = case.reading
    given = case.item.citations
    loose: list[Citation] = []
    if given is not None and any(citation.start == citation.end for citation in given):
        placed = tuple(citation for citation in given if citation.start != citation.end)
        loose = [citation for citation in given if citation.start == citation.end]
        reading = read_answer(structs.replace(reading.answer, citations=placed), case.library, case.settings)
    cited_here = (*reading.citations, *loose)
    numbers = any(isinstance(target, NumberTarget) for one in cited_here for target in one.targets)
    references = _references(_numbered_list(case, reading)) if numbers else None
    targets = [_renumbered(cited, references, case) for cited in reading.targets]
    own = references or ReferenceIndex(reading.parsed.references)
    words = _ClaimWords(reading.claims) if loose else None
    for citation in loose:
        for index, target in enumerate(citation.targets):
            evidence = _resolved(target, case, own)
            claims = words.nearest(evidence, citation, case) if words is not None else ()
            targets.append(CitedTarget(len(targets), citation, index, target, evidence, claims))
    if not loose and references is None:
        return reading
    return _with_targets(reading, targets, loose)


def _with_targets(reading: Reading, targets: list[CitedTarget], loose: Sequence[Citation]) -> Reading:
    targets_of: list[list[CitedTarget]] = [[] for _ in reading.claims]
    for cited in targets:
        for claim in cited.claims:
            targets_of[claim].append(cited)
    return structs.replace(
        reading,
        citations=(*reading.citations, *loose),
        targets=tuple(targets),
        targets_of=tuple(tuple(behind) for behind in targets_of),
        uncited=tuple(index for index in reading.uncited if not targets_of[index]),
    )


class _ClaimWords:
    """The claims by their words, to find the one that a cited text has most in common with."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._weights = term_weights(claim.text for claim in claims)
        self._count = len(claims)
        self._holding: dict[str, list[int]] = {}
        for index, claim in enumerate(claims):
            for stem in _stems(claim.text):
                self._holding.setdefault(stem, []).append(index)
        self._known: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def nearest(self, evidence: Evidence, citation: Citation, case: Case) -> tuple[int, ...]:
        """The claim that shares most with the evidence, the first of equals; none where there is no text.

        Where no word is shared, the first claim is taken, and it is for the judge to say what that is worth.
        """
        if not self._count:
            return ()
        places = tuple((found.document, found.start, found.end) for found in evidence.passages)
        key = (places, citation.cited_text)
        if key not in self._known:
            text = _cited_words(evidence, citation, case)
            self._known[key] = (self._best(text),) if text.strip() else ()
        return self._known[key]

    def _best(self, text: str) -> int:
        shared = [0.0] * self._count
        for stem in sorted(_stems(text)):
            for index in self._holding.get(stem, ()):
                shared[index] += self._weights[stem]
        return max(range(self._count), key=lambda index: (round(shared[index], 9), -index))


def _stems(text: str) -> set[str]:
    return {term.stem for term in find_terms(text) if not term.stop}


def _cited_words(evidence: Evidence, citation: Citation, case: Case) -> str:
    shown: list[str] = []
    for found in evidence.passages:
        source = case.library.get(found.document)
        end = min(found.end, found.start + MOST_CHARACTERS)
        shown.append(found.text if source is None else source.text[found.start : end])
    return "\n".join(shown) or citation.cited_text or ""


def _numbered_list(case: Case, reading: Reading) -> Sequence[str | dict[str, Any]] | None:
    """What `[1]` counts in, where it came with the answer: its references, or else what was retrieved.

    The order in which a dataset lists its documents means nothing to the system that answered.
    """
    item = case.item
    if item.references is not None or item.retrieved is None or reading.parsed.references:
        return item.references
    return [one.document for one in item.retrieved]


def _references(given: Sequence[str | dict[str, Any]] | None) -> ReferenceIndex | None:
    """The list of references that came with the answer, read as one at the end of an answer is."""
    if given is None:
        return None
    entries: list[Reference] = []
    for position, one in enumerate(given, 1):
        number, text = _numbered(one, position)
        read = parse(f"References\n\n[1] {text}\n").references
        targets = read[0].targets if len(read) == 1 else ()
        entries.append(Reference(str(number), text, 0, 0, targets))
    return ReferenceIndex(entries)


def _numbered(one: str | dict[str, Any], position: int) -> tuple[object, str]:
    number: object = position
    if isinstance(one, dict):
        number = one.get("number", position)
        parts = [one[name] for name in ("source", "title", "url", "text") if isinstance(one.get(name), str)]
        one = " ".join(dict.fromkeys(parts))
    return number, " ".join(str(one)[:LONGEST_REFERENCE].split())


def _renumbered(cited: CitedTarget, references: ReferenceIndex | None, case: Case) -> CitedTarget:
    """The target looked up in the list that came with the answer, where it is a number in it."""
    if references is None or not isinstance(cited.target, NumberTarget):
        return cited
    return structs.replace(cited, evidence=_resolved(cited.target, case, references))


def _resolved(target: Any, case: Case, references: ReferenceIndex) -> Evidence:
    settings = case.settings
    return resolve(
        target,
        case.library,
        references,
        offsets=settings.offsets,
        max_span_length=settings.max_span_length,
    )
