"""Pincite's own answering as the system under test: it is measured like any other."""

from __future__ import annotations

import time

from pincite.answering import AnswerOptions, close_answerer, distinct_documents, open_answerer
from pincite.config import Settings
from pincite.datasets import Dataset, EvaluationQuery
from pincite.errors import InputError
from pincite.records import RecordedAnswer, RetrievedDocument
from pincite.runs.targets.target import Target, TargetFailed

OPTIONS = AnswerOptions(cite="spans")
"""Every place is cited by its characters, so that the span metrics have something to measure."""


class AnsweringTarget(Target):
    """Answers from the dataset's own documents."""

    def __init__(self, dataset: Dataset, model: str | None, settings: Settings) -> None:
        if not dataset.in_memory:
            raise InputError("the target `answer` reads all documents at once, and this dataset has too many")
        library = dataset.library()
        if not library.sources:
            raise InputError("the target `answer` needs documents in the dataset, and this one has none")
        self._ids = {source.name: source.document_id or source.name for source in library.sources}
        self._model = model
        self._answerer = open_answerer(library, model, None, settings, OPTIONS)
        self.waits = self._answerer.backend.waits or self._answerer.judge.waits
        self.at_once = self._answerer.backend.at_once

    @property
    def name(self) -> str:
        return (
            f"answer/1 {self._answerer.backend.name} {self._answerer.grounding} {self._answerer.judge.name}"
        )

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        begun = time.perf_counter()
        result = await self._answerer.answer(query.query_text)
        milliseconds = (time.perf_counter() - begun) * 1000
        if result.status == "failed":
            raise TargetFailed(result.reason)
        scores: dict[str, float] = {}
        for passage in result.passages:
            scores[passage.document] = max(scores.get(passage.document, 0.0), passage.score)
        usage = result.usage
        tokens = usage.input_tokens + usage.output_tokens
        taken = {"total_requests": usage.requests, "total_tokens": tokens, "estimated_cost_usd": usage.cost}
        return RecordedAnswer(
            query_id=query.query_id,
            answer=result.text,
            retrieved=tuple(
                RetrievedDocument(self._ids[document], scores[document])
                for document in distinct_documents(result.passages)
            ),
            latency_ms=milliseconds,
            usage=taken if usage.requests else None,
        )

    async def close(self) -> None:
        await close_answerer(self._answerer, self._model)
