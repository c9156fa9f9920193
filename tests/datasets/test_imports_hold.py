"""Whatever stands in an export, it is read or refused by name, and nothing else happens."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import import_answers, import_dataset, to_plain, write_answers
from pincite.errors import InputError

NAMES = [
    *("query_id", "id", "sample_id", "example_id", "query", "question", "query_text", "user_input", "input"),
    *("inputs", "outputs", "reference_outputs", "output", "answer", "answers", "response", "reference"),
    *(
        "docs",
        "quotes",
        "contexts",
        "retrieved_contexts",
        "reference_contexts",
        "retrieval_context",
        "context",
    ),
    *(
        "text",
        "docid",
        "idx",
        "title",
        "score",
        "answers_found",
        "sentences",
        "relevant_documents",
        "citations",
    ),
    *(
        "ground_truths",
        "messages",
        "content",
        "role",
        "metadata",
        "retrieved_docs",
        "relevance_scores",
        "usage",
    ),
    *(
        "actual_output",
        "completion_time",
        "start_time",
        "end_time",
        "retrieved_context_ids",
        "answer_citations",
    ),
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(["[1, 2]", "['a']", "{'a': 1}", "[", "{", "2025-01-01", "a;b", "1e999"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=12,
)
rows = st.lists(st.dictionaries(st.sampled_from(NAMES), values, max_size=8), max_size=3)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["alce", "hagrid", "ragas", "deepeval", "langsmith", "jsonl"])
@given(rows=rows)
@settings(max_examples=120, deadline=None)
def test_any_rows_are_read_or_refused(tmp_path_factory, kind, rows):
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    try:
        dataset = import_dataset(kind, path)
        answers = list(import_answers(kind, path))
    except InputError as error:
        assert "rows.jsonl: line" in str(error)
        return
    json.dumps(to_plain(dataset), allow_nan=False)
    ids = {query.query_id for query in dataset.queries}
    documents = {document.document_id for document in dataset.documents}
    assert write_answers(answers, path.with_name("answers.jsonl")) == len(answers)
    for answer in answers:
        assert answer.query_id in ids
        if kind in ("alce", "hagrid"):
            assert {one.document for one in answer.retrieved or ()} <= documents


@pytest.mark.parametrize("kind", ["ragas", "deepeval", "langsmith", "jsonl"])
@given(
    header=st.lists(st.sampled_from(NAMES), max_size=4, unique=True),
    cells=st.lists(st.text(max_size=8), max_size=5),
)
@settings(max_examples=80, deadline=None)
def test_any_cells_are_read_or_refused(tmp_path_factory, kind, header, cells):
    path = tmp_path_factory.mktemp("cells") / "rows.csv"
    path.write_text(",".join(header) + "\n" + ",".join(cells), encoding="utf-8", errors="replace", newline="")
    try:
        import_dataset(kind, path)
        list(import_answers(kind, path))
    except InputError as error:
        assert "rows.csv" in str(error)


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_read_or_refused_as_trec(tmp_path_factory, raw):
    folder = tmp_path_factory.mktemp("trec")
    for name in ("qrels.txt", "topics.txt", "run.txt"):
        (folder / name).write_bytes(raw)
        try:
            import_dataset("trec", folder)
            list(import_answers("trec", folder))
        except InputError:
            pass
