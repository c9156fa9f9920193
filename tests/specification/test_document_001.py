"""Document 001, data formats: what files hold and where they lie (sections 2 to 3.2), with the rulings.

Its classes and its examples of use are in `test_document_001_classes.py`.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli_run import Runner
from document_001 import (
    ANSWER,
    BENCHMARK,
    CITATION_ANNOTATION,
    DATASET,
    GROUND_TRUTH,
    QUALITY_ANNOTATION,
    RESULTS,
    SCHEMA,
)
from small_dataset import QUICK, dataset, query, span, write

from pincite.datasets import (
    FORMATS,
    AnswerQualityAnnotation,
    CitationAnnotation,
    from_plain,
    read_plain,
    save,
    schema_of,
    to_plain,
    validate_file,
    validate_value,
)
from pincite.records import SCHEMA_VERSION
from pincite.runs import evaluate

Step = str | int
Place = tuple[Step, ...]
MISSING: Any = ...
"""Stands for a field that is taken away."""


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Where every value inside a value stands."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inside:
        yield (*at, step)
        yield from places(part, (*at, step))


def at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value


def changed(value: Any, place: Place, new: Any) -> Any:
    """A copy with another value in one place."""
    copy = deepcopy(value)
    holder = at(copy, place[:-1])
    if new is MISSING:
        del holder[place[-1]]
    else:
        holder[place[-1]] = new
    return copy


def goes_there_and_back(value: dict[str, Any], record: type[Any]) -> bool:
    """Whether a record keeps all of a value. It adds the version of the format, which the document lacks."""
    return to_plain(from_plain(record, value)) == {"schema_version": SCHEMA_VERSION, **value}


# --- 2.1: the dataset ----------------------------------------------------------------------------


def test_section_2_1_our_schema_has_the_documents_title_draft_and_required_fields() -> None:
    ours = schema_of("dataset")
    for name in ("$schema", "title", "type", "required"):
        assert ours[name] == SCHEMA[name]
    for name, definition in SCHEMA["$defs"].items():
        assert set(definition["properties"]) <= set(ours["$defs"][name]["properties"])
    assert ours["$defs"]["EvaluationQuery"]["required"] == SCHEMA["$defs"]["EvaluationQuery"]["required"]
    assert ours["$defs"]["SourceDocument"]["required"] == SCHEMA["$defs"]["SourceDocument"]["required"]


def test_section_2_1_the_example_is_valid_by_both_schemas_and_reads_as_itself() -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(DATASET)
    assert list(validate_value(DATASET, "dataset")) == []
    assert goes_there_and_back(DATASET, FORMATS["dataset"].record)


STRICTER = {
    ("version", "odd"): "a version is semantic",
    ("created_at", "odd"): "a time is a time",
    ("size", -7): "a number of queries",
    ("avg_query_length", -7): "a length",
    ("page_number", -7): "pages count from 1",
    ("start_char", -7): "offsets count from 0",
    ("end_char", -7): "offsets count from 0",
    ("end_char", 7): "an end lies behind its start",
}
"""What the document's schema lets through and ours refuses."""
OPTIONAL = {
    *("description", "created_at", "query_type", "difficulty", "ground_truth_answer", "citations"),
    *("page_number", "confidence_score", "context_text", "title", "file_path"),
}
"""Fields that may be null in our schema where the document wants them left out."""


def test_section_2_1_our_schema_refuses_what_the_documents_does_and_says_where_it_differs() -> None:
    theirs = jsonschema.Draft202012Validator(SCHEMA)
    stricter, looser = set(), set()
    for place in places(DATASET):
        for new in (MISSING, None, 7, -7, 1.5, "odd", True, [], [7], {}, {"odd": 1}):
            value = changed(DATASET, place, new)
            valid = not list(validate_value(value, "dataset"))
            if valid != theirs.is_valid(value):
                (looser if valid else stricter).add((place[-1], repr(new)))
    assert stricter == {(name, repr(new)) for name, new in STRICTER}
    # Grades of relevance are an object; the document knows none.
    graded = {("relevant_documents", repr(new)) for new in ({}, {"odd": 1})}
    assert looser == {(name, "None") for name in OPTIONAL} | graded


# --- 2.2: what people said -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "record"),
    [(CITATION_ANNOTATION, CitationAnnotation), (QUALITY_ANNOTATION, AnswerQualityAnnotation)],
    ids=["citations", "answer quality"],
)
def test_section_2_2_an_annotation_is_valid_by_itself_and_reads_as_itself(
    annotation: dict[str, Any], record: type[Any]
) -> None:
    assert list(validate_value(annotation, "ground_truth")) == []
    assert goes_there_and_back(annotation, record)
    for name in ("annotation_id", "query_id"):
        assert list(validate_value(changed(annotation, (name,), MISSING), "ground_truth"))


