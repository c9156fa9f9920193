from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.base import run_sync
from pincite.errors import ConfigError
from pincite.metrics import parse_metric
from pincite.records import DatasetItem, RetrievedDocument

DOCUMENTS = [
    {"document_id": "doc_1", "title": "The guide", "content": "Text one.", "file_path": "docs/guide.pdf"},
    {"document_id": "doc_2", "title": "The plan", "content": "Text two.", "file_path": "docs/plan.pdf"},
]


def measure(name, relevant, retrieved, sources=None):
    item = DatasetItem(relevant=relevant, retrieved=retrieved, actual_output="An answer.")
    return run_sync(parse_metric(name).execute(item, sources))


def listed(*names):
    return tuple(RetrievedDocument(name) for name in names)


def scored(**scores):
    return tuple(RetrievedDocument(name, score) for name, score in scores.items())


@pytest.mark.parametrize(
    "name", ["hit@5", "precision@10", "recall@10", "nDCG@10", "nDCG", "MAP", "MAP@5", "MRR", "MRR@3"]
)
def test_a_name_prints_and_parses_and_has_its_place(name):
    metric = parse_metric(name)
    assert str(metric) == name
    assert parse_metric(str(metric)) == metric
    assert metric.place == f"retrieval_metrics.{name.lower()}"
    assert metric.figure == "value"


@pytest.mark.parametrize("name", ["hit", "precision", "Recall"])
def test_a_measure_that_needs_a_cut_is_refused_without_one_and_says_how_to_write_it(name):
    with pytest.raises(ConfigError, match=rf"how many documents count: {name.lower()}@1, .*@10 or any other"):
        parse_metric(name)


def test_ndcg_without_a_cut_looks_at_the_whole_ranking():
    relevant, ranking = {"d11": 2, "d12": 1}, [f"d{place}" for place in range(1, 13)]
    expected = pytrec_eval.RelevanceEvaluator({"q": relevant}, {"ndcg"}).evaluate(
        {"q": {name: 100.0 - place for place, name in enumerate(ranking)}}
    )
    result = measure("nDCG", relevant, listed(*ranking))
    assert result.score == pytest.approx(expected["q"]["ndcg"], abs=1e-9)
    assert measure("nDCG@10", relevant, listed(*ranking)).score == 0.0


@pytest.mark.parametrize("name", ["nDCG@0", "hit(k=-1)", "recall(k=half)"])
def test_an_impossible_cut_is_refused(name):
    with pytest.raises(ConfigError):
        parse_metric(name)


def test_ranks_come_from_the_scores_and_not_from_the_order():
    assert measure("MRR", {"a": 1}, scored(b=0.1, a=0.9)).score == 1.0


def test_without_scores_the_order_of_the_list_holds():
    assert measure("MRR", {"a": 1}, listed("b", "a")).score == 0.5


def test_one_missing_score_leaves_the_order_of_the_list():
    retrieved = (RetrievedDocument("b", 0.1), RetrievedDocument("a", None))
    assert measure("MRR", {"a": 1}, retrieved).score == 0.5


@pytest.mark.parametrize("retrieved", [None, ()])
def test_a_judged_query_without_results_scores_0_and_says_so(retrieved):
    result = measure("nDCG@10", {"a": 1}, retrieved)
    assert (result.score, result.denominator, result.counts["without_results"]) == (0.0, 1, 1)


@pytest.mark.parametrize("relevant", [{"a": 0}, {"a": -1, "b": 0}])
def test_a_query_whose_judged_documents_are_all_irrelevant_scores_0(relevant):
    result = measure("nDCG@10", relevant, listed("a"))
    assert (result.score, result.denominator, result.not_scorable) == (0.0, 1, 0)


@pytest.mark.parametrize("relevant", [None, {}])
def test_a_query_without_judged_documents_is_not_scorable(relevant):
    result = measure("nDCG@10", relevant, listed("a"))
    assert (result.score, result.not_scorable) == (None, 1)
    assert "names no relevant document" in result.pretty()


def test_grades_weigh_in_ndcg():
    result = measure("nDCG@2", {"a": 3, "b": 1}, listed("b", "a"))
    expected = pytrec_eval.RelevanceEvaluator({"q": {"a": 3, "b": 1}}, {"ndcg_cut.2"}).evaluate(
        {"q": {"b": 2.0, "a": 1.0}}
    )
    assert result.score == pytest.approx(expected["q"]["ndcg_cut_2"], abs=1e-9)


@pytest.mark.parametrize("name", ["guide.pdf", "docs/guide.pdf", "The guide", "DOCS\\Guide.pdf", "doc_1"])
def test_a_document_is_known_by_id_path_file_name_and_title(name):
    assert measure("MRR", {"doc_1": 1, "doc_9": 1}, listed("plan.pdf", name), DOCUMENTS).score == 0.5


def test_two_names_of_one_document_are_one_document():
    result = measure("recall@10", {"doc_1": 1, "doc_2": 1}, listed("guide.pdf", "The guide"), DOCUMENTS)
    assert result.score == 0.5
    assert result.signals["ranks"] == [1]


def test_a_file_name_that_fits_two_relevant_paths_is_neither():
    assert measure("hit@5", {"a/x.pdf": 1, "b/x.pdf": 1}, listed("x.pdf")).score == 0.0


def test_a_document_retrieved_in_several_passages_counts_once_at_its_best_place():
    retrieved = (RetrievedDocument("a", 0.9), RetrievedDocument("a", 0.8), RetrievedDocument("b", 0.7))
    assert measure("MRR", {"b": 1}, retrieved).score == 0.5


names = st.sampled_from(["a", "b", "c", "d", "e", "f"])


@given(
    st.dictionaries(names, st.integers(0, 3), min_size=1),
    st.dictionaries(names, st.floats(0, 1, width=16), min_size=1),
)
@settings(max_examples=60, deadline=None)
def test_an_item_scores_what_trec_eval_says(relevant, scores):
    theirs = pytrec_eval.RelevanceEvaluator(
        {"q": relevant}, {"ndcg_cut.3", "ndcg", "map", "recip_rank", "P.3"}
    )
    expected = theirs.evaluate({"q": scores})["q"]
    retrieved = scored(**scores)
    for ours, other in (
        ("nDCG@3", "ndcg_cut_3"),
        ("nDCG", "ndcg"),
        ("MAP", "map"),
        ("MRR", "recip_rank"),
        ("precision@3", "P_3"),
    ):
        assert measure(ours, relevant, retrieved).score == pytest.approx(expected[other], abs=1e-9)


@pytest.mark.parametrize("retrieved", ["doc_1", "The guide", "guide.pdf"])
def test_a_relevant_document_that_the_dataset_lists_under_two_names_is_one(retrieved):
    relevant = {"doc_1": 1, "docs/guide.pdf": 2, "doc_2": 1}
    assert measure("recall@10", relevant, listed(retrieved), DOCUMENTS).score == 0.5


def test_relevant_paths_that_end_alike_stay_two_documents():
    sources = {"x.pdf": "Text."}
    assert measure("recall@10", {"a/x.pdf": 1, "b/x.pdf": 1}, listed("a/x.pdf"), sources).score == 0.5
