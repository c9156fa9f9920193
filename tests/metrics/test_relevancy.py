"""Citation relevancy: what is counted and who is asked; its examples are in `tests/specification/`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from document_003 import GREEN_TEA
from hypothesis import given
from hypothesis import strategies as st

from pincite import ConfigError
from pincite.judges import Judge
from pincite.metrics import CitationRelevancy, EvaluationMode, Metric, open_case, parse_metric
from pincite.records import (
    AIMessage,
    DatasetItem,
    HumanMessage,
    MultiTurnConversation,
    Pair,
    Result,
    Source,
    Verdict,
)

CLIMATE = MultiTurnConversation(
    messages=(
        HumanMessage(content="What causes climate change?"),
        AIMessage(
            content="It is primarily caused by greenhouse gases. [IPCC Report](https://ipcc.ch/report)"
        ),
        HumanMessage(content="How can I reduce my carbon footprint?"),
        AIMessage(content="Reduce emissions with public transport. [EPA Guide](https://epa.gov/guide)"),
    )
)


class Says(Judge):
    """A judge that finds relevant whatever holds one of its words, and keeps what it was asked."""

    name = "says/1"

    def __init__(self, *words: str) -> None:
        self.words = words
        self.asked: list[Pair] = []
        self.calls = 0

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.calls += 1
        self.asked += pairs
        found = [any(word in repr(pair.passages) for word in self.words) for pair in pairs]
        return [Verdict("supported" if one else "not_enough", float(one), "so it says") for one in found]


def measure(
    item: DatasetItem, judge: Any = "rules", metric: Metric | None = None, sources: Any = None
) -> Result:
    return asyncio.run((metric or CitationRelevancy()).execute(item, sources, judge=judge))


def texts(answer: str) -> list[str]:
    result = measure(DatasetItem(query="Why?", actual_output=answer), Says())
    return [one.citation_text for one in result.signals.citation_breakdown]


# --- turns ---------------------------------------------------------------------------------------


def test_only_the_last_turn_counts_unless_all_are_asked_for() -> None:
    item = DatasetItem(conversation=CLIMATE)
    last = measure(item, Says("EPA")).signals
    assert [one.citation_text for one in last.citation_breakdown] == ["[EPA Guide](https://epa.gov/guide)"]
    every = measure(item, Says("EPA"), CitationRelevancy(multi_turn_strategy="all_turns")).signals
    assert every.total_citations == 2
    assert [one.turn_index for one in every.citation_breakdown] == [0, 1]
    assert [one.original_query for one in every.citation_breakdown] == [
        "What causes climate change?",
        "How can I reduce my carbon footprint?",
    ]


def test_a_conversation_that_is_only_the_history_is_followed_by_the_answer() -> None:
    item = DatasetItem(
        conversation=CLIMATE, query="And trees?", actual_output="Plant them https://trees.org/x"
    )
    found = measure(item, Says(), CitationRelevancy(multi_turn_strategy="all_turns")).signals
    assert [one.original_query for one in found.citation_breakdown][-1] == "And trees?"
    assert [one.turn_index for one in found.citation_breakdown] == [0, 1, 2]


def test_an_answer_that_ends_the_conversation_counts_once() -> None:
    last = CLIMATE.messages[-1].content
    item = DatasetItem(conversation=CLIMATE, actual_output=last)
    found = measure(item, Says(), CitationRelevancy(multi_turn_strategy="all_turns")).signals
    assert found.total_citations == 2


def test_the_same_page_in_two_turns_counts_in_both() -> None:
    turns = [HumanMessage("A?"), AIMessage("B https://x.org/tea"), HumanMessage("C?"), AIMessage("D x.")]
    turns[3] = AIMessage("D https://x.org/tea")
    item = DatasetItem(conversation=MultiTurnConversation(tuple(turns)))
    found = measure(item, Says(), CitationRelevancy(multi_turn_strategy="all_turns")).signals
    assert found.total_citations == 2


# --- what is one citation ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "It is so doi:10.1234/abc. And https://doi.org/10.1234/abc too.",
        "See https://x.org/a and http://www.x.org/a/ again.",
        "It is (Smith, 2020). Again (Smith, 2020).",
        "See [1] and [1].\n\n[1] Tea and health. https://x.org/tea",
        "See [1] and https://x.org/tea itself.\n\n[1] Tea and health. https://x.org/tea",
    ],
)
def test_one_thing_is_counted_once_a_turn(answer: str) -> None:
    assert len(texts(answer)) == 1


def test_what_is_no_citation_is_not_counted() -> None:
    assert texts("Used (since 2020) in array[0], [quote.premium] and `https://code.org/x`.") == []


def test_every_form_of_ruling_11_is_a_citation() -> None:
    answer = (
        "A (Smith & Jones, 2020a). B (O'Brien, 2020). Smith (2021) says C. D 10.1234/abc. "
        "E doi.org/10.1234/def. F arXiv:2101.00001. G https://en.wikipedia.org/wiki/Tea_(drink)."
    )
    found = texts(answer)
    assert len(found) == 7
    assert found[-1] == "https://en.wikipedia.org/wiki/Tea_(drink)"


# --- what cannot be judged -----------------------------------------------------------------------


def test_a_citation_of_which_nothing_is_known_is_unjudged_and_out_of_the_ratio() -> None:
    answer = "10.1234/5678\n\nTea is healthy [Tea and health](https://x.org/tea)."
    result = measure(DatasetItem(query="Is tea healthy?", actual_output=answer))
    assert (result.score, result.denominator, result.unjudged) == (1.0, 1, 1)
    unknown = "nothing is known of what is cited: no title, no words in its address, no sentence"
    assert result.reasons == {unknown: 1}
    assert result.signals.citation_breakdown[0].relevance_verdict is None
    assert result.signals.unjudged_citations_count == 1
    assert result.signals.total_citations == 2


def test_a_shortened_address_says_nothing_of_itself() -> None:
    result = measure(DatasetItem(query="Is tea healthy?", actual_output="https://bit.ly/TeaHealthy"))
    assert (result.score, result.unjudged) == (None, 1)


def test_a_judge_that_fails_is_no_low_score() -> None:
    class Broken:
        name = "broken/1"

        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            raise RuntimeError("no")

    result = measure(DatasetItem(query=GREEN_TEA.query, actual_output=GREEN_TEA.answer), Broken())
    assert (result.score, result.unjudged, result.passed) == (None, 3, None)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (DatasetItem(query="Why?", actual_output="No citations here."), "no citations"),
        (DatasetItem(query="Why?", failure="time-out"), "no answer"),
        (DatasetItem(), "no answer"),
        (DatasetItem(actual_output="So it is [Tea](https://x.org/tea)."), "no query"),
    ],
)
def test_nothing_to_score_is_none_with_a_reason(item: DatasetItem, reason: str) -> None:
    result = measure(item)
    assert result.score is None
    assert result.reasons == {reason: 1}
    assert result.not_scorable == 1


# --- how ------------------------------------------------------------------------------------------


def test_all_citations_go_to_the_judge_as_one_batch_without_markers() -> None:
    judge = Says("healthline")
    measure(DatasetItem(query=GREEN_TEA.query, actual_output=GREEN_TEA.answer), judge)
    assert judge.calls == 1
    assert all(pair.question == "relevance" and pair.query == GREEN_TEA.query for pair in judge.asked)
    opening = "Green tea has numerous health benefits:"
    assert [pair.claim for pair in judge.asked] == ["", f"{opening} May improve brain function", ""]


@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_a_link_does_not_take_over_the_relevance_of_its_sentence(judge: str) -> None:
    query = "What is the capital of France?"
    for cited, score in (("[Dating Site](https://dating.com)", 0.0), ("[France](https://x.org/france)", 1.0)):
        answer = f"Paris is the capital of France {cited}."
        assert measure(DatasetItem(query=query, actual_output=answer), judge).score == score


def test_what_says_nothing_of_itself_is_read_with_the_opening_of_its_list() -> None:
    judge = Says()
    measure(DatasetItem(query=GREEN_TEA.query, actual_output=GREEN_TEA.answer), judge)
    contexts = [pair.passages[0].context for pair in judge.asked]
    assert contexts == ["", "Green tea has numerous health benefits: May improve brain function", ""]


def test_holistic_asks_once_an_answer() -> None:
    judge = Says("healthline")
    item = DatasetItem(query=GREEN_TEA.query, actual_output=GREEN_TEA.answer)
    result = measure(item, judge, CitationRelevancy(mode=EvaluationMode.HOLISTIC))
    assert len(judge.asked) == 1
    assert len(judge.asked[0].passages) == 3
    assert (result.score, result.denominator) == (1.0, 1)
    assert result.signals.total_citations == 3
    assert len(result.signals.citation_breakdown) == 1


def test_a_source_that_was_given_is_read_in_place_of_its_address() -> None:
    judge = Says("catechins")
    source = Source(name="tea", text="Tea has catechins.", url="https://x.org/opaque-123")
    item = DatasetItem(query="Why?", actual_output="It is good https://x.org/opaque-123", sources=(source,))
    assert measure(item, judge).score == 1.0


def test_an_entry_of_the_references_that_came_with_the_answer_is_read() -> None:
    judge = Says("vaccines")
    item = DatasetItem(query="Why?", actual_output="So [1].", references=("The biology of vaccines",))
    assert measure(item, judge).score == 1.0


def test_a_metric_prints_and_parses_as_itself() -> None:
    metric = CitationRelevancy(mode="HOLISTIC", multi_turn_strategy="all_turns")  # type: ignore[arg-type]
    assert metric.mode is EvaluationMode.HOLISTIC
    assert str(metric) == "citation_relevancy(multi_turn_strategy=all_turns, mode=holistic)"
    assert parse_metric(str(metric)) == metric
    assert str(CitationRelevancy()) == "citation_relevancy"


@pytest.mark.parametrize("wrong", [{"mode": "both"}, {"multi_turn_strategy": "first_turn"}, {"mode": 3}])
def test_a_wrong_parameter_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        CitationRelevancy(**wrong)


@given(st.text(alphabet="ab [](){}:/.,0129\n-*#|`<>^", max_size=120))
def test_no_answer_breaks_it(answer: str) -> None:
    item = DatasetItem(query="Why?", actual_output=answer)
    metric = CitationRelevancy()
    case = open_case(item)
    asked = {pair: Verdict("supported", 1.0, "yes") for pair in metric.pairs(case)}
    result = metric.score(case, asked)
    signals = result.signals
    assert signals.total_citations == len(signals.citation_breakdown)
    assert result.denominator + result.unjudged + result.not_scorable >= signals.total_citations
    json.dumps([one.citation_text for one in signals.citation_breakdown])
