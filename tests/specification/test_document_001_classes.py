"""Document 001: its classes and its examples of use (sections 3.3 to 6), with the rulings applied.

What each class does with broken, hostile or missing data is in `tests/compat/test_data_format_names.py`.
"""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from document_001 import CITATION_ANNOTATION, DATASET, GROUND_TRUTH, QUALITY_ANNOTATION, RESULTS, SAMPLE
from small_dataset import write

from pincite.compat import (
    CitationEvaluator,
    DataCompressor,
    DataFormatValidator,
    DataQualityChecker,
    EvaluationDatasetLoader,
    EvaluationResultsStorage,
)

ID = "sample_eval_v1.0.0"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document's paths count from the current folder."""
    monkeypatch.chdir(tmp_path)


def create_sample_evaluation_dataset() -> str:
    """Section 6.1: write the sample where the document writes it."""
    return str(write(Path(f"data/evaluation/datasets/{ID}.eval.json"), SAMPLE))


# --- 3.3: validation -----------------------------------------------------------------------------


def test_section_3_3_the_validator_has_three_schemas_and_finds_nothing_wrong_with_the_examples() -> None:
    validator = DataFormatValidator()
    assert set(validator.schemas) == {"evaluation_dataset", "ground_truth", "evaluation_results"}
    for dataset in (DATASET, SAMPLE):
        assert validator.validate_evaluation_dataset(dataset) == []
    for truth in (CITATION_ANNOTATION, QUALITY_ANNOTATION, GROUND_TRUTH):
        assert validator.validate_ground_truth(truth) == []
    assert validator.validate_evaluation_results(RESULTS) == []


def test_section_3_3_a_query_id_that_comes_again_and_a_reversed_span_are_told_with_their_places() -> None:
    twice = deepcopy(DATASET)
    twice["queries"].append(deepcopy(twice["queries"][0]))
    twice["queries"][0]["citations"][0]["end_char"] = 1250
    told = "\n".join(DataFormatValidator().validate_evaluation_dataset(twice))
    assert "/queries/1/query_id" in told and "/queries/0/citations/0" in told
    reversed_span = deepcopy(CITATION_ANNOTATION)
    reversed_span["citations"][0]["start_char"] = 1351
    (said,) = DataFormatValidator().validate_ground_truth(reversed_span)
    assert "/citations/0" in said


def test_section_3_3_results_need_no_retrieval_metrics_and_the_four_fields_of_the_ruling() -> None:
    validator = DataFormatValidator()
    needed = {name: RESULTS[name] for name in ("evaluation_id", "timestamp", "dataset_id", "summary")}
    assert validator.validate_evaluation_results(needed) == []
    for name in needed:
        assert validator.validate_evaluation_results({**needed, name: None})


# --- 3.4: compression ----------------------------------------------------------------------------


def test_section_3_4_data_is_compressed_as_gzip_of_short_json_and_comes_back() -> None:
    packed = DataCompressor.compress_evaluation_data(RESULTS)
    assert gzip.decompress(packed).decode() == json.dumps(RESULTS, separators=(",", ":"))
    assert packed == DataCompressor.compress_evaluation_data(RESULTS, compression_level=6)
    assert DataCompressor.decompress_evaluation_data(packed) == RESULTS
    ratio = len(json.dumps(RESULTS).encode()) / len(packed)
    assert DataCompressor.estimate_compression_ratio(RESULTS) == ratio > 1


# --- 4.1: loading --------------------------------------------------------------------------------


def test_section_4_1_a_dataset_and_its_truth_are_found_by_id_and_version() -> None:
    for version in ("1.9.0", "1.10.0"):
        write(Path(f"data/evaluation/datasets/tides_{version}.eval.json"), {**SAMPLE, "version": version})
        write(
            Path(f"data/evaluation/ground_truth/tides_{version}.gt.json"),
            {**GROUND_TRUTH, "version": version},
        )
    loader = EvaluationDatasetLoader("data/evaluation")
    for load in (loader.load_dataset, loader.load_ground_truth):
        assert load("tides")["version"] == "1.10.0"
        assert load("tides", "1.9.0")["version"] == load("tides", version="1.9.0")["version"] == "1.9.0"
        with pytest.raises(FileNotFoundError, match="nobody"):
            load("nobody")


