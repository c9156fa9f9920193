"""Pairs in other languages: numbers and literal words still count, everything else is unjudged."""

from __future__ import annotations

import pytest
from ask import ask
from hypothesis import given
from hypothesis import strategies as st

from pincite import check
from pincite.records import Question, Verdict


def judged(claim: str, *evidence: str, question: Question = "support") -> Verdict:
    return ask("entailment", claim, *evidence, question=question)


@pytest.mark.parametrize(
    ("claim", "evidence", "here", "there"),
    [
        (
            "Der Umsatz stieg im ersten Quartal um 12 Prozent.",
            "Der Umsatz stieg im ersten Quartal um 21 Prozent auf 10 Millionen Euro.",
            "12",
            "21",
        ),
        (
            "La société emploie 300 personnes à Lyon.",
            "La société emploie 450 personnes à Lyon.",
            "300",
            "450",
        ),
        ("公司第一季度的收入增长了12%。", "公司第一季度的收入增长了21%，达到1000万美元。", "12%", "21%"),
        ("Выручка компании выросла на 12% за год.", "Выручка компании выросла на 21% за год.", "12%", "21%"),
    ],
)
def test_a_number_that_surely_differs_contradicts(claim: str, evidence: str, here: str, there: str) -> None:
    verdict = judged(claim, "Etwas anderes.", evidence)
    assert (verdict.outcome, verdict.cause) == ("contradicted", "number")
    assert (verdict.claim_text, verdict.evidence_text, verdict.passage) == (here, there, 1)
    assert verdict.span is not None
    assert there in verdict.span.of(evidence)


def test_a_year_that_differs_is_a_date() -> None:
    verdict = judged(
        "Die Firma wurde 1987 in Hamburg gegründet.",
        "Die Firma wurde 1978 in Hamburg gegründet und hat heute 300 Mitarbeiter.",
    )
    assert (verdict.outcome, verdict.cause) == ("contradicted", "date")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Der Umsatz stieg um 12,5 Prozent.", "Der Umsatz stieg in diesem Jahr um 12.5 Prozent."),
        ("Der Umsatz stieg um 12 %.", "Der Umsatz stieg im ersten Quartal um 12,0 %."),
        ("Die Anlage kostete 1.200.000 Euro.", "Die Anlage kostete 1,2 Millionen Euro im Jahr."),
        ("Das Gericht hat die Klage nicht angenommen.", "Das Gericht hat die Klage angenommen."),
        ("La société emploie 300 personnes à Lyon.", "La société est la plus grande de Lyon."),
        ("公司有300名员工。", "昨天下雨了。"),
        ("Der Umsatz stieg um 12 Prozent.", "Revenue rose by 12 percent in the first quarter."),
    ],
)
def test_everything_else_is_unjudged_and_never_not_enough(claim: str, evidence: str) -> None:
    verdict = judged(claim, evidence)
    assert (verdict.outcome, verdict.score, verdict.cause) == ("unjudged", None, "language")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        (
            "Das Gericht hat die Klage angenommen",
            "Es war Mai.  Das Gericht hat  die Klage angenommen. Er ging.",
        ),
        ("公司第一季度的收入增长了12%", "去年情况不同。公司第一季度的收入增长了12%。成本下降。"),
    ],
)
def test_a_claim_that_stands_there_word_for_word_is_supported(claim: str, evidence: str) -> None:
    verdict = judged(claim, evidence)
    assert verdict.outcome == "supported"
    assert verdict.span is not None
    assert " ".join(verdict.span.of(evidence).split()).rstrip(".。") == claim


def test_words_inside_a_longer_sentence_are_not_the_claim() -> None:
    evidence = "Es ist falsch: Das Gericht hat die Klage angenommen, wie es hieß."
    verdict = judged("Das Gericht hat die Klage angenommen.", evidence)
    assert verdict.outcome == "unjudged"


def test_relevance_and_empty_sides_are_unjudged() -> None:
    assert judged("Der Umsatz stieg.", "Der Umsatz stieg.", question="relevance").outcome == "unjudged"
    assert judged("", "Der Umsatz stieg.").outcome == "unjudged"
    assert judged("Der Umsatz stieg.").outcome == "unjudged"


def test_a_finding_says_which_language_could_not_be_judged() -> None:
    source = "Das Gericht hat die Klage angenommen, und die Firma hat dem nicht widersprochen."
    answer = f"The court accepted the complaint [urteil.txt:0-{len(source)}]."
    report = check(answer, {"urteil.txt": source})
    assert [(finding.code, finding.message) for finding in report.findings] == [
        ("PIN206", "the evidence seems to be in German")
    ]
    assert (report.summary.unjudged, report.summary.judged) == (1, 0)


def test_a_wrong_number_in_a_foreign_answer_is_found() -> None:
    source = "Der Umsatz stieg im ersten Quartal um 21 Prozent auf 10 Millionen Euro."
    answer = f"Der Umsatz stieg im ersten Quartal um 12 Prozent [bericht.txt:0-{len(source)}]."
    report = check(answer, {"bericht.txt": source})
    assert [finding.code for finding in report.findings] == ["PIN203"]


@given(st.text(max_size=80), st.text(max_size=200))
def test_no_pair_breaks_it(claim: str, evidence: str) -> None:
    verdict = judged(claim, evidence)
    assert verdict.span is None or 0 <= verdict.span.start <= verdict.span.end <= len(evidence)
