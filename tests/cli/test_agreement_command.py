"""`pincite agreement`: exit codes, JSON, and the blind sample in a file."""

from __future__ import annotations

import json

from cli_run import Runner


def annotation(person: str, end: int) -> str:
    citation = {"file_name": "a.md", "start_char": 0, "end_char": end}
    value = {"annotation_id": person, "query_id": "q\x1b", "annotator_id": person, "citations": [citation]}
    return json.dumps(value)


def test_the_shipped_annotations_meet_the_target(pincite: Runner) -> None:
    done = pincite("agreement", "sample")
    assert done.code == 0
    assert "meets the target of 0.85" in done.out
    assert pincite("agreement", "sample", "--target", "0.99").code == 1


def test_json_holds_every_figure(pincite: Runner) -> None:
    shape = json.loads(pincite("agreement", "sample", "-f", "json").out)
    assert shape["met"] is True
    assert shape["annotators"] == ["annotator_001", "annotator_002"]
    assert {"jaccard", "pairs", "questions", "worst", "blind_sample", "with_themselves"} <= shape.keys()


def test_low_agreement_exits_1_and_prints_nothing_that_a_terminal_obeys(pincite: Runner) -> None:
    pincite.write("people/x/a.json", annotation("x", 10))
    pincite.write("people/y/a.json", annotation("y", 5))
    done = pincite("agreement", "people")
    assert done.code == 1
    assert "below 0.8" in done.out
    assert "\x1b" not in done.out


def test_the_blind_sample_is_written(pincite: Runner) -> None:
    path = pincite.folder / "again.json"
    done = pincite("agreement", "sample", "--sample", str(path), "--seed", "7", "-o", str(path) + ".txt")
    assert done.code == 0
    shape = json.loads(path.read_text(encoding="utf-8"))
    assert shape["seed"] == 7
    assert len(shape["query_ids"]) == 2


def test_what_cannot_be_read_exits_2(pincite: Runner) -> None:
    assert pincite("agreement", "nowhere").code == 2
    pincite.write("empty/readme.txt", "nothing")
    assert pincite("agreement", "empty").code == 2
    assert pincite("agreement", "sample", "--target", "7").code == 2
