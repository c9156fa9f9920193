"""Pydantic Evals: an evaluator that scores an answer's citations and labels each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pincite.errors import UnjudgedError
from pincite.integrations.extras import cannot_import
from pincite.integrations.rows import check_row, name_of
from pincite.reports import safe

try:
    from pydantic import BaseModel
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext
except ImportError as error:
    raise cannot_import(error, "pydantic_evals", "pydantic-evals") from error


@dataclass(repr=False)
class PydanticCitationEvaluator(Evaluator[Any, Any, Any]):
    """The share of judged citations that their source supports, and a label for each citation.

    The answer is the task's output, or is in it under one of the usual names. The contexts are looked for in
    the output, then in the case's metadata, then in its inputs. Where nothing could be judged the evaluator
    fails, so that the case has no score.
    """

    judge: str | None = None
    each: bool = True
    """Whether each citation gets a label of its own."""

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> Mapping[str, EvaluationReason]:
        """Check beside other work: a judge may wait for a network."""
        outcome = await asyncio.to_thread(
            check_row,
            _named(ctx.output),
            _named(ctx.metadata),
            _named(ctx.inputs),
            query=ctx.inputs if isinstance(ctx.inputs, str) else None,
            judge=self.judge,
        )
        if outcome.score is None:
            raise UnjudgedError(safe(outcome.reason))
        results = {"citations": EvaluationReason(outcome.score, safe(outcome.reason))}
        if self.each:
            for number, one in enumerate(outcome.citations, start=1):
                said = " ".join((name_of(one), *one.codes))
                results[f"citation {number}"] = EvaluationReason(one.verdict, f"{said}: {safe(one.reason)}")
        return results


def _named(value: Any) -> Any:
    """The fields of a model or a dataclass by their names; anything else as it is."""
    if isinstance(value, BaseModel):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return value
