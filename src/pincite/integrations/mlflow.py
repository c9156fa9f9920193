"""MLflow: a scorer for `mlflow.genai.evaluate`, and feedback for a trace that is already there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pincite.errors import MissingExtraError
from pincite.integrations.outcome import CheckOutcome, outcome_of
from pincite.integrations.rows import check_row, citation_rows, comment_of, find_contexts, label_of
from pincite.judges import Judge
from pincite.records import Report

try:
    from mlflow.entities import AssessmentError, AssessmentSource, AssessmentSourceType, Feedback, SpanType
    from mlflow.genai.scorers import Scorer, scorer
except ImportError as error:
    raise MissingExtraError("this needs the mlflow-skinny library: pip install 'pincite[mlflow]'") from error

_NAME = "citations"


def citation_scorer(name: str = _NAME, *, judge: str | Judge | None = None, **overrides: Any) -> Scorer:
    """A scorer that checks the citations of an answer: the share of judged citations that are supported.

    The answer is in the outputs. Its contexts are in the outputs or the inputs (`contexts`, `documents` and
    the like), or else what the retrievers of the trace returned. `overrides` are fields of `Settings`.
    """

    @scorer(name=name)
    def check_citations(inputs: Any = None, outputs: Any = None, trace: Any = None) -> Feedback:
        contexts = None
        if not _has_contexts(outputs, inputs) and trace is not None:
            contexts = retrieved_documents(trace)
        outcome = check_row(outputs, inputs, contexts=contexts, judge=judge, **overrides)
        return _feedback(outcome, name)

    return check_citations


def feedback_of(report: Report, name: str = _NAME) -> Feedback:
    """A report as feedback, to be logged with `mlflow.log_assessment(trace_id, …)`."""
    return _feedback(outcome_of(report), name)


def retrieved_documents(trace: Any) -> list[Any] | None:
    """What the retrievers of a trace returned, in their order; None where it has no retriever.

    A retriever inside another one is a part of it and is not counted again.
    """
    spans = {span.span_id: span for span in trace.data.spans}
    retrievers = [span for span in trace.data.spans if span.span_type == SpanType.RETRIEVER]
    outer = [span for span in retrievers if not _inside_a_retriever(span, spans)]
    if not outer:
        return None
    outer.sort(key=lambda span: span.start_time_ns)
    return [_document(one) for span in outer for one in _as_list(span.outputs)]


def _inside_a_retriever(span: Any, spans: Mapping[str, Any]) -> bool:
    seen = {span.span_id}
    parent = spans.get(span.parent_id)
    while parent is not None and parent.span_id not in seen:
        if parent.span_type == SpanType.RETRIEVER:
            return True
        seen.add(parent.span_id)
        parent = spans.get(parent.parent_id)
    return False


def _as_list(outputs: Any) -> list[Any]:
    if isinstance(outputs, Mapping):
        outputs = outputs.get("documents", outputs.get("result", [outputs]))
    return list(outputs) if isinstance(outputs, list | tuple) else [outputs]


def _document(given: Any) -> Any:
    """A retrieved document; MLflow's own convention is that `doc_uri` says where it is from."""
    metadata = given.get("metadata") if isinstance(given, Mapping) else None
    if not isinstance(metadata, Mapping) or "doc_uri" not in metadata or "source" in metadata:
        return given
    return {**given, "metadata": {**metadata, "source": metadata["doc_uri"]}}


def _has_contexts(*places: Any) -> bool:
    try:
        find_contexts(*places)
    except ValueError:
        return False
    return True


def _feedback(outcome: CheckOutcome, name: str) -> Feedback:
    unjudged = outcome.score is None
    return Feedback(
        name=name,
        value=outcome.score,
        error=AssessmentError("NOT_JUDGED", outcome.reason) if unjudged else None,
        rationale=comment_of(outcome),
        source=AssessmentSource(source_type=AssessmentSourceType.CODE, source_id="pincite"),
        # Metadata can hold nothing but strings.
        metadata={"label": label_of(outcome), "citations": json.dumps(citation_rows(outcome))},
    )
