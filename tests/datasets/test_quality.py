"""Each issue that a quality check can find, on a small dataset that has it, and none on one that is sound."""

from __future__ import annotations

import copy
import json
import random
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import (
    QUALITY_CODES,
    Dataset,
    EvaluationDataset,
    EvaluationQuery,
    QualityIssue,
    SourceDocument,
    check_quality,
    library_of,
    open_dataset,
)
from pincite.sources import Library

TEXT = "The tower is 47 metres high. It was built in 1712 by the Ostrel family.\fIt burnt down in 1861."
SOUND: dict[str, Any] = {
    "dataset_id": "small",
    "name": "small",
    "version": "1.0.0",
    "metadata": {"size": 1},
    "queries": [
        {
            "query_id": "q1",
            "query_text": "How high is it?",
            "relevant_documents": ["d1"],
            "ground_truth_answer": "It is 47 metres high.",
            "citations": [
                {"file_name": "tower.md", "start_char": 0, "end_char": 28, "context_text": TEXT[:28]},
            ],
        }
    ],
    "documents": [{"document_id": "d1", "content": TEXT, "file_path": "docs/tower.md", "title": "The tower"}],
}


def issues(value: dict[str, Any]) -> list[QualityIssue]:
    with open_dataset(value) as dataset:
        return [one for one in check_quality(dataset) if one.code != "DQ502"]


def changed(**fields: Any) -> dict[str, Any]:
    """The sound dataset with other fields in its only query."""
    value = copy.deepcopy(SOUND)
    value["queries"][0].update(fields)
    return value


def citing(**fields: Any) -> dict[str, Any]:
    return changed(citations=[{**SOUND["queries"][0]["citations"][0], **fields}])


def only(found: list[QualityIssue]) -> QualityIssue:
    assert len(found) == 1, found
    return found[0]


def test_a_sound_dataset_has_no_issue() -> None:
    assert issues(SOUND) == []


def test_the_shipped_sample_has_no_error() -> None:
    with open_dataset("sample") as dataset:
        assert {one.severity for one in check_quality(dataset)} <= {"warning", "note"}


@pytest.mark.parametrize("name", ["d1", "tower.md", "docs/tower.md", "The tower", "TOWER.md"])
def test_a_document_is_known_by_id_path_file_name_and_title(name: str) -> None:
    assert issues(changed(relevant_documents=[name])) == []
    assert issues(citing(file_name=name)) == []


def test_duplicate_ids_are_errors() -> None:
    value = copy.deepcopy(SOUND)
    value["metadata"] = {}
    value["queries"].append({**value["queries"][0], "query_text": "Who built it, and when?"})
    found = only(issues(value))
    assert (found.code, found.severity, found.pointer) == ("DQ101", "error", "/queries/1/query_id")


def test_missing_documents_are_errors_that_name_the_nearest() -> None:
    found = issues(changed(relevant_documents=["d1", "towers.md"]))
    assert [(one.code, one.pointer) for one in found] == [("DQ201", "/queries/0/relevant_documents/1")]
    assert "did you mean" in found[0].message
    found = issues(citing(file_name="church.md"))
    assert [one.code for one in found] == ["DQ202", "DQ401"]


def test_a_name_that_fits_two_documents_is_an_error() -> None:
    value = copy.deepcopy(SOUND)
    value["documents"].append({"document_id": "d2", "content": "Another.", "file_path": "old/tower.md"})
    assert [one.code for one in issues(value)] == ["DQ203", "DQ401"]


@pytest.mark.parametrize(
    ("span", "code"),
    [
        ({"start_char": 0, "end_char": 1000}, "DQ301"),
        ({"start_char": 900, "end_char": 1000}, "DQ301"),
        ({"start_char": -5, "end_char": 10}, "DQ301"),
        ({"start_char": 10, "end_char": 10}, "DQ302"),
        ({"start_char": 10, "end_char": 5}, "DQ302"),
        ({"page_number": 9}, "DQ303"),
        ({"page_number": 2}, "DQ304"),
    ],
)
def test_spans_are_held_against_the_document(span: dict[str, int], code: str) -> None:
    assert only(issues(citing(**span))).code == code


def without_breaks(**metadata: Any) -> dict[str, Any]:
    """Two citations of pages in a document whose text has no form feed."""
    cited = SOUND["queries"][0]["citations"][0]
    value = changed(citations=[{**cited, "page_number": 9}, {"file_name": "tower.md", "page_number": 2}])
    value["documents"][0] |= {"content": TEXT.replace("\f", " "), "metadata": metadata}
    return value


def test_a_citation_of_a_page_alone_is_held_against_the_document() -> None:
    assert only(issues(changed(citations=[{"file_name": "tower.md", "page_number": 9}]))).code == "DQ303"
    assert issues(changed(citations=[{"file_name": "tower.md", "page_number": 2}])) == []


