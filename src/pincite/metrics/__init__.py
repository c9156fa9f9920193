"""What an answer or a retrieval scores, one item at a time and over a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.metrics.answer_metrics import NO_SOURCES, FactualConsistency, HallucinationRate
    from pincite.metrics.case import Case, open_case, to_item
    from pincite.metrics.citations.fidelity import CitationFidelity, CitationFidelityResult
    from pincite.metrics.citations.judged import NO_ANSWER
    from pincite.metrics.citations.metrics import (
        CitationCompleteness,
        CitationCorrectness,
        CitationDensity,
        FabricationRate,
        QuoteFidelity,
    )
    from pincite.metrics.citations.references import CitationAccuracy, CitationAccuracyResult
    from pincite.metrics.citations.relevancy import CitationRelevancy, CitationRelevancyResult, EvaluationMode
    from pincite.metrics.failures import find_failures
    from pincite.metrics.graph import citation_graph
    from pincite.metrics.judging import Agreement, Figure, JudgedRow, JudgeFigures, measure_judge
    from pincite.metrics.metric import Metric, Verdicts, measure_cases, meets
    from pincite.metrics.names import (
        known_metric,
        list_metrics,
        parse_metric,
        register_metrics,
        usual_metrics,
    )
    from pincite.metrics.performance import ApiUsage, LatencyStats, ResourceSampler
    from pincite.metrics.retrieval.metrics import RetrievalMetric
    from pincite.metrics.retrieval.ranking import find_relevant
    from pincite.metrics.spans.cases import spans_in
    from pincite.metrics.spans.document_names import as_listed, unite
    from pincite.metrics.spans.metrics import CitationSpanAccuracy
    from pincite.metrics.spans.records import Place, Ratio, SpanScores
    from pincite.metrics.spans.scoring import score_spans
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "answer_metrics": "FactualConsistency HallucinationRate NO_SOURCES",
            "case": "Case open_case to_item",
            "citations.fidelity": "CitationFidelity CitationFidelityResult",
            "citations.judged": "NO_ANSWER",
            "citations.metrics": (
                "CitationCompleteness CitationCorrectness CitationDensity FabricationRate QuoteFidelity"
            ),
            "citations.references": "CitationAccuracy CitationAccuracyResult",
            "citations.relevancy": "CitationRelevancy CitationRelevancyResult EvaluationMode",
            "failures": "find_failures",
            "graph": "citation_graph",
            "judging": "Agreement Figure JudgeFigures JudgedRow measure_judge",
            "metric": "Metric Verdicts measure_cases meets",
            "names": "known_metric list_metrics parse_metric register_metrics usual_metrics",
            "performance": "ApiUsage LatencyStats ResourceSampler",
            "retrieval.metrics": "RetrievalMetric",
            "retrieval.ranking": "find_relevant",
            "spans.cases": "spans_in",
            "spans.document_names": "as_listed unite",
            "spans.metrics": "CitationSpanAccuracy",
            "spans.records": "Ratio Place SpanScores",
            "spans.scoring": "score_spans",
        },
    )
