"""Citations that come apart from the answer: put in place, judged, and told in the document's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.compat.citation_span import CitationSpan
from pincite.config import Settings
from pincite.datasets.recorded.cited import citations_of
from pincite.findings.check import chosen_judge
from pincite.judges.judge import Judge
from pincite.metrics.case import Case, open_case
from pincite.metrics.metric import Metric, judge_pairs
from pincite.records import DatasetItem, Result

_REASONS = {"unknown_document": "document_not_found", "out_of_bounds": "span_out_of_bounds"}
"""The document's own words for what went wrong, where it has one."""


def case_of(
    answer: str, citations: Sequence[CitationSpan], source_documents: Any, settings: Settings
) -> Case:
    """The answer opened for measuring, each citation at its marker where the answer has one."""
    fields = [
        {
            "file_name": one.file_name,
            "page_number": one.page_number,
            "start_char": one.start_char,
            "end_char": one.end_char,
            "excerpt": one.context_text,
        }
        for one in citations
    ]
    item = DatasetItem(actual_output=answer, citations=citations_of(fields, answer))
    return open_case(item, source_documents, settings)


def measure(case: Case, metrics: Sequence[Metric], judge: str | Judge | None = None) -> dict[str, Result]:
    """The result of every metric by its title. Their questions go to the judge at once."""
    pairs = [pair for metric in metrics for pair in metric.pairs(case)]
    verdicts = {}
    if pairs:
        with chosen_judge(judge, case.settings) as (chosen, run):
            verdicts = run(judge_pairs(pairs, chosen, case.settings.batch_size))
    return {metric.title: metric.score(case, verdicts) for metric in metrics}


def validation(correctness: Result, threshold: float) -> dict[str, Any]:
    """The document's validation metrics, from the result of `CitationCorrectness`."""
    details = [_detail(target, threshold) for target in correctness.signals["targets"]]
    decided = [detail for detail in details if detail["support_score"] is not None]
    valid = sum(detail["valid"] for detail in decided)
    scores = [detail["support_score"] for detail in decided]
    return {
        "citation_validity_rate": valid / len(decided) if decided else None,
        "mean_support_score": sum(scores) / len(decided) if decided else None,
        "invalid_citations": len(decided) - valid,
        "validation_details": details,
        "valid_citations": valid,
        "total_citations": len(details),
        "unjudged_citations": len(details) - len(decided),
    }


def _detail(target: Mapping[str, Any], threshold: float) -> dict[str, Any]:
    """One citation: `status` is Pincite's word, `reason` the document's if it has one.

    It is valid when it is correct and its support reaches the threshold. Of several that support a claim only
    together, the score of one alone is no measure.
    """
    score, standing = target["support_score"], target["standing"]
    status, valid = target["outcome"] or target["status"], False
    reason = _REASONS.get(status, status)
    if standing == "behind_no_claim":
        status, reason = "unjudged", "no_claim"
    elif standing == "unjudged":
        status = "unjudged"
    elif standing == "misquoted":
        status = reason = "misquoted"
    elif standing == "correct":
        alone = target["outcome"] == "supported"
        valid = not alone or score >= threshold
        reason = "below_threshold" if not valid else "supported" if alone else "supported_together"
    return {
        "valid": valid,
        "status": status,
        "reason": reason,
        "message": target["reason"],
        "support_score": score,
        "cited_length": target["cited_length"],
        "claim_length": len(target["claim"] or ""),
        "claim": target["claim"],
        "document": target["document"],
    }
