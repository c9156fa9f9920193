from __future__ import annotations

from pincite.records import Failure
from pincite.runs import FailureCounter, recommend


def counted(*answers: tuple[Failure, ...], failed: int = 0) -> FailureCounter:
    failures = FailureCounter()
    for answer in answers:
        failures.add(answer)
    for _ in range(failed):
        failures.add((), "time-out")
    return failures


def test_the_most_frequent_kind_dominates_and_says_where_it_happens() -> None:
    wrong = Failure("not_supported", "guide.pdf", "claim one")
    analysis = counted((wrong, wrong), (wrong, Failure("uncited", None, "claim two"))).analysis()
    assert analysis.dominant is not None
    assert (analysis.dominant.kind, analysis.dominant.count, analysis.dominant.share) == (
        "not_supported",
        3,
        0.75,
    )
    assert analysis.dominant.documents == (("guide.pdf", 3),)
    assert analysis.dominant.examples == ("claim one",)
    assert (analysis.queries, analysis.failures) == (2, 4)


def test_a_clean_run_has_no_dominant_failure_and_nothing_to_recommend() -> None:
    analysis = counted((), ()).analysis()
    assert analysis.dominant is None
    assert recommend(analysis) == ()


def test_recommendations_follow_from_what_went_wrong_most() -> None:
    analysis = counted(
        (Failure("hallucinated", None, "x"),),
        (Failure("unknown_document", "a", "x"), Failure("no_entry", "a", "y")),
    ).analysis()
    first, second = recommend(analysis)
    assert "list that it is given" in first and "2 of 3 failures, most in a" in first
    assert "No source states" in second


def test_unanswered_queries_come_before_everything_else() -> None:
    advice = recommend(counted((Failure("uncited", None, "x"),), failed=1).analysis())
    assert "1 of 2 queries" in advice[0]


def test_a_kind_that_nobody_foresaw_is_named() -> None:
    assert "brand_new" in recommend(counted((Failure("brand_new", None, "x"),)).analysis())[0]


def test_a_million_failures_keep_counts_and_a_few_examples_only() -> None:
    failures = FailureCounter()
    for i in range(1000):
        failures.add([Failure("uncited", f"doc{i}", f"claim {i}")])
    analysis = failures.analysis()
    assert len(analysis.documents) == 10
    assert len(analysis.kinds[0].examples) == 3


def test_what_went_wrong_before_is_counted_on_when_no_more_kinds_of_it_are_remembered() -> None:
    failures = FailureCounter()
    long = "the system said: " + "no " * 100
    for number in range(100_001):
        failures.add((Failure("uncited", f"doc {number}", ""),), f"refused {number}" if number % 60 else long)
    for _ in range(2):
        failures.add((Failure("uncited", "doc 7", ""), Failure("uncited", "doc 100000", "")), long)
    found = failures.counts()
    assert found.by_kind == {"uncited": 100_005}
    assert (found.by_document[0].document, found.by_document[0].count) == ("doc 7", 3)
    assert "doc 100000" not in {kind.document for kind in found.by_document}
    assert found.failed_queries[long[:200]] == 1669 and len(found.failed_queries) == 50
    assert failures.failed == 100_003
