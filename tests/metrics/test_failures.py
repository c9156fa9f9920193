from __future__ import annotations

import asyncio

from pincite.judges import NumberRules
from pincite.metrics import find_failures, open_case, parse_metric
from pincite.reading import ask
from pincite.records import DatasetItem, Failure, Place, RetrievedDocument

SOURCES = {
    "report.txt": "The company reported $10M in Q1 revenue. Profit fell by 3% in that quarter.",
    "history.txt": "Two sisters founded the company in 1950.",
}


def failures(item: DatasetItem, *names: str) -> list[Failure]:
    case = open_case(item, SOURCES)
    pairs = [pair for name in names for pair in parse_metric(name).pairs(case)]
    verdicts = asyncio.run(ask(NumberRules(), pairs))
    return list(find_failures(case, verdicts))


def kinds(found: list[Failure]) -> list[tuple[str, str | None]]:
    return [(failure.kind, failure.document) for failure in found]


def test_each_kind_of_fault_is_told_with_its_document():
    answer = (
        "Profit fell by 9% in that quarter [report.txt:1:41-74]. "
        "The firm has nine plants in Peru [history.txt:1:0-40]. "
        "Sales doubled [lost.txt:1:0-9]. "
        "Costs doubled [report.txt:1:500-600]. "
        "Whales sing in winter."
    )
    found = failures(DatasetItem(actual_output=answer), "citation_correctness", "hallucination_rate")
    assert kinds(found)[:5] == [
        ("contradicted", "report.txt"),
        ("not_supported", "history.txt"),
        ("unknown_document", "lost.txt"),
        ("out_of_bounds", "report.txt"),
        ("uncited", None),
    ]
    assert {failure.kind for failure in found[5:]} == {"hallucinated"}
    assert all(0 < len(failure.detail) <= 200 for failure in found)


def test_a_clean_answer_has_no_failure():
    answer = "Profit fell by 3% in that quarter [report.txt:1:41-74]."
    assert failures(DatasetItem(actual_output=answer), "citation_correctness", "hallucination_rate") == []


def test_what_no_judge_was_asked_about_is_not_guessed():
    answer = "The firm has nine plants in Peru [history.txt:1:0-40]."
    assert failures(DatasetItem(actual_output=answer)) == []


def test_a_span_that_nobody_cited_and_a_document_that_nobody_retrieved_are_failures():
    item = DatasetItem(
        actual_output="Profit fell by 3% in that quarter [report.txt:1:41-74].",
        true_spans=(Place("report.txt", 1, 41, 74), Place("history.txt", 1, 0, 40)),
        relevant={"report.txt": 1.0, "history.txt": 1.0, "other.txt": 0.0},
        retrieved=(RetrievedDocument("report.txt"),),
    )
    assert kinds(failures(item)) == [("missed_span", "history.txt"), ("not_retrieved", "history.txt")]


def test_a_span_of_a_document_that_is_not_there_is_broken_and_still_not_missed():
    item = DatasetItem(
        actual_output="Sales doubled [lost.txt:1:0-9].", true_spans=(Place("lost.txt", 1, 0, 9),)
    )
    assert kinds(failures(item)) == [("unknown_document", "lost.txt")]


def test_a_cited_span_that_no_true_span_matches_is_needless_and_told_with_its_words():
    item = DatasetItem(
        actual_output="Profit fell by 3% in that quarter [report.txt:1:41-74][history.txt:1:0-40].",
        true_spans=(Place("report.txt", 1, 41, 74),),
    )
    found = failures(item)
    assert kinds(found) == [("needless_span", "history.txt")]
    assert found[0].detail == "history.txt 0-40: Two sisters founded the company in 1950."


def test_a_span_that_is_nowhere_is_broken_and_not_needless_too():
    item = DatasetItem(actual_output="Sales doubled [lost.txt:1:0-9][report.txt:1:500-600].", true_spans=())
    assert kinds(failures(item)) == [("unknown_document", "lost.txt"), ("out_of_bounds", "report.txt")]


def test_without_true_spans_in_the_dataset_no_cited_span_is_needless():
    item = DatasetItem(actual_output="Profit fell by 3% in that quarter [report.txt:1:41-74].")
    assert failures(item) == []


def test_the_set_of_true_spans_that_fits_best_counts():
    item = DatasetItem(
        actual_output="Profit fell by 3% in that quarter [report.txt:1:41-74].",
        true_spans=(Place("history.txt", 1, 0, 40),),
        other_true_spans=((Place("report.txt", 1, 41, 74),),),
    )
    assert failures(item) == []


def test_an_item_without_an_answer_has_no_failures_of_its_own():
    item = DatasetItem(failure="timed out", true_spans=(Place("history.txt", 1, 0, 40),))
    assert failures(item, "citation_correctness") == []


def test_a_document_goes_by_one_name_however_the_dataset_calls_it():
    item = DatasetItem(
        actual_output="Profit fell by 3% in that quarter [report.txt:1:41-74].",
        true_spans=(Place("docs/history.txt", 1, 0, 40),),
        relevant={"docs/history.txt": 1.0},
        retrieved=(RetrievedDocument("report.txt"),),
    )
    assert kinds(failures(item)) == [
        ("missed_span", "history.txt"),
        ("needless_span", "report.txt"),
        ("not_retrieved", "history.txt"),
    ]


def test_a_document_that_was_retrieved_under_another_of_its_names_was_retrieved():
    for relevant, retrieved in (("docs/history.txt", "history.txt"), ("history.txt", "DOCS\\History.txt")):
        item = DatasetItem(
            actual_output="So.", relevant={relevant: 1.0}, retrieved=(RetrievedDocument(retrieved),)
        )
        assert ("not_retrieved", "history.txt") not in kinds(failures(item)), (relevant, retrieved)
