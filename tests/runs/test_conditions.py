from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.config import defaults
from pincite.records import ResultsDocument, Run, RunConfiguration
from pincite.runs import results_head, tell_differences

KNOWN = Run(
    run_id="a",
    status="finished",
    dataset_id="d",
    dataset_version="1.0.0",
    dataset_digest="ab",
    judge="rules/1",
    environment={"pincite": "0.1.0"},
)


def test_equal_and_unknown_conditions_need_no_word() -> None:
    assert tell_differences(KNOWN, Run(run_id="b", status="finished")) == []
    assert tell_differences(KNOWN, msgspec.structs.replace(KNOWN, run_id="b")) == []


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"dataset_id": "e", "dataset_digest": "cd"}, "other datasets: A d 1.0.0, B e 1.0.0"),
        ({"dataset_digest": "cd"}, "the dataset d 1.0.0 was changed between the runs"),
        (
            {"environment": {"pincite": "0.2.0"}},
            "measured by different versions: A Pincite 0.1.0, B Pincite 0.2.0",
        ),
        (
            {"document": ResultsDocument(configuration=RunConfiguration(settings={"offsets": "page"}))},
            "other settings: offsets is document in A, page in B",
        ),
        ({"status": "running"}, "B is running: queries it has not reached are missing"),
        ({"run_id": "a"}, "A and B are the same run"),
    ],
)
def test_each_difference_is_told_once(other: dict[str, Any], said: str) -> None:
    assert tell_differences(KNOWN, msgspec.structs.replace(KNOWN, **{"run_id": "b", **other})) == [said]


@pytest.mark.parametrize("document", [{}, [1], {"configuration": 3, "metadata": [], "status": None}])
def test_a_document_of_any_shape_is_read(document: object, tmp_path: Path) -> None:
    path = tmp_path / "odd.results.json"
    path.write_text(json.dumps(document))
    assert results_head(path) == ResultsDocument()


def test_settings_that_decide_scores_are_conditions_and_others_are_not() -> None:
    def told(path: str) -> bool:
        document = ResultsDocument(configuration=RunConfiguration(settings={path: "other"}))
        return bool(tell_differences(KNOWN, msgspec.structs.replace(KNOWN, run_id="b", document=document)))

    decisive = {path for path in defaults() if told(path)}
    assert decisive >= {"attach", "offsets", "language", "llm.model", "min_overlap_threshold", "panel.high"}
    assert not decisive & {"store.url", "evaluation.random_seed", "evaluation.workers", "judge"}
