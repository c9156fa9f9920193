from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.errors import InputError
from pincite.metrics import score_spans
from pincite.records import Place

MEASURES = ("precision", "recall", "f1", "jaccard", "dice")
TEXT = "The company reported ten million in revenue for the first quarter, up from nine. " * 3


def span(start: int | None, end: int | None, document: str = "report.pdf", page: int | None = None) -> Place:
    return Place(document, page, start, end)


def values(figures: Any) -> list[float | None]:
    return [getattr(figures, name).value for name in MEASURES]


def all_averages(level: Any) -> list[Any]:
    return [level.exact, level.tolerant]


spans = st.builds(
    lambda document, page, start, length: Place(document, page, start, start + length),
    st.sampled_from(["a.pdf", "b.pdf"]),
    st.sampled_from([None, 1, 2]),
    st.integers(0, 80),
    st.integers(1, 40),
)
lists = st.lists(spans, max_size=7)
quick = settings(max_examples=120, deadline=None)
TEXTS = {"a.pdf": TEXT, "b.pdf": TEXT[::-1]}


# --- the rules -------------------------------------------------------------------------------------


def test_half_an_overlap_is_fifty_of_a_hundred_and_fifty():
    scores = score_spans([span(100, 200)], [span(150, 250)])
    assert scores.mean_exact_jaccard == pytest.approx(50 / 150)
    assert scores.characters.exact.micro.precision.value == 0.5
    assert scores.characters.exact.micro.dice.value == 0.5


def test_the_wrong_document_with_the_right_offsets_scores_nothing():
    scores = score_spans([span(0, 50)], [span(0, 50, "other.pdf")])
    assert scores.mean_exact_jaccard == 0.0
    assert (len(scores.unmatched_true), len(scores.unmatched_predicted)) == (1, 1)


def test_the_wrong_page_scores_nothing_and_a_page_on_one_side_does_not_matter():
    assert score_spans([span(0, 50, page=1)], [span(0, 50, page=2)]).mean_exact_jaccard == 0.0
    assert score_spans([span(0, 50, page=1)], [span(0, 50)]).mean_exact_jaccard == 1.0
    assert score_spans([span(0, 50)], [span(0, 50, page=2)]).mean_exact_jaccard == 1.0


def test_one_truth_found_of_three_scores_a_third():
    scores = score_spans([span(0, 10), span(20, 30), span(40, 50)], [span(0, 10)])
    assert scores.mean_exact_jaccard == pytest.approx(1 / 3)
    assert scores.characters.exact.macro.jaccard.denominator == 3
    assert scores.characters.exact.micro.precision.value == 1.0
    assert scores.characters.exact.micro.recall.value == pytest.approx(1 / 3)


def test_the_same_span_cited_twice_counts_twice_and_matches_once():
    scores = score_spans([span(0, 10)], [span(0, 10), span(0, 10)])
    assert [(pair.true, pair.predicted) for pair in scores.matched] == [(0, 0)]
    assert scores.unmatched_predicted[0].index == 1
    assert scores.mean_exact_jaccard == 0.5
    assert scores.characters.exact.micro.precision.value == 0.5


def test_a_perfect_short_match_stays_perfect_with_tolerance():
    scores = score_spans([span(100, 110)], [span(100, 110)], tolerance=10)
    assert scores.mean_tolerance_jaccard == 1.0
    assert (scores.perfect_matches, scores.good_matches) == (1, 1)


def test_ends_within_the_tolerance_count_as_hit_and_one_beyond_does_not():
    scores = score_spans([span(100, 200)], [span(90, 210)], tolerance=10)
    assert scores.mean_tolerance_jaccard == 1.0
    assert scores.mean_exact_jaccard == pytest.approx(100 / 120)
    beyond = score_spans([span(100, 200)], [span(89, 210)], tolerance=10)
    assert beyond.mean_tolerance_jaccard == pytest.approx(100 / 111)


def test_spans_that_do_not_overlap_are_not_brought_together_by_tolerance():
    scores = score_spans([span(100, 105)], [span(105, 110)], tolerance=10)
    assert scores.mean_tolerance_jaccard == 0.0
    assert not scores.matched


def test_a_good_match_has_a_tolerant_jaccard_of_four_fifths():
    assert score_spans([span(0, 100)], [span(0, 80)], tolerance=0).good_matches == 1
    assert score_spans([span(0, 100)], [span(0, 79)], tolerance=0).good_matches == 0


def test_a_matched_pair_says_what_it_shares_exactly_and_with_tolerance():
    (pair,) = score_spans([span(0, 100)], [span(5, 80)], tolerance=10).matched
    sizes = pair.characters
    assert (sizes.shared, sizes.true, sizes.predicted) == (75, 100, 75)
    assert (sizes.tolerant_shared, sizes.tolerant_predicted) == (80, 80)


