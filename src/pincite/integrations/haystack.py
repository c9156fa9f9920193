"""Haystack: a component that scores answers in an evaluation, and one that checks them in a pipeline."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pincite.errors import MissingExtraError
from pincite.integrations.outcome import CheckOutcome
from pincite.integrations.rows import check_row, citation_rows, comment_of, label_of

try:
    from haystack import Document, GeneratedAnswer, component, default_to_dict
except ImportError as error:
    raise MissingExtraError("this needs the haystack-ai library: pip install 'pincite[haystack]'") from error


class _Saved:
    """What both components are made from, and saved as with a pipeline."""

    def __init__(self, judge: str | None = None, overrides: dict[str, Any] | None = None) -> None:
        """`judge` is a judge's name; `overrides` are fields of `Settings`."""
        self.judge = judge
        self.overrides = overrides

    def to_dict(self) -> dict[str, Any]:
        """The component as a dict, for a pipeline that is saved."""
        saved: dict[str, Any] = default_to_dict(self, judge=self.judge, overrides=self.overrides)
        return saved

    def _check(self, answer: Any, contexts: Any, query: str | None) -> CheckOutcome:
        return check_row(answer, contexts=contexts, query=query, judge=self.judge, **(self.overrides or {}))


@component
class HaystackCitationEvaluator(_Saved):
    """Scores the citations of many answers: the share of judged citations that are supported.

    An answer of which nothing could be judged has None among the individual scores, and its reason among the
    results; it is not in the score.
    """

    @component.output_types(
        score=float | None, individual_scores=list[float | None], results=list[dict[str, Any]]
    )
    def run(
        self,
        predicted_answers: list[str],
        contexts: list[list[str]] | list[list[Document]],
        questions: list[str] | None = None,
    ) -> dict[str, Any]:
        """Check each answer against its contexts, which are texts or documents in the order of the prompt."""
        if len(predicted_answers) != len(contexts) or len(questions or contexts) != len(contexts):
            raise ValueError("predicted_answers, contexts and questions must have the same length")
        outcomes = [
            self._check(answer, contexts[number], questions[number] if questions else None)
            for number, answer in enumerate(predicted_answers)
        ]
        scores = [outcome.score for outcome in outcomes]
        judged = [score for score in scores if score is not None]
        return {
            "score": sum(judged) / len(judged) if judged else None,
            "individual_scores": scores,
            "results": [_result(outcome) for outcome in outcomes],
        }


@component
class HaystackCitationChecker(_Saved):
    """Checks the answers of an `AnswerBuilder` against their documents, inside a pipeline.

    Each answer comes out in `ok` or in `flagged`, with what was found under `pincite` in its metadata. An
    answer of which nothing could be judged is flagged, with the label `unjudged`.
    """

    @component.output_types(ok=list[GeneratedAnswer], flagged=list[GeneratedAnswer])
    def run(self, answers: list[GeneratedAnswer]) -> dict[str, list[GeneratedAnswer]]:
        """Check each answer against the documents that it carries."""
        sorted_out: dict[str, list[GeneratedAnswer]] = {"ok": [], "flagged": []}
        for answer in answers:
            outcome = self._check(answer.data, _numbered(answer.documents), answer.query)
            checked = replace(answer, meta={**answer.meta, "pincite": _result(outcome)})
            sorted_out["ok" if label_of(outcome) == "ok" else "flagged"].append(checked)
        return sorted_out


def _numbered(documents: list[Document]) -> list[Document] | dict[str, Any]:
    """The documents by the numbers that the answer uses: a builder may keep only some of them."""
    numbers = [document.meta.get("source_index") for document in documents]
    whole = all(type(number) is int for number in numbers) and len(set(numbers)) == len(numbers)
    if not documents or not whole or numbers == list(range(1, len(numbers) + 1)):
        return documents
    return {str(number): document for number, document in zip(numbers, documents, strict=True)}


def _result(outcome: CheckOutcome) -> dict[str, Any]:
    """What came of one answer, as a pipeline can pass it on and save it."""
    return {
        "score": outcome.score,
        "label": label_of(outcome),
        "reason": outcome.reason,
        "comment": comment_of(outcome),
        "citations": citation_rows(outcome),
    }
