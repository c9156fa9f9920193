from __future__ import annotations

import datetime
import sys
from typing import Any

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from pincite.datasets import (
    BenchmarkData,
    BenchmarkEntry,
    CitationSpan,
    EvaluationDataset,
    EvaluationQuery,
    SourceDocument,
    answers_from_frame,
    from_frame,
    open_dataset,
    to_frame,
)
from pincite.errors import InputError, MissingExtraError
from pincite.records import ItemResult, RecordedAnswer, Result, RetrievedDocument, Run, Score

DATASET = EvaluationDataset(
    dataset_id="frame",
    name="frame",
    version="1.0.0",
    queries=(
        EvaluationQuery(
            query_id="q1",
            query_text="How high?",
            difficulty="easy",
            relevant_documents=("d1",),
            citations=(CitationSpan(file_name="d1", start_char=0, end_char=4),),
            metadata={"tags": ["a", 1, None]},
            extra={"priority": 3},
        ),
        EvaluationQuery(query_id="q2", query_text="[1, 2]", relevant_documents={"d1": 2.0}, citations=()),
    ),
    documents=(SourceDocument(document_id="d1", content="47 metres.", title="Chimney"),),
)
KINDS = ["pandas", "polars", "arrow", "hf", "records"]
ANSWER = RecordedAnswer(
    query_id="q1",
    answer="47 metres.",
    citations=({"file_name": "d1", "start_char": 0, "end_char": 4},),
    retrieved=(RetrievedDocument("d1", 0.5),),
    latency_ms=12.0,
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dataset_comes_back_from_a_frame_of_any_kind(kind):
    queries, documents = to_frame(DATASET, kind), to_frame(DATASET, kind, part="documents")
    assert from_frame(queries, documents=documents) == DATASET


@pytest.mark.parametrize("kind", KINDS)
def test_answers_come_back_from_a_frame_of_any_kind(kind):
    assert list(answers_from_frame(to_frame([ANSWER], kind))) == [ANSWER]


def test_an_answer_that_looks_like_json_stays_a_text():
    answer = RecordedAnswer(query_id="q1", answer='["47"]')
    assert list(answers_from_frame(to_frame([answer], "polars"))) == [answer]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
@given(st.lists(st.tuples(texts, st.none() | texts, st.lists(texts.filter(bool), unique=True)), max_size=4))
@settings(max_examples=30, deadline=None)
def test_whatever_a_query_says_is_kept(kind, rows):
    queries = tuple(
        EvaluationQuery(
            query_id=f"q{number}",
            query_text=text,
            ground_truth_answer=answer,
            relevant_documents=tuple(names),
        )
        for number, (text, answer, names) in enumerate(rows)
    )
    dataset = EvaluationDataset(dataset_id="frame", name="frame", version="1.0.0", queries=queries)
    assert from_frame(to_frame(dataset, kind)) == dataset


NATIVE = {"query_id": ["q1", "q2"], "query_text": ["A?", "B?"], "relevant_documents": [["d1"], []]}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(NATIVE),
        pd.DataFrame(NATIVE).assign(relevant_documents=[np.array(["d1"]), np.array([])]),
        pl.DataFrame(NATIVE),
        pl.DataFrame(NATIVE).lazy(),
        pa.table(NATIVE),
        pa.table(NATIVE).to_batches()[0],
        datasets.Dataset.from_dict(NATIVE),
        datasets.Dataset.from_dict(NATIVE).to_iterable_dataset(),
        narwhals.from_native(pl.DataFrame(NATIVE)),
        narwhals.from_native(pd.DataFrame(NATIVE)),
        NATIVE,
        [dict(zip(NATIVE, row, strict=True)) for row in zip(*NATIVE.values(), strict=True)],
    ],
    ids=lambda frame: type(frame).__module__.split(".")[0] + type(frame).__name__,
)
def test_lists_may_stand_in_a_frame_as_they_are(frame):
    first, second = from_frame(frame).queries
    assert (first.query_text, first.relevant, second.relevant) == ("A?", {"d1": 1.0}, {})


def test_a_frame_that_only_speaks_arrow_is_read():
    class Foreign:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.table(NATIVE).__arrow_c_stream__(requested_schema)

    assert len(from_frame(Foreign()).queries) == 2


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """What a frame holds, without its empty cells."""
    if isinstance(frame, pd.DataFrame):
        rows = frame.to_dict("records")
    elif isinstance(frame, pl.DataFrame):
        rows = frame.to_dicts()
    else:
        rows = frame.to_pylist() if isinstance(frame, pa.Table) else list(frame)
    return [{name: cell for name, cell in row.items() if cell is not None and cell == cell} for row in rows]