def test_nothing_to_score_is_none_with_a_count():
    scores = score_spans([], [])
    assert scores.mean_exact_jaccard is None
    assert scores.micro_f1 is None
    assert scores.characters.exact.macro.jaccard.denominator == 0
    assert scores.units == 0


def test_predictions_where_nothing_should_be_cited_count_against_precision_and_leave_recall_open():
    scores = score_spans([], [span(0, 10)])
    assert scores.mean_exact_jaccard == 0.0
    assert scores.characters.exact.micro.precision.value == 0.0
    assert scores.characters.exact.micro.recall.value is None


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        (5, 5, "empty"),
        (9, 3, "reversed"),
        (-4, 3, "negative"),
        (None, None, "no_offsets"),
        (0, 2**60, "too_large"),
    ],
)
def test_what_is_no_span_is_a_miss_as_prediction_and_not_scorable_as_truth(start, end, problem):
    predicted = score_spans([span(0, 10)], [span(0, 10), span(start, end)])
    assert predicted.unmatched_predicted[0].problem == problem
    assert predicted.mean_exact_jaccard == 0.5
    assert predicted.characters.exact.micro.precision.value == 1.0
    true = score_spans([span(0, 10), span(start, end)], [span(0, 10)])
    assert [(one.side, one.index, one.reason) for one in true.not_scorable] == [("true", 1, problem)]
    assert true.mean_exact_jaccard == 1.0


def test_what_has_the_wrong_type_is_refused_by_name():
    with pytest.raises(InputError, match=r"span 1 .*whole numbers"):
        score_spans([span(0, 10), span(0.5, 3)], [])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="name must be text"):
        score_spans([span(0, 10, None)], [])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"text of 'report.pdf' is of type int"):
        score_spans([span(0, 10)], [], texts={"report.pdf": 7})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="tolerance"):
        score_spans([], [], tolerance=-1)


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("docs/report.pdf", "report.pdf"),
        ("Report.PDF", "report.pdf"),
        ("C:\\files\\report.pdf", "files/report.pdf"),
        ("re\u0301sume\u0301.txt", "résumé.txt"),
    ],
)
def test_names_that_differ_in_folder_case_or_form_are_one_document(one, other):
    assert score_spans([span(0, 9, one)], [span(0, 9, other)]).mean_exact_jaccard == 1.0
    assert score_spans([span(0, 9, other)], [span(0, 9, one)]).mean_exact_jaccard == 1.0


def test_files_of_one_name_in_two_folders_are_two_documents_and_the_bare_name_is_ambiguous():
    true = [span(0, 9, "a/report.pdf"), span(0, 9, "b/report.pdf")]
    assert score_spans(true[:1], true[1:]).mean_exact_jaccard == 0.0
    scores = score_spans(true, [span(0, 9, "report.pdf")])
    assert not scores.matched
    assert scores.ambiguous_names == ("report.pdf",)


def test_texts_that_are_given_apart_stay_apart():
    texts = {"report.pdf": TEXT, "old/report.pdf": TEXT}
    scores = score_spans([span(0, 9, "report.pdf")], [span(0, 9, "old/report.pdf")], texts=texts)
    assert not scores.matched


def test_other_names_of_a_document_can_be_told():
    true, predicted = [span(0, 9, "doc_001")], [span(0, 9, "guide.pdf")]
    assert not score_spans(true, predicted).matched
    assert score_spans(true, predicted, same_document={"doc_001": "guide.pdf"}).matched


# --- tokens ----------------------------------------------------------------------------------------


def test_tokens_are_none_without_text_and_count_touched_words_with_it():
    true, predicted = [span(4, 20)], [span(6, 24)]
    assert score_spans(true, predicted).tokens is None
    scores = score_spans(true, predicted, tolerance=0, texts={"report.pdf": TEXT})
    assert scores.tokens is not None
    # "company reported" against "mpany reported ten": two words of three
    assert scores.tokens.exact.micro.precision.numerator == 2
    assert scores.tokens.exact.micro.precision.denominator == 3
    assert scores.tokens.exact.micro.recall.value == 1.0


def test_spans_without_a_text_or_without_words_are_left_out_of_the_token_figures_and_named():
    true = [span(0, 11), span(0, 5, "unknown.pdf"), span(3, 4)]
    scores = score_spans(true, [span(0, 11)], texts={"report.pdf": TEXT})
    assert scores.tokens is not None
    assert scores.tokens.exact.macro.jaccard.denominator == 1
    reasons = {(one.index, one.reason) for one in scores.not_scorable}
    assert reasons == {(1, "no text for document 'unknown.pdf'"), (2, "no words in the span")}


def test_token_figures_are_none_when_no_span_has_a_text():
    assert score_spans([span(0, 5)], [span(0, 5)], texts={}).tokens is None
    assert score_spans([span(0, 5)], [span(0, 5)], texts={"other.pdf": TEXT}).tokens is None


