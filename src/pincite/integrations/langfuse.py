"""Langfuse: an evaluator for experiments, and scores for a trace that is already there.

Langfuse has no empty score: a score is a number or a category. So each answer gets a category, `ok`,
`problems` or `unjudged`, and a number only where there is one. An average of the numbers counts nothing
unjudged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pincite.errors import MissingExtraError
from pincite.integrations.outcome import CheckOutcome, outcome_of
from pincite.integrations.rows import check_row, citation_rows, comment_of, label_of
from pincite.judges import Judge
from pincite.records import Report

try:
    from langfuse import Evaluation, Langfuse
except ImportError as error:
    raise MissingExtraError("this needs the langfuse library: pip install 'pincite[langfuse]'") from error

_NAME = "citations"


def citation_evaluator(
    name: str = _NAME, *, judge: str | Judge | None = None, **overrides: Any
) -> Callable[..., list[Evaluation]]:
    """An evaluator for `langfuse.run_experiment(evaluators=[…])`.

    The answer is the task's output. Its contexts are in the output, the item's input or its metadata
    (`contexts`, `documents` and the like). `overrides` are fields of `Settings`.
    """

    def check_citations(
        *, input: Any = None, output: Any = None, metadata: Any = None, **ignored: Any
    ) -> list[Evaluation]:
        outcome = check_row(output, input, metadata, judge=judge, **overrides)
        return [Evaluation(**score) for score in _scores(outcome, name)]

    return check_citations


def score_trace(
    client: Langfuse, report: Report, *, trace_id: str, observation_id: str | None = None, name: str = _NAME
) -> None:
    """Add a report to a trace, or to one observation of it. The client sends it when it sends the rest."""
    for number, score in enumerate(_scores(outcome_of(report), name)):
        client.create_score(
            trace_id=trace_id,
            observation_id=observation_id,
            # The same answer checked again replaces its scores.
            score_id=f"{observation_id or trace_id}-{name}-{number}",
            **score,
        )


def _scores(outcome: CheckOutcome, name: str) -> list[dict[str, Any]]:
    said = {"comment": comment_of(outcome), "metadata": {"citations": citation_rows(outcome)}}
    label = {"name": f"{name}_label", "value": label_of(outcome), "data_type": "CATEGORICAL", **said}
    if outcome.score is None:
        return [label]
    return [label, {"name": name, "value": outcome.score, "data_type": "NUMERIC", **said}]
