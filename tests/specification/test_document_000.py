"""Document 000, citation accuracy: sections 2 to 5 and 7 to 9, block by block, with the rulings applied.

Section 6 is in `test_document_000_configuration.py`. The annotators of section 4.1 are in
`tests/datasets/test_agreement.py`, the pipeline of section 9.2 also in `tests/compat/test_monitoring.py`,
and the targets of section 8 are held by `bench/answer.py`, `bench/harness.py` and `bench/history.py`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from small_dataset import dataset, measure, query, scores, values

from llm_material import by_claim, judge_at, verdict
from llm_server import LlmServer
from pincite import check
from pincite.annotation import measure_agreement, read_annotations
from pincite.compat import (
    AutomatedCitationEvaluator,
    CitationAlertSystem,
    CitationCompleteness,
    CitationCorrectness,
    CitationEvaluator,
    CitationSpan,
    CitationSpanAccuracy,
    FactualConsistency,
    HallucinationRate,
    LLMCitationValidator,
    calculate_semantic_support,
    evaluate_citation_spans,
    evaluation_harness,
    extract_citations_from_answer,
    validate_citation_support,
)
from pincite.config import LlmSettings, Settings
from pincite.metrics import parse_metric

REPORT = "... The company achieved $10M in total revenue for Q1 ..."
STATEMENT = "The company reported $10M in Q1 revenue from product sales."
START, END = 3000, 3000 + len(STATEMENT)
ANNUAL = {"annual_report.pdf": "..." * 1000 + STATEMENT + "..." * 1000}
ANSWER = "The company reported $10M in Q1 revenue. [annual_report.pdf:5:1234-1289]"
TRUE_ANSWER = ANSWER.replace("1234-1289", f"{START}-{END}")

WEIGHTS = {
    "span_accuracy_score": 0.30,
    "citation_quality_score": 0.30,
    "answer_consistency_score": 0.25,
    "hallucination_score": 0.15,
}
"""Of the parts in the overall score, in section 5.1."""


def places(answer: str) -> list[tuple[str, int | None, int, int]]:
    found = extract_citations_from_answer(answer)
    return [(one.file_name, one.page_number, one.start_char, one.end_char) for one in found]


# --- 2: formats ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[annual_report.pdf:5:1234-1289]", [("annual_report.pdf", 5, 1234, 1289)]),
        ('[file.pdf:2:10-20 | excerpt: "context text..."]', [("file.pdf", 2, 10, 20)]),
        ("[file.pdf:2:10-20,30-40]", [("file.pdf", 2, 10, 20), ("file.pdf", 2, 30, 40)]),
        ("[file1.pdf:1:10-20] [file2.pdf:2:30-40]", [("file1.pdf", 1, 10, 20), ("file2.pdf", 2, 30, 40)]),
    ],
    ids=["standard", "extended", "multi-span", "cross-reference"],
)
def test_section_2_1_every_format_is_read(written: str, expected: list[Any]) -> None:
    assert places(f"The company grew {written}.") == expected


def test_section_2_1_the_excerpt_of_the_extended_format_is_kept() -> None:
    (found,) = extract_citations_from_answer('It grew [file.pdf:2:10-20 | excerpt: "context text..."].')
    assert found.context_text == "context text..."


def test_section_2_2_a_citation_span_has_the_fields_and_defaults() -> None:
    citation = CitationSpan("annual_report.pdf", 5, 1234, 1289)
    assert asdict(citation) == {
        "file_name": "annual_report.pdf",
        "page_number": 5,
        "start_char": 1234,
        "end_char": 1289,
        "confidence_score": 1.0,
        "extraction_method": "llm",
        "context_text": "",
        "relevance_score": 1.0,
    }


# --- 3: formulas ---------------------------------------------------------------------------------

WORDS = {"a.txt": "one two three four five six"}


def test_section_3_1_characters() -> None:
    # 8 characters are true, 12 predicted, 6 of them shared.
    found = evaluate_citation_spans([CitationSpan("a.txt", 1, 0, 8)], [CitationSpan("a.txt", 1, 2, 14)], 0)
    precision, recall = 6 / 12, 6 / 8
    assert found["micro_precision"] == found["mean_precision"] == pytest.approx(precision)
    assert found["micro_recall"] == found["mean_recall"] == pytest.approx(recall)
    assert found["mean_f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert found["mean_jaccard"] == found["mean_exact_jaccard"] == pytest.approx(6 / 14)
    assert found["mean_dice"] == pytest.approx(2 * 6 / (8 + 12))


def test_section_3_1_tokens() -> None:
    # "two three" is true, "three four five" predicted: one word of two, and of three.
    true, predicted = [CitationSpan("a.txt", 1, 4, 13)], [CitationSpan("a.txt", 1, 8, 23)]
    found = evaluate_citation_spans(true, predicted, 0, WORDS)
    assert found["token_micro_precision"] == pytest.approx(1 / 3)
    assert found["token_micro_recall"] == pytest.approx(1 / 2)


def test_sections_3_2_and_3_3_the_ratios_of_an_answer(tmp_path: Path) -> None:
    cited = "[ferry.txt:1:0-26]"
    answer = (
        f"The ferry carries 84 cars {cited}. The ferry carries 48 cars {cited}. "
        "The museum opened in 1911. The museum is made of glass."
    )
    run = measure(
        tmp_path,
        dataset(query("a", query_text="How many cars does the ferry carry?")),
        {"a": {"answer": answer}},
        *("citation_completeness", "citation_correctness", "factual_consistency"),
        *("hallucination_rate", "citation_density"),
    )
    assert values(run) == {
        "citation_completeness": 2 / 4,
        "citation_correctness": 1 / 2,
        # What is cited speaks against one claim only.
        "factual_consistency": 3 / 4,
        # The museum did open in 1911; the other two stand nowhere.
        "hallucination_rate": 2 / 4,
        "citation_density": pytest.approx(2 * len(cited) / len(answer)),
    }
    counts = {name: score.counts for name, score in scores(run).items()}
    assert counts["citation_completeness"] == {"total_claims": 4, "cited_claims": 2}
    assert counts["citation_correctness"] == {"total_citations": 2, "correct_citations": 1}
    assert counts["hallucination_rate"] == {"total_claims": 4, "hallucinated_claims": 2}


def test_section_3_2_relevance_is_relevant_citations_of_all(tmp_path: Path) -> None:
    answer = "The ferry carries 84 cars [ferry.txt:0-26]. Entry costs four crowns [museum.txt:51-76]."
    asked = query("a", query_text="How many cars does the ferry carry?")
    run = measure(tmp_path, dataset(asked), {"a": {"answer": answer}}, "citation_relevance")
    (score,) = run.scores
    assert (score.numerator, score.denominator, score.value) == (1, 2, 0.5)


# --- 4: methods ----------------------------------------------------------------------------------


def test_section_4_1_a_tenth_is_annotated_again_and_agreement_is_to_reach_0_85(tmp_path: Path) -> None:
    annotated = [
        {"annotation_id": f"a{number}", "query_id": f"q{number}", "annotator_id": "ada", "citations": []}
        for number in range(500)
    ]
    (tmp_path / "a.gt.json").write_text(json.dumps({"dataset_id": "d", "annotations": annotated}))
    figures = measure_agreement(read_annotations([tmp_path]), Settings().agreement)
    assert len(figures.blind_sample) == 50
    assert Settings().agreement.target_agreement == 0.85


def test_section_4_2_span_matching_has_its_four_figures_and_a_tolerance_of_ten() -> None:
    truth = [CitationSpan("a.pdf", 1, 100, 200)]
    found = evaluate_citation_spans(truth, [CitationSpan("a.pdf", 1, 110, 190)])
    assert list(found)[:4] == [
        "mean_exact_jaccard",
        "mean_tolerance_jaccard",
        "perfect_matches",
        "good_matches",
    ]
    assert [found[name] for name in list(found)[:4]] == [pytest.approx(0.8), 1.0, 0, 1]
    further = evaluate_citation_spans(truth, [CitationSpan("a.pdf", 1, 111, 190)], tolerance_chars=10)
    assert further["mean_tolerance_jaccard"] == pytest.approx(89 / 100)


def test_section_4_2_nothing_to_match_is_no_figure() -> None:
    found = evaluate_citation_spans([], [])
    assert found["mean_exact_jaccard"] is found["mean_tolerance_jaccard"] is None
    assert (found["perfect_matches"], found["good_matches"]) == (0, 0)


def test_section_4_2_validation_has_its_figures_and_reasons() -> None:
    start = REPORT.index("The company")
    citations = [CitationSpan("report.pdf", 1, start, start + 49), CitationSpan("lost.pdf", 1, 0, 9)]
    found = validate_citation_support(
        "The company achieved $10M in revenue.", citations, {"report.pdf": REPORT}
    )
    right, lost = found["validation_details"]
    assert right["valid"] and right["support_score"] >= 0.7
    assert (right["cited_length"], right["claim_length"]) == (
        49,
        len("The company achieved $10M in revenue."),
    )
    assert (lost["valid"], lost["reason"]) == (False, "document_not_found")
    assert (found["citation_validity_rate"], found["invalid_citations"]) == (0.5, 1)
    assert found["mean_support_score"] == pytest.approx(right["support_score"] / 2)


@pytest.mark.parametrize("score", [1.0, 0.8, 0.6, 0.4, 0.2, 0.0])
def test_section_4_3_the_scale_of_support(score: float) -> None:
    with LlmServer(str(score)) as server:
        settings = Settings(llm=LlmSettings(base_url=server.url, retry_attempts=0))
        assert (
            calculate_semantic_support("Revenue rose.", f"Revenue rose by {score}.", settings=settings)
            == score
        )
    said = json.dumps(server.bodies[0]["messages"])
    assert "Revenue rose." in said and f"Revenue rose by {score}." in said


@pytest.mark.parametrize("reply", ["no idea", "nan", "1.7"])
def test_section_4_3_what_is_no_score_is_none_and_not_a_half(reply: str) -> None:
    with LlmServer(reply) as server:
        settings = Settings(llm=LlmSettings(base_url=server.url, retry_attempts=0))
        assert calculate_semantic_support("Revenue rose.", f"Not {reply}.", settings=settings) is None


# --- 5: evaluator and validator -------------------------------------------------------------------


def test_section_5_1_the_evaluator_has_every_group_and_every_figure() -> None:
    truth = {"citation_spans": [CitationSpan("annual_report.pdf", 5, START, END)]}
    evaluator = CitationEvaluator({"llm_config": {"temperature": 0.0}}, judge="rules")
    results = evaluator.evaluate_answer_citations(
        f"{TRUE_ANSWER} The firm has nine plants in Peru.",
        extract_citations_from_answer(TRUE_ANSWER),
        ANNUAL,
        truth,
    )
    wanted = {
        "span_accuracy": {"mean_exact_jaccard", "mean_tolerance_jaccard", "perfect_matches", "good_matches"},
        "citation_quality": {
            "citation_validity_rate",
            "mean_support_score",
            "invalid_citations",
            "validation_details",
        },
        "answer_consistency": {"mean_consistency", "consistency_variance", "consistent_citations"},
        "hallucination_detection": {"hallucination_rate", "unsupported_claims", "total_claims"},
        "overall_scores": {*WEIGHTS, "overall_citation_accuracy"},
    }
    for group, names in wanted.items():
        assert names <= set(results[group]), group
    (unsupported,) = results["hallucination_detection"]["unsupported_claims"]
    assert unsupported["claim"] == "The firm has nine plants in Peru."
    assert (unsupported["supported"], unsupported["supporting_citations"]) == (False, [])
    assert results["hallucination_detection"]["hallucination_rate"] == 0.5


def test_section_5_1_the_overall_score_has_the_weights_of_the_document() -> None:
    truth = {"citation_spans": [CitationSpan("annual_report.pdf", 5, START, END + 100)]}
    answer = f"{TRUE_ANSWER} The firm has nine plants in Peru."
    scores = CitationEvaluator({}, judge="rules").evaluate_answer_citations(answer, None, ANNUAL, truth)[
        "overall_scores"
    ]
    assert scores["hallucination_score"] == 0.5
    assert scores["span_accuracy_score"] == pytest.approx(len(STATEMENT) / (len(STATEMENT) + 100))
    weighted = sum(scores[name] * weight for name, weight in WEIGHTS.items())
    assert scores["overall_citation_accuracy"] == pytest.approx(weighted)


@pytest.mark.parametrize(("reply", "grade"), [("1", 1.0), ("2", 0.5), ("3", 0.0), ("perhaps", None)])
def test_section_5_1_the_validator_grades_a_hallucination(reply: str, grade: float | None) -> None:
    with LlmServer(reply) as server:
        validator = LLMCitationValidator({"base_url": server.url, "retry_attempts": 0})
        sources = [f"Nothing ({reply}) to see.", "x" * 400 + " the claim stands here"]
        assert validator.detect_hallucination("The claim stands.", sources) == grade
    assert "the claim stands here" in json.dumps(server.bodies[0]["messages"])


def test_section_5_1_support_and_consistency_are_asked_apart() -> None:
    with LlmServer("0.8") as server:
        validator = LLMCitationValidator({"base_url": server.url, "retry_attempts": 0})
        assert validator.evaluate_support("It rose.", "It rose, they say.") == 0.8
        assert validator.evaluate_consistency("It rose.", "It rose, they say.") == 0.8
    assert server.bodies[0]["messages"] != server.bodies[1]["messages"]


# --- 7: test cases -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicted", "jaccard", "perfect"),
    [((100, 150), 1.0, 1), ((200, 250), 0.0, 0)],
    ids=["perfect match", "no overlap"],
)
def test_section_7_1_span_accuracy(predicted: tuple[int, int], jaccard: float, perfect: int) -> None:
    found = evaluate_citation_spans(
        [CitationSpan("doc1.pdf", 1, 100, 150)], [CitationSpan("doc1.pdf", 1, *predicted)]
    )
    assert (found["mean_exact_jaccard"], found["perfect_matches"]) == (jaccard, perfect)


def test_section_7_1_the_partial_overlap_is_fifty_of_a_hundred_and_fifty() -> None:
    found = evaluate_citation_spans(
        [CitationSpan("doc1.pdf", 1, 100, 200)], [CitationSpan("doc1.pdf", 1, 150, 250)]
    )
    assert found["mean_exact_jaccard"] == pytest.approx(50 / 150)
    assert found["ratios"]["micro_precision"] == {"numerator": 50, "denominator": 100}


def test_section_7_1_the_validation_as_written_is_out_of_bounds() -> None:
    validation = validate_citation_support(
        "The company reported $10M in revenue.",
        [CitationSpan("report.pdf", 1, 500, 550)],
        {"report.pdf": REPORT},
    )
    assert (validation["citation_validity_rate"], validation["mean_support_score"]) == (0.0, 0.0)
    (detail,) = validation["validation_details"]
    assert (detail["valid"], detail["reason"]) == (False, "span_out_of_bounds")


def test_section_7_1_the_validation_with_true_offsets_is_supported() -> None:
    start = REPORT.index("The company")
    validation = validate_citation_support(
        "The company reported $10M in revenue.",
        [CitationSpan("report.pdf", 1, start, start + 49)],
        {"report.pdf": REPORT},
    )
    assert validation["citation_validity_rate"] > 0.8
    assert validation["mean_support_score"] > 0.7
    assert validation["validation_details"][0]["status"] == "supported"


def test_section_7_2_end_to_end_as_written() -> None:
    truth = {"citation_spans": [CitationSpan("annual_report.pdf", 5, 1230, 1290)]}
    citations = extract_citations_from_answer(ANSWER)
    results = CitationEvaluator({}).evaluate_answer_citations(ANSWER, citations, ANNUAL, truth)
    assert {"span_accuracy", "citation_quality", "overall_scores"} <= set(results)
    assert 0.0 <= results["overall_scores"]["overall_citation_accuracy"] <= 1.0
    assert results["span_accuracy"]["mean_exact_jaccard"] == pytest.approx(55 / 60)
    assert results["span_accuracy"]["mean_tolerance_jaccard"] == 1.0
    # The cited characters are dots, which say nothing.
    assert results["citation_quality"]["citation_validity_rate"] == 0.0


def test_section_7_2_end_to_end_with_true_offsets_is_flawless() -> None:
    truth = {"citation_spans": [CitationSpan("annual_report.pdf", 5, START - 4, END + 1)]}
    citations = extract_citations_from_answer(TRUE_ANSWER)
    results = CitationEvaluator({}).evaluate_answer_citations(TRUE_ANSWER, citations, ANNUAL, truth)
    assert results["overall_scores"]["overall_citation_accuracy"] == 1.0
    assert results["overall_scores"]["weights"] == pytest.approx(WEIGHTS)
    assert results["hallucination_detection"]["unsupported_claims"] == []
    assert all(part["passed"] for part in results["thresholds"].values())


def test_section_7_2_a_check_says_where_the_characters_really_are() -> None:
    (finding,) = [one for one in check(ANSWER, ANNUAL).findings if one.severity == "error"]
    assert finding.code == "PIN205"
    assert finding.fix is not None
    assert finding.fix.replacement == f"[annual_report.pdf:5:{START}-{END}]"


# --- 8: performance ------------------------------------------------------------------------------


LINES = [f"Office {number} sold {number * 37 + 11} tickets in {1990 + number}." for number in range(20)]
SOLD = {"sales.txt": " ".join(LINES)}
SOLD_SPANS = [
    CitationSpan("sales.txt", None, SOLD["sales.txt"].index(line), SOLD["sales.txt"].index(line) + len(line))
    for line in LINES
]
SOLD_ANSWER = " ".join(
    f"{line} [sales.txt:{span.start_char}-{span.end_char}]"
    for line, span in zip(LINES, SOLD_SPANS, strict=True)
)


def test_section_8_1_each_operation_takes_an_answer_with_twenty_citations() -> None:
    """How long each takes is measured on a quiet machine: `python -m bench answer`."""
    citations = extract_citations_from_answer(SOLD_ANSWER)
    assert len(citations) == 20
    assert evaluate_citation_spans(SOLD_SPANS, citations)["perfect_matches"] == 20
    assert validate_citation_support(LINES[0], [citations[0]], SOLD)["valid_citations"] == 1
    evaluator = CitationEvaluator({}, judge="rules")
    found = evaluator.evaluate_answer_citations(SOLD_ANSWER, citations, SOLD, {"citation_spans": SOLD_SPANS})
    assert found["overall_scores"]["overall_citation_accuracy"] == 1.0


def test_section_8_2_an_evaluation_makes_fewer_than_five_requests() -> None:
    with LlmServer(by_claim(lambda number, claim: verdict(number, 0.9))) as server:
        evaluator = CitationEvaluator({}, judge=judge_at(server.url))
        evaluator.evaluate_answer_citations(SOLD_ANSWER, None, SOLD, {"citation_spans": SOLD_SPANS})
    assert 1 <= len(server.seen) < 5


def test_section_8_3_fifty_at_once_and_a_repeated_evaluation_comes_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Settings().evaluation.max_in_flight >= 50
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path))
    requests = []
    with LlmServer(by_claim(lambda number, claim: verdict(number, 0.9))) as server:
        config = {"judge": "llm", "llm_config": {"base_url": server.url, "retry_attempts": 0}}
        for _ in range(2):
            CitationEvaluator(config).evaluate_answer_citations(SOLD_ANSWER, None, SOLD)
            requests.append(len(server.seen))
    first, both = requests
    assert first >= 1 and both == first


# --- 9: harness and pipeline ---------------------------------------------------------------------


def test_section_9_1_metrics_are_registered_by_name() -> None:
    citation_metrics = {
        "citation_span_accuracy": CitationSpanAccuracy(),
        "citation_completeness": CitationCompleteness(),
        "citation_correctness": CitationCorrectness(),
        "factual_consistency": FactualConsistency(),
        "hallucination_rate": HallucinationRate(),
    }
    evaluation_harness.register_metrics(citation_metrics)
    assert evaluation_harness.metrics == citation_metrics
    for name, metric in citation_metrics.items():
        assert parse_metric(name) == metric


def test_section_9_2_a_batch_is_evaluated_and_reported() -> None:
    pipeline = AutomatedCitationEvaluator({"judge": "rules"})
    assert isinstance(pipeline.alerts, CitationAlertSystem)
    good = {
        "id": "good",
        "answer": TRUE_ANSWER,
        "citations": extract_citations_from_answer(TRUE_ANSWER),
        "source_documents": ANNUAL,
    }
    wrong = {**good, "id": "wrong", "answer": ANSWER, "citations": extract_citations_from_answer(ANSWER)}
    results = pipeline.evaluate_query_batch([good, wrong, {"id": "broken"}])
    assert results[0]["overall_scores"]["overall_citation_accuracy"] == 1.0
    assert {alert["query_id"] for alert in pipeline.alerts.alerts} == {"wrong"}
    assert "answer" in results[2]["error"]
    report = pipeline.generate_report(results)
    assert list(report) == ["summary", "visualizations", "analysis", "recommendations"]
    assert report["recommendations"]
