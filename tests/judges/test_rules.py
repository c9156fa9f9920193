"""The rule judge: what it says, where it points, and what it will not decide."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.judges import Judge, NumberRules, open_judge
from pincite.records import Pair, Passage, Question, Span, Verdict


def judge(claim: str, *evidence: str, question: Question = "support", query: str | None = None) -> Verdict:
    pair = Pair(claim, tuple(Passage(text) for text in evidence), question, query)
    (verdict,) = asyncio.run(NumberRules().judge([pair]))
    return verdict


def test_it_is_made_by_its_name_and_names_itself() -> None:
    assert isinstance(open_judge("rules"), NumberRules)
    assert isinstance(NumberRules(), Judge)
    assert judge("Rents rose.", "Rents rose.").judge == NumberRules().name == "rules/1"


def test_a_differing_number_is_named_on_both_sides() -> None:
    source = "Costs were stable. Unemployment in the region stood at 21% in spring."
    verdict = judge("Unemployment in the region stood at 12% in spring.", source)
    assert (verdict.outcome, verdict.cause) == ("contradicted", "number")
    assert verdict.reason == "12% in the claim, 21% in the source"
    assert (verdict.claim_text, verdict.evidence_text) == ("12%", "21%")
    assert verdict.passage == 0
    assert verdict.span is not None
    assert verdict.span.of(source) == "Unemployment in the region stood at 21% in spring."


def test_a_differing_date_says_so() -> None:
    verdict = judge("The museum opened in 1936.", "The museum opened in 1963.")
    assert (verdict.outcome, verdict.cause) == ("contradicted", "date")


def test_the_words_around_say_which_number_answers() -> None:
    source = "The film has a rating of 56% based on 143 reviews, with an average of 5.8/10."
    assert judge("The film received more than 140 reviews.", source).outcome == "supported"
    assert judge("The film received more than 150 reviews.", source).outcome == "contradicted"
    assert judge("The film has a rating of 56%.", source).outcome == "supported"


def test_two_numbers_of_a_claim_do_not_share_one_of_the_source() -> None:
    source = "The tour grossed $55.7 million at home and $67 million abroad, for a total of $122.7 million."
    assert (
        judge("The tour grossed $67 million abroad and a total of $122.7 million.", source).outcome
        == "supported"
    )
    assert judge("The tour grossed $67 million at home.", source).outcome == "contradicted"


def test_what_the_source_does_not_say_is_not_enough() -> None:
    verdict = judge(
        "The bridge was painted green by volunteers.", "The bridge opened in 1932 after long delays."
    )
    assert verdict.outcome == "not_enough"
    assert "painted" in verdict.reason
    assert verdict.score is not None and verdict.score < 0.5


def test_several_passages_support_a_claim_together() -> None:
    claim = "Marla Dent founded Orbax in Oslo, and the company employs 400 engineers."
    first, second = "Marla Dent founded Orbax in Oslo.", "Orbax employs 400 engineers."
    assert judge(claim, first).outcome != "contradicted"
    assert judge(claim, first, second).outcome == "supported"
    assert (judge(claim, first, second).score or 0) > (judge(claim, first).score or 0)


def test_the_verdict_points_into_the_passage_it_rests_on() -> None:
    verdict = judge(
        "The dam holds 40 million litres.",
        "Nothing here.",
        "Fish live there. The dam holds 40 million litres.",
    )
    assert verdict.passage == 1
    assert verdict.span == Span(17, 49)


def test_context_counts_as_seen_but_is_never_quoted() -> None:
    cell = Passage("84,115", context="Stadium: King's Park; column: record attendance")
    (verdict,) = asyncio.run(
        NumberRules().judge([Pair("The record attendance at King's Park is 84,115.", (cell,))])
    )
    assert verdict.outcome == "supported"
    assert verdict.span is None or verdict.span.of(cell.text) == "84,115"


def test_double_negation_through_an_opposite_agrees() -> None:
    assert (
        judge("The board did not approve the plan.", "The board rejected the plan.").outcome != "contradicted"
    )


def test_consistency_asks_only_what_speaks_against_the_claim() -> None:
    silent = judge("The mayor plays chess.", "The bridge opened in 1932.", question="consistency")
    assert silent.outcome == "supported"
    against = judge("The bridge opened in 1923.", "The bridge opened in 1932.", question="consistency")
    assert against.outcome == "contradicted"
    assert (silent.score or 0) >= 0.5 > (against.score or 0)


def test_grounding_is_support_by_any_passage() -> None:
    passages = ("Cats sleep a lot.", "The bridge opened in 1932.")
    assert judge("The bridge opened in 1932.", *passages, question="grounding").outcome == "supported"


def test_relevance_is_the_share_of_the_querys_words() -> None:
    close = judge(
        "Bridges", "The bridge opened in 1932.", question="relevance", query="When did the bridge open?"
    )
    far = judge("Cats", "Cats sleep a lot.", question="relevance", query="When did the bridge open?")
    assert close.outcome == "supported"
    assert far.outcome == "not_enough"
    assert judge("Cats", "Cats sleep.", question="relevance").cause == "empty"


@pytest.mark.parametrize(
    ("claim", "evidence"), [("", ("Text.",)), ("…", ("Text.",)), ("Claim.", ()), ("Claim.", (" ",))]
)
def test_nothing_to_judge_is_unjudged(claim: str, evidence: tuple[str, ...]) -> None:
    verdict = judge(claim, *evidence)
    assert (verdict.outcome, verdict.score, verdict.cause) == ("unjudged", None, "empty")


def test_a_claim_in_another_script_than_the_evidence_is_unjudged() -> None:
    assert judge("桥于1932年开通。", "The bridge opened in 1932.").cause == "language"
    assert judge("Мост открыт в 1932 году.", "The bridge opened in 1932.").outcome == "unjudged"


def test_scripts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    assert judge("大桥于1932年开通", "这座大桥于1932年开通，连接两岸。").outcome == "supported"
    assert judge("市长喜欢下棋", "这座大桥于1932年开通，连接两岸。").outcome == "not_enough"


def test_a_batch_keeps_its_order() -> None:
    pairs = [Pair(f"The hall has {n} seats.", (Passage("The hall has 40 seats."),)) for n in (40, 50, 40)]
    outcomes = [verdict.outcome for verdict in asyncio.run(NumberRules().judge(pairs))]
    assert outcomes == ["supported", "contradicted", "supported"]


words = st.lists(
    st.sampled_from(
        [
            "not",
            "all",
            "some",
            "no",
            "Paris",
            "rose",
            "fell",
            "12%",
            "$5",
            "in",
            "2014",
            "over",
            "the",
            "of",
            "A",
        ]
    ),
    max_size=25,
).map(" ".join)
texts = st.one_of(words, st.text(max_size=120), st.text(alphabet="()[]\ud800\0\u202e😀1, .", max_size=80))


@settings(max_examples=150)
@given(
    texts, st.lists(texts, max_size=3), st.sampled_from(["support", "consistency", "grounding", "relevance"])
)
def test_any_pair_gets_a_verdict_with_a_true_span(
    claim: str, evidence: list[str], question: Question
) -> None:
    verdict = judge(claim, *evidence, question=question, query="what rose?")
    assert verdict.reason
    assert (verdict.score is None) == (verdict.outcome == "unjudged")
    assert verdict.score is None or 0.0 <= verdict.score <= 1.0
    if verdict.span is not None:
        assert verdict.passage is not None
        text = evidence[verdict.passage]
        assert 0 <= verdict.span.start < verdict.span.end <= len(text)
        if verdict.evidence_text is not None and verdict.cause in {"number", "date"}:
            assert verdict.evidence_text in text


@settings(max_examples=80)
@given(words)
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert judge(text, text).outcome in {"supported", "unjudged"} or not text.strip()
