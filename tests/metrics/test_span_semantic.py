from __future__ import annotations

from pincite.base import run_sync
from pincite.judges import Judge
from pincite.metrics import parse_metric
from pincite.records import Citation, DatasetItem, Place, SpanTarget, Verdict

TEXT = "Revenue rose to ten million dollars in 2023. Costs fell. In 2023 revenue rose to ten million dollars."
FIRST, COSTS, SECOND = (0, 44), (45, 56), (57, 101)

SEMANTIC = parse_metric("span_semantic")


def item(true, predicted):
    citations = tuple(
        Citation("span", "", 0, 0, (SpanTarget("a.txt", None, *place, key=""),)) for place in predicted
    )
    spans = None if true is None else tuple(Place("a.txt", None, *place) for place in true)
    return DatasetItem(true_spans=spans, citations=citations, actual_output="So it is.")


def measure(true, predicted, judge="rules"):
    return run_sync(SEMANTIC.execute(item(true, predicted), {"a.txt": TEXT}, judge=judge))


def test_another_passage_that_states_the_same_counts_and_is_told_apart():
    result = measure([FIRST, COSTS], [SECOND, COSTS])
    assert (result.score, result.counts) == (1.0, {"matched": 1, "semantic_matches": 1})
    assert result.signals["semantic_matches"] == [(0, 0)]


def test_a_passage_that_states_something_else_does_not_count():
    result = measure([FIRST], [COSTS])
    assert (result.score, result.numerator, result.denominator) == (0.0, 0, 2)


def test_one_prediction_stands_for_one_true_span():
    result = measure([FIRST, FIRST], [SECOND])
    assert (result.numerator, result.denominator) == (1, 2)


def test_what_a_judge_failed_on_counts_neither_way():
    class Broken(Judge):
        name = "broken"

        async def judge(self, pairs):
            return [Verdict("unjudged", None, "no reply", cause="error") for _ in pairs]

    result = measure([FIRST, COSTS], [SECOND, COSTS], Broken())
    assert (result.score, result.unjudged, result.reasons) == (1.0, 2, {"no reply": 2})


def test_without_truth_or_without_text_it_is_not_scorable():
    assert measure(None, [FIRST]).score is None
    assert measure([], []).score is None
    result = run_sync(SEMANTIC.execute(item([FIRST], []), judge="rules"))
    assert (result.score, result.reasons) == (None, {"the true span's text is not known": 1})


def test_as_many_spans_are_hit_by_meaning_as_can_be():
    """The prediction that is most like one true span may be the only one that is like another."""
    spans = {"first": (0, 20), "second": (20, 40), "third": (40, 60), "fourth": (60, 80)}
    texts = dict(zip(spans, ("a" * 20, "b" * 20, "c" * 20, "d" * 20), strict=True))
    alike = {("a", "c"): 0.9, ("a", "d"): 0.8, ("b", "c"): 0.85}

    class Likes:
        name = "likes"

        async def judge(self, pairs):
            scores = [alike.get((pair.claim[0], pair.passages[0].text[0]), 0.0) for pair in pairs]
            return [Verdict("supported" if s else "not_enough", s, "so it is") for s in scores]

    given = item([spans["first"], spans["second"]], [spans["third"], spans["fourth"]])
    result = run_sync(SEMANTIC.execute(given, {"a.txt": "".join(texts.values())}, judge=Likes()))
    assert result.signals["semantic_matches"] == [(0, 1), (1, 0)]
    assert result.score == 1.0
