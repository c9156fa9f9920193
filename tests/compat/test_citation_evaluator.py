"""The evaluator of document 000. Its examples: `tests/specification/`."""

from __future__ import annotations

import asyncio

import pytest

from pincite.compat import CitationEvaluator, CitationSpan
from pincite.errors import ConfigError, InputError
from pincite.judges import NumberRules
from pincite.records import Verdict

STATEMENT = "The company reported $10M in Q1 revenue from product sales."
START = 3000
END = START + len(STATEMENT)
SOURCE_DOCS = {"annual_report.pdf": "..." * 1000 + STATEMENT + "..." * 1000}
PLAIN = "The company reported $10M in Q1 revenue."
ANSWER = f"{PLAIN} [annual_report.pdf:5:{START}-{END}]"
GROUPS = [
    "span_accuracy",
    "citation_quality",
    "answer_consistency",
    "hallucination_detection",
    "overall_scores",
]


class CountingJudge(NumberRules):
    """The rule judge, with its batches counted."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    async def judge(self, pairs):
        self.batches.append(len(pairs))
        return await super().judge(pairs)


def evaluate(answer=ANSWER, citations=None, truth=None, config=None, docs=SOURCE_DOCS):
    return CitationEvaluator(config or {}, judge="rules").evaluate_answer_citations(
        answer, citations, docs, truth
    )


def test_without_ground_truth_the_other_parts_share_its_weight_and_say_so():
    scores = evaluate(ANSWER)["overall_scores"]
    assert scores["span_accuracy_score"] is None
    assert scores["overall_citation_accuracy"] == 1.0
    assert scores["parts"] == ["citation_quality_score", "answer_consistency_score", "hallucination_score"]
    assert sum(scores["weights"].values()) == pytest.approx(1.0)
    assert scores["weights"]["citation_quality_score"] == pytest.approx(0.30 / 0.70)


def test_citations_may_be_dicts_without_a_marker_in_the_answer():
    given = [{"file_name": "annual_report.pdf", "start_char": START, "end_char": END}]
    quality = evaluate(PLAIN, given)["citation_quality"]
    assert quality["citation_validity_rate"] == 1.0
    assert quality["validation_details"][0]["claim"] == PLAIN
    assert quality["citation_completeness"] == 1.0


def test_an_answer_without_citations_has_nulls_and_no_zeros():
    results = evaluate(PLAIN, [])
    assert results["citation_quality"]["citation_validity_rate"] is None
    assert results["answer_consistency"]["mean_consistency"] is None
    assert results["overall_scores"]["parts"] == ["hallucination_score"]
    nothing = evaluate("I don't know.", [])
    assert nothing["overall_scores"]["overall_citation_accuracy"] is None
    assert nothing["hallucination_detection"]["hallucination_rate"] is None


def test_a_citation_that_points_nowhere_is_invalid_and_says_why():
    given = [CitationSpan("annual_report.pdf", 5, 90_000, 90_010), CitationSpan("lost.pdf", 1, 0, 5)]
    quality = evaluate(PLAIN, given)["citation_quality"]
    assert [detail["reason"] for detail in quality["validation_details"]] == [
        "span_out_of_bounds",
        "document_not_found",
    ]
    assert quality["citation_validity_rate"] == 0.0
    assert quality["fabrication_rate"] == 1.0


def test_all_questions_go_to_the_judge_as_one_batch_unless_a_size_is_set():
    judge = CountingJudge()
    answer = (
        f"{ANSWER} The firm has nine plants in Peru. Sales were $10M [annual_report.pdf:5:{START}-{END}]."
    )
    CitationEvaluator({}, judge=judge).evaluate_answer_citations(answer, None, SOURCE_DOCS)
    assert len(judge.batches) == 1
    asked = sum(judge.batches)
    smaller = CountingJudge()
    config = {"citation_accuracy": {"performance": {"batch_size": 2}}}
    CitationEvaluator(config, judge=smaller).evaluate_answer_citations(answer, None, SOURCE_DOCS)
    assert sum(smaller.batches) == asked and max(smaller.batches) == 2


def test_it_works_inside_a_running_event_loop():
    async def inside() -> float:
        return evaluate(ANSWER)["overall_scores"]["overall_citation_accuracy"]

    assert asyncio.run(inside()) == 1.0


def test_every_key_of_the_documents_configuration_is_taken():
    config = {
        "llm_config": {
            "model": "openrouter/auto",
            "temperature": 0.0,
            "max_tokens": 100,
            "retry_attempts": 3,
        },
        "citation_accuracy": {
            "enabled": True,
            "span_matching": {"tolerance_chars": 0, "min_overlap_threshold": 0.5, "max_span_length": 10000},
            "llm_evaluation": {"model": "openrouter/auto", "temperature": 0.0},
            "quality_thresholds": {
                "span_accuracy": 0.8,
                "citation_validity": 0.95,
                "answer_consistency": 0.8,
                "hallucination_tolerance": 0.1,
            },
            "performance": {"batch_size": 10, "cache_results": True, "parallel_evaluation": True},
            "reporting": {"detailed_span_analysis": True, "hallucination_details": True},
        },
        "quality_control": {
            "inter_annotator_agreement": {"target_agreement": 0.85, "min_annotators": 2},
            "validation_checks": {"span_bounds_check": True},
            "error_handling": {"max_retries": 3, "fallback_scoring": False, "error_logging": True},
        },
    }
    truth = {"citation_spans": [CitationSpan("annual_report.pdf", 5, START - 4, END)]}
    results = evaluate(ANSWER, None, truth, config)
    assert results["span_accuracy"]["mean_tolerance_jaccard"] < 1.0  # no tolerance
    assert results["citation_quality"]["validation_details"][0]["reason"] == "below_threshold"  # of 0.95


@pytest.mark.parametrize(
    "config", [{"llm_config": {"api_key": "sk-secret"}}, {"colour": "red"}, {"llm_config": "gpt"}]
)
def test_a_key_that_nobody_knows_is_refused_by_name_and_no_secret_is_told(config):
    with pytest.raises(ConfigError) as refused:
        CitationEvaluator(config)
    assert "sk-secret" not in str(refused.value)


def test_evaluation_that_was_switched_off_says_so():
    with pytest.raises(ConfigError, match="enabled"):
        evaluate(config={"citation_accuracy": {"enabled": False}})


@pytest.mark.parametrize(
    ("answer", "citations", "truth"),
    [(None, [], None), (PLAIN, "text", None), (PLAIN, [{"file_name": "a"}], None), (PLAIN, [], [1])],
)
def test_bad_input_is_refused_in_words(answer, citations, truth):
    with pytest.raises(InputError):
        evaluate(answer, citations, truth)


class ScoringJudge:
    """Supports every claim with one score."""

    waits = False
    name = "scoring/1"

    def __init__(self, score: float) -> None:
        self.score = score

    async def judge(self, pairs):
        return [Verdict("supported", self.score, "as told", judge=self.name) for _ in pairs]


def evaluate_scored(score, thresholds=None):
    config = {"citation_accuracy": {"quality_thresholds": thresholds or {}}}
    evaluator = CitationEvaluator(config, judge=ScoringJudge(score))
    return evaluator.evaluate_answer_citations(ANSWER, None, SOURCE_DOCS)


@pytest.mark.parametrize(
    ("score", "thresholds", "consistent"),
    [
        (0.79, {}, 0),
        (0.8, {}, 1),
        (0.79, {"answer_consistency": 0.75}, 1),
        (0.8, {"answer_consistency": 0.85}, 0),
    ],
)
def test_a_citation_is_consistent_from_the_documents_score_on(score, thresholds, consistent):
    assert evaluate_scored(score, thresholds)["answer_consistency"]["consistent_citations"] == consistent


@pytest.mark.parametrize(
    ("score", "thresholds", "rate"),
    [
        (0.69, {}, 1.0),
        (0.7, {}, 0.0),
        (0.69, {"citation_validity": 0.6}, 0.0),
        (0.7, {"citation_validity": 0.75}, 1.0),
    ],
)
def test_a_claim_is_no_hallucination_from_the_documents_score_on(score, thresholds, rate):
    assert evaluate_scored(score, thresholds)["hallucination_detection"]["hallucination_rate"] == rate
