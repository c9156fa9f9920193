"""Another passage that states the same: told apart from the figures of spans, which ask for the very place.

Where a true span was not hit, a judge is asked whether one of the stray predictions states what it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from pincite.measured import Result, ScoredSpan
from pincite.metrics.case import Case
from pincite.metrics.metric import Metric, Verdicts
from pincite.metrics.same_documents import listed_names
from pincite.metrics.span_cases import ScoredCase, scored_case
from pincite.metrics.span_metrics import NO_TRUTH, NOTHING_CITED
from pincite.records import Pair, Passage
from pincite.sources.passages import passage

MOST_CANDIDATES = 8
"""Stray predictions that are held against one missed span: the first ones of the answer."""
LONGEST = 20_000
"""Characters of a span that a judge is shown."""
NO_TEXT = "the true span's text is not known"


class Meeting(Struct, frozen=True):
    """A missed true span and a stray prediction, each by its place in its list, and what a judge is asked."""

    true: int
    predicted: int
    pair: Pair


class SpanSemanticMatch(Metric, frozen=True, kw_only=True):
    """Spans hit by place or by meaning ÷ those pairs, missed true spans and stray predictions."""

    title: ClassVar[str] = "span_semantic"
    unit: ClassVar[str] = "spans hit by place or by meaning"
    place: ClassVar[str] = "citation_metrics.semantic_match"
    needs: ClassVar[tuple[str, ...]] = ("true citations",)

    def pairs(self, case: Case) -> Sequence[Pair]:
        scored = scored_case(case, case.settings.tolerance_chars)
        return [meeting.pair for meeting in _meetings(case, scored)[0]] if scored else []

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        scored = scored_case(case, case.settings.tolerance_chars)
        if scored is None:
            return self.result(0, 0, not_scorable=1, reasons={NO_TRUTH: 1})
        if not scored.scores.units:
            return self.result(0, 0, not_scorable=1, reasons={NOTHING_CITED: 1})
        meetings, without_text = _meetings(case, scored)
        judged = [(meeting, verdicts[meeting.pair]) for meeting in meetings]
        alike = [one for one in judged if one[1].outcome == "supported"]
        alike.sort(key=lambda one: one[1].score or 0.0, reverse=True)
        true: set[int] = set()
        predicted: set[int] = set()
        met = []
        for meeting, _ in alike:
            if meeting.true not in true and meeting.predicted not in predicted:
                true.add(meeting.true)
                predicted.add(meeting.predicted)
                met.append((meeting.true, meeting.predicted))
        # What a judge failed on may be a match or none: it counts neither way.
        unknown = [(meeting, verdict) for meeting, verdict in judged if verdict.outcome == "unjudged"]
        unknown_true = {meeting.true for meeting, _ in unknown} - true
        unknown_predicted = {meeting.predicted for meeting, _ in unknown if meeting.true in unknown_true}
        unknown_predicted -= predicted
        scores = scored.scores
        missed = len(scores.unmatched_true) - len(met) - len(unknown_true) - without_text
        stray = len(scores.unmatched_predicted) - len(met) - len(unknown_predicted)
        hits = len(scores.matched) + len(met)
        reasons = Counter({NO_TEXT: without_text})
        reasons.update({verdict.reason[:120]: 1 for _, verdict in unknown})
        return self.result(
            hits,
            hits + missed + stray,
            unjudged=len(unknown_true) + len(unknown_predicted),
            not_scorable=without_text,
            reasons={reason: count for reason, count in reasons.items() if count},
            counts={"matched": len(scores.matched), "semantic_matches": len(met)},
            signals={"semantic_matches": met},
        )


def _meetings(case: Case, scored: ScoredCase) -> tuple[list[Meeting], int]:
    """Missed true spans with stray predictions, and how many true spans have no text to ask about."""
    key = ("semantic spans", case.settings.tolerance_chars)
    if key not in case.kept:
        case.kept[key] = _meet(case, scored)
    meetings: tuple[list[Meeting], int] = case.kept[key]
    return meetings


def _meet(case: Case, scored: ScoredCase) -> tuple[list[Meeting], int]:
    listed = listed_names({span.document for span in (*scored.true, *scored.predicted)}, case.library)
    stray = [one.index for one in scored.scores.unmatched_predicted if one.problem is None]
    shown = {index: _text(scored.predicted[index], case, listed) for index in stray[:MOST_CANDIDATES]}
    meetings, without_text = [], 0
    for one in scored.scores.unmatched_true:
        claim = _text(scored.true[one.index], case, listed)
        if claim is None or not claim.text.strip():
            without_text += 1
            continue
        meetings += [
            Meeting(one.index, index, Pair(claim.text, (evidence,), "support", case.item.query))
            for index, evidence in shown.items()
            if evidence is not None and evidence.text.strip()
        ]
    return meetings, without_text


def _text(span: ScoredSpan, case: Case, listed: dict[str, str]) -> Passage | None:
    source = case.library.get(listed.get(span.document, ""))
    if source is None or span.start is None or span.end is None or span.end > len(source.text):
        return None
    return passage(source, span.start, min(span.end, span.start + LONGEST))
