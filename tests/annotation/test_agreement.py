"""Agreement between annotators, from files to the verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pincite.annotation import AgreementFigures, measure_agreement, read_annotations
from pincite.config import AgreementSettings
from pincite.datasets import annotations_path, sample_path
from pincite.errors import InputError
from pincite.reports import agreement_text


def spans(query: str, person: str | None, *places: tuple[int, int], **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "annotation_id": f"{query}-{person}-{more.get('timestamp', '')}",
        "query_id": query,
        "citations": [
            {"file_name": more.get("document", "a.md"), "start_char": start, "end_char": end}
            for start, end in places
        ],
    }
    if person is not None:
        made["annotator_id"] = person
    return {**made, **{key: value for key, value in more.items() if key == "timestamp"}}


def rated(query: str, person: str, category: str, score: float) -> dict[str, Any]:
    return {
        "annotation_id": f"r-{query}-{person}",
        "query_id": query,
        "annotator_id": person,
        "quality_scores": {"accuracy": score},
        "aspect_ratings": {"correct": category},
    }


def write(folder: Path, *annotations: dict[str, Any], name: str = "all.gt.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"dataset_id": "d", "version": "1.0.0", "annotations": annotations}), encoding="utf-8"
    )
    return path


def measured(path: Path, **settings: Any) -> AgreementFigures:
    return measure_agreement(read_annotations([path]), AgreementSettings(**settings))


def test_the_mean_over_queries_of_the_mean_over_pairs(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        spans("q1", "x", (0, 10)),
        spans("q1", "y", (0, 10)),
        spans("q1", "z", (5, 15)),
        spans("q2", "x", (0, 10)),
        spans("q2", "y", (0, 5)),
    )
    figures = measured(path)
    assert figures.jaccard.value == pytest.approx(((1 + 1 / 3 + 1 / 3) / 3 + 0.5) / 2)
    by_pair = {(pair.first, pair.second): pair.jaccard for pair in figures.pairs}
    assert by_pair["x", "y"].value == pytest.approx(0.75)
    assert by_pair["x", "z"].n == 1
    assert [one.query_id for one in figures.worst] == ["q2", "q1"]


def test_an_annotation_may_hold_spans_and_marks_alike(tmp_path: Path) -> None:
    both = [
        {**spans(query, person, (0, 10)), "aspect_ratings": {"correct": query}, "overall_score": score}
        for query, score in (("q1", 0.2), ("q2", 0.9))
        for person in ("x", "y")
    ]
    figures = measured(write(tmp_path, *both, rated("q3", "x", "q3", 0.5)))
    assert (figures.jaccard.value, figures.jaccard.n) == (1.0, 2)
    found = {one.name: one.value for one in figures.questions}
    assert found["correct: Krippendorff's alpha (nominal)"] == 1.0
    assert found["overall_score: Krippendorff's alpha (interval)"] == 1.0
    with_scores = [{**one, "quality_scores": {"accuracy": one["overall_score"]}} for one in both]
    assert measured(write(tmp_path, *with_scores)).jaccard.n == 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            {"annotations": [{"query_id": "q"}]},
            "/annotations/0: expected the field annotation_id, found none",
        ),
        ([{"query_id": "q"}], "/0: expected the field annotation_id, found none"),
        ({"annotation_id": "a", "citations": []}, "x.gt.json: expected the field query_id, found none"),
        (
            {"annotations": [{**spans("q", "x", (0, 1)), "citations": [{"start_char": "a"}]}]},
            "/annotations/0: expected a whole number or null at /citations/0/start_char, found a text",
        ),
    ],
)
def test_what_an_annotation_lacks_is_said_in_plain_words_with_its_place(
    tmp_path: Path, content: Any, told: str
) -> None:
    path = tmp_path / "x.gt.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(told)):
        read_annotations([path])


def test_spans_of_one_document_are_united_and_its_names_too(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        spans("q", "x", (0, 6), (4, 10), document="docs/a.md"),
        spans("q", "y", (0, 10), document="a.md"),
    )
    assert measured(path).jaccard.value == 1.0


def test_the_target_decides_and_a_low_figure_asks_for_recalibration(tmp_path: Path) -> None:
    path = write(tmp_path, spans("q", "x", (0, 10)), spans("q", "y", (0, 8)))
    assert not measured(path).met
    assert not measured(path).recalibrate
    assert measured(path).reason == (
        "0.800 is below the target of 0.85, but not below 0.8, so no one has to recalibrate"
    )
    assert measured(path, target_agreement=0.8).met
    lower = measured(path, recalibration_threshold=0.81)
    assert lower.recalibrate
    assert "recalibrate" in lower.reason


def test_queries_with_too_few_annotators_are_counted_and_left_out(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        spans("q1", "x", (0, 9)),
        spans("q1", "y", (0, 9)),
        spans("q1", "z", (0, 9)),
        spans("q2", "x", (0, 5)),
    )
    figures = measured(path, min_annotators=3)
    assert (figures.compared, figures.too_few, figures.met) == (1, 1, True)
    nobody = measured(path, min_annotators=4)
    assert (nobody.jaccard.value, nobody.met) == (None, False)
    assert "min_annotators is 4, but only 3 have marked spans" in nobody.reason


def test_nothing_marked_by_both_is_no_figure_but_a_count(tmp_path: Path) -> None:
    path = write(
        tmp_path, spans("q1", "x"), spans("q1", "y"), spans("q2", "x", (0, 4)), spans("q2", "y", (0, 4))
    )
    figures = measured(path)
    assert (figures.jaccard.value, figures.jaccard.n, figures.jaccard.nothing_marked) == (1.0, 1, 1)


def test_categories_and_marks(tmp_path: Path) -> None:
    rows = [("yes", "yes", 1.0, 0.9), ("no", "no", 0.0, 0.1), ("yes", "no", 0.5, 0.5), ("no", "no", 0.2, 0.2)]
    path = write(
        tmp_path,
        *(rated(f"q{i}", "x", row[0], row[2]) for i, row in enumerate(rows)),
        *(rated(f"q{i}", "y", row[1], row[3]) for i, row in enumerate(rows)),
    )
    figures = measured(path)
    named = {one.name: one.value for one in figures.questions}
    assert named["correct: Fleiss' kappa"] == pytest.approx(0.4666666, abs=1e-6)
    assert named["correct: Krippendorff's alpha (nominal)"] == pytest.approx(0.5333333, abs=1e-6)
    assert named["accuracy: Krippendorff's alpha (interval)"] == pytest.approx(1 - 7 * 0.04 / 15.28)
    assert figures.pairs[0].kappa[0].value == pytest.approx(0.5)
    assert not figures.met


def test_a_second_annotation_is_compared_with_the_first(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        spans("q", "x", (0, 5), timestamp="2026-02-01T00:00:00Z"),
        spans("q", "x", (0, 10), timestamp="2026-01-01T00:00:00Z"),
        spans("q", "y", (0, 10)),
    )
    figures = measured(path)
    assert figures.jaccard.value == 1.0
    assert [(one.name, one.value) for one in figures.with_themselves] == [("x", 0.5)]


def test_the_same_annotation_in_two_files_is_one(tmp_path: Path) -> None:
    for name in ("a.gt.json", "annotations/x/a.json"):
        write(tmp_path, spans("q", "x", (0, 5)), name=name)
    assert measured(tmp_path).with_themselves == ()


def test_a_folder_names_its_annotator(tmp_path: Path) -> None:
    for person in ("annotator_001", "annotator_002"):
        write(tmp_path, spans("q", None, (0, 5)), name=f"{person}/q.json")
    assert read_annotations([tmp_path]).annotators == ("annotator_001", "annotator_002")
    alone = write(tmp_path, spans("q", None, (0, 5)), name="b.json")
    with pytest.raises(InputError, match="annotator_id"):
        read_annotations([alone])


def test_several_folders_name_their_annotators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for person in ("ann", "bob"):
        write(tmp_path / person, spans("q1", None, (0, 10)))
    assert read_annotations([tmp_path / "ann", tmp_path / "bob"]).annotators == ("ann", "bob")
    monkeypatch.chdir(tmp_path / "ann")
    assert read_annotations([Path(), Path("../bob")]).annotators == ("ann", "bob")


def test_one_folder_alone_may_be_of_several_people_and_says_what_to_name_instead(tmp_path: Path) -> None:
    write(tmp_path / "ann", spans("q1", None, (0, 10)))
    with pytest.raises(
        InputError, match="give each annotator a folder and pass the folder that contains them"
    ):
        read_annotations([tmp_path / "ann"])
    assert read_annotations([tmp_path]).annotators == ("ann",)


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    outside = write(tmp_path, spans("q", "y", (0, 5)), name="outside/y.json")
    write(tmp_path, spans("q", "x", (0, 5)), name="people/x.json")
    (tmp_path / "people" / "y.json").symlink_to(outside)
    assert read_annotations([tmp_path / "people"]).annotators == ("x",)


def test_a_file_may_hold_one_annotation_or_a_list(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(spans("q", "x", (0, 5))), encoding="utf-8")
    (tmp_path / "list.json").write_text(json.dumps([spans("q", "y", (0, 5))]), encoding="utf-8")
    assert measured(tmp_path).met


@pytest.mark.parametrize(
    "content", ["", "[", "3", '{"annotations": 3}', '{"annotations": [{"query_id": 1}]}', "[]"]
)
def test_what_is_no_annotation_is_an_input_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.gt.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError):
        read_annotations([path])


def test_pages_keep_spans_apart_where_offsets_count_from_pages(tmp_path: Path) -> None:
    one, other = spans("q", "x", (0, 5)), spans("q", "y", (0, 5))
    one["citations"][0]["page_number"] = 1
    other["citations"][0]["page_number"] = 2
    path = write(tmp_path, one, other)
    assert measure_agreement(read_annotations([path]), AgreementSettings()).jaccard.value == 1.0
    assert measure_agreement(read_annotations([path], by_page=True), AgreementSettings()).jaccard.value == 0.0


def test_the_blind_sample_is_a_tenth_and_depends_on_ids_and_seed_alone(tmp_path: Path) -> None:
    def drawn(numbers: Iterable[int], seed: int) -> tuple[str, ...]:
        path = write(tmp_path, *(spans(f"q{number}", "x", (0, 5)) for number in numbers))
        return measure_agreement(read_annotations([path]), AgreementSettings(), seed).blind_sample

    assert len(drawn(range(95), 1)) == 10
    assert drawn(range(95), 1) == drawn(range(94, -1, -1), 1)
    assert drawn(range(95), 1) != drawn(range(95), 2)


def test_the_sample_meets_the_target_with_an_interval() -> None:
    figures = measured(annotations_path())
    assert figures.met
    assert figures.jaccard.confidence_interval is not None
    low, high = figures.jaccard.confidence_interval
    assert low < (figures.jaccard.value or 0) < high
    assert [one.n for one in figures.with_themselves] == [2]
    assert measured(annotations_path()) == figures
    assert read_annotations([sample_path("sample_1.0.0.gt.json")]).annotators == ("annotator_001",)


# --- crowds ----------------------------------------------------------------------------------------


def test_very_many_annotators_of_one_query_are_compared_by_a_sample(tmp_path: Path) -> None:
    crowd = [spans("q1", f"p{number:03}", (0, 500 + number)) for number in range(600)]
    path = tmp_path / "all.gt.json"
    path.write_text(json.dumps({"dataset_id": "d", "version": "1.0.0", "annotations": crowd}))
    found = measure_agreement(read_annotations([path]), AgreementSettings())
    assert found == measure_agreement(read_annotations([path]), AgreementSettings())
    assert found.compared == 1 and found.jaccard.value == pytest.approx(0.78, abs=0.02)
    assert found.pairs == ()
    assert [note.split(";")[0] for note in found.notes] == [
        "1 queries have more than 500 annotators",
        "600 annotators and 0 questions are too many to show pair by pair",
    ]
    assert all(note in agreement_text(found) for note in found.notes)


def test_questions_without_end_are_measured_as_far_as_anybody_reads(tmp_path: Path) -> None:
    given = []
    for person in ("ann", "bob"):
        for number in range(3):
            one = rated(f"q{number}", person, "yes", 0.5)
            one["aspect_ratings"] = {f"question {n:04}": "ab"[(n + number) % 2] for n in range(3000)}
            given.append(one)
    path = tmp_path / "all.gt.json"
    path.write_text(json.dumps({"dataset_id": "d", "version": "1.0.0", "annotations": given}))
    found = measure_agreement(read_annotations([path]), AgreementSettings())
    assert len(found.questions) <= 3 * 50 + 1
    assert "of 3,000 questions with categories, the first 50 by name are measured" in found.notes
