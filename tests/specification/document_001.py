"""The data of document 001: its schema of a dataset, without descriptions, and its example files."""

from __future__ import annotations

from typing import Any

TEXT, WHOLE, NUMBER, OBJECT = ({"type": name} for name in ("string", "integer", "number", "object"))
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Evaluation Dataset",
    "type": "object",
    "required": ["dataset_id", "name", "version", "queries"],
    "properties": {
        "dataset_id": TEXT,
        "name": TEXT,
        "version": TEXT,
        "description": TEXT,
        "created_at": {"type": "string", "format": "date-time"},
        "metadata": {
            "type": "object",
            "properties": {
                "domain": TEXT,
                "language": TEXT,
                "size": WHOLE,
                "avg_query_length": NUMBER,
                "source": TEXT,
            },
        },
        "queries": {"type": "array", "items": {"$ref": "#/$defs/EvaluationQuery"}},
        "documents": {"type": "array", "items": {"$ref": "#/$defs/SourceDocument"}},
    },
    "$defs": {
        "EvaluationQuery": {
            "type": "object",
            "required": ["query_id", "query_text", "relevant_documents"],
            "properties": {
                "query_id": TEXT,
                "query_text": TEXT,
                "query_type": {
                    "type": "string",
                    "enum": ["factual", "analytical", "comparative", "temporal"],
                },
                "difficulty": {"type": "string", "enum": ["easy", "medium", "hard"]},
                "relevant_documents": {"type": "array", "items": TEXT},
                "ground_truth_answer": TEXT,
                "citations": {"type": "array", "items": {"$ref": "#/$defs/CitationSpan"}},
                "metadata": OBJECT,
            },
        },
        "SourceDocument": {
            "type": "object",
            "required": ["document_id", "content"],
            "properties": {
                "document_id": TEXT,
                "title": TEXT,
                "content": TEXT,
                "file_path": TEXT,
                "metadata": OBJECT,
            },
        },
        "CitationSpan": {
            "type": "object",
            "required": ["file_name", "start_char", "end_char"],
            "properties": {
                "file_name": TEXT,
                "page_number": WHOLE,
                "start_char": WHOLE,
                "end_char": WHOLE,
                "confidence_score": SHARE,
                "context_text": TEXT,
            },
        },
    },
}
ANSWER = (
    "The new project management tool includes features such as task tracking, team collaboration, time "
    "management, and reporting capabilities."
)
QUESTION = "What are the key features of the new project management tool?"
SPAN = {"file_name": "project_tool_guide.pdf", "page_number": 3, "start_char": 1250, "end_char": 1350}
DATASET: dict[str, Any] = {
    "dataset_id": "personal_rag_eval_v1.0.0",
    "name": "Personal RAG Evaluation Dataset",
    "version": "1.0.0",
    "description": "Comprehensive evaluation dataset for personal knowledge retrieval",
    "created_at": "2025-08-30T12:00:00Z",
    "metadata": {
        "domain": "personal",
        "language": "en",
        "size": 500,
        "avg_query_length": 45,
        "source": "synthetic",
    },
    "queries": [
        {
            "query_id": "query_001",
            "query_text": QUESTION,
            "query_type": "factual",
            "difficulty": "medium",
            "relevant_documents": ["doc_001", "doc_002"],
            "ground_truth_answer": ANSWER,
            "citations": [
                {
                    **SPAN,
                    "confidence_score": 0.95,
                    "context_text": "Key features include task tracking and team collaboration...",
                }
            ],
            "metadata": {"expected_answer_length": 150, "num_relevant_docs": 2},
        }
    ],
    "documents": [
        {
            "document_id": "doc_001",
            "title": "Project Management Tool Overview",
            "content": "The new project management tool provides comprehensive features for team "
            "collaboration and task tracking...",
            "file_path": "docs/project_tool.pdf",
            "metadata": {"author": "Product Team", "created_date": "2025-08-01", "word_count": 1250},
        }
    ],
}
CITATION_ANNOTATION: dict[str, Any] = {
    "annotation_id": "citation_gt_001",
    "query_id": "query_001",
    "annotator_id": "annotator_001",
    "timestamp": "2025-08-30T12:00:00Z",
    "citations": [
        {
            "citation_id": "cit_001",
            **SPAN,
            "text": "Key features include task tracking and team collaboration",
            "relevance_score": 1.0,
            "annotation_confidence": 0.9,
            "justification": "Directly answers the query about key features",
        }
    ],
    "quality_checks": {
        "span_accuracy": "verified",
        "text_extraction": "successful",
        "relevance_assessment": "high_confidence",
    },
    "metadata": {
        "annotation_time_seconds": 120,
        "tools_used": ["pdf_viewer", "text_selector"],
        "notes": "Clear and unambiguous citation span",
    },
}
QUALITY_ANNOTATION: dict[str, Any] = {
    "annotation_id": "answer_quality_gt_001",
    "query_id": "query_001",
    "annotator_id": "annotator_002",
    "timestamp": "2025-08-30T12:30:00Z",
    "answer_text": ANSWER,
    "quality_scores": {
        "completeness": 0.9,
        "accuracy": 0.95,
        "relevance": 0.9,
        "clarity": 0.85,
        "conciseness": 0.8,
    },
    "overall_score": 0.88,
    "aspect_ratings": {
        "factual_correctness": "fully_correct",
        "comprehensive_coverage": "mostly_comprehensive",
        "answer_structure": "well_structured",
        "language_quality": "good",
    },
    "feedback": {
        "strengths": ["Comprehensive feature list", "Clear language"],
        "weaknesses": ["Could mention specific tool capabilities"],
        "suggestions": ["Add examples of each feature"],
    },
    "metadata": {
        "annotation_time_seconds": 180,
        "expertise_level": "domain_expert",
        "review_status": "approved",
    },
}


