"""Where the documents are wrong or silent: a test or more for each ruling, by number.

Most go the way of `pincite eval`: a dataset and recorded answers in files, figures worked out by hand.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_run import Runner
from small_dataset import (
    DOCUMENTS,
    FERRY,
    MUSEUM,
    QUICK,
    dataset,
    measure,
    query,
    scores,
    span,
    values,
    write,
)

from llm_server import LlmServer
from pincite import check, parse
from pincite.compat import (
    AIMessage,
    CitationAccuracy,
    CitationEvaluator,
    CitationFidelity,
    CitationRelevancy,
    DataFormatValidator,
    DatasetItem,
    EvaluationDatasetLoader,
    EvaluationMode,
    EvaluationResultsStorage,
    HumanMessage,
    MetricRunner,
    MultiTurnConversation,
    calculate_semantic_support,
)
from pincite.config import LlmSettings, Settings
from pincite.datasets import check_quality, open_dataset, validate_file
from pincite.judges import Judge
from pincite.records import Pair, Run, Verdict
from pincite.runs import evaluate

CARS = "The ferry carries 84 cars"
OPENED = "The museum opened in 1911"


class Broken(Judge):
    """A judge that never gets an answer."""

    name = "broken/1"

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [Verdict("unjudged", None, "the line was cut") for _ in pairs]


class Counting:
    """Finds everything supported, and notes what it was asked."""

    name = "counting/1"

    def __init__(self) -> None:
        self.calls: list[list[Pair]] = []

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.calls.append(list(pairs))
        return [Verdict("supported", 1.0, "yes") for _ in pairs]


def cited(*citations: dict[str, Any]) -> dict[str, Any]:
    return {"citations": list(citations)}


def test_ruling_01_spans_are_half_open(tmp_path: Path) -> None:
    truth = cited(span("ferry.txt", 10, 20))
    run = measure(
        tmp_path,
        dataset(query("a", **truth), query("b", **truth)),
        {"a": cited(span("ferry.txt", 15, 25)), "b": cited(span("ferry.txt", 20, 30))},
        "span_jaccard",
    )
    # 5 shared of 15 joined characters; neighbours that touch share none.
    assert values(run)["span_jaccard"] == pytest.approx((5 / 15 + 0) / 2)


def test_ruling_02_a_span_belongs_to_its_document_and_page(tmp_path: Path) -> None:
    truth = cited(span("ferry.txt", 0, 26, 1))
    run = measure(
        tmp_path,
        dataset(*(query(name, **truth) for name in ("right", "other file", "other page"))),
        {
            "right": cited(span("ferry.txt", 0, 26, 1)),
            "other file": cited(span("museum.txt", 0, 26, 1)),
            "other page": cited(span("ferry.txt", 0, 26, 2)),
        },
        "span_f1",
    )
    assert values(run) == {"span_f1": pytest.approx(1 / 3)}


def test_ruling_02_offsets_count_from_the_page_where_the_dataset_says_so(tmp_path: Path) -> None:
    paged = [{"document_id": "two", "file_path": "two.txt", "content": f"{FERRY}\f{MUSEUM}"}]
    found = {}
    for offsets in ("document", "page"):
        data = dataset(query("a"), documents=paged, offsets=offsets)
        said = {"a": {"answer": f"{OPENED} [two.txt:2:0-26]."}}
        found[offsets] = values(measure(tmp_path, data, said, "citation_correctness"))["citation_correctness"]
    assert found == {"document": 0.0, "page": 1.0}


def test_ruling_02_a_page_that_contradicts_its_offsets_is_a_finding_and_no_page_map_is_none() -> None:
    paged = check(f"{CARS} [two.txt:2:0-26].", {"two.txt": f"{FERRY}\f{MUSEUM}"})
    assert [finding.code for finding in paged.findings] == ["PIN104"]
    report = check(f"{CARS} [ferry.txt:7:0-26].", {"ferry.txt": FERRY})
    (unverified,) = report.findings
    assert (unverified.code, unverified.severity, report.summary.score) == ("PIN111", "note", 1.0)
    assert unverified.message.startswith("page unverified")


def test_ruling_03_one_truth_found_of_three_is_a_third(tmp_path: Path) -> None:
    truth = cited(span("ferry.txt", 0, 26), span("ferry.txt", 27, 65), span("ferry.txt", 66, 93))
    run = measure(
        tmp_path,
        dataset(query("a", **truth)),
        {"a": cited(span("ferry.txt", 0, 26))},
        "span_jaccard",
        "span_recall(average=micro)",
        "span_precision(average=micro)",
    )
    assert values(run) == {
        "span_jaccard": pytest.approx(1 / 3),
        "span_recall(average=micro)": pytest.approx(26 / (26 + 38 + 27)),
        "span_precision(average=micro)": 1.0,
    }


def test_ruling_04_tolerance_never_lowers_a_score(tmp_path: Path) -> None:
    run = measure(
        tmp_path,
        dataset(
            query("a", **cited(span("ferry.txt", 40, 50))), query("b", **cited(span("ferry.txt", 0, 26)))
        ),
        {"a": cited(span("ferry.txt", 40, 50)), "b": cited(span("ferry.txt", 3, 26))},
        "span_jaccard",
        "span_jaccard(tolerance=10)",
    )
    assert values(run) == {
        "span_jaccard": pytest.approx((1 + 23 / 26) / 2),
        "span_jaccard(tolerance=10)": 1.0,
    }


def test_ruling_04_only_spans_that_overlap_are_snapped(tmp_path: Path) -> None:
    beside = {"a": cited(span("ferry.txt", 27, 37))}
    data = dataset(query("a", **cited(span("ferry.txt", 20, 27))))
    run = measure(tmp_path, data, beside, "span_jaccard(tolerance=10)")
    assert values(run) == {"span_jaccard(tolerance=10)": 0.0}


def test_ruling_05_nothing_to_score_is_null_with_a_count_and_a_reason(tmp_path: Path) -> None:
    run = measure(
        tmp_path, dataset(query("a")), {"a": {"answer": "Who knows?"}}, "span_f1", "hallucination_rate"
    )
    for score in run.scores:
        assert (score.value, score.n, score.not_scorable, score.unjudged) == (None, 0, 1, 0)
        assert sum(score.reasons.values()) == 1


def test_ruling_06_a_judge_that_fails_is_counted_apart_and_in_no_ratio(tmp_path: Path) -> None:
    said = {"a": {"answer": f"{CARS} [ferry.txt:0-26]."}}
    run = measure(tmp_path, dataset(query("a")), said, "citation_correctness", judge=Broken())
    (score,) = run.scores
    assert (score.value, score.n, score.unjudged) == (None, 0, 1)
    assert run.document.summary.unjudged_pairs >= 1
    assert any("the line was cut" in reason for reason in score.reasons)


@pytest.mark.parametrize(("reply", "score"), [("nan", None), ("0.8/1.0", 0.8), ("who knows", None)])
def test_ruling_06_a_reply_is_read_as_it_is_meant_or_not_at_all(reply: str, score: float | None) -> None:
    with LlmServer(reply) as server:
        settings = Settings(llm=LlmSettings(base_url=server.url, retry_attempts=0))
        assert calculate_semantic_support(CARS, f"{FERRY} {reply}", settings=settings) == score


def test_ruling_07_the_overall_score_is_spread_over_the_parts_that_exist() -> None:
    evaluator = CitationEvaluator({}, judge="rules")
    overall = evaluator.evaluate_answer_citations(f"{CARS} [ferry.txt:0-26].", None, {"ferry.txt": FERRY})[
        "overall_scores"
    ]
    assert overall["overall_citation_accuracy"] == 1.0
    assert "span_accuracy_score" not in overall["parts"]


def test_ruling_07_a_citation_that_is_silent_supports_nothing_and_contradicts_nothing() -> None:
    results = CitationEvaluator({}, judge="rules").evaluate_answer_citations(
        "Dogs travel free of charge [ferry.txt:0-26].", None, {"ferry.txt": FERRY}
    )
    assert results["overall_scores"]["citation_quality_score"] == 0.0
    assert results["overall_scores"]["answer_consistency_score"] == 1.0


@pytest.mark.parametrize(
    ("marker", "status"),
    [
        ("[lost.txt:0-5]", "unknown_document"),
        ("[ferry.txt:0-9000]", "out_of_bounds"),
        ("[ferry.txt:20-10]", "bad_span"),
        ("[ferry.txt:9-9]", "bad_span"),
        ("[paged.txt:9:0-10]", "no_such_page"),
        ("[same.txt:0-10]", "ambiguous_document"),
    ],
)
def test_ruling_08_each_way_to_point_nowhere_has_its_own_status(
    tmp_path: Path, marker: str, status: str
) -> None:
    more = [
        {"document_id": "p", "file_path": "paged.txt", "content": f"{FERRY}\f{MUSEUM}"},
        {"document_id": "s1", "file_path": "one/same.txt", "content": FERRY},
        {"document_id": "s2", "file_path": "two/same.txt", "content": MUSEUM},
    ]
    said = {"a": {"answer": f"{CARS} {marker}."}}
    run = measure(
        tmp_path,
        dataset(query("a"), documents=[*DOCUMENTS, *more]),
        said,
        "citation_correctness",
    )
    assert values(run) == {"citation_correctness": 0.0}
    assert status in run.document.failures.by_kind


def test_ruling_09_a_quoted_excerpt_is_compared_with_the_source(tmp_path: Path) -> None:
    true = '[ferry.txt:1:0-26 | excerpt: "carries 84 cars"]'
    forged = '[ferry.txt:1:0-26 | excerpt: "carries 840 cars"]'
    said = {"a": {"answer": f"{CARS} {true}."}, "b": {"answer": f"{CARS} {forged}."}}
    run = measure(tmp_path, dataset(query("a"), query("b")), said, "quote_fidelity")
    assert values(run) == {"quote_fidelity": 0.5}
    assert [finding.code for finding in check(said["b"]["answer"], {"ferry.txt": FERRY}).findings] == [
        "PIN204"
    ]


def test_ruling_09_what_is_judged_is_the_cited_span_and_not_the_document(tmp_path: Path) -> None:
    said = {"a": {"answer": "Dogs travel free of charge [ferry.txt:0-26]."}}
    run = measure(tmp_path, dataset(query("a")), said, "citation_correctness", "hallucination_rate")
    assert values(run) == {"citation_correctness": 0.0, "hallucination_rate": 0.0}


def test_ruling_09_a_providers_list_that_does_not_fit_the_markers_is_a_finding() -> None:
    message = {"content": f"{CARS} [1]. {OPENED} [4].", "role": "assistant"}
    payload = {
        "id": "x",
        "model": "sonar",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message}],
        "citations": ["https://ferry.example/cars"],
    }
    report = check(payload, {"ferry.txt": FERRY}, provider="perplexity")
    assert [finding.code for finding in report.findings if finding.citation == "[4]"] == ["PIN401"]


def test_ruling_10_a_marker_after_the_full_stop_and_no_marker_in_a_claim(tmp_path: Path) -> None:
    judge = Counting()
    said = {"a": {"answer": f"{CARS}. [ferry.txt:0-26] {OPENED}. [museum.txt:0-26]"}}
    run = measure(tmp_path, dataset(query("a")), said, "citation_correctness", judge=judge)
    assert values(run) == {"citation_correctness": 1.0}
    asked = [(pair.claim, pair.passages[0].document) for pair in judge.calls[0] if pair.question == "support"]
    assert asked == [(f"{CARS}.", "ferry"), (f"{OPENED}.", "museum")]


def test_ruling_11_relevancy_counts_a_doi_and_its_address_once_and_no_bare_year(tmp_path: Path) -> None:
    answer = (
        "Green tea helps the heart doi:10.1000/tea and again https://doi.org/10.1000/tea (since 2020), "
        "says O'Brien (O'Brien, 2020)."
    )
    judge = Counting()
    run = measure(tmp_path, dataset(query("a")), {"a": {"answer": answer}}, "citation_relevancy", judge=judge)
    (score,) = run.scores
    assert (score.value, score.denominator) == (1.0, 2)


def test_ruling_11_the_strategy_and_the_mode_of_relevancy_have_their_effect() -> None:
    turns = [
        HumanMessage("Why?"),
        AIMessage("So https://tea.org/a and https://tea.org/b."),
        HumanMessage("And then?"),
        AIMessage("Thus https://tea.org/c."),
    ]
    item = DatasetItem(conversation=MultiTurnConversation(messages=tuple(turns)))
    metrics = [
        CitationRelevancy(multi_turn_strategy=strategy, mode=mode)
        for strategy in ("last_turn", "all_turns")
        for mode in EvaluationMode
    ]
    results = asyncio.run(MetricRunner(metrics=metrics, judge=Counting()).run([item, item]))
    # A flat list: every metric of the first item, then of the second.
    assert [result.denominator for result in results] == [1, 1, 3, 2] * 2


def test_ruling_12_fidelity_compares_numbers_as_numbers(tmp_path: Path) -> None:
    expected = {"a": {"revenue": 2500000, "term": 12000000, "age": 15}}
    said = {
        "a": {"answer": "Revenue $2.5M [a.revenue]. A term of 12 months [a.term]. Built in 2015 [a.age]."}
    }
    data = dataset(query("a", expected_output=expected))
    run = measure(tmp_path, data, said, "citation_fidelity", "citation_fidelity(check_values=true)")
    assert [(score.value, score.threshold) for score in run.scores] == [
        (1.0, 1.0),
        (pytest.approx(1 / 3), 1.0),
    ]


def test_ruling_12_neighbours_are_two_citations_a_flag_is_a_word_and_every_failure_says_why() -> None:
    item = DatasetItem(
        actual_output="Fees are $5 and $7 [a.x][a.y]. Yes, it is insured [a.z]. It costs $9 [a.x] [a.lost].",
        expected_output={"a": {"x": 5, "y": 7, "z": True}},
    )
    result = asyncio.run(CitationFidelity(check_values=True).execute(item))
    found = [(one.path, one.status, one.reason.partition(":")[0]) for one in result.signals.verdicts]
    stated = "the answer states the value that the path leads to"
    assert found == [
        ("a.x", "valid", stated),
        ("a.y", "valid", stated),
        ("a.z", "valid", stated),
        ("a.x", "invalid", "value differs"),
        ("a.lost", "invalid", "path not found"),
    ]


def test_ruling_13_numbers_are_held_against_the_list_of_references(tmp_path: Path) -> None:
    answer = (
        "One [1,2]. Two [1-3]. Three 【3】. In [2023] array[0] and [a link](https://x.org/y) are none [9]."
    )
    data = dataset(query("a", references=["A", "B", {"number": 3, "source": "C"}]))
    run = measure(tmp_path, data, {"a": {"answer": answer}}, "citation_accuracy")
    (score,) = run.scores
    assert score.value == pytest.approx(6 / 7)


def test_ruling_13_a_reference_that_is_never_cited_is_told() -> None:
    item = DatasetItem(actual_output="One^1 and two².", references=("A", "B", "C"))
    result = asyncio.run(CitationAccuracy().execute(item))
    assert (result.score, result.denominator) == (1.0, 2)
    assert [one.source for one in result.signals.unused_references] == ["C"]


def test_ruling_14_the_newest_version_is_the_semantic_one_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for version in ("1.9.0", "1.10.0"):
        data = dataset(query("a", relevant_documents=["ferry"]), dataset_id="tides", version=version)
        write(Path(f"data/evaluation/datasets/tides_{version}.eval.json"), data)
    newest = EvaluationDatasetLoader().load_dataset("tides")
    run = evaluate(newest, target="answer", metrics=["hit@1"], settings=QUICK)
    assert run.dataset_version == "1.10.0"


def test_ruling_15_checks_see_every_citation_and_every_name(tmp_path: Path) -> None:
    data = dataset(
        query("a", citations=[span("ferry.txt", 0, 26), span("docs/museum.txt", 0, 9000)]),
        query("b", citations=[], alternative_citations=[[span("museum", 50, 20)]]),
        query("c", relevant_documents=["ferry", "museum"], citations=[span("ferry", 0, 26)]),
    )
    issues = {(issue.severity, issue.query_id): str(issue) for issue in check_quality(open_dataset(data))}
    errors = {name for severity, name in issues if severity == "error"}
    assert errors == {"a", "b"}
    assert "museum" in issues["warning", "c"]


def test_ruling_16_groups_are_there_when_they_were_measured(tmp_path: Path) -> None:
    output = tmp_path / "run.results.json"
    data = dataset(query("a", relevant_documents=["ferry"]))
    measure(tmp_path, data, {"a": {}}, "hit@1", output=output)
    written = json.loads(output.read_text(encoding="utf-8"))
    assert written["schema_version"] == 1 and "retrieval_metrics" in written
    assert "citation_metrics" not in written and "answer_quality_metrics" not in written
    assert list(validate_file(output)) == []
    for name in ("evaluation_id", "timestamp", "dataset_id", "summary"):
        assert DataFormatValidator().validate_evaluation_results(
            {k: v for k, v in written.items() if k != name}
        )
    older = {name: value for name, value in written.items() if name != "schema_version"}
    assert DataFormatValidator().validate_evaluation_results(older) == []


def test_ruling_16_saving_is_not_validating_and_truth_has_two_names(tmp_path: Path) -> None:
    path = EvaluationResultsStorage(tmp_path / "results").save_results({"evaluation_id": "x"})
    assert json.loads(Path(path).read_text(encoding="utf-8"))["evaluation_id"] == "x"
    for name in ("citation_spans", "citations"):
        given = span("ferry.txt", 0, 26)
        found = CitationEvaluator({}, judge="rules").evaluate_answer_citations(
            f"{CARS}.", [given], {"ferry.txt": FERRY}, {name: [given]}
        )
        assert found["span_accuracy"]["mean_exact_jaccard"] == 1.0


def test_ruling_17_the_pairs_of_an_answer_are_one_batch(tmp_path: Path) -> None:
    judge = Counting()
    answer = (
        f"{CARS} [ferry.txt:0-26]. {OPENED} [museum.txt:0-26]. Dogs travel free of charge [ferry.txt:66-93]."
    )
    metrics = ("citation_correctness", "citation_completeness", "factual_consistency", "hallucination_rate")
    measure(
        tmp_path,
        dataset(query("a"), query("b")),
        {"a": {"answer": answer}, "b": {"answer": answer}},
        *metrics,
        judge=judge,
    )
    assert len(judge.calls) == 2
    assert all(len(pairs) == len(set(pairs)) > 3 for pairs in judge.calls)


def test_ruling_18_hallucination_is_tested_against_all_sources_in_full(tmp_path: Path) -> None:
    long = [{"document_id": "long", "file_path": "long.txt", "content": "Nothing of note. " * 400 + MUSEUM}]
    answer = f"{CARS} [ferry.txt:0-26]. {OPENED} [ferry.txt:0-26]. The ferry is made of cheese."
    run = measure(
        tmp_path,
        dataset(query("a"), documents=[DOCUMENTS[0], *long]),
        {"a": {"answer": answer}},
        "hallucination_rate",
        "citation_density",
    )
    markers = 2 * len("[ferry.txt:0-26]")
    assert values(run) == {
        "hallucination_rate": pytest.approx(1 / 3),
        "citation_density": pytest.approx(markers / len(answer)),
    }


def test_ruling_18_consistency_is_consistent_claims_of_all_and_its_mean_stands_apart(tmp_path: Path) -> None:
    answer = f"{CARS} [ferry.txt:0-26]. The ferry carries 48 cars [ferry.txt:0-26]."
    run = measure(tmp_path, dataset(query("a")), {"a": {"answer": answer}}, "factual_consistency")
    node = run.document.answer_quality_metrics["factual_consistency"]
    assert node["value"] == 1 / 2
    assert 0 < node["mean_consistency"] < 1 and node["mean_consistency"] != node["value"]


def test_ruling_19_a_citation_is_one_marker_and_ratios_count_targets(tmp_path: Path) -> None:
    (marker,) = parse("It is known [1–3].").citations
    assert len(marker.targets) == 3
    answer = f"{CARS} [ferry.txt:0-26,9000-9010]. {OPENED} [museum.txt:0-26]."
    run = measure(tmp_path, dataset(query("a")), {"a": {"answer": answer}}, "fabrication_rate")
    (score,) = run.scores
    assert (score.numerator, score.denominator) == (1, 3)


def test_ruling_20_every_key_is_known_or_refused_and_llm_evaluation_chooses_no_judge(pincite: Runner) -> None:
    write(pincite.folder / "d.eval.json", dataset(query("a", relevant_documents=["ferry"])))
    pincite.write("answers.jsonl", '{"query_id": "a", "answer": "Yes."}\n')
    pincite.write("good.yaml", "citation_accuracy: {llm_evaluation: {model: some/model}}")
    pincite.write("bad.yaml", "citation_accuracy: {span_matching: {tolerence_chars: 3}}")
    command = (
        "eval",
        "d.eval.json",
        "--answers",
        "answers.jsonl",
        "--store",
        "none",
        "-m",
        "citation_density",
    )
    done = pincite(*command, "--config", "good.yaml", "--output-format", "json")
    assert done.code == 0
    assert "rules" in json.loads(done.out)["configuration"]["judge"]
    refused = pincite(*command, "--config", "bad.yaml")
    assert refused.code == 2 and "tolerence_chars" in refused.err and "tolerance_chars" in refused.err


def over_a_dataset(folder: Path) -> Run:
    data = dataset(
        query(
            "half",
            relevant_documents=["ferry"],
            citations=[span("ferry.txt", 0, 26), span("ferry.txt", 27, 65)],
        ),
        query("nothing cited", relevant_documents=["museum"], citations=[span("museum.txt", 0, 26)]),
        query("no truth"),
        query("nothing to cite", citations=[]),
        query("no answer", relevant_documents=["ferry"], citations=[span("ferry.txt", 0, 10)]),
    )
    found = {"retrieval_results": {"retrieved_docs": ["ferry"]}}
    answers = {
        "half": {**cited(span("ferry.txt", 0, 26)), **found},
        "nothing cited": {**cited(), **found},
        "no truth": {**cited(span("museum.txt", 0, 26)), **found},
        "nothing to cite": {**cited(span("ferry.txt", 0, 10)), **found},
    }
    return measure(
        folder,
        data,
        answers,
        "span_jaccard",
        "span_precision(average=micro)",
        "span_recall(average=micro)",
        "span_f1(average=micro)",
        "hit@1",
    )


def test_ruling_21_macro_figures_are_means_over_queries_and_micro_figures_pool_characters(
    tmp_path: Path,
) -> None:
    run = over_a_dataset(tmp_path)
    found = scores(run)
    # One of two truths; nothing predicted; a prediction where none should be; no answer.
    assert found["span_jaccard"].value == pytest.approx((1 / 2 + 0 + 0 + 0) / 4)
    assert (found["span_jaccard"].n, found["span_jaccard"].not_scorable) == (4, 1)
    precision, recall = 26 / (26 + 10), 26 / (26 + 38 + 26 + 10)
    assert found["span_precision(average=micro)"].value == pytest.approx(precision)
    assert found["span_recall(average=micro)"].value == pytest.approx(recall)
    f1 = 2 * precision * recall / (precision + recall)
    assert found["span_f1(average=micro)"].value == pytest.approx(f1)
    accuracy = run.document.citation_metrics["span_accuracy"]
    assert accuracy["mean_exact_jaccard"] == pytest.approx(1 / 8)
    assert [accuracy[f"micro_{name}"] for name in ("precision", "recall", "f1")] == pytest.approx(
        [precision, recall, f1]
    )


def test_ruling_21_no_relevant_documents_is_not_scorable_and_no_answer_a_failed_query(tmp_path: Path) -> None:
    run = over_a_dataset(tmp_path)
    hit = scores(run)["hit@1"]
    assert (hit.value, hit.n, hit.not_scorable) == (pytest.approx(1 / 3), 3, 2)
    summary = run.document.summary
    assert (summary.total_queries, summary.successful_queries, summary.failed_queries) == (5, 4, 1)


def test_ruling_22_ranks_come_from_the_scores_and_else_from_the_list(tmp_path: Path) -> None:
    relevant = {"relevant_documents": ["ferry"]}
    order = ["museum", "ferry"]
    run = measure(
        tmp_path,
        dataset(query("scored", **relevant), query("listed", **relevant)),
        {
            "scored": {"retrieval_results": {"retrieved_docs": order, "relevance_scores": [0.1, 0.9]}},
            "listed": {"retrieval_results": {"retrieved_docs": order}},
        },
        "hit@1",
        "MRR",
    )
    assert values(run) == {"hit@1": 0.5, "MRR": pytest.approx((1 + 1 / 2) / 2)}


def test_ruling_22_a_missing_latency_is_left_out_and_counted(tmp_path: Path) -> None:
    data = dataset(query("a"), query("b"), query("c"), query("d"))
    answers = {"a": {"latency_ms": 100}, "b": {"latency_ms": 300}, "c": {"latency_ms": None}, "d": {}}
    run = measure(tmp_path, data, answers, "citation_density")
    stats = run.document.performance_metrics.latency_stats
    assert (stats.mean, stats.p50, stats.min, stats.max) == (200, 200, 100, 300)
    assert (stats.n, stats.not_scorable) == (2, 2)
    assert stats.p95 == pytest.approx(100 + 0.95 * 200)
    assert run.document.summary.average_latency_ms == 200


def test_ruling_22_a_command_run_again_writes_the_same_metrics_and_intervals(pincite: Runner) -> None:
    documents = []
    for _ in range(2):
        done = pincite(
            *(
                "eval",
                "sample",
                "--answers",
                "sample:a",
                "--set",
                "evaluation.resamples=200",
                "-m",
                "hit@1",
                "-m",
                "span_f1",
            ),
            *("--output", "run.results.json", "--store", "history.sqlite"),
        )
        assert done.code == 0
        documents.append(json.loads((pincite.folder / "run.results.json").read_text(encoding="utf-8")))
    first, second = documents
    for group in ("retrieval_metrics", "citation_metrics", "breakdown", "query_results", "failures"):
        assert first[group] == second[group]


@pytest.mark.parametrize("name", ["ferry", "docs/ferry.txt", "ferry.txt", "The ferry", "FERRY.TXT"])
@pytest.mark.parametrize("page", [None, 1])
def test_ruling_23_any_name_and_a_page_on_one_side_only_match(
    tmp_path: Path, name: str, page: int | None
) -> None:
    data = dataset(query("a", citations=[span("ferry.txt", 0, 26)]))
    run = measure(tmp_path, data, {"a": cited(span(name, 0, 26, page))}, "span_f1")
    assert values(run) == {"span_f1": 1.0}


def test_ruling_23_the_same_span_cited_twice_counts_twice_and_matches_once(tmp_path: Path) -> None:
    data = dataset(query("a", citations=[span("ferry.txt", 0, 26)]))
    twice = cited(span("ferry.txt", 0, 26), span("ferry", 0, 26))
    run = measure(tmp_path, data, {"a": twice}, "span_jaccard", "span_precision(average=micro)")
    assert values(run) == {"span_jaccard": 0.5, "span_precision(average=micro)": 0.5}
