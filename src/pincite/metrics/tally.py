"""What the metrics over claims and citations share: counting units, and a result with its threshold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pincite.metrics.case import Case
from pincite.metrics.metric import Metric
from pincite.records import Result

if TYPE_CHECKING:
    from pincite.reading import CitedTarget

NO_ANSWER = "no answer"
NO_CLAIMS = "no claims"
NO_CITATIONS = "no citations"
UNCITED = "nothing is cited for it"
LONGEST_REASON = 120


class ScoredUnit(Struct, frozen=True):
    """One thing that a ratio counts, or leaves out: a claim, or a target, or a target for a claim."""

    worth: float | None
    """What it adds to the numerator, where it adds 1 to the denominator; None where it was left out."""
    reason: str
    claim: str | None = None
    citation: str | None = None
    """The marker, as written in the answer."""
    target: str | None = None
    """Which of the marker's targets: `3` of `[1-3]`."""


class UnitTally:
    """Counts units as they are scored: what goes into the ratio, and what is left out and why."""

    def __init__(self) -> None:
        self.numerator = 0.0
        self.denominator = 0
        self.not_scorable = 0
        self.unjudged = 0
        self.reasons: Counter[str] = Counter()
        self.units: list[ScoredUnit] = []

    def add(
        self, worth: float | None, reason: str, claim: str | None = None, cited: CitedTarget | None = None
    ) -> None:
        """A unit that counts, with what it is worth; None for one that the judge could not decide."""
        if worth is None:
            self.unjudged += 1
            self.reasons[reason[:LONGEST_REASON]] += 1
        else:
            self.numerator += worth
            self.denominator += 1
        self._keep(None if worth is None else float(worth), reason, claim, cited)

    def leave_out(self, reason: str, claim: str | None = None, cited: CitedTarget | None = None) -> None:
        """A unit that cannot be scored, whoever judges."""
        self.not_scorable += 1
        self.reasons[reason] += 1
        self._keep(None, reason, claim, cited)

    def _keep(self, worth: float | None, reason: str, claim: str | None, cited: CitedTarget | None) -> None:
        if cited is None:
            self.units.append(ScoredUnit(worth, reason, claim))
        else:
            self.units.append(ScoredUnit(worth, reason, claim, cited.citation.text, cited.target.key))


class JudgedMetric(Metric, frozen=True, kw_only=True):
    """A metric over claims or citations. Its threshold may come from the settings."""

    @property
    def pooled(self) -> bool:
        return True

    def finish(
        self,
        case: Case,
        tally: UnitTally,
        counts: Mapping[str, float] | None = None,
        signals: Mapping[str, Any] | None = None,
        nothing: str = NO_CLAIMS,
    ) -> Result:
        """The result of a tally. With nothing in it, the reason is that there is no answer, or `nothing`.

        Its signals are the units that were counted, and the metric's own.
        """
        reasons = dict(tally.reasons)
        if not tally.denominator and not reasons:
            reasons = {NO_ANSWER if case.item.actual_output is None else nothing: 1}
        return self.result(
            tally.numerator,
            tally.denominator,
            unjudged=tally.unjudged,
            not_scorable=tally.not_scorable,
            reasons=reasons,
            counts=counts,
            signals={"units": tally.units, **(signals or {})},
            settings=case.settings,
        )

    def of_two(self, case: Case, precision: Result, recall: Result) -> Result:
        """The harmonic mean of two results of one item; 0 where one of them is 0, none where one is missing.

        Nothing cited for any claim has no precision, and a recall of 0: that is an F1 of 0.
        """
        tally = UnitTally()
        parts = (precision.score, recall.score)
        if 0.0 in parts and not (precision.unjudged or recall.unjudged):
            tally.add(0.0, "precision or recall is 0")
        elif precision.score is not None and recall.score is not None:
            total = precision.score + recall.score
            mean = 2 * precision.score * recall.score / total if total else 0.0
            tally.add(mean, f"precision {precision.score:.3f}, recall {recall.score:.3f}")
        tally.unjudged = precision.unjudged + recall.unjudged
        tally.not_scorable = max(precision.not_scorable, recall.not_scorable)
        for part in (precision, recall):
            # Why a part has no score is no news where the mean has one all the same.
            if part.unjudged or part.not_scorable or not tally.denominator:
                tally.reasons |= Counter(part.reasons)
        signals = {
            "precision": precision.score,
            "recall": recall.score,
            "precision_units": precision.signals["units"],
            "recall_units": recall.signals["units"],
        }
        return self.finish(case, tally, signals=signals)
