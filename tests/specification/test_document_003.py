"""Document 003, citation relevancy: its formats, parameters, programs and scenarios, with the rulings.

The scores that it gives are asserted through a language model on this machine that says what the document's
tables say, and once more offline.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from document_003 import EXAMPLES, GREEN_TEA, Example

from llm_material import blocks, judge_at, user_text, verdict, verdicts
from llm_server import LlmServer
from pincite import parse
from pincite.compat import (
    AIMessage,
    CitationRelevancy,
    CitationRelevancyResult,
    DatasetItem,
    EvaluationMode,
    HumanMessage,
    MetricRunner,
    MultiTurnConversation,
)
from pincite.judges import Judge
from pincite.records import Pair, Result, Verdict

EVERY_EXAMPLE = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


def item(example: Example) -> DatasetItem:
    return DatasetItem(query=example.query, actual_output=example.answer)


def told(result: Result) -> list[bool | None]:
    return [one.relevance_verdict for one in result.signals.citation_breakdown]


def reads_the_table(example: Example) -> Any:
    """A model that knows each citation by its name and says of it what the document says."""

    def reply(request: dict[str, Any], nth: int) -> str:
        found = blocks(user_text(request))
        passages = {name: text for name, text in found.items() if name.startswith("passage ")}
        return verdicts(
            *(
                verdict(int(name.split()[1]), 0.9 if relevant else 0.1, reason=f"of {cited}")
                for name, text in passages.items()
                for cited, relevant in example.verdicts.items()
                if cited in text
            )
        )

    return reply


class Agreeable(Judge):
    """Finds everything relevant, and counts what it was asked."""

    name = "agreeable/1"

    def __init__(self) -> None:
        self.asked = 0

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.asked += len(pairs)
        return [Verdict("supported", 1.0, "yes") for _ in pairs]


# --- At a glance ---------------------------------------------------------------------------------


def test_at_a_glance_the_threshold_is_0_8_and_a_query_and_an_answer_are_needed() -> None:
    judge = Agreeable()
    metric = CitationRelevancy()
    result = asyncio.run(metric.execute(item(GREEN_TEA), judge=judge))
    assert (result.threshold, result.score, result.passed) == (0.8, 1.0, True)
    for lacking in (
        DatasetItem(actual_output=GREEN_TEA.answer),
        DatasetItem(query=GREEN_TEA.query),
        DatasetItem(query=GREEN_TEA.query, actual_output="Green tea is good."),
    ):
        nothing = asyncio.run(metric.execute(lacking, judge=judge))
        assert nothing.score is None and nothing.passed is None and nothing.not_scorable


# --- How it works --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("[Title](https://example.com)", "https://example.com"),
        ("https://example.com/article", "https://example.com/article"),
        ("www.example.com/page", None),
        ("doi:10.1234/example", "doi:10.1234/example"),
        ("(Smith et al., 2023)", None),
        ("(Smith, 2023)", None),
    ],
)
def test_how_it_works_every_listed_format_is_a_citation(written: str, key: str | None) -> None:
    (citation,) = parse(f"It is known {written} and told.").citations
    assert citation.text == written
    assert key is None or citation.targets[0].key == key
    answer = DatasetItem(query="What is known?", actual_output=f"It is known {written} and told.")
    result = asyncio.run(CitationRelevancy().execute(answer, judge=Agreeable()))
    assert [one.citation_text for one in result.signals.citation_breakdown] == [written]


# --- Configuration -------------------------------------------------------------------------------

CLIMATE = DatasetItem(
    conversation=MultiTurnConversation(
        messages=[  # type: ignore[arg-type]
            HumanMessage(content="What causes climate change?"),
            AIMessage(
                content="Climate change is primarily caused by greenhouse gases. "
                "[IPCC Report](https://ipcc.ch/report)"
            ),
            HumanMessage(content="How can I reduce my carbon footprint?"),
            AIMessage(
                content="You can reduce emissions by using public transport. "
                "[EPA Guide](https://epa.gov/guide)"
            ),
        ]
    )
)


def test_configuration_the_defaults_are_the_last_turn_and_a_verdict_a_citation() -> None:
    metric = CitationRelevancy()
    assert (metric.multi_turn_strategy, metric.mode) == ("last_turn", EvaluationMode.GRANULAR)


@pytest.mark.parametrize(
    ("strategy", "queries"),
    [
        ("last_turn", ["How can I reduce my carbon footprint?"]),
        ("all_turns", ["What causes climate change?", "How can I reduce my carbon footprint?"]),
    ],
)
def test_configuration_the_strategy_says_which_turns_count_each_with_its_own_query(
    strategy: Any, queries: list[str]
) -> None:
    metric = CitationRelevancy(multi_turn_strategy=strategy)
    signals = asyncio.run(metric.execute(CLIMATE, judge=Agreeable())).signals
    assert [one.original_query for one in signals.citation_breakdown] == queries


@pytest.mark.parametrize(("mode", "asked"), [(EvaluationMode.GRANULAR, 3), (EvaluationMode.HOLISTIC, 1)])
def test_configuration_the_mode_says_how_much_a_verdict_is_about(mode: EvaluationMode, asked: int) -> None:
    judge = Agreeable()
    result = asyncio.run(CitationRelevancy(mode=mode).execute(item(GREEN_TEA), judge=judge))
    assert (judge.asked, len(told(result)), result.signals.total_citations) == (asked, asked, 3)


# --- Code examples: with the built-in judge, which needs no network ----------------------------------


def test_code_example_basic_usage(capsys: pytest.CaptureFixture[str]) -> None:
    async def example() -> None:
        metric = CitationRelevancy()
        result = await metric.execute(item(GREEN_TEA))
        print(result.pretty())

    asyncio.run(example())
    assert "Score: 0.67 (2 of 3 citations relevant)" in capsys.readouterr().out


def test_code_example_multi_turn(capsys: pytest.CaptureFixture[str]) -> None:
    async def example() -> float | None:
        metric = CitationRelevancy(multi_turn_strategy="all_turns")
        result = await metric.execute(CLIMATE)
        print(f"Evaluated {result.signals.total_citations} citations across turns")
        return result.score

    assert asyncio.run(example()) == 1.0
    assert capsys.readouterr().out == "Evaluated 2 citations across turns\n"


def test_code_example_with_runner(capsys: pytest.CaptureFixture[str]) -> None:
    dataset = [item(GREEN_TEA)]

    async def example() -> None:
        metric = CitationRelevancy()
        runner = MetricRunner(metrics=[metric])
        results = await runner.run(dataset)
        for item_result in results:
            print(f"Score: {item_result.score:.2f}")
            signals = item_result.signals
            print(f"Relevant: {signals.relevant_citations_count}/{signals.total_citations}")
            for citation in signals.citation_breakdown:
                status = "yes" if citation.relevance_verdict else "no"
                print(f"  {status} {citation.citation_text[:50]}...")

    asyncio.run(example())
    assert capsys.readouterr().out.splitlines() == [
        "Score: 0.67",
        "Relevant: 2/3",
        "  yes [Source](https://healthline.com/green-tea-benefits...",
        "  yes (Smith et al., 2020)...",
        "  no [Party Guide](https://party-planning.com)...",
    ]


# --- Metric diagnostics --------------------------------------------------------------------------


def test_diagnostics_every_signal_field_is_there() -> None:
    with LlmServer(reads_the_table(GREEN_TEA)) as server:
        result = asyncio.run(CitationRelevancy().execute(item(GREEN_TEA), judge=judge_at(server.url)))
    assert isinstance(result.signals, CitationRelevancyResult)
    signals = json.loads(msgspec.json.encode(result.signals))
    cited = (
        "[Source](https://healthline.com/green-tea-benefits)",
        "(Smith et al., 2020)",
        "[Party Guide](https://party-planning.com)",
    )
    assert signals == {
        "relevance_score": pytest.approx(0.67, abs=0.005),
        "total_citations": 3,
        "relevant_citations_count": 2,
        "irrelevant_citations_count": 1,
        # One more than the document has: what nobody could judge is in neither count.
        "unjudged_citations_count": 0,
        "citation_breakdown": [
            {
                "citation_text": text,
                "relevance_verdict": relevant,
                "relevance_reason": f"of {name}",
                "turn_index": 0,
                "original_query": GREEN_TEA.query,
            }
            for text, (name, relevant) in zip(cited, GREEN_TEA.verdicts.items(), strict=True)
        ],
    }


# --- Example scenarios ---------------------------------------------------------------------------


@EVERY_EXAMPLE
def test_scenario_through_a_language_model(example: Example) -> None:
    with LlmServer(reads_the_table(example)) as server:
        result = asyncio.run(CitationRelevancy().execute(item(example), judge=judge_at(server.url)))
    assert result.score == pytest.approx(example.score)
    assert told(result) == list(example.verdicts.values())
    assert result.passed is (example.score >= 0.8)
    assert len(server.seen) == 1, "one call an answer"


def test_offline_the_built_in_judge_agrees_on_all_citations_but_one() -> None:
    """It does not see what a bullet about large datasets has to do with machine learning."""
    missed = []
    for example in EXAMPLES.values():
        result = asyncio.run(CitationRelevancy().execute(item(example), judge="entailment"))
        pairs = zip(told(result), example.verdicts.items(), strict=True)
        missed += [name for found, (name, wanted) in pairs if found is not wanted]
    assert missed == ["Data Science Blog"]


def test_the_rules_alone_agree_on_thirteen_of_the_fourteen_citations() -> None:
    """They know no meanings; `docs/reference-metrics.md` gives this figure."""
    agreed = 0
    for example in EXAMPLES.values():
        result = asyncio.run(CitationRelevancy().execute(item(example), judge="rules"))
        pairs = zip(told(result), example.verdicts.values(), strict=True)
        agreed += sum(found is wanted for found, wanted in pairs)
    assert agreed == 13
