"""The names of the specification's documents, as thin wrappers around the rooms."""

from __future__ import annotations

from pincite.compat.citation_accuracy import (
    CitationSpan,
    evaluate_citation_spans,
    extract_citations_from_answer,
    validate_citation_support,
)
from pincite.compat.citation_evaluator import CitationEvaluator
from pincite.compat.citeformer import (
    AnthropicBackend,
    Citeformer,
    GenerationResult,
    StreamingResult,
    TokenUsage,
)
from pincite.compat.conversation_metrics import MetricRunner
from pincite.compat.data_formats import (
    DataCompressor,
    DataFormatValidator,
    DataQualityChecker,
    EvaluationDatasetLoader,
    EvaluationResultsStorage,
)
from pincite.compat.llm_validation import LLMCitationValidator, calculate_semantic_support
from pincite.compat.monitoring import (
    AutomatedCitationEvaluator,
    CitationAlertSystem,
    EvaluationHarness,
    evaluation_harness,
)
from pincite.metrics import (
    CitationAccuracy,
    CitationAccuracyResult,
    CitationCompleteness,
    CitationCorrectness,
    CitationFidelity,
    CitationFidelityResult,
    CitationRelevancy,
    CitationRelevancyResult,
    CitationSpanAccuracy,
    EvaluationMode,
    FactualConsistency,
    HallucinationRate,
)
from pincite.records import AIMessage, DatasetItem, HumanMessage, MultiTurnConversation

__all__ = [
    "AIMessage",
    "AnthropicBackend",
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
    "Citeformer",
    "DataCompressor",
    "DataFormatValidator",
    "DataQualityChecker",
    "DatasetItem",
    "EvaluationDatasetLoader",
    "EvaluationHarness",
    "EvaluationMode",
    "EvaluationResultsStorage",
    "FactualConsistency",
    "GenerationResult",
    "HallucinationRate",
    "HumanMessage",
    "LLMCitationValidator",
    "MetricRunner",
    "MultiTurnConversation",
    "StreamingResult",
    "TokenUsage",
    "calculate_semantic_support",
    "evaluate_citation_spans",
    "evaluation_harness",
    "extract_citations_from_answer",
    "validate_citation_support",
]
