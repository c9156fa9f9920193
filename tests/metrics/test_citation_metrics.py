from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from scripted import SOURCES, RandomTable, ScriptedJudge, write_answer

from pincite.config import Settings
from pincite.judges import Judge, NumberRules, open_judge
from pincite.metrics import Metric, parse_metric
from pincite.records import (
    Citation,
    DatasetItem,
    NumberTarget,
    Pair,
    Result,
    RetrievedDocument,
    SpanTarget,
    Verdict,
)

REPORT = (
    "The company reported $10M in Q1 revenue from product sales. "
    "Profit fell by 3% in the same quarter. "
    "The head office is in Oslo."
)
DOCUMENTS = {"report.txt": REPORT, "history.txt": "Two sisters founded the company in 1950 in Bergen."}
CLEAN = (
    "The company reported $10M in Q1 revenue [report.txt:1:0-59]. "
    "Profit fell by 3% in the quarter [report.txt:1:60-98]."
)


def measure(name: str | Metric, answer: str | None, sources: Any = None, **fields: Any) -> Result:
    item = DatasetItem(actual_output=answer, **fields)
    given = DOCUMENTS if sources is None else sources
    return asyncio.run(parse_metric(name).execute(item, given, judge=NumberRules()))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("citation_completeness", 1.0),
        ("citation_correctness", 1.0),
        ("fabrication_rate", 0.0),
        ("alce_f1", 1.0),
        ("factual_consistency", 1.0),
        ("hallucination_rate", 0.0),
        ("contradiction_rate", 0.0),
    ],
)
def test_a_clean_answer_has_the_best_score(name, expected):
    result = measure(name, CLEAN)
    assert result.score == expected
    assert result.passed in (True, None)
    assert result.unjudged == result.not_scorable == 0


@pytest.mark.parametrize(
    ("planted", "name", "expected", "counts"),
    [
        (
            " The firm has nine plants in Peru.",
            "citation_completeness",
            2 / 3,
            {"total_claims": 3, "cited_claims": 2},
        ),
        (
            " The head office is in Oslo [report.txt:1:0-59].",
            "citation_correctness",
            2 / 3,
            {"total_citations": 3, "correct_citations": 2},
        ),
        (
            " Sales rose by 9% [lost.txt:1:0-9].",
            "citation_correctness",
            2 / 3,
            {"total_citations": 3, "correct_citations": 2},
        ),
        (
            " Sales rose by 9% [report.txt:1:900-990].",
            "fabrication_rate",
            1 / 3,
            {"total_citations": 3, "fabricated_citations": 1},
        ),
        (
            " The firm has nine plants in Peru.",
            "hallucination_rate",
            1 / 3,
            {"total_claims": 3, "hallucinated_claims": 1},
        ),
        (
            " The company reported $90M in Q1 revenue [report.txt:1:0-59].",
            "factual_consistency",
            2 / 3,
            {"total_claims": 3, "consistent_claims": 2},
        ),
        (
            " The company reported $90M in Q1 revenue.",
            "contradiction_rate",
            1 / 3,
            {"total_claims": 3, "contradicted_claims": 1},
        ),
    ],
)
def test_a_planted_fault_costs_its_share(planted, name, expected, counts):
    result = measure(name, CLEAN + planted)
    assert result.score == pytest.approx(expected)
    assert {key: result.counts[key] for key in counts} == counts


@pytest.mark.parametrize(
    "name",
    [
        "citation_completeness",
        "hallucination_rate",
        "factual_consistency",
        "contradiction_rate",
        "alce_recall",
    ],
)
def test_a_query_without_an_answer_and_a_refusal_have_no_claims_to_score(name):
    assert measure(name, None, failure="timed out").reasons == {"no answer": 1}
    for answer in ("I don't know.", ""):
        result = measure(name, answer)
        assert result.score is None and result.passed is None
        assert result.reasons == {"no claims": 1}


@pytest.mark.parametrize("name", ["citation_correctness", "fabrication_rate", "citation_relevance"])
def test_an_answer_without_citations_has_nothing_to_divide_by(name):
    result = measure(name, "Profit fell by 3%.", query="What happened?")
    assert result.score is None
    assert result.reasons == {"no citations": 1}