def _between(value: float, low: float, high: float) -> dict[str, Any]:
    return {"value": value, "confidence_interval": [low, high]}


RESULTS: dict[str, Any] = {
    "evaluation_id": "eval_run_20250830_001",
    "timestamp": "2025-08-30T13:00:00Z",
    "system_version": "personal-rag-v2.1.0",
    "dataset_id": "personal_rag_eval_v1.0.0",
    "configuration": {
        "model": "gpt-4",
        "embedding_model": "BAAI/bge-small-en-v1.5",
        "retrieval_k": 5,
        "reranking_enabled": True,
    },
    "summary": {
        "total_queries": 500,
        "successful_queries": 495,
        "failed_queries": 5,
        "average_latency_ms": 1250,
        "total_evaluation_time_seconds": 675,
    },
    "retrieval_metrics": {
        "hit@1": _between(0.72, 0.68, 0.76),
        "hit@3": _between(0.85, 0.82, 0.88),
        "hit@5": _between(0.91, 0.89, 0.93),
        "ndcg@5": _between(0.78, 0.75, 0.81),
        "mrr": _between(0.76, 0.73, 0.79),
        "map@5": _between(0.74, 0.71, 0.77),
    },
    "citation_metrics": {
        "span_accuracy": {
            "mean_exact_jaccard": 0.85,
            "mean_tolerance_jaccard": 0.92,
            "perfect_matches": 380,
            "good_matches": 445,
        },
        "citation_completeness": {"value": 0.88, "total_claims": 1250, "cited_claims": 1100},
        "citation_correctness": {"value": 0.91, "total_citations": 850, "correct_citations": 773},
    },
    "answer_quality_metrics": {
        "factual_consistency": {
            "value": 0.89,
            "mean_consistency": 0.87,
            "consistency_scores": [0.9, 0.85, 0.92],
        },
        "hallucination_rate": {"value": 0.06, "total_claims": 1250, "hallucinated_claims": 75},
    },
    "performance_metrics": {
        "latency_stats": {"mean": 1250, "p50": 1100, "p95": 2100, "p99": 3200, "min": 800, "max": 4500},
        "resource_usage": {
            "memory_mb": {"mean": 1850, "peak": 2450, "std": 150},
            "cpu_percent": {"mean": 45, "peak": 78, "std": 8},
        },
        "api_usage": {"total_tokens": 125000, "total_requests": 500, "estimated_cost_usd": 2.50},
    },
    "query_results": [
        {
            "query_id": "query_001",
            "query_text": QUESTION,
            "latency_ms": 1150,
            "retrieval_results": {
                "retrieved_docs": ["doc_001", "doc_002", "doc_003", "doc_004", "doc_005"],
                "relevance_scores": [0.92, 0.88, 0.76, 0.65, 0.54],
                "ground_truth_relevant": ["doc_001", "doc_002", "doc_004"],
            },
            "generated_answer": ANSWER,
            "citations": [{**SPAN, "confidence_score": 0.95}],
            "individual_metrics": {
                "hit@3": 1.0,
                "ndcg@3": 0.85,
                "citation_span_accuracy": 0.92,
                "factual_consistency": 0.9,
            },
        }
    ],
    "statistical_analysis": {
        "significance_tests": {
            "retrieval_improvement": {
                "baseline_mean": 0.75,
                "current_mean": 0.78,
                "p_value": 0.02,
                "significant": True,
                "effect_size": 0.3,
            }
        },
        "confidence_intervals": {"all_metrics": "calculated", "confidence_level": 0.95},
    },
    "metadata": {
        "evaluation_environment": {
            "hardware": "Intel i7-9750H, 16GB RAM",
            "software": "Python 3.11, PyTorch 2.8.0",
            "system_load": "low",
        },
        "evaluation_parameters": {"timeout_seconds": 30, "max_retries": 3, "random_seed": 42},
        "quality_assurance": {
            "data_validation": "passed",
            "metric_calculation": "verified",
            "statistical_tests": "passed",
        },
    },
}
SAMPLE: dict[str, Any] = {
    "dataset_id": "sample_eval_v1.0.0",
    "name": "Sample Evaluation Dataset",
    "version": "1.0.0",
    "description": "Sample dataset for testing evaluation framework",
    "created_at": "2025-08-30T12:00:00Z",
    "metadata": {"domain": "general", "language": "en", "size": 2},
    "queries": [
        {
            "query_id": "sample_query_001",
            "query_text": "What is machine learning?",
            "query_type": "factual",
            "difficulty": "easy",
            "relevant_documents": ["doc_ml_intro"],
            "ground_truth_answer": "Machine learning is a subset of artificial intelligence that enables "
            "computers to learn from data without being explicitly programmed.",
            "citations": [
                {
                    "file_name": "ml_guide.pdf",
                    "page_number": 1,
                    "start_char": 100,
                    "end_char": 200,
                    "confidence_score": 0.95,
                }
            ],
        }
    ],
    "documents": [
        {
            "document_id": "doc_ml_intro",
            "title": "Introduction to Machine Learning",
            "content": "Machine learning is a subset of artificial intelligence...",
            "file_path": "docs/ml_intro.pdf",
        }
    ],
}
GROUND_TRUTH: dict[str, Any] = {
    "dataset_id": "personal_rag_eval_v1.0.0",
    "version": "1.0.0",
    "annotations": [CITATION_ANNOTATION, QUALITY_ANNOTATION],
}
"""Both annotations in one file: the document names such a file and leaves its shape open."""
BENCHMARK: dict[str, Any] = {
    "benchmark_id": "latency_benchmarks",
    "created_at": "2025-08-30T12:00:00Z",
    "entries": [
        {
            "metric": "latency_ms",
            "value": 1250.0,
            "unit": "ms",
            "n": 500,
            "confidence_interval": [1180.0, 1320.0],
            "system_version": "personal-rag-v2.1.0",
        }
    ],
}
"""The document names benchmark files and leaves their shape open."""
