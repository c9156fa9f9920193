from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import InputError
from pincite.metrics.retrieval.measures import Measure, mean_scores, parse_measure, score_query, score_run

CUTS = (1, 2, 3, 5, 10, 100)
MEASURES = [
    *(f"{name}@{k}" for name in ("hit", "precision", "recall", "ndcg", "map") for k in CUTS),
    "ndcg",
    "map",
    "mrr",
]
THEIRS = {"hit": "success", "precision": "P", "recall": "recall", "ndcg": "ndcg_cut", "map": "map_cut"}
TREC = {f"{name}.{','.join(map(str, CUTS))}" for name in THEIRS.values()} | {"ndcg", "map", "recip_rank"}


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
    # Asked for alone, a measure may look less deep into the ranking, and says the same.
    for name in ("ndcg@2", "recall@3", "map@1", "mrr", "mrr@2"):
        for query in judged:
            alone = score_query(judged[query], run[query], [name])[name]
            together = ours[query].get(name)
            assert name == "mrr@2" or alone == together


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
    mean = mean_scores(result)["ndcg@10"]
    assert (mean.value, mean.n, mean.not_scorable) == (pytest.approx(1 / 3), 3, 1)


@pytest.mark.parametrize("ranking", [{"a": 1.0}, ["a"], [], {}])
@pytest.mark.parametrize("judged", [{"a": 0}, {"a": -2, "b": -1}])
def test_a_query_whose_judged_documents_are_all_irrelevant_scores_0_and_counts(judged, ranking):
    result = score_run({"q": judged}, {"q": ranking}, MEASURES)
    assert set(result["q"].values()) == {0.0}
    assert mean_scores(result)["map"].n == 1


@given(st.dictionaries(st.text("qr", max_size=3), st.tuples(grades, runs), min_size=1, max_size=6))
@settings(max_examples=100, deadline=None)
def test_the_mean_over_queries_is_that_of_trec_eval_with_hopeless_queries_among_them(rows):
    judged = {query: grade for query, (grade, _) in rows.items()} | {"hopeless": {"a": 0, "b": 0}}
    run = {query: one for query, (_, one) in rows.items()} | {"hopeless": {"b": 2.0, "c": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(judged, TREC).evaluate(run)
    for name, mean in mean_scores(score_run(judged, run, MEASURES)).items():
        values = [row[their_name(name)] for row in theirs.values()]
        assert mean.n == len(values)
        assert mean.value == pytest.approx(sum(values) / len(values), abs=1e-9), name


def test_a_query_that_nobody_judged_counts_nowhere():
    assert score_run({}, {"q": {"a": 1.0}}, ["mrr"]) == {}
    assert mean_scores({}) == {}


def test_measures_are_read_from_their_names():
    assert parse_measure("nDCG@10") == Measure("ndcg", 10)
    assert str(parse_measure("MRR")) == "mrr"
    assert parse_measure("nDCG") == Measure("ndcg", None)
    for name in ("hit", "ndcg@0", "bleu", "mrr@-1", ""):
        with pytest.raises(InputError):
            parse_measure(name)


@pytest.mark.parametrize("score", [float("nan"), "high", None, 10**400])
def test_a_score_that_is_no_number_is_refused(score):
    with pytest.raises(InputError, match="a retrieved document has"):
        score_query({"a": 1}, {"a": 1.0, "b": score}, ["mrr"])