def test_a_document_that_says_how_many_pages_it_has_has_no_others() -> None:
    assert [one.code for one in issues(without_breaks(page_count=1))] == ["DQ303", "DQ303"]
    found = issues(without_breaks(page_count=2))
    assert [(one.code, one.pointer) for one in found] == [
        ("DQ303", "/queries/0/citations/0"),
        ("DQ306", "/queries"),
    ]
    assert "2 pages" in found[0].message


@pytest.mark.parametrize("metadata", [{}, {"page_count": "two"}, {"page_count": True}, {"page_count": 0}])
def test_pages_that_nothing_can_confirm_or_refute_are_a_note_with_their_number(
    metadata: dict[str, Any],
) -> None:
    found = only(issues(without_breaks(**metadata)))
    assert (found.code, found.severity) == ("DQ306", "note")
    assert "2 citations" in found.message


def test_drafts_that_nobody_reviewed_are_a_warning_with_their_number() -> None:
    found = only(issues(changed(metadata={"review_status": "unreviewed"})))
    assert (found.code, found.severity) == ("DQ603", "warning")
    assert "1 of 1 queries" in found.message
    assert issues(changed(metadata={"review_status": "approved"})) == []


def test_an_excerpt_that_stands_elsewhere_is_told_where() -> None:
    found = only(issues(citing(start_char=29, end_char=60)))
    assert (found.code, found.pointer) == ("DQ305", "/queries/0/citations/0/context_text")
    assert "it is at 0-28" in found.message
    found = only(issues(citing(context_text="The tower is a hundred years older than the town.")))
    assert "nowhere" in found.message


@pytest.mark.parametrize(
    "context",
    ["The tower is 47 metres high...", "47 metres", f"{TEXT[:40]}…", "The  tower is 47 metres\nhigh."],
)
def test_a_context_may_lie_round_or_inside_its_span(context: str) -> None:
    assert issues(citing(context_text=context)) == []


def test_a_shifted_span_is_seen_though_it_overlaps_its_context() -> None:
    assert only(issues(citing(start_char=10, end_char=38))).code == "DQ305"


def test_text_and_excerpt_are_the_words_themselves() -> None:
    assert only(issues(citing(excerpt="47 metres"))).pointer.endswith("/excerpt")


def test_offsets_may_count_from_the_page() -> None:
    value = citing(page_number=2, start_char=0, end_char=22, context_text="It burnt down in 1861.")
    value["offsets"] = "page"
    assert issues(value) == []


def test_a_relevant_document_that_is_not_cited_is_a_warning_and_the_reverse_a_note() -> None:
    value = changed(relevant_documents=["d2"])
    value["documents"].append({"document_id": "d2", "content": "Another tower.", "title": "Other"})
    assert [(one.code, one.severity) for one in issues(value)] == [("DQ401", "warning"), ("DQ402", "note")]


def test_alternative_and_nested_citations_count_as_cited() -> None:
    span = {"document_id": "d2", "start_char": 0, "end_char": 7}
    for more in ({"alternative_citations": [[span]]}, {"claims": [{"text": "x", "citations": [span]}]}):
        value = changed(relevant_documents=["d1", "d2"], **more)
        value["documents"].append({"document_id": "d2", "content": "Another tower.", "title": "Other"})
        assert issues(value) == []


def test_a_nested_span_is_checked_too() -> None:
    wrong = {"document_id": "d1", "start_char": 0, "end_char": 7000}
    found = only(issues(changed(claims=[{"citations": [wrong]}])))
    assert (found.code, found.pointer) == ("DQ301", "/queries/0/claims/0/citations/0")


def test_a_document_of_grade_0_need_not_be_cited() -> None:
    value = changed(relevant_documents={"d1": 2, "d2": 0})
    value["documents"].append({"document_id": "d2", "content": "Another tower."})
    assert issues(value) == []


def test_without_documents_nothing_can_be_looked_up() -> None:
    value = copy.deepcopy(SOUND)
    value["documents"] = []
    assert [(one.code, one.severity) for one in issues(value)] == [("DQ200", "note")]


@pytest.mark.parametrize(
    ("start", "end", "code"), [(100, 50, "DQ302"), (7, 7, "DQ302"), (-5, 3, "DQ301"), (5, -3, "DQ302")]
)
def test_a_span_that_no_document_could_have_is_told_with_or_without_documents(
    start: int, end: int, code: str
) -> None:
    span = {"start_char": start, "end_char": end}
    for value in (
        citing(**span),
        changed(alternative_citations=[[{"file_name": "tower.md", **span}]]),
        changed(claims=[{"citations": [{"file_name": "tower.md", **span}]}]),
    ):
        known = issues(value)
        unknown = issues({**value, "documents": []})
        assert [one.code for one in known] == [code]
        assert [one.code for one in unknown] == ["DQ200", code]
        assert known[0] == unknown[1]


