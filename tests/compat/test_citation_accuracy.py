"""Spans scored, extracted and validated by the names of document 000, whose examples are elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pincite.compat import (
    CitationSpan,
    evaluate_citation_spans,
    extract_citations_from_answer,
    validate_citation_support,
)
from pincite.errors import InputError

REPORT = "... The company achieved $10M in total revenue for Q1 ..."
REVENUE = "The company reported $10M in Q1 revenue"


def cite(text: str, quote: str, name: str = "report.pdf", page: int | None = 1) -> CitationSpan:
    start = text.index(quote)
    return CitationSpan(name, page, start, start + len(quote))


# --- span accuracy ---------------------------------------------------------------------------------


def test_span_accuracy_without_overlap():
    accuracy = evaluate_citation_spans(
        [CitationSpan("doc1.pdf", 1, 100, 150)], [CitationSpan("doc1.pdf", 1, 200, 250)]
    )
    assert accuracy["mean_exact_jaccard"] == 0.0
    assert accuracy["unmatched_true"] == accuracy["unmatched_predicted"] == [0]


def test_citations_may_be_dicts_or_other_records_and_keep_what_they_say():
    @dataclass
    class Other:
        file_name: str
        start_char: int
        end_char: int

    true = [{"file_name": "a.pdf", "page_number": 3, "start_char": 0, "end_char": 9, "text": "ignored"}]
    assert evaluate_citation_spans(true, [Other("a.pdf", 0, 9)])["mean_exact_jaccard"] == 1.0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([{"file_name": "a.pdf", "start_char": 0}], r"true_spans\[0\] has no end_char"),
        ([CitationSpan("a.pdf", 1, 0, 9), 7], r"true_spans\[1\] has no file_name"),
        ([CitationSpan("a.pdf", 1, "0", 9)], r"start_char is '0'"),
        ([CitationSpan("a.pdf", [], 0, 9)], r"page_number is \[\]"),
        ([CitationSpan(None, 1, 0, 9)], r"file_name is None"),
        ({"file_name": "a.pdf"}, "must be a list"),
    ],
)
def test_what_is_no_citation_is_refused_by_name(given, said):
    with pytest.raises(InputError, match=said):
        evaluate_citation_spans(given, [])


def test_token_figures_come_with_the_documents():
    true, predicted = [cite(REPORT, "The company")], [cite(REPORT, "The company achieved")]
    assert evaluate_citation_spans(true, predicted)["token_micro_precision"] is None
    with_text = evaluate_citation_spans(true, predicted, 0, {"report.pdf": REPORT})
    assert with_text["token_micro_precision"] == pytest.approx(2 / 3)
    assert with_text["token_micro_recall"] == 1.0


# --- extraction ------------------------------------------------------------------------------------


def test_citations_are_extracted_from_every_span_format():
    answer = (
        "One. [annual_report.pdf:5:1234-1289] "
        'Two. [a.pdf:1:10-20 | excerpt: "some words"] '
        "Three. [b.pdf:2:1-5,7-9] Four. [c.txt:3-8] and [1] are others (Smith, 2020)."
    )
    found = extract_citations_from_answer(answer)
    assert [(c.file_name, c.page_number, c.start_char, c.end_char) for c in found] == [
        ("annual_report.pdf", 5, 1234, 1289),
        ("a.pdf", 1, 10, 20),
        ("b.pdf", 2, 1, 5),
        ("b.pdf", 2, 7, 9),
        ("c.txt", None, 3, 8),
    ]
    assert {c.extraction_method for c in found} == {"regex"}
    assert found[1].context_text == "some words"


def test_an_answer_without_citations_gives_none():
    assert extract_citations_from_answer("") == []
    assert extract_citations_from_answer("The sky is blue.") == []


# --- support ---------------------------------------------------------------------------------------


def test_the_end_to_end_example_resolves_where_the_characters_really_are():
    source = "..." * 1000 + REVENUE + " from product sales." + "..." * 1000
    answer = "The company reported $10M in Q1 revenue. [annual_report.pdf:5:1234-1289]"
    citations = extract_citations_from_answer(answer)
    # The offsets of the example point at dots: nothing there says anything.
    wrong = validate_citation_support(answer, citations, {"annual_report.pdf": source})
    assert wrong["valid_citations"] == 0
    right = answer.replace("1234-1289", f"3000-{3000 + len(REVENUE)}")
    found = validate_citation_support(
        right, extract_citations_from_answer(right), {"annual_report.pdf": source}
    )
    assert found["citation_validity_rate"] == 1.0


@pytest.mark.parametrize(
    ("citation", "status", "reason"),
    [
        (CitationSpan("nowhere.pdf", 1, 0, 5), "unknown_document", "document_not_found"),
        (CitationSpan("report.pdf", 1, 9, 9), "bad_span", "bad_span"),
        (CitationSpan("report.pdf", 1, 9, 3), "bad_span", "bad_span"),
    ],
)
def test_every_citation_that_points_nowhere_says_why_and_supports_nothing(citation, status, reason):
    validation = validate_citation_support("The company grew.", [citation], {"report.pdf": REPORT})
    detail = validation["validation_details"][0]
    assert (detail["valid"], detail["status"], detail["reason"]) == (False, status, reason)
    assert detail["support_score"] == 0.0
    assert validation["citation_validity_rate"] == 0.0


def test_a_wrong_number_is_not_valid():
    validation = validate_citation_support(
        "The company achieved $25M in total revenue for Q1.",
        [cite(REPORT, "The company achieved $10M in total revenue for Q1")],
        {"report.pdf": REPORT},
    )
    assert validation["citation_validity_rate"] == 0.0
    assert validation["validation_details"][0]["status"] == "contradicted"


def test_each_citation_is_judged_with_the_claim_of_its_own_marker():
    text = "Sales rose to 40 million euros in 2021. The plant in Lyon was closed in May."
    first, second = text[:39], text[40:]
    answer = (
        f"Sales rose to 40 million euros in 2021. [r.txt:0-{len(first)}] "
        f"The plant in Lyon was closed in May. [r.txt:0-{len(first)}] "
        f"The plant in Lyon was closed in May. [r.txt:40-{40 + len(second)}]"
    )
    citations = extract_citations_from_answer(answer)
    details = validate_citation_support(answer, citations, {"r.txt": text})["validation_details"]
    assert [detail["valid"] for detail in details] == [True, False, True]


def test_nothing_to_validate_gives_none():
    validation = validate_citation_support("The sky is blue.", [], {"report.pdf": REPORT})
    assert validation["citation_validity_rate"] is None
    assert validation["mean_support_score"] is None
    assert validation["invalid_citations"] == 0
    assert validation["validation_details"] == []


def test_a_citation_without_a_claim_is_unjudged_and_in_no_ratio():
    validation = validate_citation_support("Really?", [cite(REPORT, "The company")], {"report.pdf": REPORT})
    assert validation["citation_validity_rate"] is None
    assert validation["unjudged_citations"] == 1
    assert validation["validation_details"][0]["reason"] == "no_claim"


def test_citations_may_be_dicts_and_names_may_differ_in_case():
    start = REPORT.index("The company")
    given = {"file_name": "Report.pdf", "start_char": start, "end_char": start + 49}
    validation = validate_citation_support(
        "The company achieved $10M in total revenue.", [given], {"report.pdf": REPORT}
    )
    assert validation["citation_validity_rate"] == 1.0


def test_an_answer_that_is_no_text_is_refused():
    with pytest.raises(InputError, match="answer is of type NoneType"):
        validate_citation_support(None, [], {})
    with pytest.raises(InputError, match="answer is of type dict"):
        extract_citations_from_answer({"answer": "text"})


def test_sources_may_be_a_list_of_documents():
    document = {
        "document_id": "doc_001",
        "title": "Q1 report",
        "content": REPORT,
        "file_path": "docs/report.pdf",
    }
    quoted = cite(REPORT, "The company achieved $10M in total revenue for Q1", "Q1 report", None)
    validation = validate_citation_support(
        "The company achieved $10M in total revenue.", [quoted], [document]
    )
    assert validation["citation_validity_rate"] == 1.0
