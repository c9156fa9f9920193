"""Phoenix: an evaluator for `phoenix.evals`, and annotations for spans that are already there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pincite.errors import MissingExtraError
from pincite.integrations.outcome import CitationOutcome, outcome_of
from pincite.integrations.rows import check_row, citation_rows, comment_of, label_of
from pincite.judges import Judge
from pincite.records import Report
from pincite.sources import contexts as open_contexts

try:
    from phoenix.evals.evaluators import Evaluator, Score
    from pydantic import BaseModel
except ImportError as error:
    raise MissingExtraError(
        "this needs the arize-phoenix-evals library: pip install 'pincite[phoenix]'"
    ) from error

_NAME = "citations"
_WORST_FIRST = ("contradicted", "unsupported", "unjudged", "supported")


class PhoenixCitationInput(BaseModel):
    """The columns of a frame, or the fields of a row, that the evaluator reads."""

    output: Any
    contexts: Any
    input: Any = None


class PhoenixCitationEvaluator(Evaluator):
    """Checks the citations of an answer: the share of judged citations that are supported.

    An answer of which nothing could be judged has the label `unjudged` and no score. `overrides` are fields
    of `Settings`.
    """

    def __init__(self, name: str = _NAME, *, judge: str | Judge | None = None, **overrides: Any) -> None:
        super().__init__(name=name, kind="code", input_schema=PhoenixCitationInput)
        self._options = {"judge": judge, **overrides}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        outcome = check_row(
            eval_input["output"], eval_input.get("input"), contexts=eval_input["contexts"], **self._options
        )
        score = Score(
            name=self.name,
            kind="code",
            score=outcome.score,
            label=label_of(outcome),
            explanation=comment_of(outcome),
            metadata={"citations": citation_rows(outcome)},
        )
        return [score]


def span_annotation(report: Report, span_id: str, name: str = _NAME) -> dict[str, Any]:
    """A report as an annotation for `client.spans.log_span_annotations(span_annotations=[…])`."""
    outcome = outcome_of(report)
    return {
        "name": name,
        "annotator_kind": "CODE",
        "span_id": span_id,
        "result": _result(outcome.score, label_of(outcome), comment_of(outcome)),
        "metadata": {"citations": citation_rows(outcome)},
    }


def document_annotations(
    report: Report,
    contexts: Iterable[Any],
    span_id: str,
    name: str = _NAME,
    *,
    ids: Iterable[str | int] | None = None,
) -> list[dict[str, Any]]:
    """What the citations of each document came to, for `client.spans.log_document_annotations(…)`.

    `contexts` and `ids` are those that the answer was checked with, and `span_id` is the retriever's span
    that returned them, in the same order. A document that no citation names has no annotation.
    """
    positions = {entry.name: place for place, entry in enumerate(open_contexts(contexts, ids=ids).entries)}
    found: dict[int, list[CitationOutcome]] = {}
    for one in outcome_of(report).citations:
        if one.document in positions:
            found.setdefault(positions[one.document], []).append(one)
    return [
        {
            "name": name,
            "annotator_kind": "CODE",
            "span_id": span_id,
            "document_position": position,
            "result": _of_document(cited),
        }
        for position, cited in sorted(found.items())
    ]


def _of_document(cited: list[CitationOutcome]) -> dict[str, Any]:
    """The share of its judged citations that hold, and the worst that is known of any."""
    values = [one.value for one in cited if one.value is not None]
    score = sum(values) / len(values) if values else None
    worst = min((one.verdict for one in cited), key=_WORST_FIRST.index)
    return _result(score, worst, "\n".join(f"{one.marker or one.target}: {one.reason}" for one in cited))


def _result(score: float | None, label: str, explanation: str) -> dict[str, Any]:
    """Without a score where there is none: Phoenix takes no null, and a frame's NaN cannot be sent."""
    told: dict[str, Any] = {"label": label, "explanation": explanation}
    return told if score is None else {**told, "score": score}
