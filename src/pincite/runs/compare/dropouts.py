"""Queries that a comparison of one metric leaves out because only one run has a value for them.

An answer without citations has no correctness: the worst answers of a system would drop out of sight.
"""

from __future__ import annotations

TELLING = 0.1
"""The share of queries above which it is told that they are left out."""

_CITED = ("alce_recall", "citation_completeness")
_COUNTED_BY = {
    "citation_correctness": _CITED,
    "citation_relevance": _CITED,
    "citation_relevancy": _CITED,
    "fabrication_rate": _CITED,
    "factual_consistency": _CITED,
    "alce_precision": ("alce_recall", "alce_f1"),
    "trec_rag_precision": ("trec_rag_recall",),
    "longcite_precision": ("longcite_recall", "longcite_f1"),
    "span_precision": ("span_recall", "span_f1"),
}
"""Metrics that leave out answers which cite nothing, and those that count them."""


def told_dropouts(metric: str, one_sided: tuple[int, int], queries: int) -> str:
    """In words how many of the queries that either run has a value for are left out; empty where few are."""
    left_out = sum(one_sided)
    if left_out <= TELLING * queries:
        return ""
    missing = [(count, side) for count, side in zip(reversed(one_sided), "AB", strict=True) if count]
    where = (
        missing[0][1] if len(missing) == 1 else " or ".join(f"{side} ({count:,})" for count, side in missing)
    )
    told = f"{left_out:,} of {queries:,} queries are left out, without a value in {where}"
    others = _COUNTED_BY.get(metric.partition("(")[0].lower(), ())
    counted = f"{' and '.join(others)} {'counts' if len(others) == 1 else 'count'} them"
    return f"{told}; {counted}" if others else told
