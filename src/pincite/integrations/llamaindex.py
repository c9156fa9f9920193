"""LlamaIndex: an evaluator for its query engines, `CitationQueryEngine` among them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pincite.errors import MissingExtraError
from pincite.integrations.outcome import CheckOutcome
from pincite.integrations.rows import check_row, citation_rows, comment_of, not_checked
from pincite.judges import Judge

try:
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.prompts.mixin import PromptDictType
except ImportError as error:
    raise MissingExtraError(
        "this needs the llama-index-core library: pip install 'pincite[llamaindex]'"
    ) from error


class CitationEvaluationResult(EvaluationResult):
    """LlamaIndex's result, with a row for each citation."""

    citations: list[dict[str, Any]] = Field(default_factory=list)


class LlamaIndexCitationEvaluator(BaseEvaluator):
    """Checks the citations of a response against its source nodes.

    The score is the share of judged citations that are supported. A response of which nothing could be judged
    is an invalid result with its reason. `overrides` are fields of `Settings`.
    """

    def __init__(
        self, *, judge: str | Judge | None = None, score_threshold: float = 1.0, **overrides: Any
    ) -> None:
        self._options = {"judge": judge, **overrides}
        self._score_threshold = score_threshold

    def _get_prompts(self) -> PromptDictType:
        return {}  # no language model is prompted from here

    def _update_prompts(self, prompts: PromptDictType) -> None:
        pass

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[Any] | None = None,
        **kwargs: Any,
    ) -> CitationEvaluationResult:
        """Check a response against texts, or against nodes with their metadata."""
        if response is None:
            outcome = not_checked("there is no response")
        elif contexts is None:
            outcome = not_checked("there are no contexts")
        else:
            # Judging takes the processor: the event loop must not wait for it.
            outcome = await asyncio.to_thread(
                check_row, response, contexts=contexts, query=query, **self._options
            )
        texts = None if contexts is None else [_text_of(one) for one in contexts]
        return self._result(outcome, query, response, texts)

    def evaluate_response(
        self, query: str | None = None, response: Any = None, **kwargs: Any
    ) -> CitationEvaluationResult:
        """Check a query engine's response against its source nodes, ids and metadata included."""
        text, nodes = _read_response(response)
        result: CitationEvaluationResult = self.evaluate(query, text, nodes, **kwargs)
        return result

    async def aevaluate_response(
        self, query: str | None = None, response: Any = None, **kwargs: Any
    ) -> CitationEvaluationResult:
        """The same, asynchronous."""
        if hasattr(response, "get_response"):
            whole = response.get_response()
            response = await whole if asyncio.iscoroutine(whole) else whole
        text, nodes = _read_response(response)
        return await self.aevaluate(query, text, nodes, **kwargs)

    def _result(
        self, outcome: CheckOutcome, query: str | None, response: str | None, texts: list[str] | None
    ) -> CitationEvaluationResult:
        invalid = outcome.score is None
        return CitationEvaluationResult(
            query=query,
            response=response,
            contexts=texts,
            score=outcome.score,
            passing=None if outcome.score is None else outcome.score >= self._score_threshold,
            feedback=comment_of(outcome),
            invalid_result=invalid,
            invalid_reason=outcome.reason if invalid else None,
            citations=citation_rows(outcome),
        )


def _read_response(response: Any) -> tuple[str | None, list[Any] | None]:
    """The text of a response, streamed or not, and the nodes that it was made from."""
    if response is None:
        return None, None
    nodes = list(getattr(response, "source_nodes", None) or [])
    if hasattr(response, "get_response"):
        response = response.get_response()
    text = getattr(response, "response", None)
    return (text if isinstance(text, str) else str(response)), nodes


def _text_of(context: Any) -> str:
    if isinstance(context, str):
        return context
    return str(context.get_content()) if hasattr(context, "get_content") else str(context)
