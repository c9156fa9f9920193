"""Who gets which item, what they may see, and what the files say meanwhile."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.small_work import EMOJI, PAGES, TOWER, Clock, dataset, do_all, say, spans, workspace
from pincite.annotation import Conflicted, ItemKey, StaleChange, Workspace, read_annotations, read_key
from pincite.datasets import open_answers, validate_value
from pincite.errors import InputError

PAIRS = [
    {
        "claim": "It is 47 m high.",
        "evidence": ["47 metres"],
        "outcome": "supported",
        "reason": "the same number",
    },
    {
        "claim": "It is old.",
        "evidence": ["1902"],
        "outcome": "not_enough",
        "source": "PIN203",
        "query_id": "q0",
    },
]


def truth(work: Workspace, person: str) -> list[dict[str, Any]]:
    value = json.loads((work.folder / person / "small_1.0.0.gt.json").read_bytes())
    assert list(validate_value(value, "ground_truth")) == []
    return list(value["annotations"])


def test_practice_comes_first_and_shows_the_known_answer_afterwards(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(6, known=3), training=2)
    first = work.next("ada")
    assert first is not None and first.round == "train"
    assert work.open("ada", first).known is None
    say(work, "ada", first, spans((0, 14)))
    known = work.open("ada", first).known
    assert known is not None
    assert known.said["sets"] == [[{"document": "tower.md", "start": 0, "end": 28}]]
    assert known.agreement == 0.5
    given = do_all(work, "ada", spans((0, 28)))
    assert [key.round for key in given] == ["train", *["first"] * 4, "again"]
    assert work.progress_of("ada").practice_agreement == 0.75


def test_practice_is_in_no_file_and_in_no_agreement(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(6, known=3), training=2)
    do_all(work, "ada", spans((0, 28)))
    practised = set(work.items.training)
    assert {one["query_id"] for one in truth(work, "ada")} == set(work.items.queries) - practised


def test_items_that_enough_people_have_done_are_not_given_to_more(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    assert len(do_all(work, "ada", spans((0, 28)))) == 7
    assert len(do_all(work, "ben", spans((0, 28)))) == 7
    assert work.next("carl") is None
    assert workspace(tmp_path, agreement={"min_annotators": 3}).next("carl") == read_key("first/spans/q0")


def test_an_item_that_somebody_else_has_done_comes_before_a_fresh_one(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    say(work, "ada", "first/spans/q4", spans((0, 28)))
    assert work.next("ben") == read_key("first/spans/q4")


def test_an_item_that_somebody_left_is_given_to_another_after_a_while(tmp_path: Path) -> None:
    clock = Clock()
    work = workspace(tmp_path, dataset(1), clock=clock, agreement={"min_annotators": 1})
    work.begin("ada", read_key("first/spans/q0"))
    assert work.next("ben") is None
    assert work.next("ada") == read_key("first/spans/q0")
    clock.now += timedelta(hours=1)
    assert work.next("ben") == read_key("first/spans/q0")


def test_annotations_that_were_made_elsewhere_count(tmp_path: Path) -> None:
    work = workspace(tmp_path, agreement={"min_annotators": 1})
    (work.folder / "zoe").mkdir(parents=True)
    annotation = {"annotation_id": "z", "query_id": "q0", "citations": []}
    (work.folder / "zoe" / "a.gt.json").write_text(json.dumps({"annotations": [annotation]}))
    assert work.next("ada") == read_key("first/spans/q1")
    (zoe,) = work.progress()
    assert (zoe.person, zoe.done, zoe.kinds[0].items, zoe.practice) == ("zoe", 1, 6, 0)


def test_who_only_looked_at_an_item_may_decide_and_who_annotated_it_may_not(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    key, decide = read_key("first/spans/q0"), read_key("decide/spans/q0")
    work.begin("carl", key)
    work.change("dora", key, work.begin("dora", key).revision, spans((3, 5)))  # not done, but said
    for person, place in (("ada", (0, 28)), ("ben", (29, 50))):
        say(work, person, key, spans(place))
    assert set(work.open("carl", decide).others or ()) == {"ada", "ben"}
    for person in ("ada", "dora"):
        with pytest.raises(InputError, match="a third person decides"):
            work.open(person, decide)


@pytest.mark.parametrize(("end", "told"), [(10, "0.77"), (11, "0.846")])
def test_a_conflict_shows_that_its_agreement_is_below_the_target(tmp_path: Path, end: int, told: str) -> None:
    work = workspace(tmp_path)
    say(work, "ada", "first/spans/q0", spans((0, 13)))
    say(work, "ben", "first/spans/q0", spans((0, end)))
    (conflict,) = work.conflicts()
    assert conflict.why == f"the spans agree to {told}, below the target of 0.85"


def test_a_tenth_comes_again_without_what_was_said_before(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(20))
    given = do_all(work, "ada", spans((0, 28)))
    again = [key for key in given if key.round == "again"]
    assert len(again) == 2
    assert given[-2:] == again
    fresh = workspace(tmp_path / "other", dataset(20))
    for key in fresh.items.first_round():
        say(fresh, "ada", key, spans((0, 28)))
    key = fresh.next("ada")
    assert key is not None and key.round == "again"
    assert fresh.open("ada", key).state.said == {}


def test_what_was_said_first_is_closed_while_the_item_comes_again(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(5))
    for key in work.items.first_round():
        say(work, "ada", key, spans((0, 28)))
    again = work.next("ada")
    assert again is not None
    work.begin("ada", again)
    with pytest.raises(Conflicted, match="closed"):
        work.open("ada", again.in_round("first"))
    with pytest.raises(Conflicted, match="closed"):
        work.change("ada", again.in_round("first"), 2, spans((0, 5)))


def test_only_drawn_items_can_be_done_again(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(20))
    for key in work.items.first_round():
        say(work, "ada", key, spans((0, 28)))
    drawn = work.next("ada")
    assert drawn is not None
    allowed = []
    for key in work.items.first_round():
        try:
            work.open("ada", key.in_round("again"))
            allowed.append(key)
        except Conflicted:
            pass
    assert len(allowed) == 2 and drawn.in_round("first") in allowed


def test_a_second_annotation_is_compared_with_the_first(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(5))
    for key in work.items.first_round():
        say(work, "ada", key, spans((0, 28)))
    again = work.next("ada")
    assert again is not None
    say(work, "ada", again, spans((0, 14)))
    found = read_annotations([work.folder])
    assert list(found.again) == [again.id]
    figures = work.agreement()
    assert figures is not None
    assert figures.with_themselves[0].value == 0.5


def test_what_the_judge_said_is_hidden_until_the_label_is_given(tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1), pairs=PAIRS)
    for pair in work.items.pairs.values():
        key = ItemKey("first", "verdicts", pair.id)
        shown = work.open("ada", key)
        assert shown.judged is None
        assert not {"outcome", "reason", "source"} & (shown.pair or {}).keys()
        say(work, "ada", key, {"verdict": "contradicted"})
        assert work.open("ada", key).judged == pair.judged
    rows = [json.loads(line) for line in (work.folder / "ada" / "verdicts.jsonl").read_text().splitlines()]
    assert [row["label"] for row in rows] == [0, 0]
    assert not any(row.get("revised") for row in rows)
    say(work, "ada", key, {"verdict": "supported"})
    rows = [json.loads(line) for line in (work.folder / "ada" / "verdicts.jsonl").read_text().splitlines()]
    assert rows[1]["revised"] is True


def test_marks_for_answers_are_kept_as_document_001_has_them(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id": "q0", "generated_answer": "47 metres."}\n')
    with open_answers(tmp_path / "a.jsonl") as answers:
        work = workspace(tmp_path, dataset(1), answers=answers)
        key = ItemKey("first", "answers", "q0")
        assert work.open("ada", key).answer == "47 metres."
        marks = {"completeness": 0.5, "correctness": 1.0, "relevance": 1.0}
        with pytest.raises(InputError, match="correctness and relevance"):
            say(work, "ada", key, {"scores": {"completeness": 0.5}})
        say(work, "ada", key, {"scores": marks, "note": "short"})
        (one,) = truth(work, "ada")
    assert one["quality_scores"] == marks
    assert one["answer_text"] == "47 metres."
    assert one["feedback"] == {"notes": "short"}


def test_the_file_is_whole_after_every_change_and_has_only_what_is_done(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    key = ItemKey("first", "spans", "q0")
    revision = work.begin("ada", key).revision
    revision = work.change("ada", key, revision, spans((0, 9))).revision
    assert truth(work, "ada") == []
    revision = work.change("ada", key, revision, spans((0, 9)), True, 4.0).revision
    (one,) = truth(work, "ada")
    assert one["citations"][0]["text"] == TOWER[:9]
    assert one["metadata"]["annotation_time_seconds"] == 4.0
    work.undo("ada", key, revision)
    assert truth(work, "ada") == []


def test_two_windows_of_one_person_do_not_overwrite_each_other(tmp_path: Path) -> None:
    one, other = workspace(tmp_path), workspace(tmp_path)
    key = ItemKey("first", "spans", "q0")
    revision = one.begin("ada", key).revision
    one.change("ada", key, revision, spans((0, 9)))
    with pytest.raises(StaleChange) as refused:
        other.change("ada", key, revision, spans((4, 9)))
    assert refused.value.state.said == spans((0, 9))


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (spans((0, 10_000)), "no characters 0 to 10000"),
        (spans((5, 5)), "no characters 5 to 5"),
        (spans((-1, 5)), "cannot be kept"),
        (spans((0, 5), document="../../etc/passwd"), "no document"),
        ({"sets": []}, "at least one set"),
        ({"sets": [[]], "nothing": "yes"}, "cannot be kept"),
        ({"sets": "x"}, "cannot be kept"),
        (["x"], "cannot be kept"),
        ({"note": "x" * 30_000}, "cannot be kept"),
        ({"note": "\ud800"}, "cannot be kept"),
        ({"other": 1}, "cannot be kept"),
        ({"relevance": {"tower.md": 7}}, "cannot be kept"),
        (
            {"sets": [[{"document": "tower.md", "start": 0, "end": 1, "note": str(i)} for i in range(1001)]]},
            "at most",
        ),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, said: Any, problem: str) -> None:
    work = workspace(tmp_path)
    with pytest.raises(InputError, match=problem):
        work.change("ada", ItemKey("first", "spans", "q0"), 0, said)
    assert work.states("ada") == {}


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", ".hidden", "x" * 61, "merged", "a\nb", "ada ", "a:b"]
)
def test_a_name_that_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be a name"):
        workspace(tmp_path).next(name)


@pytest.mark.parametrize("key", ["", "first", "first/spans", "odd/spans/q0", "first/odd/q0"])
def test_a_text_that_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(InputError, match="names no item"):
        read_key(key)


def test_an_item_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no item"):
        workspace(tmp_path).open("ada", ItemKey("first", "spans", "../q0"))


places = st.tuples(st.integers(0, 80), st.integers(0, 80)).map(lambda pair: (min(pair), max(pair) + 1))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([("tower.md", TOWER), ("emoji.md", EMOJI), ("pages.pdf", PAGES)]), places)
def test_offsets_are_code_points_of_the_document(
    tmp_path_factory: pytest.TempPathFactory, document: tuple[str, str], place: tuple[int, int]
) -> None:
    work = workspace(tmp_path_factory.mktemp("work"))
    name, text = document
    start, end = place
    if end > len(text):
        with pytest.raises(InputError, match="no characters"):
            say(work, "ada", "first/spans/q0", spans(place, document=name))
        return
    say(work, "ada", "first/spans/q0", spans(place, document=name))
    (span,) = truth(work, "ada")[0]["citations"]
    assert (span["start_char"], span["end_char"], span["text"]) == (start, end, text[start:end])
    assert span["file_name"] == name
    assert span.get("page_number") == (text.count("\f", 0, start) + 1 if "\f" in text else None)


@settings(max_examples=40, deadline=None)
@given(places)
def test_where_offsets_count_from_pages_a_span_over_two_pages_becomes_two(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[int, int]
) -> None:
    start, end = place
    if end > len(PAGES):
        return
    work = workspace(tmp_path_factory.mktemp("work"), dataset(1, offsets="page"))
    say(work, "ada", "first/spans/q0", spans(place, document="pages.pdf"))
    pages = PAGES.split("\f")
    found = truth(work, "ada")[0]["citations"]
    for span in found:
        assert pages[span["page_number"] - 1][span["start_char"] : span["end_char"]] == span["text"]
    assert "\f".join(span["text"] for span in found).strip("\f") == PAGES[start:end].strip("\f")


@settings(max_examples=20, deadline=None)
@given(st.text(alphabet="ab\n\f\r🗼م", max_size=300), st.integers(1, 2000))
def test_the_blocks_of_a_document_are_its_text(
    tmp_path_factory: pytest.TempPathFactory, part: str, times: int
) -> None:
    text = part * times
    given = dataset(1, documents=[{"document_id": "d", "content": text}])
    documents = workspace(tmp_path_factory.mktemp("work"), given).documents
    start: int | None = 0
    shown: list[str] = []
    while start is not None:
        window = documents.window("d", start)
        assert window is not None
        assert [block.start for block in window.blocks][:1] in ([], [start])
        shown += [block.text for block in window.blocks]
        start = window.next
    assert "".join(shown) == text
    assert max(map(len, shown), default=0) <= 8_000


def test_a_server_without_the_pairs_keeps_the_verdicts_of_one_that_had_them(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id": "q0", "generated_answer": "47 metres."}\n')
    with open_answers(tmp_path / "a.jsonl") as answers:
        whole = workspace(tmp_path, dataset(3), pairs=PAIRS, answers=answers)
        for pair in whole.items.pairs:
            say(whole, "ada", ItemKey("first", "verdicts", pair), {"verdict": "supported"})
        scores = {"completeness": 0.5, "correctness": 1.0, "relevance": 1.0}
        say(whole, "ada", ItemKey("first", "answers", "q0"), {"scores": scores})
    rows, annotations = (whole.folder / "ada" / "verdicts.jsonl").read_bytes(), truth(whole, "ada")
    less = workspace(tmp_path, dataset(3))
    say(less, "ada", "first/spans/q0", spans((0, 9)))
    assert (less.folder / "ada" / "verdicts.jsonl").read_bytes() == rows
    assert [one for one in truth(less, "ada") if "answer_text" in one] == annotations
    assert len(truth(less, "ada")) == len(annotations) + 1


def test_a_file_that_a_killed_server_could_not_write_is_written_by_the_next(tmp_path: Path) -> None:
    work = workspace(tmp_path)
    say(work, "ada", "first/spans/q0", spans((0, 9)))
    file = work.folder / "ada" / work.file
    whole = file.read_bytes()
    file.unlink()
    workspace(tmp_path)
    assert file.read_bytes() == whole