def test_section_4_1_the_available_datasets_are_listed() -> None:
    path = create_sample_evaluation_dataset()
    assert EvaluationDatasetLoader().get_available_datasets() == [
        {
            "dataset_id": ID,
            "name": SAMPLE["name"],
            "version": "1.0.0",
            "description": SAMPLE["description"],
            "size": 1,
            "file_path": path,
        }
    ]


# --- 4.2: storage --------------------------------------------------------------------------------


def test_section_4_2_results_are_saved_loaded_and_listed() -> None:
    storage = EvaluationResultsStorage()
    path = storage.save_results(RESULTS)
    assert Path(path) == Path("data/evaluation/results/eval_run_20250830_001.results.json")
    loaded = storage.load_results("eval_run_20250830_001")
    note = loaded.pop("_metadata")
    assert loaded == RESULTS
    assert set(note) == {"saved_at", "file_path", "evaluation_type"}
    assert (note["file_path"], note["evaluation_type"]) == (path, "standard")
    storage.save_results({**RESULTS, "evaluation_id": "weekly"}, evaluation_type="benchmark")
    wanted = ("evaluation_id", "timestamp", "system_version", "dataset_id")
    assert storage.list_results("standard") == [
        {**{name: RESULTS[name] for name in wanted}, "file_path": path}
    ]
    assert len(storage.list_results()) == 2
    with pytest.raises(FileNotFoundError, match="lost"):
        storage.load_results("lost")


def test_section_4_2_results_are_compared_by_every_metric_that_they_have() -> None:
    other = deepcopy(RESULTS)
    other["evaluation_id"] = "other"
    other["retrieval_metrics"] = {"hit@1": {"value": 0.8, "confidence_interval": [0.7, 0.9]}}
    storage = EvaluationResultsStorage()
    names = [Path(storage.save_results(one)).name.partition(".")[0] for one in (RESULTS, other)]
    found = storage.compare_results(names)
    assert list(found) == ["evaluations", "metrics_comparison", "performance_comparison"]
    assert found["evaluations"] == names
    compared = found["metrics_comparison"]
    assert compared["hit@1"] == {names[0]: 0.72, "other": 0.8}
    for metric in ("hit@3", "hit@5", "ndcg@5", "mrr", "map@5"):
        assert compared[metric] == {names[0]: RESULTS["retrieval_metrics"][metric]["value"]}
    # The document compares retrieval alone.
    assert compared["span_accuracy.mean_exact_jaccard"] == dict.fromkeys(names, 0.85)
    assert compared["hallucination_rate"] == dict.fromkeys(names, 0.06)
    for group in ("latency_stats", "resource_usage"):
        assert found["performance_comparison"][group] == dict.fromkeys(
            names, RESULTS["performance_metrics"][group]
        )


# --- 5: quality ----------------------------------------------------------------------------------


def errors(dataset: dict[str, Any]) -> list[str]:
    """The codes of what is wrong, without warnings and notes."""
    issues = DataQualityChecker().run_quality_checks(dataset)
    return [issue.split()[0] for issue in issues if issue.split()[1] == "error:"]


def sound() -> dict[str, Any]:
    """The sample with a citation of the document that it has."""
    dataset = deepcopy(SAMPLE)
    dataset["metadata"]["size"] = 1
    dataset["queries"][0]["citations"] = [{"file_name": "ml_intro.pdf", "start_char": 0, "end_char": 55}]
    return dataset


def test_section_5_1_the_sample_as_written_cites_a_file_that_it_does_not_have() -> None:
    issues = DataQualityChecker().run_quality_checks(SAMPLE)
    assert [issue for issue in issues if " error" in issue] == [
        "DQ202 error: there is no document “ml_guide.pdf” (query sample_query_001), at /queries/0/citations/0"
    ]
    # It also says that it has two queries.
    assert any("metadata.size is 2" in issue for issue in issues)


def test_section_5_1_each_check_finds_its_fault() -> None:
    assert errors(sound()) == []
    twice = sound()
    twice["queries"].append(deepcopy(twice["queries"][0]))
    lost = sound()
    lost["queries"][0]["relevant_documents"] = ["doc_lost"]
    backwards = sound()
    backwards["queries"][0]["citations"][0].update(start_char=55, end_char=0)
    negative = sound()
    negative["queries"][0]["citations"][0].update(start_char=-5)
    found = [errors(one) for one in (twice, lost, backwards, negative)]
    assert found == [["DQ101"], ["DQ201"], ["DQ302"], ["DQ301"]]