def test_a_web_page_that_was_not_given_is_unjudged_and_in_no_ratio():
    answer = CLEAN + " The head office is in Oslo (https://example.org/about)."
    for name in ("citation_correctness", "fabrication_rate"):
        result = measure(name, answer)
        assert result.denominator == 2 and result.unjudged == 1
        assert result.reasons == {"the cited source was not given": 1}


def test_a_citation_that_the_judge_failed_on_is_left_out_and_counted():
    class Broken(Judge):
        name = "broken/1"

        async def judge(self, pairs):
            raise RuntimeError("out of order")

    item = DatasetItem(actual_output=CLEAN + " Sales rose by 9% [lost.txt:1:0-9].")
    result = asyncio.run(parse_metric("citation_correctness").execute(item, DOCUMENTS, judge=Broken()))
    assert (result.numerator, result.denominator, result.unjudged) == (0.0, 1.0, 2)
    assert list(result.reasons) == ["the judge failed: RuntimeError: out of order"]


def test_one_marker_with_three_targets_counts_three():
    answer = "Both companies were founded in Bergen in 1950 [1-3]."
    sources = [
        {"document_id": "a", "content": "Both companies were founded in Bergen in 1950."},
        {"document_id": "b", "content": "Both companies were founded in Bergen in 1950, it is said."},
        {"document_id": "c", "content": "Whales sing."},
    ]
    result = measure("citation_correctness", answer, sources)
    assert (result.numerator, result.denominator) == (2.0, 3.0)


def test_two_citations_that_support_a_claim_only_together_are_both_correct():
    def verdict(pair: Pair) -> Verdict:
        both = len({passage.document for passage in pair.passages}) == 2
        return Verdict("supported" if both else "not_enough", 0.9 if both else 0.3, "by the table")

    class Together:
        name = "together/1"
        waits = False

        async def judge(self, pairs):
            return [verdict(pair) for pair in pairs]

    item = DatasetItem(actual_output=write_answer([["d0.txt", "d1.txt"], ["d2.txt"]]))
    result = asyncio.run(parse_metric("citation_correctness").execute(item, SOURCES, judge=Together()))
    assert [target["correct"] for target in result.signals["targets"]] == [True, True, False]


def test_density_counts_the_characters_of_the_markers():
    result = measure("citation_density", "Profit fell [report.txt:1:60-98].")
    assert (result.numerator, result.denominator) == (len("[report.txt:1:60-98]"), 33)


def test_relevance_needs_a_query_and_counts_a_target_that_points_nowhere_as_irrelevant():
    answer = "The company reported $10M in Q1 revenue [report.txt:1:0-59] [lost.txt:1:0-9]."
    assert measure("citation_relevance", answer).reasons == {"no query": 2}
    asked = measure("citation_relevance", answer, query="What revenue did the company report in Q1?")
    assert (asked.numerator, asked.denominator) == (1.0, 2.0)
    padded = answer.replace("[lost.txt:1:0-9]", "[history.txt:1:0-50]")
    padded_asked = measure("citation_relevance", padded, query="What revenue did the company report in Q1?")
    assert (padded_asked.numerator, padded_asked.denominator) == (1.0, 2.0)
    beside = measure("citation_relevance", answer, query="Which whales sing in winter?")
    assert beside.score == 0.0


def test_a_quote_that_the_source_does_not_say_lowers_fidelity_and_a_misplaced_one_is_counted():
    true = 'The report says "Profit fell by 3%" [report.txt:1:60-98].'
    forged = 'The report says "profit doubled overnight again" [report.txt:1:60-98].'
    elsewhere = 'The report says "the head office is in Oslo" [report.txt:1:0-20].'
    assert measure("quote_fidelity", true).score == 1.0
    both = measure("quote_fidelity", f"{true} {forged}")
    assert both.counts == {"total_quotes": 2, "verbatim_quotes": 1, "misplaced_quotes": 0}
    assert measure("quote_fidelity", elsewhere).counts["misplaced_quotes"] == 1
    assert measure("quote_fidelity", "Profit fell [report.txt:1:60-98].").reasons == {"no quotes": 1}


