"""`pincite data merge` on annotations that were made by hand, and on those that come with the sample."""

from __future__ import annotations

import json

import pytest
from cli_run import Runner

from pincite.datasets import annotations_path


@pytest.fixture
def annotated(pincite: Runner) -> Runner:
    for person, end in (("ada", 267), ("ben", 266)):
        span = {"file_name": "ferry_timetable.md", "start_char": 219, "end_char": end}
        annotation = {"annotation_id": person, "query_id": "query_001", "citations": [span]}
        pincite.write(f"annotations/{person}/mine.gt.json", json.dumps({"annotations": [annotation]}))
    return pincite


def test_agreed_annotations_become_ground_truth_and_a_dataset(annotated: Runner) -> None:
    done = annotated("data", "merge", "sample", "annotations")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "wrote merged/sample_1.0.0.gt.json",
        "wrote merged/sample_1.0.0.eval.json",
        "1 item agreed, 0 adjudicated",
    ]
    valid = annotated("data", "check", "merged/sample_1.0.0.gt.json", "merged/sample_1.0.0.eval.json")
    assert valid.code == 0
    truth = json.loads((annotated.folder / "merged/sample_1.0.0.gt.json").read_bytes())
    assert truth["annotations"][0]["citations"][0]["end_char"] == 266


def test_undecided_conflicts_are_named_and_left_out(pincite: Runner) -> None:
    done = pincite("data", "merge", "sample", str(annotations_path()), "-o", "merged")
    assert done.code == 1
    assert "in conflict and undecided: spans/query_004, spans/query_008" in done.err
    truth = json.loads((pincite.folder / "merged/sample_1.0.0.gt.json").read_bytes())
    cited = {one["query_id"] for one in truth["annotations"] if "citations" in one}
    assert "query_001" in cited and "query_008" not in cited


def test_too_few_annotators_exit_1(annotated: Runner) -> None:
    done = annotated("data", "merge", "sample", "annotations", "--set", "agreement.min_annotators=3")
    assert (done.code, done.out) == (1, "0 items agreed, 0 adjudicated\n")
    assert "annotated by fewer than 3 annotators: spans/query_001" in done.err


def test_a_merge_is_not_overwritten_unasked(annotated: Runner) -> None:
    arguments = ("data", "merge", "sample", "annotations")
    assert annotated(*arguments).code == 0
    refused = annotated(*arguments)
    assert (refused.code, "--force" in refused.err) == (2, True)
    assert annotated(*arguments, "--force").code == 0
