"""What the metrics over claims and citations have in common: when nothing can be scored, and what passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import structs

from pincite.measured import Result
from pincite.metrics.attached import attached
from pincite.metrics.case import Case
from pincite.metrics.metric import Metric, meets

NO_ANSWER = "no answer"
NO_CLAIMS = "no claims"
NO_CITATIONS = "no citations"
LONGEST_REASON = 120


class Tally:
    """Counts units as they are scored: what goes into the ratio, and what is left out and why."""

    def __init__(self) -> None:
        self.numerator = 0.0
        self.denominator = 0
        self.not_scorable = 0
        self.unjudged = 0
        self.reasons: Counter[str] = Counter()

    def add(self, worth: float) -> None:
        self.numerator += worth
        self.denominator += 1

    def leave_out(self, reason: str) -> None:
        """A unit that cannot be scored, whoever judges."""
        self.not_scorable += 1
        self.reasons[reason] += 1

    def no_verdict(self, reason: str) -> None:
        """A unit that the judge could not decide."""
        self.unjudged += 1
        self.reasons[reason[:LONGEST_REASON]] += 1


class JudgedMetric(Metric, frozen=True, kw_only=True):
    """A metric over claims or citations. Its threshold may come from the settings."""

    @property
    def pooled(self) -> bool:
        return True

    def finish(
        self,
        case: Case,
        tally: Tally,
        counts: Mapping[str, float] | None = None,
        signals: Any = None,
        nothing: str = NO_CLAIMS,
    ) -> Result:
        """The result of a tally. With nothing in it, the reason is that there is no answer, or `nothing`."""
        reasons = dict(tally.reasons)
        if not tally.denominator and not reasons:
            reasons = {NO_ANSWER if case.item.actual_output is None else nothing: 1}
        result = self.result(
            tally.numerator,
            tally.denominator,
            unjudged=tally.unjudged,
            not_scorable=tally.not_scorable,
            reasons=reasons,
            counts=counts,
            signals=signals,
        )
        bar = self.bar(case.settings)
        return structs.replace(result, threshold=bar, passed=meets(result.score, bar, self.higher_is_better))

    def of_two(self, case: Case, precision: Result, recall: Result) -> Result:
        """The harmonic mean of two results of one item; 0 where one of them is 0, none where one is missing.

        Nothing cited for any claim has no precision, and a recall of 0: that is an F1 of 0.
        """
        tally = Tally()
        parts = (precision.score, recall.score)
        if 0.0 in parts and not (precision.unjudged or recall.unjudged):
            tally.add(0.0)
        elif precision.score is not None and recall.score is not None:
            total = precision.score + recall.score
            tally.add(2 * precision.score * recall.score / total if total else 0.0)
        tally.unjudged = precision.unjudged + recall.unjudged
        tally.not_scorable = max(precision.not_scorable, recall.not_scorable)
        for part in (precision, recall):
            # Why a part has no score is no news where the mean has one all the same.
            if part.unjudged or part.not_scorable or not tally.denominator:
                tally.reasons |= Counter(part.reasons)
        signals = {"precision": precision.score, "recall": recall.score}
        return self.finish(case, tally, signals=signals)


def claims_of(case: Case) -> int:
    """How many claims the answer makes: a refusal makes none."""
    return len(attached(case).claims)
