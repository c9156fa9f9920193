from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import InputError
from pincite.metrics import find_relevant, parse_metric

CUTS = (1, 2, 3, 5, 10, 100)
MEASURES = [
    *(f"{name}@{k}" for name in ("hit", "precision", "recall", "ndcg", "map") for k in CUTS),
    "ndcg",
    "map",
    "mrr",
]
THEIRS = {"hit": "success", "precision": "P", "recall": "recall", "ndcg": "ndcg_cut", "map": "map_cut"}
TREC = {f"{name}.{','.join(map(str, CUTS))}" for name in THEIRS.values()} | {"ndcg", "map", "recip_rank"}


def score_query(judged, ranking, names):
    found = find_relevant(judged, ranking)
    return {name: None if found is None else parse_metric(name).value(found) for name in names}


def score_run(judged, run, names):
    return {query: score_query(grades, run.get(query, {}), names) for query, grades in judged.items()}


def their_name(ours: str) -> str:
    name, _, k = ours.partition("@")
    return f"{THEIRS[name]}_{k}" if k else {"mrr": "recip_rank"}.get(name, name)


# Ids that differ only beyond ASCII, and scores that differ only beyond 32 bits.
names = st.sampled_from(
    ["a", "B", "b", "ä", "é", "日本", "😀", "\uffff", "a/1", "a 1", "1", "10", "9"]
) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=3)
scores = (
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, 1 + 2**-23, 0.5, -1.5, 1e-50, 1e39, 1e40, -1e39])
    | st.floats(0, 1, width=16)
    | st.floats(allow_nan=False)
)
# The oracle itself crashes on a query that has only negative grades.
grades = st.dictionaries(names, st.integers(-3, 5), min_size=1, max_size=12).filter(
    lambda judged: max(judged.values()) >= 0
)
runs = st.dictionaries(names, scores, min_size=1, max_size=25)


@pytest.mark.thorough
@given(st.lists(st.tuples(grades, runs), min_size=1, max_size=3))
@settings(max_examples=300, deadline=None)
def test_every_measure_equals_that_of_trec_eval(rows):
    judged = {f"q{i}": grade for i, (grade, _) in enumerate(rows)}
    run = {f"q{i}": one for i, (_, one) in enumerate(rows)}
    theirs = pytrec_eval.RelevanceEvaluator(judged, TREC).evaluate(run)
    ours = score_run(judged, run, MEASURES)
    for query, values in ours.items():
        for name, value in values.items():
            expected = theirs[query][their_name(name)]
            assert value == pytest.approx(expected, abs=1e-9), name


@given(grades, runs)
@settings(max_examples=200, deadline=None)
def test_a_depth_changes_no_measure_that_looks_no_deeper(judged, run):
    for depth, wanted in ((1, "map@1"), (2, "ndcg@2"), (3, "recall@3"), (1, "mrr")):
        metric = parse_metric(wanted)
        assert metric.value(find_relevant(judged, run, depth)) == metric.value(find_relevant(judged, run))


@given(grades, st.lists(names, max_size=12, unique=True))
def test_an_ordered_list_ranks_as_falling_scores_do(judged, ranking):
    by_score = {name: float(len(ranking) - place) for place, name in enumerate(ranking)}
    assert score_query(judged, ranking, MEASURES) == score_query(judged, by_score, MEASURES)


def test_equal_scores_are_ranked_by_the_later_name_first():
    assert score_query({"a": 1}, {"a": 0.5, "b": 0.5}, ["mrr"]) == {"mrr": 0.5}
    assert score_query({"b": 1}, {"a": 0.5, "b": 0.5}, ["mrr"]) == {"mrr": 1.0}


def test_scores_that_are_one_32_bit_float_are_equal():
    assert score_query({"a": 1}, {"a": 0.5 + 1e-12, "b": 0.5}, ["mrr"]) == {"mrr": 0.5}


def test_a_document_that_is_listed_again_counts_where_it_stands_first():
    assert score_query({"b": 1}, ["a", "a", "b", "b"], ["mrr", "recall@2"]) == {"mrr": 0.5, "recall@2": 1.0}


def test_a_judged_query_without_results_scores_0_and_one_without_judgements_is_left_out():
    judged = {"found": {"a": 1}, "missing": {"a": 1}, "empty": {"a": 1}, "unknown": {}}
    result = score_run(judged, {"found": {"a": 1.0}, "empty": {}, "unknown": {"a": 1.0}}, ["ndcg@10"])
    assert [row["ndcg@10"] for row in result.values()] == [1.0, 0.0, 0.0, None]


@pytest.mark.parametrize("ranking", [{"a": 1.0}, ["a"], [], {}])
@pytest.mark.parametrize("judged", [{"a": 0}, {"a": -2, "b": -1}])
def test_a_query_whose_judged_documents_are_all_irrelevant_scores_0_and_counts(judged, ranking):
    result = score_run({"q": judged}, {"q": ranking}, MEASURES)
    assert set(result["q"].values()) == {0.0}


@pytest.mark.parametrize("score", [float("nan"), "high", None, 10**400])
def test_a_score_that_is_no_number_is_refused(score):
    with pytest.raises(InputError, match="a retrieved document has"):
        score_query({"a": 1}, {"a": 1.0, "b": score}, ["mrr"])
