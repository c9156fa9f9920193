"""LangSmith and openevals: an evaluator that both can call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pincite.integrations.rows import check_row, citation_rows, comment_of, label_of
from pincite.judges import Judge

CitationEvaluate = Callable[..., dict[str, Any]]


def citation_evaluator(
    key: str = "citations", *, judge: str | Judge | None = None, **overrides: Any
) -> CitationEvaluate:
    """An evaluator for `langsmith.evaluate`, or to be called as those of openevals are.

    The answer is in the outputs: a text, a dict, a message, or the messages of a conversation. Its contexts
    are in the outputs, the inputs or the reference outputs (`contexts`, `documents` and the like), or are
    given as `context`. `overrides` are fields of `Settings`.
    """

    def check_citations(
        *,
        inputs: Any = None,
        outputs: Any = None,
        reference_outputs: Any = None,
        context: Any = None,
        **ignored: Any,
    ) -> dict[str, Any]:
        outcome = check_row(outputs, inputs, reference_outputs, contexts=context, judge=judge, **overrides)
        rows = citation_rows(outcome)
        return {
            "key": key,
            "score": outcome.score,  # None is no score; a 0 would be one
            "value": label_of(outcome),
            "comment": comment_of(outcome),
            "metadata": {"citations": rows},
            "extra": {"citations": rows},  # the field that is uploaded
        }

    return check_citations