def test_a_reversed_span_of_an_unknown_document_is_both() -> None:
    found = issues(citing(file_name="church.md", start_char=100, end_char=50))
    assert [one.code for one in found] == ["DQ302", "DQ202", "DQ401"]


def test_documents_that_repeat_or_are_empty() -> None:
    value = copy.deepcopy(SOUND)
    value["documents"] += [
        {"document_id": "d2", "content": TEXT},
        {"document_id": "d3", "content": " \n"},
        {"document_id": "d3", "content": "More."},
    ]
    assert [one.code for one in issues(value)] == ["DQ206", "DQ205", "DQ204"]


def test_an_empty_query_is_an_error() -> None:
    assert only(issues(changed(query_text=" \n"))).code == "DQ102"


def test_an_answer_inside_its_query_is_a_leak() -> None:
    found = only(issues(changed(query_text="Is it true that it is 47 metres high, as they say?")))
    assert (found.code, found.severity) == ("DQ105", "warning")


def test_a_long_run_of_the_answer_is_a_leak_and_a_shared_subject_is_none() -> None:
    answer = "The new bridge will open in October 2025 with two lanes for cars."
    for asked, answered, leaked in (
        ("Will it, with two lanes for cars, open in October 2025?", answer, ""),
        ("Say: the new bridge will open in october 2025, true?", answer, "“the new bridge will open"),
        ("When will the new bridge open?", answer, ""),
        ("Is it A or B?", "B", ""),
        ("anything", "", ""),
    ):
        found = issues(changed(query_text=asked, ground_truth_answer=answered))
        assert [one.code for one in found] == (["DQ105"] if leaked else []), asked
        assert all(leaked in one.message for one in found)


def test_repeated_and_nearly_repeated_queries() -> None:
    texts = [
        "How many cars does the ferry Linnet carry?",
        "How many  cars does the Ferry Linnet carry?",
        "How many cars can be carried by the Linnet ferry?",
        "How many cars does the ferry Dunlin carry?",
        "How many passengers does the ferry Linnet carry?",
    ]
    value = copy.deepcopy(SOUND)
    value["metadata"] = {}
    value["queries"] = [
        {"query_id": f"q{i}", "query_text": text, "relevant_documents": []} for i, text in enumerate(texts)
    ]
    found = issues(value)
    assert [(one.code, one.query_id) for one in found] == [("DQ103", "q1"), ("DQ104", "q2")]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("What was the revenue in 2019?", "What was the revenue in 2020?", False),
        ("When was the lighthouse built?", "When was the lighthuose built?", True),
        ("Who built the old tower?", "Who demolished the old tower?", False),
        ("Name the length, width, height and weight.", "Name length, width, height, weight, please.", True),
        ("How many cars does it carry?", "cars carried", True),
        ("Why?", "Why, why?", True),
        ("What is it?", "Who was she?", False),
    ],
)
def test_what_asks_nearly_the_same(one: str, other: str, same: bool) -> None:
    assert repeats([one, other]) == ({1} if same else set())


def repeats(texts: list[str]) -> set[int]:
    """The places of queries that ask the same as an earlier one, or nearly."""
    queries = [
        {"query_id": f"q{i}", "query_text": text, "relevant_documents": []} for i, text in enumerate(texts)
    ]
    found = issues({**SOUND, "queries": queries})
    return {int(one.pointer.split("/")[2]) for one in found if one.code in ("DQ103", "DQ104")}


WORDS = [f"word{chr(97 + i)}{chr(97 + j)}" for i in range(12) for j in range(12)]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=5, max_size=9, unique=True), min_size=2, max_size=40),
    st.randoms(),
)
def test_the_same_words_in_another_order_are_always_found(
    queries: list[list[str]], draw: random.Random
) -> None:
    shuffled = list(queries[0])
    draw.shuffle(shuffled)
    assert len(queries) in repeats([" ".join(words) for words in [*queries, shuffled]])


def test_classes_out_of_balance_and_missing() -> None:
    value = copy.deepcopy(SOUND)
    value["queries"] = [
        {
            "query_id": f"q{i}",
            "query_text": f"Question {'abcdefghijklmnopqrstuvwxyz'[i]}{i}?",
            "relevant_documents": [],
            "query_type": "factual" if i else "temporal",
            "difficulty": None if i % 2 else "easy",
        }
        for i in range(24)
    ]
    value["metadata"] = {"size": 24}
    with open_dataset(value) as dataset:
        found = [one for one in check_quality(dataset) if one.code in ("DQ501", "DQ502")]
    said = " | ".join(one.message for one in found)
    assert "23 of 24 queries (96%) have the query_type “factual”" in said
    assert "no query has the query_type analytical or comparative" in said
    assert "12 of 24 queries have no difficulty" in said


