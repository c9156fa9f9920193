"""What an answer or a retrieval scores, one item at a time and over a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.metrics.answer_metrics import NO_SOURCES, FactualConsistency, HallucinationRate
    from pincite.metrics.case import Case, open_case, to_item
    from pincite.metrics.citation_metrics import (
        CitationCompleteness,
        CitationCorrectness,
        CitationDensity,
        FabricationRate,
        QuoteFidelity,
    )
    from pincite.metrics.document_names import as_listed, unite
    from pincite.metrics.failures import find_failures
    from pincite.metrics.fidelity import CitationFidelity, CitationFidelityResult
    from pincite.metrics.graph import citation_graph
    from pincite.metrics.judge_figures import Agreement, Figure, JudgedRow, JudgeFigures, measure_judge
    from pincite.metrics.metric import Metric, Verdicts, measure_cases, meets
    from pincite.metrics.names import (
        ListedMetric,
        known_metric,
        list_metrics,
        parse_metric,
        register_metrics,
        usual_metrics,
    )
    from pincite.metrics.performance import ApiUsage, LatencyStats, ResourceSampler
    from pincite.metrics.references import CitationAccuracy, CitationAccuracyResult
    from pincite.metrics.relevancy import CitationRelevancy, CitationRelevancyResult, EvaluationMode
    from pincite.metrics.retrieval import RetrievalMetric, find_relevant
    from pincite.metrics.span_metrics import CitationSpanAccuracy, spans_in
    from pincite.metrics.span_records import Ratio, SpanScores
    from pincite.metrics.span_scores import score_spans
    from pincite.metrics.tally import NO_ANSWER
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "answer_metrics": "FactualConsistency HallucinationRate NO_SOURCES",
            "case": "Case open_case to_item",
            "fidelity": "CitationFidelity CitationFidelityResult",
            "tally": "NO_ANSWER",
            "citation_metrics": (
                "CitationCompleteness CitationCorrectness CitationDensity FabricationRate QuoteFidelity"
            ),
            "references": "CitationAccuracy CitationAccuracyResult",
            "relevancy": "CitationRelevancy CitationRelevancyResult EvaluationMode",
            "failures": "find_failures",
            "graph": "citation_graph",
            "judge_figures": "Agreement Figure JudgeFigures JudgedRow measure_judge",
            "metric": "Metric Verdicts measure_cases meets",
            "names": "ListedMetric known_metric list_metrics parse_metric register_metrics usual_metrics",
            "performance": "ApiUsage LatencyStats ResourceSampler",
            "retrieval": "RetrievalMetric find_relevant",
            "document_names": "as_listed unite",
            "span_metrics": "CitationSpanAccuracy spans_in",
            "span_records": "Ratio SpanScores",
            "span_scores": "score_spans",
        },
    )
