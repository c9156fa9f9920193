from __future__ import annotations

import pytest

from pincite.config.settings import defaults
from pincite.records import Run
from pincite.runs.compare.conditions import (
    _OF_SCORES,
    Conditions,
    conditions_of_document,
    conditions_of_run,
    tell_differences,
)
from pincite.runs.results.document import read_document


def test_a_run_and_its_document_tell_the_same_conditions() -> None:
    run = Run(
        run_id="r",
        status="finished",
        dataset_id="d",
        dataset_version="1.0.0",
        dataset_digest="ab",
        judge="rules/1",
        environment={"pincite": "0.1.0"},
        document=read_document({"configuration": {"settings": {"attach": "paragraph"}}}),
    )
    document = {
        "evaluation_id": "r",
        "status": "finished",
        "dataset_id": "d",
        "dataset_version": "1.0.0",
        "configuration": {"dataset_digest": "ab", "judge": "rules/1", "settings": {"attach": "paragraph"}},
        "metadata": {"evaluation_environment": {"pincite": "0.1.0"}},
    }
    assert conditions_of_run(run) == conditions_of_document(read_document(document))


def test_equal_and_unknown_conditions_need_no_word() -> None:
    known = Conditions(run_id="a", dataset="d 1.0.0", digest="ab", judge="rules/1", software="0.1.0")
    assert tell_differences(known, Conditions(run_id="b")) == []


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Conditions(dataset="e 1.0.0", digest="cd"), "other datasets: A d 1.0.0, B e 1.0.0"),
        (Conditions(software="0.2.0"), "measured by different versions: A Pincite 0.1.0, B Pincite 0.2.0"),
        (Conditions(settings={"offsets": "page"}), "other settings: offsets is document in A, page in B"),
        (Conditions(status="running"), "B is running: queries it has not reached are missing"),
    ],
)
def test_each_difference_is_told_once(other: Conditions, said: str) -> None:
    known = Conditions(dataset="d 1.0.0", digest="ab", judge="rules/1", software="0.1.0")
    assert tell_differences(known, other) == [said]


@pytest.mark.parametrize("document", [{}, [1], {"configuration": 3, "metadata": [], "status": None}])
def test_a_document_of_any_shape_has_conditions(document: dict[str, object]) -> None:
    assert conditions_of_document(read_document(document)) == Conditions()


def test_the_settings_of_scores_exist() -> None:
    assert set(_OF_SCORES) <= set(defaults())
