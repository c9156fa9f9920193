from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pincite.config import defaults
from pincite.records import ResultsDocument, Run, RunConfiguration
from pincite.runs import tell_differences
from pincite.runs.comparison import _OF_SCORES
from pincite.runs.results_document import read_document

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
def test_a_document_of_any_shape_is_read(document: object) -> None:
    assert read_document(document) == ResultsDocument()


def test_the_settings_of_scores_exist() -> None:
    assert set(_OF_SCORES) <= set(defaults())
