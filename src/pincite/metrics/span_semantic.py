"""Spans that were missed by place, and hit by meaning: another passage that states the same.

Where a true span was not hit, a judge is asked whether one of the stray predictions states what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from pincite.base import np
from pincite.metrics.case import Case
from pincite.metrics.document_names import listed_names
from pincite.metrics.metric import Verdicts
from pincite.metrics.span_metrics import NO_TRUTH, NOTHING_CITED, ScoredCase, scored_case
from pincite.metrics.tally import JudgedMetric, UnitTally
from pincite.reading import verdict_on
from pincite.records import Pair, Passage, Place, Result
from pincite.sources import passage

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


class SpanSemanticMatch(JudgedMetric, frozen=True, kw_only=True):
    """Spans hit by place or by meaning ÷ those pairs, missed true spans and stray predictions."""

    title: ClassVar[str] = "span_semantic"
    unit: ClassVar[str] = "spans hit by place or by meaning"
    place: ClassVar[str] = "citation_metrics.semantic_match"
    pooled: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("true citations",)

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [meeting.pair for meeting in _meetings(case)[0]]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        scored = scored_case(case, case.settings.tolerance_chars)
        tally = UnitTally()
        if scored is None or not scored.scores.units:
            tally.leave_out(NO_TRUTH if scored is None else NOTHING_CITED)
            return self.finish(case, tally)
        meetings, without_text = _meetings(case)
        judged = [(meeting, verdict_on(meeting.pair, verdicts)) for meeting in meetings]
        met = dict(
            _one_to_one(
                [
                    (meeting.true, meeting.predicted, verdict.score or 0.0)
                    for meeting, verdict in judged
                    if verdict.outcome == "supported"
                ]
            )
        )
        # What a judge failed on may be a match or not: it counts neither way.
        unknown_true: dict[int, str] = {}
        unknown_predicted: dict[int, str] = {}
        for meeting, verdict in judged:
            if verdict.outcome == "unjudged" and meeting.true not in met:
                unknown_true.setdefault(meeting.true, verdict.reason)
                unknown_predicted.setdefault(meeting.predicted, verdict.reason)
        matched = [(pair.true, pair.predicted) for pair in scored.scores.matched]
        for true, _ in matched:
            tally.add(1.0, "hit by place", f"true span {true}")
        for one in scored.scores.unmatched_true:
            name = f"true span {one.index}"
            if one.index in met:
                tally.add(1.0, "hit by meaning", name)
            elif one.index in without_text:
                tally.leave_out(NO_TEXT, name)
            else:
                missed = one.index not in unknown_true
                tally.add(0.0 if missed else None, unknown_true.get(one.index, "missed"), name)
        for one in scored.scores.unmatched_predicted:
            if one.index not in met.values():
                stray = one.index not in unknown_predicted
                reason = unknown_predicted.get(one.index, "stray")
                tally.add(0.0 if stray else None, reason, f"prediction {one.index}")
        counts = {"matched": len(matched), "semantic_matches": len(met)}
        return self.finish(case, tally, counts, {"matched": matched, "semantic_matches": sorted(met.items())})


def _one_to_one(alike: Sequence[tuple[int, int, float]]) -> list[tuple[int, int]]:
    """As many pairs of true span and prediction as can be, no span in two of them; then the most alike."""
    if not alike:
        return []
    from scipy.optimize import linear_sum_assignment

    true, predicted = sorted({one[0] for one in alike}), sorted({one[1] for one in alike})
    weights = np.zeros((len(true), len(predicted)))
    for row, column, score in alike:
        # One more pair outweighs any sum of scores.
        weights[true.index(row), predicted.index(column)] = len(alike) + 1 + score
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return [(true[i], predicted[j]) for i, j in zip(rows, columns, strict=True) if weights[i, j]]


def _meetings(case: Case) -> tuple[list[SpanMeeting], set[int]]:
    """Missed true spans with stray predictions, and the true spans that have no text to ask about."""
    scored = scored_case(case, case.settings.tolerance_chars)
    return case.once("semantic spans", lambda: ([], set()) if scored is None else _meet(case, scored))


def _meet(case: Case, scored: ScoredCase) -> tuple[list[SpanMeeting], set[int]]:
    listed = listed_names({span.document for span in (*scored.true, *scored.predicted)}, case.library)
    stray = [one.index for one in scored.scores.unmatched_predicted if one.problem is None]
    shown = {index: _text(scored.predicted[index], case, listed) for index in stray[:MOST_CANDIDATES]}
    meetings: list[SpanMeeting] = []
    without_text: set[int] = set()
    for one in scored.scores.unmatched_true:
        claim = _text(scored.true[one.index], case, listed)
        if claim is None or not claim.text.strip():
            without_text.add(one.index)
            continue
        meetings += [
            SpanMeeting(one.index, index, Pair(claim.text, (evidence,), "support", case.item.query))
            for index, evidence in shown.items()
            if evidence is not None and evidence.text.strip()
        ]
    return meetings, without_text


def _text(span: Place, case: Case, listed: dict[str, str]) -> Passage | None:
    source = case.library.get(listed.get(span.document, ""))
    if source is None or span.start is None or span.end is None or span.end > len(source.text):
        return None
    return passage(source, span.start, min(span.end, span.start + LONGEST))
