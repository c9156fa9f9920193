"""The names of the specification's documents, as thin wrappers around the rooms."""

from __future__ import annotations

from pincite.compat.citation_accuracy import (
    CitationSpan,
    evaluate_citation_spans,
    extract_citations_from_answer,
    validate_citation_support,
)
from pincite.compat.llm_validation import LLMCitationValidator, calculate_semantic_support

__all__ = [
    "CitationSpan",
    "LLMCitationValidator",
    "calculate_semantic_support",
    "evaluate_citation_spans",
    "extract_citations_from_answer",
    "validate_citation_support",
]
