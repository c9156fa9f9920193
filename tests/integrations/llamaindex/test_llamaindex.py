"""The evaluator in the real LlamaIndex: responses, streamed responses, batches, and CitationQueryEngine."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core import Document, SummaryIndex
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response, StreamingResponse
from llama_index.core.evaluation import BatchEvalRunner, EvaluationResult
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

from pages import run_page
from pincite.integrations.llamaindex import LlamaIndexCitationEvaluator

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
RIGHT = "Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in May [2]."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."
EVALUATOR = LlamaIndexCitationEvaluator(judge="rules")


class SaysOneThing(CustomLLM):
    """A model that always gives the same answer, with LlamaIndex's own machinery around it."""

    reply: str

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=4000, num_output=200, model_name="says-one-thing")

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        assert "Source 1:" in prompt
        return CompletionResponse(text=self.reply)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def pieces() -> CompletionResponseGen:
            for end in range(10, len(self.reply) + 10, 10):
                yield CompletionResponse(text=self.reply[:end], delta=self.reply[end - 10 : end])

        return pieces()


def engine(reply: str, streaming: bool = False) -> CitationQueryEngine:
    documents = [
        Document(text=FIRST, metadata={"file_name": "report.txt"}),
        Document(text=SECOND, metadata={"file_name": "news.txt"}),
    ]
    index = SummaryIndex.from_documents(documents)
    return CitationQueryEngine.from_args(index, llm=SaysOneThing(reply=reply), streaming=streaming)


def nodes() -> list[NodeWithScore]:
    return [NodeWithScore(node=TextNode(text=text, id_=name)) for name, text in (("a", FIRST), ("b", SECOND))]


def test_texts_are_cited_by_their_number() -> None:
    result = EVALUATOR.evaluate(query="What happened?", response=WRONG, contexts=[FIRST, SECOND])
    assert isinstance(result, EvaluationResult)
    assert (result.score, result.passing, result.invalid_result) == (0.5, False, False)
    assert "12% in the claim, 21% in the source" in (result.feedback or "")
    assert [one["verdict"] for one in result.citations] == ["contradicted", "supported"]
    assert result.contexts == [FIRST, SECOND]
    assert EVALUATOR.evaluate(response=RIGHT, contexts=[FIRST, SECOND]).passing is True


@pytest.mark.parametrize("streaming", [False, True])
def test_a_citation_query_engines_answer_is_checked_against_its_sources(streaming: bool) -> None:
    response = engine(WRONG, streaming).query("How much did revenue grow?")
    assert [node.text.partition("\n")[0] for node in response.source_nodes] == ["Source 1:", "Source 2:"]
    result = EVALUATOR.evaluate_response(query="How much did revenue grow?", response=response)
    assert result.response == WRONG
    assert [(one["document"], one["verdict"]) for one in result.citations] == [
        ("report.txt", "contradicted"),
        ("news.txt", "supported"),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "The office in Lisbon opened in May [1].",
        "The office in Lisbon has 7 rooms [1].",
        "Source 7 says that the office in Lisbon opened in May [1].",
    ],
)
def test_the_label_of_a_source_changes_no_verdict(answer: str) -> None:
    bare = EVALUATOR.evaluate(response=answer, contexts=[SECOND])
    labelled = EVALUATOR.evaluate(response=answer, contexts=[f"Source 1:\n{SECOND}"])
    assert labelled.citations == bare.citations


def test_nodes_are_cited_by_their_id_too() -> None:
    response = Response(response="The office in Lisbon opened in May [b].", source_nodes=nodes())
    assert EVALUATOR.evaluate_response(response=response).score == 1.0


def test_what_could_not_be_judged_is_invalid_and_no_zero() -> None:
    for answer, contexts in (
        ("Nothing is cited here.", [FIRST]),
        ("Revenue grew [https://example.org/elsewhere].", [FIRST]),
        ("Revenue grew [1].", [None]),
        (None, [FIRST]),
        (RIGHT, None),
    ):
        result = EVALUATOR.evaluate(response=answer, contexts=contexts)
        assert result.score is None
        assert result.passing is None
        assert result.invalid_result is True
        assert result.invalid_reason


def test_a_streamed_response_is_read_to_its_end_in_an_event_loop() -> None:
    async def tokens() -> Any:
        for word in WRONG.split(" "):
            yield word + " "

    async def check() -> EvaluationResult:
        response = AsyncStreamingResponse(response_gen=tokens(), source_nodes=nodes())
        return await EVALUATOR.aevaluate_response(response=response)

    assert asyncio.run(check()).score == 0.5
    streamed = StreamingResponse(response_gen=iter(WRONG.split("  ")), source_nodes=nodes())
    assert EVALUATOR.evaluate_response(response=streamed).score == 0.5


def test_a_batch_runs_with_the_frameworks_own_runner() -> None:
    runner = BatchEvalRunner({"citations": EVALUATOR}, workers=2)
    responses = [Response(response=text, source_nodes=nodes()) for text in (RIGHT, WRONG, "Nothing cited.")]
    results = asyncio.run(runner.aevaluate_responses(queries=["", "", ""], responses=responses))
    assert [one.score for one in results["citations"]] == [1.0, 0.5, None]


def test_the_threshold_decides_what_passes() -> None:
    lenient = LlamaIndexCitationEvaluator(judge="rules", score_threshold=0.5)
    assert lenient.evaluate(response=WRONG, contexts=[FIRST, SECOND]).passing is True


def test_the_page_is_true() -> None:
    run_page("llamaindex")
