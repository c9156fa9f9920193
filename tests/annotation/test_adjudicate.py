"""Disagreement, decisions of a third person, and the ground truth that comes of both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.small_work import dataset, do_all, say, spans, workspace
from pincite.annotation import (
    Conflicted,
    ItemKey,
    Workspace,
    measure_agreement,
    read_annotations,
    read_key,
    read_labels,
)
from pincite.config import AgreementSettings
from pincite.datasets import open_answers, open_dataset

PAIRS = [
    {"id": name, "claim": f"Claim {name}.", "evidence": ["words"], "outcome": "supported"} for name in "xyz"
]


def decide(work: Workspace, person: str, kind: Any, item: str, said: dict[str, Any]) -> None:
    say(work, person, ItemKey("decide", kind, item), said)


def test_spans_that_agree_are_merged_by_majority(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    say(work, "ben", "first/spans/q0", spans((0, 27)))
    assert work.conflicts() == []
    found, paths = work.merge()
    assert (found.agreed, found.adjudicated, found.complete) == (1, 0, True)
    (citation,) = open_dataset(paths[1]).head.queries[0].citations or ()
    assert (citation.start_char, citation.end_char) == (0, 27)
    assert citation.context_text == "The tower is 47 metres high"
    assert open_dataset(paths[1]).head.queries[0].relevant == {"tower.md": 1.0}


def test_a_conflict_is_decided_by_a_third_person_who_sees_both(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    say(work, "ben", "first/spans/q0", spans((29, 50)))
    (conflict,) = work.conflicts()
    assert (conflict.people, conflict.agreement, conflict.decided_by) == (("ada", "ben"), 0.0, None)
    found = work.adjudicate()
    assert found.open_conflicts == (("spans", "q0"),)
    assert found.truth.annotations == ()
    shown = work.open("carl", ItemKey("decide", "spans", "q0"))
    assert shown.others == {"ada": spans((0, 28)), "ben": spans((29, 50))}
    decide(work, "carl", "spans", "q0", spans((0, 50)))
    assert work.conflicts()[0].decided_by == "carl"
    found, paths = work.merge()
    assert (found.agreed, found.adjudicated, found.complete) == (0, 1, True)
    (annotation,) = json.loads(paths[0].read_bytes())["annotations"]
    assert annotation["citations"][0]["end_char"] == 50
    assert annotation["metadata"] == {
        "review_status": "adjudicated",
        "annotators": ["ada", "ben"],
        "adjudicated_by": "carl",
    }


def test_nobody_decides_about_their_own_annotation(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    with pytest.raises(Conflicted, match="fewer than two"):
        decide(work, "carl", "spans", "q0", spans((0, 50)))
    say(work, "ben", "first/spans/q0", spans((29, 50)))
    with pytest.raises(Conflicted, match="third person"):
        decide(work, "ben", "spans", "q0", spans((0, 50)))


def test_nobody_annotates_what_they_have_decided_on(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(2), agreement={"min_annotators": 3})
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    say(work, "ben", "first/spans/q0", spans((29, 50)))
    work.begin("dora", read_key("decide/spans/q0"))
    decide(work, "carl", "spans", "q0", spans((0, 50)))
    key = read_key("first/spans/q0")
    for attempt in (
        lambda: work.open("carl", key),
        lambda: work.begin("carl", key),
        lambda: work.change("carl", key, 0, spans((0, 28)), done=True),
        lambda: work.undo("carl", key, 0),
    ):
        with pytest.raises(Conflicted, match="you have decided on this item, so you cannot annotate it"):
            attempt()
    assert [str(one) for one in work.remaining("carl")] == ["first/spans/q1"]
    assert work.responses().spans["q0"].keys() == {"ada", "ben"}
    assert work.remaining("dora")[0] == key  # who only looked has decided nothing


def test_a_decision_is_no_opinion_that_agreement_counts(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    say(work, "ben", "first/spans/q0", spans((29, 50)))
    decide(work, "carl", "spans", "q0", spans((0, 28)))
    figures = measure_agreement(read_annotations([work.folder]), AgreementSettings())
    assert figures.annotators == ("ada", "ben")
    assert figures.jaccard.value == 0.0
    assert figures.recalibrate


def test_somebody_who_marked_nothing_disagrees_with_somebody_who_did(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(2))
    for person in ("ada", "ben"):
        say(work, person, "first/spans/q1", {"nothing": True})
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    say(work, "ben", "first/spans/q0", {"nothing": True})
    assert [conflict.id for conflict in work.conflicts()] == ["q0"]
    assert work.adjudicate().dataset.queries[1].citations == ()


def test_alternatives_and_relevance_are_merged(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    shared = [{"document": "tower.md", "start": 29, "end": 50}]
    for person, grade in (("ada", 1.0), ("ben", 0.5)):
        said = spans((0, 28))
        said["sets"].append(shared)
        if person == "ada":
            said["sets"].append([{"document": "emoji.md", "start": 0, "end": 4}])
        say(work, person, "first/spans/q0", said | {"relevance": {"pages.pdf": grade, "emoji.md": 0.0}})
    query = work.adjudicate().dataset.queries[0]
    assert [[(one.start_char, one.end_char) for one in made] for made in query.alternative_citations] == [
        [(29, 50)]
    ]
    assert query.relevant == {"pages.pdf": 0.75, "tower.md": 1.0}


def test_people_who_disagree_about_relevance_are_in_conflict(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    say(work, "ada", "first/spans/q0", spans((0, 28)) | {"relevance": {"pages.pdf": 1.0}})
    say(work, "ben", "first/spans/q0", spans((0, 28)) | {"relevance": {"pages.pdf": 0.0}})
    assert [conflict.why for conflict in work.conflicts()] == ["whether pages.pdf is relevant"]


def test_labels_are_what_people_agree_on_or_a_third_decided(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1), pairs=PAIRS)
    for person, verdicts in (
        ("ada", ("supported", "supported", "unsure")),
        ("ben", ("supported", "contradicted", "unsure")),
    ):
        for name, verdict in zip("xyz", verdicts, strict=True):
            say(work, person, ItemKey("first", "verdicts", name), {"verdict": verdict})
    assert {(one.id, one.why) for one in work.conflicts()} == {
        ("y", "contradicted or supported"),
        ("z", "unsure"),
    }
    decide(work, "carl", "verdicts", "y", {"verdict": "not_enough"})
    decide(work, "carl", "verdicts", "z", {"verdict": "unsure"})
    found, paths = work.merge()
    assert (found.unsure, found.complete) == (1, True)
    labels = read_labels(next(path for path in paths if path.name == "labels.jsonl"))
    assert {key.claim: said for key, said in labels.items()} == {
        "claim x": "supported",
        "claim y": "not_enough",
    }


def test_marks_far_apart_are_a_conflict_and_others_are_averaged(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        "".join(f'{{"query_id": "q{n}", "generated_answer": "47 metres."}}\n' for n in range(2))
    )
    with open_answers(tmp_path / "a.jsonl") as answers:
        work = workspace(tmp_path, dataset(2), answers=answers)
        for person, near, far in (("ada", 1.0, 1.0), ("ben", 0.75, 0.5)):
            for item, mark in (("q0", near), ("q1", far)):
                scores = {"completeness": mark, "correctness": 1.0, "relevance": 1.0}
                say(work, person, ItemKey("first", "answers", item), {"scores": scores})
        (conflict,) = work.conflicts()
        assert (conflict.id, conflict.why) == ("q1", "the marks for completeness are far apart")
        (marks,) = work.adjudicate().truth.annotations
    assert marks["quality_scores"] == {"completeness": 0.875, "correctness": 1.0, "relevance": 1.0}


def test_too_few_annotators_are_told(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1))
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    found, paths = work.merge()
    assert (found.too_few, paths) == ((("spans", "q0"),), [])


def test_agreement_grows_with_the_work(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(6), pairs=PAIRS)
    assert work.agreement() is None
    for person in ("ada", "ben"):
        for name in "xyz":
            say(
                work,
                person,
                ItemKey("first", "verdicts", name),
                {"verdict": "supported" if name == "x" else "unsure"},
            )
    figures = work.agreement()
    assert figures is not None and not figures.met
    assert {one.name: one.value for one in figures.questions}["verdict: Fleiss' kappa"] == 1.0
    for person in ("ada", "ben"):
        while (key := work.next(person)) is not None:
            said = spans((0, 28)) if key.kind == "spans" else {"verdict": "unsure"}
            say(work, person, key, said)
    figures = work.agreement()
    assert figures is not None
    assert (figures.met, figures.jaccard.value, figures.compared) == (True, 1.0, 6)


def test_each_person_needs_no_more_than_their_share(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(30))
    done = dict.fromkeys(("ada", "ben", "carl"), 0)
    while keys := {person: key for person in done if (key := work.next(person)) is not None}:
        for person, key in keys.items():
            if work.next(person) == key:
                say(work, person, key, spans((0, 28)))
                done[person] += key.round == "first"
    assert sum(done.values()) == 60
    assert do_all(work, "dan", spans((0, 28))) == []