def test_a_citation_without_a_place_goes_to_the_claim_that_it_shares_most_words_with():
    answer = (
        "The head office is in Oslo. Profit fell by 3% in the quarter. Two sisters founded the firm in 1950."
    )
    citations = (
        Citation("span", "", 0, 0, (SpanTarget("history.txt", None, 0, 50, "history"),)),
        Citation("span", "", 0, 0, (SpanTarget("report.txt", None, 60, 98, "profit"),)),
        Citation("span", "", 0, 0, (SpanTarget("lost.txt", None, 0, 9, "lost"),)),
    )
    result = measure("citation_correctness", answer, citations=citations)
    claims = [target["claim"] for target in result.signals["targets"]]
    assert claims == ["Two sisters founded the firm in 1950.", "Profit fell by 3% in the quarter.", None]
    assert (result.numerator, result.denominator) == (2.0, 3.0)
    complete = measure("citation_completeness", answer, citations=citations)
    assert complete.signals["uncited_claims"] == ["The head office is in Oslo."]


def test_a_number_counts_in_the_list_of_references_that_came_with_the_answer():
    answer = "Profit fell by 3% in the quarter [2]. Two sisters founded the company in 1950 [1]."
    result = measure("citation_correctness", answer, references=("history.txt", "report.txt"))
    assert [t["document"] for t in result.signals["targets"]] == ["report.txt", "history.txt"]
    assert result.score == 1.0
    numbered = ({"number": 2, "source": "report.txt"}, {"number": 1, "source": "history.txt"})
    assert measure("citation_correctness", answer, references=numbered).score == 1.0
    short = measure("citation_correctness", answer, references=("history.txt",))
    assert [t["status"] for t in short.signals["targets"]] == ["no_entry", "found"]


def test_a_number_counts_in_what_was_retrieved_where_there_is_no_list():
    answer = "Profit fell by 3% in the quarter [1]. Two sisters founded the company in 1950 [2]."
    retrieved = (RetrievedDocument("report.txt"), RetrievedDocument("history.txt"))
    result = measure("citation_correctness", answer, retrieved=retrieved)
    assert [t["document"] for t in result.signals["targets"]] == ["report.txt", "history.txt"]
    turned = measure("citation_correctness", answer, retrieved=retrieved[::-1])
    assert [t["document"] for t in turned.signals["targets"]] == ["history.txt", "report.txt"]
    own = measure(
        "citation_correctness",
        f"{answer}\n\nReferences\n[1] report.txt\n[2] history.txt",
        retrieved=retrieved[::-1],
    )
    assert [t["document"] for t in own.signals["targets"]] == ["report.txt", "history.txt"]


def test_a_given_number_without_a_place_is_looked_up_in_the_references_too():
    citations = (Citation("number", "[1]", 0, 0, (NumberTarget(1, "1"),)),)
    result = measure(
        "citation_correctness", "Profit fell by 3%.", citations=citations, references=("report.txt",)
    )
    assert result.score == 1.0


def test_a_json_value_is_compared_and_no_judge_is_asked():
    sources = {"data.json": {"plants": {"count": 12}}}
    judge = ScriptedJudge(RandomTable(random.Random(1)))
    item = DatasetItem(actual_output="The firm has 12 plants [plants.count].")
    for name, best in (
        ("citation_correctness", 1.0),
        ("factual_consistency", 1.0),
        ("hallucination_rate", 0.0),
    ):
        assert asyncio.run(parse_metric(name).execute(item, sources, judge=judge)).score == best
    assert judge.batches == []


def test_thresholds_come_from_the_settings_unless_the_metric_has_one():
    item = DatasetItem(actual_output=CLEAN + " Sales rose by 9% [lost.txt:1:0-9].")

    def run(name: str, settings: Settings | None = None) -> Result:
        metric = parse_metric(name)
        return asyncio.run(metric.execute(item, DOCUMENTS, judge=NumberRules(), settings=settings))

    assert run("citation_correctness").threshold == 0.7
    assert run("citation_correctness").passed is False
    assert run("citation_correctness", Settings(fail_under=0.5)).passed is True
    assert run("citation_correctness(threshold=0.6)", Settings(fail_under=0.9)).passed is True
    assert run("hallucination_rate").threshold == 0.1
    assert run("factual_consistency").threshold == 0.8