def test_section_2_2_both_annotations_go_into_one_ground_truth_file() -> None:
    assert list(validate_value(GROUND_TRUTH, "ground_truth")) == []
    assert goes_there_and_back(GROUND_TRUTH, FORMATS["ground_truth"].record)
    wrong = changed(GROUND_TRUTH, ("annotations", 1, "quality_scores", "clarity"), 85)
    (problem,) = validate_value(wrong, "ground_truth")
    assert "/annotations/1/quality_scores/clarity" in str(problem)


# --- 2.3: results --------------------------------------------------------------------------------


def test_section_2_3_the_example_is_valid_and_reads_as_itself() -> None:
    assert list(validate_value(RESULTS, "results")) == []
    assert goes_there_and_back(RESULTS, FORMATS["results"].record)


def results_of(path: Path, answers: Path, **options: Any) -> dict[str, Any]:
    """What a run writes."""
    output = path.parent / "run.results.json"
    evaluate(path, answers=answers, settings=QUICK, output=output, **options)
    found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return found


def test_section_2_3_a_run_writes_every_field_of_the_example(tmp_path: Path) -> None:
    """But for the settings of the example's own system, and with a test a metric in the place of its one."""
    said = {
        "query_id": "a",
        "answer": "The ferry carries 84 cars [ferry.txt:1:0-26].",
        "citations": [{**span("ferry.txt", 0, 26, 1), "confidence_score": 0.95}],
        "retrieval_results": {"retrieved_docs": ["ferry", "museum"], "relevance_scores": [0.9, 0.1]},
        "latency_ms": 640,
    }
    asked = query("a", relevant_documents=["ferry"], citations=[span("ferry.txt", 0, 26)])
    path = write(tmp_path / "small_1.0.0.eval.json", dataset(asked))
    answers = write(tmp_path / "answers.jsonl", said)
    baseline = write(tmp_path / "baseline.results.json", results_of(path, answers, metrics=["hit@1"]))
    ours = results_of(path, answers, baseline=str(baseline))
    theirs = changed(RESULTS, ("query_results", 0, "individual_metrics", "ndcg@3"), MISSING)
    assert theirs.pop("configuration") and ours["configuration"]
    (test,) = theirs["statistical_analysis"]["significance_tests"].values()
    theirs["statistical_analysis"]["significance_tests"] = {"hit@1": test}
    missing = [
        place
        for place in places(theirs)
        if isinstance(place[-1], str) and place[-1] not in at(ours, place[:-1])
    ]
    assert missing == []


def test_section_2_3_the_query_of_the_example_is_an_answer_that_can_be_measured(tmp_path: Path) -> None:
    (recorded,) = RESULTS["query_results"]
    relevant = recorded["retrieval_results"]["ground_truth_relevant"]
    data = changed(DATASET, ("queries", 0, "relevant_documents"), relevant)
    path = write(tmp_path / "personal_rag_eval_v1.0.0.eval.json", data)
    answers = write(tmp_path / "answers.jsonl", recorded)
    names = [*recorded["individual_metrics"], "citation_correctness"]
    results = results_of(path, answers, metrics=names)
    (found,) = results["query_results"]
    given = {name: value for name, value in recorded.items() if name != "individual_metrics"}
    assert {name: found[name] for name in given} == given
    # Two of three relevant documents at the first two ranks: no 0.85, as the example has it.
    second = 1 / math.log2(3)
    assert found["individual_metrics"] == {
        "hit@3": 1.0,
        "ndcg@3": pytest.approx((1 + second) / (1 + second + 1 / 2)),
        "citation_span_accuracy": 1.0,
        # The cited guide is not among the documents, so nothing could contradict the answer, nor support it.
        "factual_consistency": None,
        "citation_correctness": 0.0,
    }
    assert [failure["kind"] for failure in found["failures"]] == ["unknown_document", "uncited"]
    assert results["performance_metrics"]["latency_stats"]["mean"] == 1150


# --- 3.1: forms and endings ----------------------------------------------------------------------

CONFIGURATION = {"tolerance_chars": 5}
TABLE: list[tuple[Any, str, dict[str, Any], tuple[str, ...]]] = [
    ("dataset", ".eval.json", DATASET, ("yaml", "csv")),
    ("ground_truth", ".gt.json", GROUND_TRUTH, ("yaml",)),
    ("results", ".results.json", RESULTS, ("yaml", "csv")),
    ("benchmark", ".benchmark.json", BENCHMARK, ("parquet", "hdf5")),
    ("configuration", ".config.yaml", CONFIGURATION, ("json",)),
]


