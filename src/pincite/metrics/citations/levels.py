"""From a judge's score to full, partial or no support."""

from __future__ import annotations

from pincite.metrics.citations.judged import JudgedMetric
from pincite.records import Verdict

FULL, PARTIAL, NONE = 1.0, 0.5, 0.0


class GradedMetric(JudgedMetric, frozen=True, kw_only=True):
    """A metric on three levels of support. What contradicts a claim supports it at no score."""

    full: float = 0.7
    """From this score on, support is full."""
    partial: float = 0.4
    """From this score on, it is partial; below, there is none."""

    def level(self, verdict: Verdict) -> float | None:
        """1 for full, 0.5 for partial, 0 for no support; None when unjudged."""
        if verdict.outcome == "unjudged" or verdict.score is None:
            return None
        if verdict.outcome == "contradicted" or verdict.score < self.partial:
            return NONE
        return FULL if verdict.score >= self.full else PARTIAL