def test_hallucination_is_tested_against_sources_that_nobody_cited():
    answer = "Two sisters founded the company in 1950 [report.txt:1:0-59]."
    assert measure("citation_correctness", answer).score == 0.0
    assert measure("hallucination_rate", answer).score == 0.0


def test_consistency_is_no_support_a_silent_source_contradicts_nothing():
    answer = "Two sisters founded the company in 1950 [report.txt:1:99-126]."
    assert measure("citation_correctness", answer).score == 0.0
    result = measure("factual_consistency", answer)
    assert result.score == 1.0
    assert result.signals["consistency_scores"] == [pytest.approx(result.signals["mean_consistency"])]


def test_without_sources_nothing_can_be_grounded_or_refuted():
    result = measure("hallucination_rate", "Profit fell by 3%.", sources={})
    assert result.score is None and result.reasons == {"no sources": 1}


def test_an_answer_with_thousands_of_citations_is_measured_in_time():
    answer = " ".join(f"Profit fell by 3% in the quarter {n} [report.txt:1:60-98]." for n in range(1500))
    assert measure("citation_completeness", answer).denominator == 1500
    loose = tuple(
        Citation("span", "", 0, 0, (SpanTarget("report.txt", None, 60, 98, str(n)),)) for n in range(1500)
    )
    assert measure("citation_completeness", answer, citations=loose).score == pytest.approx(1 / 1500)


def test_markers_that_close_a_paragraph_share_its_sentences_out():
    answer = (
        "Profit fell by 3% in the quarter. Two sisters founded the company in 1950 "
        "[report.txt:1:60-98] [history.txt:1:0-50]."
    )
    metric = parse_metric("citation_correctness")

    def run(text: str, settings: Settings) -> Result:
        item = DatasetItem(actual_output=text)
        return asyncio.run(metric.execute(item, DOCUMENTS, judge=NumberRules(), settings=settings))

    assert run(answer, Settings(attach="paragraph")).score == 1.0
    assert run(answer, Settings()).score == 0.5
    beside = answer.replace("Profit fell by 3% in the quarter", "The firm has nine plants in Peru")
    assert run(beside, Settings(attach="paragraph")).score == 0.0


def test_a_heap_of_citations_too_large_to_read_together_is_judged_one_by_one():
    markers = "".join(f" [report.txt:1:60-{98 + n % 2}]" for n in range(40))
    answer = f"Profit fell by 3% in the same quarter{markers}."
    for name in ("citation_correctness", "alce_recall", "alce_precision", "longcite_recall"):
        assert measure(name, answer).score == 1.0


@pytest.mark.parametrize(
    ("cited", "score", "left_out", "reason"),
    [
        ("[lost.txt:1:0-9]", None, (1, 0), "the citation of the quote points nowhere"),
        ("(https://example.org/x)", None, (0, 1), "the cited source was not given"),
        ("[report.txt:1:0-40] (https://example.org/x)", None, (0, 1), "the cited source was not given"),
        ("[report.txt:1:0-40]", 0.0, (0, 0), None),
    ],
)
def test_a_quote_that_nobody_can_look_up_is_neither_true_nor_forged(
    cited: str, score: float | None, left_out: tuple[int, int], reason: str | None
) -> None:
    item = {"actual_output": f'They wrote "nobody has ever been there" {cited}.'}
    sources = {"report.txt": "The company reported $10M in Q1 revenue."}
    result = asyncio.run(parse_metric("quote_fidelity").execute(item, sources, judge="rules"))
    assert (result.score, (result.not_scorable, result.unjudged)) == (score, left_out)
    assert result.reasons == ({reason: 1} if reason else {})
    (unit,) = result.signals["units"]
    assert unit.claim == "nobody has ever been there"


@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_citations_that_support_a_list_only_together_are_right_together_and_wrong_alone(judge):
    sources = {"1": "Cats are mammals.", "2": "Dogs are mammals.", "3": "Foxes are mammals."}
    metric = parse_metric("citation_correctness")
    scores = [
        asyncio.run(
            metric.execute(
                DatasetItem(actual_output=f"Cats, dogs and foxes are mammals {markers}."),
                sources,
                judge=open_judge(judge),
            )
        ).score
        for markers in ("[1-3]", "[3]")
    ]
    assert scores == [1.0, 0.0]
