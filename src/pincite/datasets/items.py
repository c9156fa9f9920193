"""A query and its recorded answer, put together as the item that metrics see."""

from __future__ import annotations

from pincite.answers import citations_of, read_conversation
from pincite.config import Settings
from pincite.datasets.formats.records import CitationSpan, EvaluationQuery
from pincite.records import DatasetItem, Place, RecordedAnswer

NO_ANSWER = "there is no recorded answer for this query"


def make_item(
    query: EvaluationQuery, recorded: RecordedAnswer | None, settings: Settings | None = None
) -> DatasetItem:
    """What is known about a query, and what the system answered; without an answer, why there is none."""
    answered = recorded if recorded is not None else RecordedAnswer(failure=NO_ANSWER)
    failure = answered.failure
    if answered.answer is None and failure is None:
        failure = "the recorded answer has no text"
    expected = query.expected_output if query.expected_output is not None else query.ground_truth_answer
    return DatasetItem(
        query=query.query_text,
        actual_output=answered.answer,
        expected_output=expected,
        conversation=answered.conversation or read_conversation(query.conversation),
        query_id=query.query_id,
        citations=citations_of(answered.citations, answered.answer),
        true_spans=None if query.citations is None else scored_spans(query.citations),
        other_true_spans=tuple(scored_spans(spans) for spans in query.alternative_citations),
        relevant=query.relevant,
        retrieved=answered.retrieved,
        references=answered.references if answered.references is not None else query.references,
        sources=answered.sources,
        latency_ms=answered.latency_ms,
        usage=answered.usage,
        query_type=query.query_type,
        difficulty=query.difficulty,
        conversation_id=query.conversation_id,
        failure=failure,
        metadata=query.metadata,
    )


def scored_spans(citations: tuple[CitationSpan, ...]) -> tuple[Place, ...]:
    """The spans of gold citations."""
    return tuple(Place(one.document, one.page_number, one.start_char, one.end_char) for one in citations)
