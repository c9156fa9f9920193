"""What a dataset holds, counted in one pass."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pincite.datasets.load import Dataset
from pincite.records import SCHEMA_VERSION


def dataset_stats(dataset: Dataset) -> dict[str, Any]:
    """Counts of queries, documents and citations. A mean of nothing is None."""
    counts: Counter[str] = Counter()
    types: Counter[str] = Counter()
    difficulties: Counter[str] = Counter()
    for query in dataset.queries():
        counts["queries"] += 1
        counts["characters"] += len(query.query_text)
        types[query.query_type or "(none)"] += 1
        difficulties[query.difficulty or "(none)"] += 1
        relevant = query.relevant
        counts["with relevant documents"] += bool(relevant)
        counts["graded"] += any(grade not in (0, 1) for grade in (relevant or {}).values())
        counts["relevant documents"] += len(relevant or {})
        counts["with answer"] += query.ground_truth_answer is not None
        counts["in conversations"] += query.conversation is not None or query.conversation_id is not None
        if query.citations is None:
            counts["without citations field"] += 1
        else:
            counts["with citations" if query.citations else "nothing to cite"] += 1
            counts["citations"] += len(query.citations)
            counts["cited characters"] += sum(
                (span.end_char or 0) - (span.start_char or 0) for span in query.citations
            )
        counts["alternative sets"] += len(query.alternative_citations)
    for document in dataset.documents():
        counts["documents"] += 1
        counts["document characters"] += len(document.content)
    return {
        "schema_version": SCHEMA_VERSION,
        "dataset_id": dataset.dataset_id,
        "name": dataset.name,
        "version": dataset.version,
        "digest": dataset.digest,
        "queries": {
            "total": counts["queries"],
            "by_query_type": dict(sorted(types.items())),
            "by_difficulty": dict(sorted(difficulties.items())),
            "mean_length": _mean(counts["characters"], counts["queries"]),
            "with_ground_truth_answer": counts["with answer"],
            "with_relevant_documents": counts["with relevant documents"],
            "with_graded_relevance": counts["graded"],
            "mean_relevant_documents": _mean(counts["relevant documents"], counts["with relevant documents"]),
            "in_conversations": counts["in conversations"],
        },
        "citations": {
            "total": counts["citations"],
            "queries_with_citations": counts["with citations"],
            "queries_with_nothing_to_cite": counts["nothing to cite"],
            "queries_without_citations_field": counts["without citations field"],
            "alternative_sets": counts["alternative sets"],
            "mean_length": _mean(counts["cited characters"], counts["citations"]),
        },
        "documents": {
            "total": counts["documents"],
            "mean_length": _mean(counts["document characters"], counts["documents"]),
        },
    }


def _mean(total: float, count: int) -> float | None:
    try:
        return round(total / count, 3) if count else None
    except OverflowError:  # offsets of hundreds of digits
        return None
