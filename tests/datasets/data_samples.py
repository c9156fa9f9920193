"""Small files of every kind, written for these tests in the shape of the data formats document."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

DATASET: dict[str, Any] = {
    "schema_version": 1,
    "dataset_id": "harbour_1.2.0",
    "name": "Harbour questions",
    "version": "1.2.0",
    "description": "Questions about a harbour",
    "created_at": "2026-02-01T08:00:00Z",
    "metadata": {
        "domain": "general",
        "language": "en",
        "size": 3,
        "avg_query_length": 24.5,
        "source": "made",
    },
    "queries": [
        {
            "query_id": "q1",
            "query_text": "How deep is the basin?",
            "query_type": "factual",
            "difficulty": "medium",
            "relevant_documents": ["depths", "berths"],
            "ground_truth_answer": "The basin is nine metres deep.",
            "citations": [
                {
                    "file_name": "depths.pdf",
                    "page_number": 3,
                    "start_char": 4,
                    "end_char": 29,
                    "confidence_score": 0.95,
                    "context_text": "basin is nine metres deep",
                }
            ],
            "metadata": {"expected_answer_length": 30, "num_relevant_docs": 2},
        },
        {
            "query_id": "q2",
            "query_text": "Who owns the crane?",
            "relevant_documents": {"berths": 2, "depths": 0.5},
            "citations": [],
            "alternative_citations": [[{"document_id": "berths", "start_char": 0, "end_char": 9}]],
        },
        {
            "query_id": "q3",
            "query_text": "And how old is it?",
            "relevant_documents": [{"document_id": "berths", "relevance": 3}],
            "conversation_id": "c1",
            "conversation": [{"role": "user", "content": "Who owns the crane?"}],
            "references": ["A list", {"number": 2, "source": "berths.md"}],
        },
    ],
    "documents": [
        {
            "document_id": "depths",
            "title": "Depths of the harbour",
            "content": "The basin is nine metres deep.",
            "file_path": "docs/depths.pdf",
            "metadata": {"author": "The pilot", "word_count": 6},
        },
        {"document_id": "berths", "content": "The crane is the town's.", "file_path": "docs/berths.md"},
    ],
}

CITATION_ANNOTATION: dict[str, Any] = {
    "annotation_id": "a1",
    "query_id": "q1",
    "annotator_id": "annotator_001",
    "timestamp": "2026-02-01T09:00:00Z",
    "citations": [
        {
            "citation_id": "c1",
            "file_name": "depths.pdf",
            "page_number": 3,
            "start_char": 4,
            "end_char": 29,
            "text": "basin is nine metres deep",
            "relevance_score": 1.0,
            "annotation_confidence": 0.9,
            "justification": "It says so",
        }
    ],
    "quality_checks": {"span_accuracy": "verified", "text_extraction": "successful"},
    "metadata": {"annotation_time_seconds": 90, "tools_used": ["viewer"], "notes": "plain"},
}

QUALITY_ANNOTATION: dict[str, Any] = {
    "annotation_id": "a2",
    "query_id": "q1",
    "annotator_id": "annotator_002",
    "timestamp": "2026-02-01T09:30:00Z",
    "answer_text": "Nine metres.",
    "quality_scores": {"completeness": 0.9, "accuracy": 1.0, "relevance": 0.9, "clarity": 0.8},
    "overall_score": 0.9,
    "aspect_ratings": {"factual_correctness": "fully_correct"},
    "feedback": {"strengths": ["short"], "weaknesses": [], "suggestions": ["name the page"]},
    "metadata": {"expertise_level": "pilot", "review_status": "approved"},
}

GROUND_TRUTH: dict[str, Any] = {
    "schema_version": 1,
    "dataset_id": "harbour_1.2.0",
    "version": "1.2.0",
    "annotations": [CITATION_ANNOTATION, QUALITY_ANNOTATION],
}

RESULTS: dict[str, Any] = {
    "schema_version": 1,
    "evaluation_id": "eval_run_20260201_001",
    "timestamp": "2026-02-01T10:00:00Z",
    "system_version": "harbour-bot-1",
    "dataset_id": "harbour_1.2.0",
    "configuration": {"model": "m", "retrieval_k": 5, "reranking_enabled": True},
    "summary": {"total_queries": 3, "successful_queries": 2, "failed_queries": 1, "average_latency_ms": None},
    "retrieval_metrics": {"hit@1": {"value": 0.5, "confidence_interval": [0.1, 0.9]}, "mrr": {"value": None}},
    "citation_metrics": {
        "span_accuracy": {"mean_exact_jaccard": 0.85, "perfect_matches": 1},
        "citation_completeness": {"value": 0.5, "total_claims": 4, "cited_claims": 2},
    },
    "answer_quality_metrics": {"hallucination_rate": {"value": 0.0, "total_claims": 4}},
    "performance_metrics": {"latency_stats": {"mean": 1.5, "p95": 2.0}, "api_usage": {"total_tokens": 5}},
    "query_results": [
        {
            "query_id": "q1",
            "query_text": "How deep is the basin?",
            "latency_ms": 12.5,
            "retrieval_results": {"retrieved_docs": ["depths"], "relevance_scores": [0.9]},
            "generated_answer": "Nine metres [depths.pdf:3:4-29].",
            "citations": [{"file_name": "depths.pdf", "page_number": 3, "start_char": 4, "end_char": 29}],
            "individual_metrics": {"hit@3": 1.0, "ndcg@3": None},
        },
        {"query_id": "q2"},
    ],
    "statistical_analysis": {"significance_tests": {}, "confidence_intervals": {"confidence_level": 0.95}},
    "metadata": {"evaluation_parameters": {"timeout_seconds": 30, "max_retries": 3, "random_seed": 42}},
}

BENCHMARK: dict[str, Any] = {
    "schema_version": 1,
    "benchmark_id": "latency",
    "created_at": "2026-02-01T10:00:00Z",
    "entries": [
        {
            "metric": "latency_p95",
            "value": 12.5,
            "unit": "ms",
            "n": 100,
            "confidence_interval": [12.0, 13.0],
            "system_version": "1",
        },
        {"metric": "nothing", "value": None},
    ],
}

CONFIGURATION: dict[str, Any] = {"schema_version": 1, "tolerance_chars": 5, "evaluation": {"random_seed": 7}}

EXAMPLES: dict[str, dict[str, Any]] = {
    "dataset": DATASET,
    "ground_truth": GROUND_TRUTH,
    "results": RESULTS,
    "benchmark": BENCHMARK,
    "configuration": CONFIGURATION,
}


def example(kind: str) -> dict[str, Any]:
    """A copy that a test may change."""
    return deepcopy(EXAMPLES[kind])