@pytest.mark.parametrize(("kind", "ending", "value", "others"), TABLE, ids=[row[0] for row in TABLE])
def test_section_3_1_every_form_of_the_table_holds_the_example_whole(
    tmp_path: Path, kind: Any, ending: str, value: dict[str, Any], others: tuple[str, ...]
) -> None:
    assert FORMATS[kind].ending == ending
    stem = ending.rpartition(".")[0]
    for name in (ending, *(f"{stem}.{form}" for form in others), f"{ending}.gz"):
        path = save(value, tmp_path / f"x{name}")
        assert read_plain(path)[:2] == (value, kind), name
        assert list(validate_file(path)) == [], name


def test_section_3_1_a_csv_file_has_a_row_a_query_and_nested_fields_as_json(tmp_path: Path) -> None:
    path = save(DATASET, tmp_path / "x.eval.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["query_id"]]
    (row,) = rows
    assert (row["query_id"], row["ground_truth_answer"]) == ("query_001", ANSWER)
    assert json.loads(row["citations"]) == DATASET["queries"][0]["citations"]


# --- 3.2: the tree -------------------------------------------------------------------------------

VERSIONS = {"personal_rag_eval": "1.0.0", "domain_specific_eval": "1.1.0", "synthetic_queries": "2.0.0"}
RUNS = ("eval_run_20250830_001", "ab_test_moe_vs_baseline_001", "benchmark_weekly_20250830")
ANNOTATORS = ("annotator_001", "annotator_002")
BENCHMARKS = (
    "performance/latency_benchmarks",
    "performance/throughput_benchmarks",
    "quality/retrieval_quality_benchmarks",
    "quality/citation_accuracy_benchmarks",
)
CONFIGS = ("evaluation_defaults", "ab_testing_config", "performance_benchmark_config")


def plant(root: Path) -> list[Path]:
    """Write every file of the tree; the two annotators marked almost the same characters."""
    files: dict[str, Any] = {}
    for name, version in VERSIONS.items():
        given = {**DATASET, "dataset_id": f"{name}_v{version}", "version": version}
        files[f"evaluation/datasets/{name}_v{version}.eval.json"] = given
    truth = "personal_rag_eval_v1.0.0.gt.json"
    files[f"evaluation/ground_truth/{truth}"] = GROUND_TRUTH
    for number, name in enumerate(ANNOTATORS):
        marked = changed(CITATION_ANNOTATION, ("citations", 0, "end_char"), 1350 - 10 * number)
        told = {**GROUND_TRUTH, "annotations": [{**marked, "annotator_id": name}]}
        files[f"evaluation/ground_truth/annotations/{name}/{truth}"] = told
    for name in RUNS:
        files[f"evaluation/results/{name}.results.json"] = {**RESULTS, "evaluation_id": name}
    for name in BENCHMARKS:
        files[f"benchmarks/{name}.json"] = BENCHMARK
    for name in CONFIGS:
        files[f"config/{name}.config.yaml"] = CONFIGURATION
    return [write(root / name, value) for name, value in files.items()]


def test_section_3_2_every_file_of_the_tree_is_known_for_what_it_is(pincite: Runner) -> None:
    paths = plant(pincite.folder / "data")
    assert len(paths) == 3 + 1 + 2 + 3 + 4 + 3
    for path in paths:
        done = pincite("data", "check", str(path))
        assert done.out.startswith(f"{path}: valid\n"), done.err


def test_section_3_2_the_annotators_folders_are_compared(pincite: Runner) -> None:
    plant(pincite.folder / "data")
    done = pincite("agreement", "data/evaluation/ground_truth/annotations", "--output-format", "json")
    figures = json.loads(done.out)
    assert done.code == 0, "0.9 reaches the target of 0.85"
    assert figures["jaccard"]["value"] == pytest.approx(90 / 100)
    assert figures["annotators"] == list(ANNOTATORS)


def test_section_3_2_a_configuration_of_the_tree_configures_a_run(pincite: Runner) -> None:
    plant(pincite.folder / "data")
    near = {"query_id": "a", "answer": "Yes.", "citations": [span("ferry.txt", 0, 20)]}
    write(pincite.folder / "d.eval.json", dataset(query("a", citations=[span("ferry.txt", 0, 26)])))
    write(pincite.folder / "answers.jsonl", near)
    found = []
    for more in ((), ("--config", "data/config/evaluation_defaults.config.yaml")):
        given = ("-m", "citation_span_accuracy", "--store", "none", "--output-format", "json")
        done = pincite("eval", "d.eval.json", "--answers", "answers.jsonl", *given, *more)
        accuracy = json.loads(done.out)["citation_metrics"]["span_accuracy"]
        found.append(accuracy["mean_tolerance_jaccard"])
    assert found == [1.0, pytest.approx(20 / 26)]