def test_chinese_counts_by_characters():
    scores = score_spans([span(0, 4)], [span(0, 2)], 0, {"report.pdf": "公司收入增长"})
    assert scores.tokens is not None
    assert scores.tokens.exact.micro.recall.value == 0.5


# --- properties ------------------------------------------------------------------------------------


@quick
@given(lists.filter(bool))
def test_a_perfect_prediction_scores_one_everywhere(true):
    scores = score_spans(true, list(reversed(true)), texts=TEXTS)
    assert scores.perfect_matches == scores.good_matches == len(true)
    levels = [scores.characters, *([scores.tokens] if scores.tokens else [])]
    for level in levels:
        for averages in all_averages(level):
            for figures in (averages.micro, averages.macro):
                assert set(values(figures)) <= {1.0, None}
    assert scores.mean_exact_jaccard == 1.0


@quick
@given(lists, lists, st.integers(0, 15))
def test_tolerance_never_lowers_a_figure(true, predicted, tolerance):
    scores = score_spans(true, predicted, tolerance, TEXTS)
    for level in (scores.characters, scores.tokens):
        if level is None:
            continue
        for exact, tolerant in (
            (level.exact.micro, level.tolerant.micro),
            (level.exact.macro, level.tolerant.macro),
        ):
            for low, high in zip(values(exact), values(tolerant), strict=True):
                assert (low is None) == (high is None)
                assert low is None or high is None or high >= low - 1e-12


def test_ends_forgiven_down_to_a_place_between_words_keep_their_token_figures():
    texts = {"a": "b b  b ab bb a  a  baaaa a bb"}
    scores = score_spans([Place("a", None, 24, 25)], [Place("a", None, 14, 25)], 10, texts)
    assert scores.tokens is not None
    assert scores.tokens.tolerant.micro == scores.tokens.exact.micro
    assert scores.tokens.tolerant.micro.precision.value == 0.0


texts_of_words = st.text(alphabet="ab  .", min_size=30, max_size=60)


@quick
@given(texts_of_words, st.tuples(*[st.integers(0, 29)] * 2), st.tuples(*[st.integers(0, 29)] * 2))
def test_tolerance_never_lowers_a_token_figure_between_words(text, one, other):
    true, predicted = ([Place("a", None, min(ends), max(ends) + 1)] for ends in (one, other))
    scores = score_spans(true, predicted, 10, {"a": text})
    if scores.tokens is not None:
        for low, high in zip(
            values(scores.tokens.exact.micro), values(scores.tokens.tolerant.micro), strict=True
        ):
            assert low is None or (high is not None and high >= low - 1e-12)


@quick
@given(lists, lists)
def test_swapping_the_sides_swaps_precision_and_recall_and_keeps_jaccard_and_dice(true, predicted):
    one = score_spans(true, predicted).characters.exact
    other = score_spans(predicted, true).characters.exact
    assert one.micro.precision == other.micro.recall
    assert one.micro.recall == other.micro.precision
    assert one.micro.jaccard == other.micro.jaccard
    assert one.micro.dice == other.micro.dice == one.micro.f1
    # Means agree as far as the rules decide the assignment: to the last tie, which goes by order.
    assert one.macro.jaccard.denominator == other.macro.jaccard.denominator
    assert one.macro.jaccard.numerator == pytest.approx(other.macro.jaccard.numerator)


@quick
@given(lists, lists, st.integers(1, 40))
def test_a_wrong_prediction_never_raises_precision(true, predicted, length):
    assume(predicted)
    before = score_spans(true, predicted).characters.exact
    after = score_spans(true, [*predicted, span(500, 500 + length, "a.pdf")]).characters.exact
    assert (after.micro.precision.value or 0) <= (before.micro.precision.value or 0)
    assert (after.macro.precision.value or 0) <= (before.macro.precision.value or 0)
    assert after.micro.recall == before.micro.recall


@quick
@given(lists, lists)
def test_micro_figures_are_sums_over_sets_of_characters(true, predicted):
    scores = score_spans(true, predicted)
    common = total_true = total_predicted = 0
    sets_true = [set(range(one.start, one.end)) for one in true]
    sets_predicted = [set(range(one.start, one.end)) for one in predicted]
    for pair in scores.matched:
        both = len(sets_true[pair.true] & sets_predicted[pair.predicted])
        assert both == pair.characters.shared > 0
        common += both
    total_true, total_predicted = sum(map(len, sets_true)), sum(map(len, sets_predicted))
    micro = scores.characters.exact.micro
    assert (micro.precision.numerator, micro.precision.denominator) == (common, total_predicted)
    assert (micro.recall.numerator, micro.recall.denominator) == (common, total_true)
    assert micro.jaccard.denominator == total_true + total_predicted - common
    assert len(scores.matched) + len(scores.unmatched_true) == len(true)
    assert len(scores.matched) + len(scores.unmatched_predicted) == len(predicted)