def test_what_is_missing_is_none_whatever_a_library_calls_it():
    frame = pd.DataFrame(
        {
            "a": [1.0, np.nan],
            "b": pd.array([1, pd.NA], dtype="Int64"),
            "c": [pd.Timestamp("2025-01-02"), pd.NaT],
            "d": [datetime.date(2025, 1, 2), None],
        }
    )
    frame["query_text"] = "A?"
    read = [query.extra for query in from_frame(frame).queries]
    assert read == [{"a": 1.0, "b": 1, "c": "2025-01-02T00:00:00", "d": "2025-01-02"}, {}]


def test_columns_of_another_tool_are_read_by_its_name():
    frame = pd.DataFrame([{"user_input": "A?", "retrieved_contexts": ["One."], "response": "Yes."}])
    dataset = from_frame(frame, kind="ragas")
    (answer,) = answers_from_frame(frame, kind="ragas")
    assert (dataset.queries[0].query_text, dataset.documents[0].content) == ("A?", "One.")
    assert answer.retrieved[0].document == dataset.documents[0].document_id


def test_columns_of_any_name_are_read_by_a_mapping():
    frame = pl.DataFrame({"frage": ["A?"], "antwort": ["Ja."]})
    mapping = {"query_text": "frage", "answer": "antwort"}
    assert from_frame(frame, mapping=mapping).queries[0].query_text == "A?"
    assert next(answers_from_frame(frame, mapping=mapping)).answer == "Ja."


@pytest.mark.parametrize("kind", KINDS)
def test_scores_items_and_benchmarks_become_frames(kind):
    score = Score(metric="mrr", value=0.5, confidence_interval=(0.4, 0.6), n=10)
    run = Run(run_id="r1", scores=(score, Score(metric="map", value=None)))
    (first, _) = rows_of(to_frame(run, kind))
    assert (first["run_id"], first["metric"], first["value"], first["low"]) == ("r1", "mrr", 0.5, 0.4)
    item = ItemResult(key="k", position=0, query_id="q1", results=(Result(metric="mrr", score=1.0),))
    assert rows_of(to_frame([item], kind))[0]["mrr"] == 1.0
    benchmark = BenchmarkData(benchmark_id="b", entries=(BenchmarkEntry(metric="mrr", value=0.5),))
    assert rows_of(to_frame(benchmark, kind)) == [{"metric": "mrr", "value": 0.5}]


def test_an_opened_dataset_and_a_plain_file_become_frames():
    with open_dataset("sample") as dataset:
        queries, documents = to_frame(dataset, "records"), to_frame(dataset, "polars", part="documents")
        assert len(queries) == dataset.count()
        assert len(from_frame(queries, documents=documents).documents) == len(dataset.library())
    plain = {"evaluation_id": "e", "summary": {}, "query_results": [{"query_id": "q1", "latency_ms": 3.5}]}
    assert rows_of(to_frame(plain, "pandas")) == [{"query_id": "q1", "latency_ms": 3.5}]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (42, "a int is not a known kind of frame"),
        ([1], "row 1 of the frame is a int"),
        ({"a": [1], "b": [1, 2]}, "not equally long"),
        (datasets.DatasetDict({"train": datasets.Dataset.from_dict(NATIVE)}), "several tables (train)"),
        ([{"query_id": "q1"}], "row 1 of the frame: expected the field query_text, found none"),
        ([{"query_text": "a", "citations": "[{]"}], "row 1 of the frame"),
    ],
)
def test_what_is_no_frame_of_queries_is_refused(given, problem):
    with pytest.raises(InputError) as error:
        from_frame(given)
    assert problem in str(error.value)


def test_an_unknown_kind_and_a_missing_library_are_said(monkeypatch):
    with pytest.raises(InputError, match="is not known"):
        to_frame(DATASET, "excel")
    with pytest.raises(InputError, match="beir is not read from a frame"):
        from_frame([], kind="beir")
    with pytest.raises(InputError, match="a frame is made of"):
        to_frame(3)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match="pip install polars"):
        to_frame(DATASET, "polars")
