"""The records of the data formats: read, written, and nothing lost on the way."""

from __future__ import annotations

from typing import Any

import pytest
from data_samples import DATASET, EXAMPLES, GROUND_TRUTH, QUALITY_ANNOTATION, example
from hypothesis import given
from hypothesis import strategies as st

from pincite.datasets import (
    FORMATS,
    AnswerQualityAnnotation,
    CitationAnnotation,
    EvaluationDataset,
    EvaluationQuery,
    GroundTruth,
    annotation_parts,
    from_plain,
    to_plain,
)
from pincite.errors import InputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
UNKNOWN = st.dictionaries(
    st.sampled_from(["extra", "note", "", "self", "x-1", "\ue000extra", "required"]), JSON, max_size=3
)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_file_reads_and_writes_as_itself(kind: str) -> None:
    assert to_plain(from_plain(FORMATS[kind].record, EXAMPLES[kind])) == EXAMPLES[kind]  # type: ignore[index]


def test_ground_truth_reads_and_writes_as_itself() -> None:
    truth = from_plain(GroundTruth, GROUND_TRUTH)
    read = [part for one in truth.annotations for part in annotation_parts(one)]
    assert [type(one) for one in read] == [CitationAnnotation, AnswerQualityAnnotation]
    assert [to_plain(one) for one in read] == [{"schema_version": 1, **one} for one in truth.annotations]
    assert to_plain(truth) == GROUND_TRUTH


def test_an_annotation_may_hold_what_to_cite_and_marks_for_the_answer() -> None:
    both = {**QUALITY_ANNOTATION, "citations": []}
    assert [type(one) for one in annotation_parts(both)] == [CitationAnnotation, AnswerQualityAnnotation]


@given(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
def test_unknown_fields_are_kept_at_every_level(
    top: dict[str, Any],
    query: dict[str, Any],
    span: dict[str, Any],
    alternative: dict[str, Any],
    document: dict[str, Any],
) -> None:
    value = example("dataset")
    value.update(top)
    value["queries"][0].update(query)
    value["queries"][0]["citations"][0].update(span)
    value["queries"][1]["alternative_citations"][0][0].update(alternative)
    value["queries"][2]["relevant_documents"][0].update(span)
    value["documents"][1].update(document)
    record = from_plain(EvaluationDataset, value)
    assert to_plain(record) == value
    assert from_plain(EvaluationDataset, to_plain(record)) == record


def test_no_citations_and_nothing_to_cite_stay_apart() -> None:
    first, second, third = from_plain(EvaluationDataset, DATASET).queries
    assert first.citations
    assert second.citations == ()
    assert third.citations is None
    assert to_plain(second)["citations"] == []
    assert "citations" not in to_plain(third)


def test_relevance_may_be_graded_in_either_form() -> None:
    first, second, third = from_plain(EvaluationDataset, DATASET).queries
    assert first.relevant == {"depths": 1.0, "berths": 1.0}
    assert second.relevant == {"berths": 2.0, "depths": 0.5}
    assert third.relevant == {"berths": 3.0}
    assert from_plain(EvaluationQuery, {"query_id": "q", "query_text": "t"}).relevant is None


@pytest.mark.parametrize(
    ("span", "document"),
    [
        ({"file_name": "a.pdf", "document_id": "a"}, "a.pdf"),
        ({"document_id": "a", "title": "A"}, "a"),
        ({"file_path": "docs/a.pdf"}, "docs/a.pdf"),
        ({"title": "A"}, "A"),
    ],
)
def test_a_citation_names_its_document_in_one_of_four_ways(span: dict[str, str], document: str) -> None:
    query = from_plain(EvaluationQuery, {"query_id": "q", "query_text": "t", "citations": [span]})
    assert query.citations is not None
    assert query.citations[0].document == document


def test_null_is_read_as_if_nothing_were_there() -> None:
    value = example("dataset")
    value["metadata"] = None
    value["queries"][0].update(metadata=None, alternative_citations=None, ground_truth_answer=None, mine=None)
    value["documents"][0]["metadata"] = None
    record = from_plain(EvaluationDataset, value)
    assert record.metadata == {}
    assert record.queries[0].alternative_citations == ()
    assert record.queries[0].extra == {"mine": None}
    assert record.documents[0].metadata == {}


def test_ids_that_are_numbers_are_read_as_texts() -> None:
    value = example("dataset")
    value["version"] = 1.0
    value["queries"][0].update(query_id=7, relevant_documents=[1, 2])
    value["queries"][2]["relevant_documents"][0]["document_id"] = 9
    record = from_plain(EvaluationDataset, value)
    assert record.version == "1.0"
    assert record.queries[0].query_id == "7"
    assert record.queries[0].relevant == {"1": 1.0, "2": 1.0}
    assert record.queries[2].relevant == {"9": 3.0}
    with pytest.raises(InputError, match="query_id"):
        from_plain(EvaluationQuery, {"query_id": True, "query_text": "t"})


def test_an_unknown_class_is_read() -> None:
    value = {"query_id": "q", "query_text": "t", "query_type": "odd", "difficulty": "brutal"}
    assert from_plain(EvaluationQuery, value).query_type == "odd"


def test_a_file_without_schema_version_is_read() -> None:
    value = example("dataset")
    del value["schema_version"]
    assert from_plain(EvaluationDataset, value).schema_version == 1


def test_a_newer_schema_version_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="schema version 7"):
        from_plain(EvaluationDataset, {**DATASET, "schema_version": 7})


@pytest.mark.parametrize("value", [None, 3, "text", [], [{}]])
def test_what_is_no_object_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="expected an object"):
        from_plain(EvaluationDataset, value)


@given(JSON)
def test_any_value_is_read_or_refused_in_words(value: Any) -> None:
    for kind in FORMATS.values():
        try:
            from_plain(kind.record, value)
        except InputError:
            pass
