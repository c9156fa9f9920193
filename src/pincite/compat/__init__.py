"""The names of the specification's documents, as thin wrappers around the rooms.

Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.compat.citation_accuracy import (
        CitationSpan,
        evaluate_citation_spans,
        extract_citations_from_answer,
        validate_citation_support,
    )
    from pincite.compat.citation_evaluator import CitationEvaluator
    from pincite.compat.conversation_metrics import (
        AIMessage,
        CitationAccuracy,
        CitationAccuracyResult,
        CitationFidelity,
        CitationFidelityResult,
        CitationRelevancy,
        CitationRelevancyResult,
        DatasetItem,
        EvaluationMode,
        HumanMessage,
        MetricRunner,
        MultiTurnConversation,
    )
    from pincite.compat.data_formats import (
        DataCompressor,
        DataFormatValidator,
        DataQualityChecker,
        EvaluationDatasetLoader,
        EvaluationResultsStorage,
    )
    from pincite.compat.llm_validation import LLMCitationValidator, calculate_semantic_support
    from pincite.compat.metric_registration import (
        CitationCompleteness,
        CitationCorrectness,
        CitationSpanAccuracy,
        EvaluationHarness,
        FactualConsistency,
        HallucinationRate,
        evaluation_harness,
    )
    from pincite.compat.monitoring import AutomatedCitationEvaluator, CitationAlertSystem

_HOMES = {
    **dict.fromkeys(
        (
            "CitationSpan",
            "evaluate_citation_spans",
            "extract_citations_from_answer",
            "validate_citation_support",
        ),
        "pincite.compat.citation_accuracy",
    ),
    **dict.fromkeys(("LLMCitationValidator", "calculate_semantic_support"), "pincite.compat.llm_validation"),
    **dict.fromkeys(
        (
            "DataCompressor",
            "DataFormatValidator",
            "DataQualityChecker",
            "EvaluationDatasetLoader",
            "EvaluationResultsStorage",
        ),
        "pincite.compat.data_formats",
    ),
    "CitationEvaluator": "pincite.compat.citation_evaluator",
    **dict.fromkeys(("AutomatedCitationEvaluator", "CitationAlertSystem"), "pincite.compat.monitoring"),
    **dict.fromkeys(
        (
            "CitationCompleteness",
            "CitationCorrectness",
            "CitationSpanAccuracy",
            "EvaluationHarness",
            "FactualConsistency",
            "HallucinationRate",
            "evaluation_harness",
        ),
        "pincite.compat.metric_registration",
    ),
    **dict.fromkeys(
        (
            "AIMessage",
            "CitationAccuracy",
            "CitationAccuracyResult",
            "CitationFidelity",
            "CitationFidelityResult",
            "CitationRelevancy",
            "CitationRelevancyResult",
            "DatasetItem",
            "EvaluationMode",
            "HumanMessage",
            "MetricRunner",
            "MultiTurnConversation",
        ),
        "pincite.compat.conversation_metrics",
    ),
}
"""Where each name lives."""

__all__ = [
    "AIMessage",
    "AutomatedCitationEvaluator",
    "CitationAccuracy",
    "CitationAccuracyResult",
    "CitationAlertSystem",
    "CitationCompleteness",
    "CitationCorrectness",
    "CitationEvaluator",
    "CitationFidelity",
    "CitationFidelityResult",
    "CitationRelevancy",
    "CitationRelevancyResult",
    "CitationSpan",
    "CitationSpanAccuracy",
    "DataCompressor",
    "DataFormatValidator",
    "DataQualityChecker",
    "DatasetItem",
    "EvaluationDatasetLoader",
    "EvaluationHarness",
    "EvaluationMode",
    "EvaluationResultsStorage",
    "FactualConsistency",
    "HallucinationRate",
    "HumanMessage",
    "LLMCitationValidator",
    "MetricRunner",
    "MultiTurnConversation",
    "calculate_semantic_support",
    "evaluate_citation_spans",
    "evaluation_harness",
    "extract_citations_from_answer",
    "validate_citation_support",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pincite.compat' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