def test_section_5_1_a_cited_document_is_known_by_its_file_and_one_not_cited_is_a_warning() -> None:
    """The document strips `.pdf` from a file's name and compares the rest with the id."""
    uncited = sound()
    uncited["documents"].append({"document_id": "more", "content": "More of it."})
    uncited["queries"][0]["relevant_documents"].append("more")
    found = [
        [issue for issue in DataQualityChecker().run_quality_checks(one) if "DQ401" in issue]
        for one in (sound(), uncited)
    ]
    assert found[0] == []
    (issue,) = found[1]
    assert issue.startswith("DQ401 warning") and "more" in issue


# --- 6: use --------------------------------------------------------------------------------------


def test_section_6_1_the_loader_finds_the_file_that_the_example_writes() -> None:
    path = create_sample_evaluation_dataset()
    assert Path(path) == Path("data/evaluation/datasets/sample_eval_v1.0.0.eval.json")
    loader = EvaluationDatasetLoader()
    assert loader.load_dataset(ID) == SAMPLE
    assert loader.load_dataset("sample_eval") == SAMPLE
    assert loader.load_dataset("sample_eval", "1.0.0") == SAMPLE
    assert loader.load_dataset("sample_eval", version="v1.0.0") == SAMPLE


def test_section_6_2_the_example_asks_for_a_ground_truth_that_it_never_wrote() -> None:
    create_sample_evaluation_dataset()
    with pytest.raises(FileNotFoundError, match=ID):
        EvaluationDatasetLoader().load_ground_truth(ID)


def test_section_6_2_evaluation_data_is_loaded_used_and_its_results_are_saved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    create_sample_evaluation_dataset()
    truth = {"dataset_id": ID, "version": "1.0.0", "annotations": []}
    write(Path(f"data/evaluation/ground_truth/{ID}.gt.json"), truth)

    loader = EvaluationDatasetLoader()
    dataset = loader.load_dataset(ID)
    assert len(dataset["queries"]) == 1
    assert loader.load_ground_truth(ID) == truth
    evaluator = CitationEvaluator({}, judge="rules")
    for query in dataset["queries"]:
        results = evaluator.evaluate_answer_citations(
            query["ground_truth_answer"],
            query["citations"],
            {doc["document_id"]: doc["content"] for doc in dataset["documents"]},
            query,
        )
        score = results["overall_scores"]["overall_citation_accuracy"]
        print(f"Query {query['query_id']}: Citation accuracy = {score:.3f}")
        # The spans are those of the truth, and lie in a file that is not there: nothing cited, nothing valid.
        assert results["span_accuracy"]["mean_exact_jaccard"] == 1.0
        assert results["citation_quality"]["citation_validity_rate"] == 0.0
        assert results["overall_scores"]["answer_consistency_score"] is None
    assert capsys.readouterr().out.startswith("Query sample_query_001: Citation accuracy = 0.")

    given = {
        "evaluation_id": "sample_eval_001",
        "timestamp": "2025-08-30T12:00:00Z",
        "dataset_id": ID,
        "results": [],
    }
    path = EvaluationResultsStorage().save_results(given)
    assert Path(path) == Path("data/evaluation/results/sample_eval_001.results.json")
    saved = json.loads(Path(path).read_text(encoding="utf-8"))
    assert saved.pop("_metadata")["evaluation_type"] == "standard"
    assert saved == given


def test_section_6_2_an_answer_that_cites_the_document_that_is_there_is_flawless() -> None:
    """It ends where the document's text breaks off."""
    (document,) = SAMPLE["documents"]
    cited = {"file_name": document["document_id"], "start_char": 0, "end_char": 55}
    results = CitationEvaluator({}, judge="rules").evaluate_answer_citations(
        f"{document['content'][:55]}.",
        [cited],
        {document["document_id"]: document["content"]},
        {"citations": [cited]},
    )
    assert results["overall_scores"]["overall_citation_accuracy"] == 1.0
