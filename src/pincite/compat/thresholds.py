"""What the citation accuracy document asks of each part of its overall score."""

from __future__ import annotations

from pincite.config import Settings

CITATION_VALIDITY = 0.7
"""Where `fail_under` (the document's `citation_validity`) is not set."""


def thresholds_of(settings: Settings) -> dict[str, float]:
    """A hallucination score is one minus the rate, so that its threshold is one minus the rate tolerated."""
    thresholds = settings.thresholds
    return {
        "span_accuracy_score": thresholds.span_accuracy,
        "citation_quality_score": CITATION_VALIDITY if settings.fail_under is None else settings.fail_under,
        "answer_consistency_score": thresholds.answer_consistency,
        "hallucination_score": 1.0 - thresholds.hallucination_tolerance,
    }
