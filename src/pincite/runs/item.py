"""One item measured: the pairs of all metrics judged once, then every metric scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pincite.answers import fields_of
from pincite.config import Settings
from pincite.datasets import EvaluationQuery
from pincite.judges import Judge
from pincite.metrics import Case, Metric, as_listed, find_failures, measure_cases
from pincite.records import (
    DatasetItem,
    Failure,
    ItemResult,
    JudgedPair,
    JudgedPlace,
    Pair,
    RecordedAnswer,
    SpanTarget,
    Verdict,
)
from pincite.sources import Library

LONGEST_CLAIM = 1000
"""Characters of a claim that the history keeps of a verdict."""
LONGEST_PLACE = 600
"""Characters of each place that a judge was shown."""


async def evaluate_item(
    item: DatasetItem,
    query: EvaluationQuery,
    metrics: Sequence[Metric],
    judge: Judge,
    settings: Settings,
    library: Library,
    *,
    recorded: RecordedAnswer | None = None,
    key: str = "",
    position: int = 0,
) -> ItemResult:
    """Everything that is kept about one query. A metric that breaks is a result that says so."""
    case = Case(item, library, settings)
    measured = await measure_cases([case], metrics, judge, settings.batch_size)
    verdicts = measured.verdicts
    documents = as_listed(_documents(item), library)
    return ItemResult(
        key=key,
        position=position,
        query_id=query.query_id,
        query_text=query.query_text,
        failure=item.failure,
        attempts=recorded.attempts if recorded is not None else 1,
        answer=item.actual_output,
        citations=_citations(case, recorded),
        retrieved=item.retrieved,
        relevant=tuple(item.relevant) if item.relevant is not None else None,
        latency_ms=item.latency_ms,
        usage=item.usage,
        query_type=item.query_type,
        difficulty=item.difficulty,
        documents=documents,
        cluster=_cluster(item, documents),
        results=tuple(msgspec.structs.replace(result, signals=None) for result in measured.results[0]),
        verdicts=tuple(judged_pair(pair, verdict) for pair, verdict in verdicts.items()),
        failures=_failures(case, verdicts),
        cited_documents=_cited_documents(case),
        oddities=recorded.oddities if recorded is not None else (),
    )


def judged_pair(pair: Pair, verdict: Verdict) -> JudgedPair:
    """A pair and its verdict, as the history keeps them."""
    return JudgedPair(
        question=pair.question,
        claim=pair.claim[:LONGEST_CLAIM],
        documents=tuple(dict.fromkeys(passage.document for passage in pair.passages)),
        outcome=verdict.outcome,
        score=verdict.score,
        reason=verdict.reason[:LONGEST_CLAIM],
        judge=verdict.judge,
        evidence=tuple(
            JudgedPlace(shown.document, shown.start, shown.end, shown.text[:LONGEST_PLACE])
            for shown in pair.passages
        ),
    )


def _citations(case: Case, recorded: RecordedAnswer | None) -> tuple[dict[str, Any], ...] | None:
    """As the system gave them, or as parsed from its answer."""
    if recorded is not None and recorded.citations is not None:
        return recorded.citations
    if case.item.actual_output is None:
        return None
    found: list[dict[str, Any]] = []
    try:
        for cited in case.reading.targets:
            target = cited.target
            if isinstance(target, SpanTarget):
                found.append(fields_of(target) or {})
            else:
                found.append({"text": cited.citation.text, "file_name": cited.evidence.document})
    except Exception:
        return None  # an answer that cannot be read has been told by every metric
    return tuple(found)


def _documents(item: DatasetItem) -> tuple[str, ...]:
    """What the query is about: the relevant documents, or else those that should be cited."""
    if item.relevant:
        return tuple(name for name, grade in item.relevant.items() if grade > 0)
    return tuple(dict.fromkeys(span.document for span in item.true_spans or ()))


def _cluster(item: DatasetItem, documents: Sequence[str]) -> str | None:
    """What the query shares with others: its conversation, or the first document that it is about.

    All documents of all queries would soon tie a whole dataset into one cluster, of which no interval can be
    made.
    """
    if item.conversation_id:
        return f"conversation {item.conversation_id}"
    return f"document {documents[0]}" if documents else None


def _cited_documents(case: Case) -> tuple[str, ...]:
    try:
        found = (cited.evidence.document for cited in case.reading.targets)
        return tuple(dict.fromkeys(name for name in found if name))
    except Exception:
        return ()


def _failures(case: Case, verdicts: dict[Pair, Verdict]) -> tuple[Failure, ...]:
    try:
        return find_failures(case, verdicts)
    except Exception as error:
        # Counting what went wrong must not take the scores along, nor look as if nothing had.
        return (Failure("not_analysed", None, type(error).__name__),)
