"""Labels: read from files, matched to the judged pairs of a run, and made from verdicts on findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.annotation import (
    Labels,
    labels_from_findings,
    labels_from_pairs,
    pairs_to_judge,
    read_labels,
    said_of,
    says_yes,
    with_verdicts,
)
from pincite.config import Settings
from pincite.errors import InputError
from pincite.records import Answer, ItemResult, JudgedPair, JudgedPlace


def pair(claim: str, *documents: str, question: Any = "support") -> JudgedPair:
    return JudgedPair(question, claim, documents, "supported", 0.9, "", "rules")


def label_for(query_id: str, judged: JudgedPair, labels: Labels) -> bool | None:
    said = said_of(query_id, judged, labels)
    return None if said is None else says_yes(said, judged.question)


def rows_of(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((f"line {number}", row) for number, row in enumerate(rows, 1))


def write(folder: Path, content: str, name: str = "labels.jsonl") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_a_label_finds_its_pair_whatever_the_spacing_and_the_full_stop(tmp_path: Path) -> None:
    labels = read_labels(
        write(tmp_path, '{"query_id": "q1", "claim": "Revenue  rose by 21%.", "label": 1}\n')
    )
    assert label_for("q1", pair("revenue rose by 21%", "a.md"), labels) is True
    assert label_for("q1", pair("Other."), labels) is None
    assert label_for("q2", pair("Revenue rose by 21%"), labels) is None


def test_a_label_may_hold_for_any_query_or_for_one_document_only(tmp_path: Path) -> None:
    rows = '{"claim": "A.", "label": 1}\n\n{"claim": "B.", "label": false, "document": "docs/x.md"}\n'
    labels = read_labels(write(tmp_path, rows))
    assert label_for("any", pair("A"), labels) is True
    assert label_for("any", pair("B", "x.md"), labels) is False
    assert label_for("any", pair("B", "y.md"), labels) is None


def test_the_label_that_says_more_about_a_pair_wins(tmp_path: Path) -> None:
    rows = '{"claim": "A", "label": 1}\n{"claim": "A", "query_id": "q", "document": "x.md", "label": 0}\n'
    labels = read_labels(write(tmp_path, rows))
    assert label_for("q", pair("A", "x.md"), labels) is False
    assert label_for("q", pair("A", "y.md"), labels) is True


def test_questions_are_kept_apart(tmp_path: Path) -> None:
    labels = read_labels(write(tmp_path, '{"claim": "A", "question": "grounding", "verdict": "supported"}\n'))
    assert label_for("q", pair("A", question="grounding"), labels) is True
    assert label_for("q", pair("A"), labels) is None


def test_the_majority_decides_and_a_tie_says_nothing(tmp_path: Path) -> None:
    rows = "".join(
        f'{{"claim": "{claim}", "label": {label}}}\n'
        for claim, label in [("A", 1), ("A", 1), ("A", 0), ("B", 1), ("B", 0)]
    )
    labels = read_labels(write(tmp_path, rows))
    assert label_for("q", pair("A"), labels) is True
    assert label_for("q", pair("B"), labels) is None


def test_csv_and_a_list_are_read_too(tmp_path: Path) -> None:
    csv = write(tmp_path, "query_id,claim,label\nq,A,1\nq,B,false\nq,C,\n", "labels.csv")
    assert sorted(read_labels(csv).values()) == ["no", "yes"]
    assert len(read_labels(write(tmp_path, '[{"claim": "A", "label": true}]', "labels.json"))) == 1


@pytest.mark.parametrize(
    "content",
    [
        '{"label": 1}',
        '{"claim": "A", "label": 3}',
        '{"claim": "A", "verdict": "maybe"}',
        "{",
        "3",
        '[{"claim": "A"}, 4]',
        '{"claim": "A", "label": 1, "verdict": "contradicted"}',
        '{"claim": "A", "label": 1, "question": "colour"}',
    ],
)
def test_rows_that_are_no_labels_are_refused_with_their_line(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"labels\.jsonl"):
        read_labels(write(tmp_path, content))


def test_what_one_document_states_several_state_together(tmp_path: Path) -> None:
    rows = (
        '{"claim": "A", "document": "x.md", "label": 1}\n'
        '{"claim": "B", "document": "x.md", "label": 0}\n'
        '{"claim": "B", "documents": ["y.md", "docs/x.md"], "label": 1}\n'
    )
    labels = read_labels(write(tmp_path, rows))
    assert label_for("q", pair("A", "x.md", "y.md"), labels) is True
    assert label_for("q", pair("B", "x.md"), labels) is False
    assert label_for("q", pair("B", "x.md", "z.md"), labels) is None
    assert label_for("q", pair("B", "x.md", "y.md"), labels) is True


def test_pairs_are_drawn_by_query_and_come_back_as_labels(tmp_path: Path) -> None:
    items = [
        ItemResult(
            key=str(i), position=i, query_id=f"q{i}", verdicts=(pair("A", "x.md"), pair("B", "x.md", "y.md"))
        )
        for i in range(50)
    ]
    rows = pairs_to_judge(iter(items), 5, 1)
    assert rows == pairs_to_judge(items, 5, 1) != pairs_to_judge(items, 5, 2)
    assert len(rows) == 10
    assert len({row["query_id"] for row in rows}) == 5
    made = labels_from_pairs(rows_of({**row, "verdict": "disagree"} for row in rows))
    labels = read_labels(write(tmp_path, "".join(json.dumps(row) + "\n" for row in made.rows)))
    drawn = {row["query_id"] for row in rows}
    for item in items:
        for judged in item.verdicts:
            assert label_for(item.query_id, judged, labels) is (False if item.query_id in drawn else None)


def shown(claim: str, *places: tuple[int, int], question: Any = "support") -> JudgedPair:
    evidence = tuple(JudgedPlace("docs/x.md", start, end, f"words {start}") for start, end in places)
    return JudgedPair(question, claim, ("docs/x.md",), "contradicted", 0.1, "no", "rules", evidence)


def test_a_row_to_be_labelled_shows_the_sentence_and_the_words_that_were_judged() -> None:
    answer = "Nothing else was said. The mill made 40 tons [x.md:5-9] [x.md:20-29]."
    pair_of_two = shown("The mill made 40 tons.", (5, 9), (20, 29))
    item = ItemResult(key="k", position=0, query_id="q", answer=answer, verdicts=(pair_of_two,))
    (row,) = pairs_to_judge([item], 1, 1)
    assert row["sentence"] == "The mill made 40 tons [x.md:5-9] [x.md:20-29]."
    assert row["evidence"] == ["words 5", "words 20"]
    assert row["spans"] == ["docs/x.md:5-9", "docs/x.md:20-29"]


def test_two_places_of_one_document_have_a_label_each(tmp_path: Path) -> None:
    first, second = shown("A", (0, 5)), shown("A", (5, 9))
    item = ItemResult(key="k", position=0, query_id="q", answer="A.", verdicts=(first, second))
    rows = pairs_to_judge([item], 1, 1)
    said = [{**row, "verdict": verdict} for row, verdict in zip(rows, ("agree", "supported"), strict=True)]
    made = labels_from_pairs(rows_of(said))
    labels = read_labels(write(tmp_path, "".join(json.dumps(row) + "\n" for row in made.rows)))
    assert [said_of("q", one, labels) for one in (first, second)] == ["contradicted", "supported"]
    assert said_of("q", shown("A", (1, 5)), labels) is None


def test_a_label_keeps_the_verdict_where_it_says_more_than_no(tmp_path: Path) -> None:
    verdicts = {"A": "contradicted", "B": "not_enough", "C": "agree", "D": "disagree"}
    rows = [
        {"claim": claim, "question": "support", "outcome": "contradicted", "verdict": verdict}
        for claim, verdict in verdicts.items()
    ]
    made = labels_from_pairs(rows_of(rows))
    labels = read_labels(write(tmp_path, "".join(json.dumps(row) + "\n" for row in made.rows)))
    found = [said_of("q", pair(claim), labels) for claim in verdicts]
    assert found == ["contradicted", "not_enough", "contradicted", "yes"]


def test_people_of_one_mind_who_name_different_verdicts_say_no(tmp_path: Path) -> None:
    verdicts = ("contradicted", "not_enough", "supported")
    rows = "".join(f'{{"claim": "A", "verdict": "{verdict}"}}\n' for verdict in verdicts)
    assert said_of("q", pair("A"), read_labels(write(tmp_path, rows))) == "no"


def test_who_agrees_where_the_judge_said_nothing_says_nothing() -> None:
    rows = [{"claim": "A", "outcome": "unjudged", "verdict": "agree"}]
    made = labels_from_pairs(rows_of(rows))
    assert (made.rows, list(made.left_out.values())) == ((), [1])


def test_a_label_of_relevance_needs_no_claim(tmp_path: Path) -> None:
    labels = read_labels(
        write(tmp_path, '{"query_id": "q", "claim": "", "question": "relevance", "label": 1}\n')
    )
    assert label_for("q", pair("", "x.md", question="relevance"), labels) is True


# --- verdicts --------------------------------------------------------------------------------------

ANSWER = "Revenue grew by 12% [report.txt:0-41]. Staff fell. The office moved [report.txt:5-9].\n"
SOURCE = {"document": "report.txt", "text": "Revenue grew by 21%."}


def finding(code: str, start: int, verdict: str | None = None, **more: Any) -> dict[str, Any]:
    return {"code": code, "start": start, "file": "a.md", "source": SOURCE, "verdict": verdict, **more}


def imported(*findings: dict[str, Any]) -> tuple[list[tuple[str, int, str]], dict[str, int]]:
    answers = {"a.md": Answer(text=ANSWER, name="a.md")}
    made = labels_from_findings(findings, answers, Settings())
    return [(row["claim"], row["label"], row["question"]) for row in made.rows], made.left_out


def test_who_agrees_that_a_claim_is_not_supported_says_0() -> None:
    at = ANSWER.index("[")
    rows, left_out = imported(finding("PIN203", at, "agree"), finding("PIN201", at, "Disagree "))
    assert rows == [("Revenue grew by 12%.", 0, "support"), ("Revenue grew by 12%.", 1, "support")]
    assert left_out == {}


def test_an_uncited_claim_is_a_question_of_grounding() -> None:
    rows, _ = imported(finding("PIN301", ANSWER.index("Staff"), "disagree"))
    assert rows == [("Staff fell.", 1, "grounding")]


def test_a_verdict_on_the_claim_itself_is_taken_as_it_is() -> None:
    rows, _ = imported(finding("PIN206", ANSWER.index("["), "supported"))
    assert rows == [("Revenue grew by 12%.", 1, "support")]


def test_what_gives_no_label_is_counted_with_its_reason() -> None:
    at = ANSWER.index("[")
    rows, left_out = imported(
        finding("PIN203", at),
        finding("PIN101", at, "agree"),
        finding("PIN205", at, "disagree"),
        finding("PIN203", 9999, "agree"),
        finding("PIN203", at, "agree", file="b.md"),
    )
    assert rows == []
    assert sum(left_out.values()) == 5
    assert left_out["no verdict"] == 1


def test_the_rows_are_what_a_calibration_reads() -> None:
    made = labels_from_findings(
        [finding("PIN203", ANSWER.index("["), "agree")],
        {"a.md": Answer(text=ANSWER, name="a.md")},
        Settings(),
    )
    assert made.rows[0]["evidence"] == SOURCE["text"]
    assert made.rows[0]["document"] == "report.txt"


def test_verdicts_of_another_file_find_their_finding() -> None:
    findings = [finding("PIN203", 20), finding("PIN201", 70), finding("PIN201", 20)]
    joined = with_verdicts(
        findings, rows_of([{"finding": "2", "verdict": "agree"}, {"code": "PIN203", "verdict": "disagree"}])
    )
    assert [one["verdict"] for one in joined] == ["disagree", "agree", None]
    for wrong in ({"finding": 9}, {"code": "PIN201"}, {}):
        with pytest.raises(InputError):
            with_verdicts(findings, rows_of([wrong]))


def test_a_verdict_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match="finding 1"):
        imported(finding("PIN203", 20, "perhaps"))


def test_verdicts_on_judged_pairs() -> None:
    rows = [
        {"query_id": "q", "claim": "A", "outcome": "supported", "verdict": "disagree", "documents": ["x.md"]},
        {"query_id": "q", "claim": "B", "outcome": "not_enough", "verdict": "disagree"},
        {"query_id": "q", "claim": "C", "verdict": "contradicted"},
        {"query_id": "q", "claim": "D"},
        {
            "query_id": "q",
            "claim": "E",
            "question": "consistency",
            "outcome": "not_enough",
            "verdict": "agree",
        },
    ]
    made = labels_from_pairs(rows_of(rows))
    assert [(row["claim"], row["label"]) for row in made.rows] == [("A", 0), ("B", 1), ("C", 0), ("E", 1)]
    assert made.rows[0]["documents"] == ["x.md"]
    assert made.left_out == {"no verdict": 1}
    with pytest.raises(InputError, match="outcome"):
        labels_from_pairs([(1, {"claim": "A", "verdict": "agree"})])
