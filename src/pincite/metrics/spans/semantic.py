"""Another passage that states the same: told apart from the figures of spans, which ask for the very place.

Where a true span was not hit, a judge is asked whether one of the stray predictions states what it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from pincite.metrics.case import Case
from pincite.metrics.citations.judged import LONGEST_REASON
from pincite.metrics.metric import Metric, Verdicts
from pincite.metrics.spans.cases import ScoredCase, scored_case
from pincite.metrics.spans.document_names import listed_names
from pincite.metrics.spans.heaviest import heaviest_matching
from pincite.metrics.spans.metrics import NO_TRUTH, NOTHING_CITED
from pincite.reading.cited_claims import said
from pincite.records import Pair, Passage, Result, ScoredSpan
from pincite.sources.passages import passage

MOST_CANDIDATES = 8
"""Stray predictions that are held against one missed span: the first ones of the answer."""
LONGEST = 20_000
"""Characters of a span that a judge is shown."""
NO_TEXT = "the true span's text is not known"


class SpanMeeting(Struct, frozen=True):
    """A missed true span and a stray prediction, each by its place in its list, and what a judge is asked."""

    true: int
    predicted: int
    pair: Pair


class SemanticSignals(Struct, frozen=True, kw_only=True):
    """Which spans were hit, and which were not: each by its place among the true ones or the predictions."""

    matched: list[tuple[int, int]]
    """True span and prediction that overlap."""
    semantic_matches: list[tuple[int, int]]
    """True span and prediction elsewhere that states the same."""
    missed: list[int]
    stray: list[int]
    unjudged_true: list[int]
    unjudged_predicted: list[int]
    without_text: list[int]
    """True spans that nobody can be asked about."""


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
        judged = [(meeting, said(meeting.pair, verdicts)) for meeting in meetings]
        met = _one_to_one(
            [
                (meeting.true, meeting.predicted, verdict.score or 0.0)
                for meeting, verdict in judged
                if verdict.outcome == "supported"
            ]
        )
        true, predicted = {one for one, _ in met}, {other for _, other in met}
        # What a judge failed on may be a match or none: it counts neither way.
        unknown_true: dict[int, str] = {}
        unknown_predicted: dict[int, str] = {}
        for meeting, verdict in judged:
            if verdict.outcome == "unjudged" and meeting.true not in true:
                unknown_true.setdefault(meeting.true, verdict.reason)
                if meeting.predicted not in predicted:
                    unknown_predicted.setdefault(meeting.predicted, verdict.reason)
        scores = scored.scores
        left_out = true | unknown_true.keys() | set(without_text)
        signals = SemanticSignals(
            matched=[(pair.true, pair.predicted) for pair in scores.matched],
            semantic_matches=met,
            missed=[one.index for one in scores.unmatched_true if one.index not in left_out],
            stray=[
                one.index
                for one in scores.unmatched_predicted
                if one.index not in predicted | unknown_predicted.keys()
            ],
            unjudged_true=sorted(unknown_true),
            unjudged_predicted=sorted(unknown_predicted),
            without_text=without_text,
        )
        hits = len(signals.matched) + len(met)
        failed = (*unknown_true.values(), *unknown_predicted.values())
        reasons = Counter(reason[:LONGEST_REASON] for reason in (*[NO_TEXT] * len(without_text), *failed))
        return self.result(
            hits,
            hits + len(signals.missed) + len(signals.stray),
            unjudged=len(failed),
            not_scorable=len(without_text),
            reasons=reasons,
            counts={"matched": len(signals.matched), "semantic_matches": len(met)},
            signals=signals,
        )


def _one_to_one(alike: Sequence[tuple[int, int, float]]) -> list[tuple[int, int]]:
    """As many pairs of true span and prediction as can be, no span in two of them; then the most alike."""
    rows: dict[int, list[tuple[int, int]]] = {}
    predicted = sorted({pair[1] for pair in alike})
    for true, other, score in alike:
        # One more pair outweighs any sum of scores.
        weight = (len(alike) + 1) * 1000 + round(1000 * score)
        rows.setdefault(true, []).append((predicted.index(other), weight))
    columns = heaviest_matching(list(rows.values()), len(predicted))
    return [
        (true, predicted[column]) for true, column in zip(rows, columns, strict=True) if column is not None
    ]


def _meetings(case: Case, scored: ScoredCase) -> tuple[list[SpanMeeting], list[int]]:
    """Missed true spans with stray predictions, and the true spans that have no text to ask about."""
    return case.once("semantic spans", lambda: _meet(case, scored))


def _meet(case: Case, scored: ScoredCase) -> tuple[list[SpanMeeting], list[int]]:
    listed = listed_names({span.document for span in (*scored.true, *scored.predicted)}, case.library)
    stray = [one.index for one in scored.scores.unmatched_predicted if one.problem is None]
    shown = {index: _text(scored.predicted[index], case, listed) for index in stray[:MOST_CANDIDATES]}
    meetings: list[SpanMeeting] = []
    without_text: list[int] = []
    for one in scored.scores.unmatched_true:
        claim = _text(scored.true[one.index], case, listed)
        if claim is None or not claim.text.strip():
            without_text.append(one.index)
            continue
        meetings += [
            SpanMeeting(one.index, index, Pair(claim.text, (evidence,), "support", case.item.query))
            for index, evidence in shown.items()
            if evidence is not None and evidence.text.strip()
        ]
    return meetings, without_text


def _text(span: ScoredSpan, case: Case, listed: dict[str, str]) -> Passage | None:
    source = case.library.get(listed.get(span.document, ""))
    if source is None or span.start is None or span.end is None or span.end > len(source.text):
        return None
    return passage(source, span.start, min(span.end, span.start + LONGEST))
