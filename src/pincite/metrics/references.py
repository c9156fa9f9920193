"""Citation accuracy: does every `[1]` lead to an entry of the list of references?

Targets with an entry ÷ targets: `[1-3]` is one citation with three targets. The list is the one that came
with the answer, or else the answer's own. Entries that nothing cites are told beside the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec import Struct

from pincite.answers import read_listed, straight
from pincite.citations import parse
from pincite.metrics.case import Case
from pincite.metrics.metric import Metric, Verdicts
from pincite.records import Citation, NumberTarget, Reference, Result


class ReferenceVerdict(Struct, frozen=True):
    """What became of one number in a marker."""

    citation: str
    number: int | None
    """None for a footnote with a name."""
    source: str | None
    """The entry that it leads to."""
    status: Literal["valid", "invalid"]
    reason: str


class ListedReference(Struct, frozen=True):
    """An entry of the list of references."""

    number: str
    source: str


class CitationAccuracyResult(Struct, frozen=True):
    """How the score came about. The citations are counted by their targets."""

    score: float | None
    total_citations: int
    valid_citations: int
    verdicts: tuple[ReferenceVerdict, ...]
    unused_references: tuple[ListedReference, ...]
    """Entries that nothing cites."""
    repeated_numbers: tuple[str, ...]
    """Numbers used by two entries, so that it is unclear which one is meant."""


class CitationAccuracy(Metric, frozen=True, kw_only=True):
    """Cited numbers that have an entry in the list of references ÷ cited numbers."""

    title: ClassVar[str] = "citation_accuracy"
    place: ClassVar[str] = "citation_metrics.citation_accuracy"
    pooled: ClassVar[bool] = True
    unit: ClassVar[str] = "cited numbers in the list"
    usual_threshold: ClassVar[float | None] = 1.0

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        item = case.item
        if item.actual_output is None:
            return self._nothing("no answer")
        parsed = parse(straight(item.actual_output))
        cited = _numbers(item.citations or ()) or _numbers(parsed.citations)
        if item.references is None and not parsed.references:
            reason = "no list of references" if cited else "no numbered citations"
            return self._nothing(reason, len(cited) or 1)
        listed = tuple(read_listed(item.references)) if item.references is not None else parsed.references
        return self._against(cited, listed)

    def _nothing(self, reason: str, count: int = 1) -> Result:
        """Nothing to score; the signals are there all the same, with nothing counted."""
        signals = CitationAccuracyResult(None, 0, 0, (), (), ())
        return self.result(0, 0, not_scorable=count, reasons={reason: count}, signals=signals)

    def _against(self, cited: Sequence[tuple[Citation, NumberTarget]], listed: Sequence[Reference]) -> Result:
        entries: dict[str, Reference] = {}
        repeated: dict[str, None] = {}
        for entry in listed:
            if entry.label and entry.label in entries:
                repeated[entry.label] = None
            elif entry.label:
                entries[entry.label] = entry
        told = []
        used = set()
        for citation, target in cited:
            label = target.key if target.key in entries else str(target.number)
            found = entries.get(label)
            used.add(label)
            if found is None:
                missing = f"the list has no entry {target.key}"
                told.append(ReferenceVerdict(citation.text, target.number, None, "invalid", missing))
            else:
                there = "the list has this entry"
                told.append(ReferenceVerdict(citation.text, target.number, found.text, "valid", there))
        unused = tuple(
            ListedReference(label, entry.text) for label, entry in entries.items() if label not in used
        )
        valid = sum(verdict.status == "valid" for verdict in told)
        signals = CitationAccuracyResult(
            valid / len(told) if told else None, len(told), valid, tuple(told), unused, tuple(repeated)
        )
        counts = {"total_citations": len(told), "valid_citations": valid, "unused_references": len(unused)}
        reasons = {} if told else {"no numbered citations": 1}
        return self.result(
            valid, len(told), not_scorable=len(reasons), reasons=reasons, counts=counts, signals=signals
        )


def _numbers(citations: Sequence[Citation]) -> list[tuple[Citation, NumberTarget]]:
    return [
        (citation, target)
        for citation in citations
        for target in citation.targets
        if isinstance(target, NumberTarget)
    ]