def test_metadata_that_is_untrue() -> None:
    value = copy.deepcopy(SOUND)
    value["metadata"] = {"size": 500, "avg_query_length": 45}
    assert [one.pointer for one in issues(value)] == ["/metadata/size", "/metadata/avg_query_length"]


def test_an_empty_dataset_is_an_error() -> None:
    assert "DQ602" in {one.code for one in issues({**SOUND, "queries": []})}


def test_every_code_has_its_own_name() -> None:
    assert len({one.name for one in QUALITY_CODES.values()}) == len(QUALITY_CODES)


def test_a_streamed_dataset_has_the_same_issues(tmp_path: Path) -> None:
    value = copy.deepcopy(SOUND)
    value["documents"].append({"document_id": "d2", "content": TEXT})
    value["queries"] += [
        {
            "query_id": "q1",
            "query_text": "How high is it?",
            "relevant_documents": ["d2", "d9"],
            "citations": [],
        },
        {
            "query_id": "q3",
            "query_text": "Say: It is 47 metres high.",
            "relevant_documents": ["d1"],
            "ground_truth_answer": "It is 47 metres high.",
            "citations": [{"title": "The tower", "start_char": 3, "end_char": 30, "context_text": TEXT[:28]}],
        },
    ]
    # So many characters that the documents are found one by one.
    value["documents"].append({"document_id": "long", "content": "x " * (8 * 1024 * 1024 + 1)})
    path = tmp_path / "large.eval.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    in_memory = issues(value)
    with open_dataset(path) as dataset:
        assert dataset.streamed and not dataset.in_memory
        streamed = [one for one in check_quality(dataset) if one.code != "DQ502"]
    assert len(in_memory) == 8
    assert [(one.code, one.pointer) for one in streamed] == [(one.code, one.pointer) for one in in_memory]


NAMES = st.sampled_from(["d1", "tower.md", "d9", "", "x/../y", "\x1b[31m", "é" * 50])
NUMBERS = st.integers(-5, 120) | st.integers() | st.none()
SPAN = st.fixed_dictionaries(
    {
        "file_name": NAMES,
        "start_char": NUMBERS,
        "end_char": NUMBERS,
        "page_number": st.none() | st.integers(-1, 4),
    },
    optional={
        "context_text": st.text(max_size=40),
        "excerpt": st.text(max_size=9) | st.integers(),
        "spans": st.lists(st.just({})),
    },
)
QUERY = st.fixed_dictionaries(
    {
        "query_id": NAMES.filter(bool),
        "query_text": st.text(max_size=60),
        "relevant_documents": st.lists(NAMES, max_size=3),
    },
    optional={
        "citations": st.lists(SPAN, max_size=3),
        "alternative_citations": st.lists(st.lists(SPAN, max_size=2), max_size=2),
        "ground_truth_answer": st.text(max_size=60),
        "nested": st.recursive(SPAN, lambda inner: st.lists(inner, max_size=2), max_leaves=6),
    },
)


@settings(max_examples=60, deadline=None)
@given(st.lists(QUERY, max_size=6), st.booleans())
def test_nothing_that_can_be_read_stops_the_check(queries: list[dict[str, Any]], by_page: bool) -> None:
    value = {**SOUND, "queries": queries, "offsets": "page" if by_page else "document"}
    for one in issues(value):
        assert one.code in QUALITY_CODES
        assert one.pointer.startswith(("/queries", "/documents", "/metadata"))


class Many(Dataset):
    """Queries that nobody holds: made anew each time that they are asked for."""

    in_memory = True

    def __init__(self, count: int) -> None:
        super().__init__(
            EvaluationDataset(documents=(SourceDocument(document_id="d", content=TEXT),)), "", None
        )
        self._many = count
        self._library = library_of(self.head.documents)

    def queries(self) -> Iterator[EvaluationQuery]:
        draw = random.Random(1)
        for i in range(self._many):
            asked = " ".join(f"word{draw.randrange(20_000)}" for _ in range(6))
            yield EvaluationQuery(query_id=f"q{i}", query_text=f"What of {asked}?", relevant_documents=("d",))

    def documents(self) -> Iterator[SourceDocument]:
        return iter(self.head.documents)

    def count(self) -> int:
        return self._many

    def library(self) -> Library:
        return self._library

    def library_for(self, names: Iterable[str]) -> Library:
        return self._library

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_many_queries_take_little_memory() -> None:
    tracemalloc.start()
    for _ in check_quality(Many(50_000)):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000 * 300  # of a million queries that is 300 MB
