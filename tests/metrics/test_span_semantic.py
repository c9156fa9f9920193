from __future__ import annotations

from pincite.doorway import run
from pincite.measured import DatasetItem, ScoredSpan
from pincite.metrics.span_semantic import SpanSemanticMatch
from pincite.records import Citation, SpanTarget, Verdict

TEXT = "Revenue rose to ten million dollars in 2023. Costs fell. In 2023 revenue rose to ten million dollars."
FIRST, COSTS, SECOND = (0, 44), (45, 56), (57, 101)


def item(true, predicted):
    citations = tuple(
        Citation("span", "", 0, 0, (SpanTarget("a.txt", None, *place, key=""),)) for place in predicted
    )
    spans = None if true is None else tuple(ScoredSpan("a.txt", None, *place) for place in true)
    return DatasetItem(true_spans=spans, citations=citations, actual_output="So it is.")


def measure(true, predicted, judge="rules"):
    return run(SpanSemanticMatch().execute(item(true, predicted), {"a.txt": TEXT}, judge=judge))


def test_another_passage_that_states_the_same_counts_and_is_told_apart():
    result = measure([FIRST, COSTS], [SECOND, COSTS])
    assert (result.score, result.counts) == (1.0, {"matched": 1, "semantic_matches": 1})
    assert result.signals == {"semantic_matches": [(0, 0)]}


def test_a_passage_that_states_something_else_does_not_count():
    result = measure([FIRST], [COSTS])
    assert (result.score, result.numerator, result.denominator) == (0.0, 0, 2)


def test_one_prediction_stands_for_one_true_span():
    result = measure([FIRST, FIRST], [SECOND])
    assert (result.numerator, result.denominator) == (1, 2)


def test_what_a_judge_failed_on_counts_neither_way():
    class Broken:
        name = "broken"

        async def judge(self, pairs):
            return [Verdict("unjudged", None, "no reply", cause="error") for _ in pairs]

    result = measure([FIRST, COSTS], [SECOND, COSTS], Broken())
    assert (result.score, result.unjudged, result.reasons) == (1.0, 2, {"no reply": 1})


def test_without_truth_or_without_text_it_is_not_scorable():
    assert measure(None, [FIRST]).score is None
    assert measure([], []).score is None
    result = run(SpanSemanticMatch().execute(item([FIRST], []), judge="rules"))
    assert (result.score, result.reasons) == (None, {"the true span's text is not known": 1})
