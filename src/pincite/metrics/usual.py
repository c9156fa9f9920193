"""The metrics of a run when none are asked for."""

from __future__ import annotations

RETRIEVAL = ("hit@1", "hit@3", "hit@5", "precision@5", "recall@5", "nDCG@5", "nDCG@10", "MRR", "MAP@5")
SPANS = (
    "span_jaccard",
    "span_precision(average=micro)",
    "span_recall(average=micro)",
    "span_f1(average=micro)",
    "span_precision",
    "span_recall",
    "span_f1",
    "citation_span_accuracy",
)
CITATIONS = (
    "citation_completeness",
    "citation_correctness",
    "citation_density",
    "fabrication_rate",
    "quote_fidelity",
    "alce_recall",
    "alce_precision",
    "alce_f1",
    "trec_rag_precision",
    "trec_rag_recall",
    "longcite_f1",
)
ANSWERS = ("factual_consistency", "hallucination_rate", "contradiction_rate")


def usual_metrics(
    *,
    retrieval: bool = True,
    spans: bool = True,
    web: bool = False,
    data: bool = False,
    references: bool = False,
) -> tuple[str, ...]:
    """Every usual metric that the data can tell anything about.

    `web` says that answers cite pages or papers, `data` that there are JSON values for path citations,
    `references` that there are numbered lists of references.
    """
    return (
        *(RETRIEVAL if retrieval else ()),
        *(SPANS if spans else ()),
        *CITATIONS,
        *ANSWERS,
        *(("citation_relevancy",) if web else ()),
        *(("citation_fidelity",) if data else ()),
        *(("citation_accuracy",) if references else ()),
    )
