"""The names of document 000's configuration, and which setting or which codes each one means."""

from __future__ import annotations

ALIASES = {
    "span_matching.tolerance_chars": "tolerance_chars",
    "span_matching.min_overlap_threshold": "min_overlap_threshold",
    "span_matching.max_span_length": "max_span_length",
    "llm_evaluation.model": "llm.model",
    "llm_evaluation.temperature": "llm.temperature",
    "llm_evaluation.max_tokens": "llm.max_tokens",
    "llm_evaluation.retry_attempts": "llm.retry_attempts",
    "quality_thresholds.span_accuracy": "thresholds.span_accuracy",
    "quality_thresholds.citation_validity": "fail_under",
    "quality_thresholds.answer_consistency": "thresholds.answer_consistency",
    "quality_thresholds.hallucination_tolerance": "thresholds.hallucination_tolerance",
    "performance.batch_size": "batch_size",
    "inter_annotator_agreement.target_agreement": "agreement.target_agreement",
    "inter_annotator_agreement.min_annotators": "agreement.min_annotators",
    "inter_annotator_agreement.recalibration_threshold": "agreement.recalibration_threshold",
    "error_handling.max_retries": "errors.max_retries",
    "error_handling.fallback_scoring": "errors.fallback_scoring",
    "error_handling.error_logging": "errors.error_logging",
}
"""The specification's key → ours, where the names differ."""

SWITCHES = {
    "validation_checks.span_bounds_check": ("PIN105", "PIN106"),
    "validation_checks.document_existence_check": ("PIN101",),
    "validation_checks.text_extraction_validation": ("PIN204", "PIN205"),
}
"""Keys that, when false, leave out the findings of these codes."""

ROOTS = ("citation_accuracy", "quality_control")
"""The two tables that hold those keys in the specification; a file may leave them out."""
