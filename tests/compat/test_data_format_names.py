"""The classes of the data formats document; its own examples are in `tests/specification/`."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pincite import compat
from pincite.compat import (
    DataCompressor,
    DataFormatValidator,
    DataQualityChecker,
    EvaluationDatasetLoader,
    EvaluationResultsStorage,
)
from pincite.errors import InputError, PinciteError, TooLargeError

SAMPLE: dict[str, Any] = {
    "dataset_id": "sample_eval_v1.0.0",
    "name": "Sample",
    "version": "1.0.0",
    "created_at": "2025-08-30T12:00:00Z",
    "metadata": {"domain": "general", "language": "en", "size": 1},
    "queries": [
        {
            "query_id": "sample_query_001",
            "query_text": "What do bees make?",
            "query_type": "factual",
            "difficulty": "easy",
            "relevant_documents": ["doc_bees"],
            "ground_truth_answer": "Bees make honey.",
            "citations": [
                {
                    "file_name": "bees.pdf",
                    "page_number": 1,
                    "start_char": 0,
                    "end_char": 16,
                    "confidence_score": 0.95,
                }
            ],
        }
    ],
    "documents": [
        {
            "document_id": "doc_bees",
            "title": "On bees",
            "content": "Bees make honey. They live in hives.",
            "file_path": "docs/bees.pdf",
        }
    ],
}
RESULTS = {
    "evaluation_id": "sample_eval_001",
    "timestamp": "2025-08-30T12:00:00Z",
    "dataset_id": "sample_eval_v1.0.0",
    "results": [],
}


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, value: Any) -> Path:
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return place


def write_sample() -> Path:
    return write("data/evaluation/datasets/sample_eval_v1.0.0.eval.json", SAMPLE)


def test_versions_are_semantic() -> None:
    for version in ("1.9.0", "1.10.0", "1.10.0-rc.2", "0.99.9"):
        write(f"data/evaluation/datasets/x_{version}.eval.json", {**SAMPLE, "version": version})
        write(f"data/evaluation/ground_truth/x_{version}.gt.json", {"version": version})
    write("data/evaluation/datasets/x_y_9.0.0.eval.json", {**SAMPLE, "version": "9.0.0"})
    loader = EvaluationDatasetLoader()
    assert loader.load_dataset("x")["version"] == "1.10.0"
    assert loader.load_ground_truth("x")["version"] == "1.10.0"
    assert loader.load_dataset("x", "1.9.0")["version"] == "1.9.0"
    assert loader.load_dataset("x_y")["version"] == "9.0.0"


def test_a_compressed_newer_version_is_found() -> None:
    write("data/evaluation/datasets/x_1.0.0.eval.json", SAMPLE)
    newer = Path("data/evaluation/datasets/x_1.1.0.eval.json.gz")
    newer.write_bytes(gzip.compress(json.dumps({**SAMPLE, "version": "1.1.0"}).encode()))
    assert EvaluationDatasetLoader().load_dataset("x")["version"] == "1.1.0"


def test_what_is_not_there_is_not_found() -> None:
    loader = EvaluationDatasetLoader()
    with pytest.raises(FileNotFoundError, match="nobody"):
        loader.load_dataset("nobody")
    write_sample()
    with pytest.raises(FileNotFoundError, match=r"2\.0\.0"):
        loader.load_dataset("sample_eval", "2.0.0")
    with pytest.raises(FileNotFoundError):
        loader.load_ground_truth("sample_eval_v1.0.0")


@pytest.mark.parametrize(
    "bad", ["../secret", "/etc/passwd", "a/b", "..", "", "a\\b", "a\x00b", "x" * 300, "*"]
)
def test_an_id_leads_nowhere_else(bad: str) -> None:
    write("secret.eval.json", SAMPLE)
    loader, storage = EvaluationDatasetLoader(), EvaluationResultsStorage()
    with pytest.raises(InputError):
        loader.load_dataset(bad)
    with pytest.raises((InputError, FileNotFoundError)):
        loader.load_dataset("x", bad or "../y")
    with pytest.raises(InputError):
        storage.load_results(bad)
    if bad:
        with pytest.raises(InputError):
            storage.save_results({**RESULTS, "evaluation_id": bad})


def test_an_invalid_dataset_is_refused_with_every_problem() -> None:
    broken = deepcopy(SAMPLE)
    del broken["name"]
    broken["queries"][0]["difficulty"] = "brutal"
    write("data/evaluation/datasets/broken_1.0.0.eval.json", broken)
    with pytest.raises(ValueError, match=r"(?s)difficulty.*name"):
        EvaluationDatasetLoader().load_dataset("broken")


def test_the_available_datasets_are_listed_and_broken_ones_told() -> None:
    path = write_sample()
    Path("data/evaluation/datasets/broken_1.0.0.eval.json").write_text("{")
    with pytest.warns(UserWarning, match="broken"):
        (only,) = EvaluationDatasetLoader().get_available_datasets()
    assert only == {
        "dataset_id": "sample_eval_v1.0.0",
        "name": "Sample",
        "version": "1.0.0",
        "description": None,
        "size": 1,
        "file_path": str(path),
    }
    assert EvaluationDatasetLoader("elsewhere").get_available_datasets() == []


def test_saving_results_leaves_its_argument_alone() -> None:
    storage, given = EvaluationResultsStorage(), deepcopy(RESULTS)
    storage.save_results(given, "nightly")
    assert given == RESULTS
    loaded = storage.load_results("sample_eval_001")
    assert loaded["_metadata"]["evaluation_type"] == "nightly"


def test_results_without_an_id_get_one_each() -> None:
    storage = EvaluationResultsStorage("kept")
    paths = {storage.save_results({"n": i}) for i in range(3)}
    assert len(paths) == 3


def test_results_are_listed_by_type() -> None:
    storage = EvaluationResultsStorage()
    storage.save_results(RESULTS)
    storage.save_results({**RESULTS, "evaluation_id": "other"}, "nightly")
    assert [one["evaluation_id"] for one in storage.list_results()] == ["other", "sample_eval_001"]
    (only,) = storage.list_results("nightly")
    assert set(only) == {"evaluation_id", "timestamp", "system_version", "dataset_id", "file_path"}
    Path("data/evaluation/results/bad.results.json").write_text("[]")
    with pytest.warns(UserWarning, match="holds no results"):
        assert len(storage.list_results()) == 2


def test_results_are_compared_side_by_side() -> None:
    storage = EvaluationResultsStorage()
    for name, value in (("a", 0.5), ("b", 0.7)):
        storage.save_results(
            {
                "evaluation_id": name,
                "retrieval_metrics": {"hit@1": {"value": value}, "mrr": {"value": None}},
                "citation_metrics": {"span_accuracy": {"mean_exact_jaccard": value}},
                "performance_metrics": {"latency_stats": {"p95": 3}} if name == "a" else None,
            }
        )
    assert storage.compare_results(["a", "b"]) == {
        "evaluations": ["a", "b"],
        "metrics_comparison": {
            "hit@1": {"a": 0.5, "b": 0.7},
            "mrr": {"a": None, "b": None},
            "span_accuracy.mean_exact_jaccard": {"a": 0.5, "b": 0.7},
        },
        "performance_comparison": {"latency_stats": {"a": {"p95": 3}}},
    }
    with pytest.raises(FileNotFoundError):
        storage.compare_results(["a", "c"])


def test_the_validator_says_what_is_wrong() -> None:
    validator = DataFormatValidator()
    assert validator.validate_evaluation_dataset(SAMPLE) == []
    assert validator.validate_ground_truth({"annotation_id": "a", "query_id": "q", "citations": []}) == []
    needed = {"evaluation_id": "e", "timestamp": "2025-08-30T13:00:00Z", "dataset_id": "d", "summary": {}}
    assert validator.validate_evaluation_results(needed) == []
    assert validator.validate_evaluation_results({"evaluation_id": "e"})
    assert validator.validate_evaluation_dataset([1]) == [
        "the whole value: expected an object, found a list of 1"
    ]
    twice = {**SAMPLE, "queries": SAMPLE["queries"] * 2}
    (said,) = validator.validate_evaluation_dataset(twice)
    assert "/queries/1/query_id" in said
    assert set(validator.schemas) == {"evaluation_dataset", "ground_truth", "evaluation_results"}


def test_quality_checks_see_every_citation_and_every_name() -> None:
    checker = DataQualityChecker()
    assert not [issue for issue in checker.run_quality_checks(SAMPLE) if " error" in issue]
    worse = deepcopy(SAMPLE)
    worse["queries"].append(deepcopy(worse["queries"][0]))
    worse["queries"][0]["citations"][0]["end_char"] = 500
    worse["queries"][0]["relevant_documents"] = ["doc_wasps"]
    issues = "\n".join(checker.run_quality_checks(worse))
    assert "DQ101" in issues and "DQ201" in issues and "DQ301" in issues
    assert checker.run_quality_checks({"queries": 3})


def test_compression_goes_there_and_back() -> None:
    packed = DataCompressor.compress_evaluation_data(SAMPLE, compression_level=9)
    assert packed == DataCompressor.compress_evaluation_data(SAMPLE, 9)
    assert DataCompressor.decompress_evaluation_data(packed) == SAMPLE
    assert DataCompressor.estimate_compression_ratio(SAMPLE) > 1
    for broken in (b"", b"no", packed[:-5], gzip.compress(b"{")):
        with pytest.raises(PinciteError):
            DataCompressor.decompress_evaluation_data(broken)
    with pytest.raises(InputError):
        DataCompressor.compress_evaluation_data(SAMPLE, 99)
    with pytest.raises(InputError):
        DataCompressor.compress_evaluation_data({"a": float("nan")})


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(TooLargeError, match="more than 200 times its size"):
        DataCompressor.decompress_evaluation_data(gzip.compress(b" " * 70_000_000 + b"{}"))


def test_every_name_is_offered_and_found() -> None:
    for name in compat.__all__:
        assert getattr(compat, name) is not None
