from __future__ import annotations

import csv
import gzip
import json
from typing import get_args

import pyarrow as pa
import pyarrow.parquet
import pytest
from import_checks import checked, document_of, lines

from pincite.answers import read_record
from pincite.base import run_sync
from pincite.cli.app import load_command
from pincite.datasets import (
    FORMATS,
    IMPORTS,
    Kind,
    import_answers,
    import_dataset,
    make_item,
    open_answers,
    write_answers,
)
from pincite.errors import InputError
from pincite.metrics import parse_metric

# --- BEIR ------------------------------------------------------------------------------------------


@pytest.fixture
def beir(tmp_path):
    folder = tmp_path / "scifact"
    (folder / "qrels").mkdir(parents=True)
    lines(
        folder / "corpus.jsonl",
        [
            {"_id": "d1", "title": "One", "text": "Tides rise."},
            {"_id": "d2", "title": "", "text": "Tides fall."},
        ],
    )
    lines(
        folder / "queries.jsonl", [{"_id": "q1", "text": "Do tides rise?"}, {"_id": "q2", "text": "Others?"}]
    )
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n")
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td2\t1\n")
    return folder


def test_a_beir_folder_is_read_with_its_grades(beir):
    dataset = checked(import_dataset("beir", beir))
    (query,) = dataset.queries
    assert (query.query_id, query.query_text, query.relevant) == ("q1", "Do tides rise?", {"d1": 2, "d2": 0})
    assert [(one.document_id, one.title) for one in dataset.documents] == [("d1", "One"), ("d2", None)]
    assert (dataset.dataset_id, dataset.metadata["source"]) == ("scifact", "beir")


def test_another_split_and_unjudged_queries_of_beir(beir):
    assert [one.query_id for one in import_dataset("beir", beir, split="train").queries] == ["q2"]
    assert len(import_dataset("beir", beir, judged_only=False).queries) == 2
    with pytest.raises(InputError, match=r"no qrels/dev.tsv; the folder has test, train"):
        import_dataset("beir", beir, split="dev")


def test_packed_files_of_beir_are_read(beir):
    raw = (beir / "corpus.jsonl").read_bytes()
    (beir / "corpus.jsonl").unlink()
    (beir / "corpus.jsonl.gz").write_bytes(gzip.compress(raw))
    assert len(import_dataset("beir", beir).documents) == 2


def test_what_is_wrong_with_a_beir_folder_is_said_with_its_line(beir):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\thigh\n")
    with pytest.raises(InputError, match=r"test.tsv: line 2: the grade 'high' is not an integer"):
        import_dataset("beir", beir)
    (beir / "qrels" / "test.tsv").write_text("q9\td1\t1\n")
    with pytest.raises(InputError, match=r"1 judged queries are not in queries.jsonl, as 'q9'"):
        import_dataset("beir", beir)
    (beir / "queries.jsonl").unlink()
    with pytest.raises(InputError, match=r"has a file queries.jsonl"):
        import_dataset("beir", beir)
    with pytest.raises(InputError, match="holds no answers; name a run"):
        import_answers("beir", beir)


# --- TREC ------------------------------------------------------------------------------------------

TOPICS = """
<top>
<num> Number: 301
<title> International
  organised crime
<desc> Description: Whatever.
</top>
<top><num>302</num><title>Polio</title></top>
"""


@pytest.fixture
def trec(tmp_path):
    (tmp_path / "qrels.txt").write_text("301 0 FR-1 1\n301 0 FR-2 0\n302 0 FT-9 2\n")
    (tmp_path / "topics.txt").write_text(TOPICS)
    (tmp_path / "run.txt").write_text("301 Q0 FR-2 1 9.5 bm25\n301 Q0 FR-1 2 9.25 bm25\n")
    return tmp_path


def test_judgements_and_topics_of_trec_are_read(trec):
    dataset = checked(import_dataset("trec", trec / "qrels.txt", topics=trec / "topics.txt"))
    assert [(one.query_id, one.query_text) for one in dataset.queries] == [
        ("301", "International organised crime"),
        ("302", "Polio"),
    ]
    assert dataset.queries[0].relevant == {"FR-1": 1, "FR-2": 0}
    assert import_dataset("trec", trec).queries == dataset.queries


def test_without_topics_the_id_stands_for_the_text(trec):
    assert import_dataset("trec", trec / "qrels.txt").queries[0].query_text == "301"


def test_topics_may_be_lines_with_a_tab_or_of_json(trec):
    (trec / "topics.txt").write_text("301\tCrime\n302\tPolio\n")
    assert import_dataset("trec", trec).queries[1].query_text == "Polio"
    topics = lines(trec / "t.jsonl", [{"id": 301, "query": "A"}, {"id": 302, "query": "B"}])
    assert import_dataset("trec", trec / "qrels.txt", topics=topics).queries[0].query_text == "A"


def test_a_run_of_trec_scores_as_its_ranks_say(trec):
    dataset = import_dataset("trec", trec)
    answers = {one.query_id: one for one in import_answers("trec", trec / "run.txt")}
    scores = [
        run_sync(parse_metric("MRR").execute(make_item(query, answers.get(query.query_id)))).score
        for query in dataset.queries
    ]
    assert scores == [0.5, 0.0]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("qrels.txt", "301 0 FR-1\n", "line 1: expected `query iteration document grade`"),
        ("qrels.txt", "301 0 FR-1 one\n", "line 1: the grade 'one' is not a number"),
        ("qrels.txt", "301 0 A 1\n301 0 A 0\n", "line 2: 'A' comes twice for '301'"),
        ("qrels.txt", "301 0 A nan\n", "is not a number"),
        ("topics.txt", "no tab here\n", "line 1: expected `query<tab>text`"),
        ("topics.txt", "<top><title>x</title></top>\n", "topic 1 has no <num>"),
    ],
)
def test_a_malformed_line_of_trec_is_said(trec, name, content, problem):
    (trec / name).write_text(content)
    with pytest.raises(InputError) as error:
        import_dataset("trec", trec)
    assert problem in str(error.value)


def test_a_malformed_run_is_said(trec):
    (trec / "run.txt").write_text("301 Q0 A 1 0.5 x\n301 Q0 A 2 0.4 x\n")
    with pytest.raises(InputError, match="line 2: 'A' comes twice"):
        list(import_answers("trec", trec / "run.txt"))


# --- ALCE and HAGRID -------------------------------------------------------------------------------


def test_alce_outputs_cite_the_passages_they_were_shown(tmp_path):
    docs = [
        {
            "id": "77",
            "title": "Tides",
            "text": "Tides rise twice a day.",
            "score": 0.9,
            "answers_found": [1, 0],
        },
        {"title": "Moon", "text": "The moon pulls.", "answers_found": [0, 0]},
    ]
    row = {"sample_id": "a-1", "question": "How often?", "docs": docs, "answer": "Twice.", "qa_pairs": []}
    path = tmp_path / "asqa.json"
    path.write_text(json.dumps({"args": {}, "data": [{**row, "output": "Tides rise twice a day [1]."}]}))
    dataset = checked(import_dataset("alce", path))
    (query,) = dataset.queries
    assert (query.query_id, query.ground_truth_answer, query.relevant) == ("a-1", "Twice.", {"77": 1.0})
    assert query.metadata == {"qa_pairs": []}
    assert document_of(dataset, "77") == "Tides rise twice a day."
    (answer,) = import_answers("alce", path)
    second = dataset.documents[1].document_id
    assert answer.references == ({"number": 1, "source": "77"}, {"number": 2, "source": second})
    assert second.startswith("context_")
    assert [one.score for one in answer.retrieved] == [0.9, None]
    # Data without outputs has no answers.
    path.write_text(json.dumps([row]))
    assert list(import_answers("alce", path)) == []


def test_hagrid_answers_are_each_a_query_with_what_people_said(tmp_path):
    row = {
        "query_id": 7,
        "query": "Who was first?",
        "quotes": [
            {"idx": 1, "docid": "12#3", "text": "Ada was first."},
            {"idx": 2, "docid": "9#1", "text": "No."},
        ],
        "answers": [
            {"answer": "Bob [2].", "informative": 0, "attributable": 0},
            {
                "answer": "Ada was first [1].",
                "informative": 1,
                "attributable": 1,
                "sentences": [{"index": 0, "text": "Ada was first [1].", "attributable": 1}],
            },
        ],
    }
    path = lines(tmp_path / "dev.jsonl", [row, {"query_id": 8, "query": "And?", "quotes": [], "answers": []}])
    dataset = checked(import_dataset("hagrid", path))
    assert [one.query_id for one in dataset.queries] == ["7", "7#2", "8"]
    assert {one.ground_truth_answer for one in dataset.queries[:2]} == {"Ada was first [1]."}
    assert dataset.queries[0].metadata == {"informative": 0, "attributable": 0}
    assert dataset.queries[1].metadata["sentences"][0]["attributable"] == 1
    assert dataset.queries[0].relevant == {"12#3": 1.0, "9#1": 1.0}
    answers = list(import_answers("hagrid", path))
    assert [one.answer for one in answers] == ["Bob [2].", "Ada was first [1]."]
    assert answers[0].references[1] == {"number": 2, "source": "9#1"}


# --- RAGAS, DeepEval, LangSmith ----------------------------------------------------------------------

RAGAS = {
    "user_input": "How high is the chimney?",
    "retrieved_contexts": ["The chimney is 47 metres high.", "It has steps."],
    "reference_contexts": ["The chimney is 47 metres high."],
    "response": "47 metres.",
    "reference": "It is 47 metres high.",
}
OLD_RAGAS = {
    "question": RAGAS["user_input"],
    "contexts": RAGAS["retrieved_contexts"],
    "answer": RAGAS["response"],
    "ground_truths": [RAGAS["reference"]],
}


@pytest.mark.parametrize("row", [RAGAS, OLD_RAGAS])
@pytest.mark.parametrize("ending", ["jsonl", "json", "columns.json", "csv", "parquet"])
def test_ragas_samples_are_read_from_any_file(tmp_path, row, ending):
    path = tmp_path / f"samples.{ending}"
    if ending == "jsonl":
        lines(path, [row])
    elif ending == "json":
        path.write_text(json.dumps([row]))
    elif ending == "columns.json":
        path.write_text(json.dumps({name: [value] for name, value in row.items()}))
    elif ending == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, row)
            writer.writeheader()
            writer.writerow(row)  # lists as Python writes them
    else:
        pyarrow.parquet.write_table(pa.Table.from_pylist([row]), path)
    dataset = checked(import_dataset("ragas", path))
    (query,) = dataset.queries
    (answer,) = import_answers("ragas", path)
    assert query.query_text == "How high is the chimney?"
    assert query.ground_truth_answer == "It is 47 metres high."
    assert answer.answer == "47 metres."
    assert [document_of(dataset, one.document) for one in answer.retrieved] == RAGAS["retrieved_contexts"]
    if "reference_contexts" in row:
        assert list(query.relevant) == [answer.retrieved[0].document]


def test_a_conversation_of_ragas_asks_its_last_question(tmp_path):
    spoken = [
        {"content": "Hello", "type": "human"},
        {"content": "Good day.", "type": "ai"},
        {"content": "How high?", "type": "human"},
        {"content": "47 metres.", "type": "ai"},
    ]
    path = lines(tmp_path / "turns.jsonl", [{"user_input": spoken, "reference": "47 metres"}])
    (query,) = checked(import_dataset("ragas", path)).queries
    (answer,) = import_answers("ragas", path)
    assert (query.query_text, len(query.conversation)) == ("How high?", 2)
    assert (answer.answer, len(answer.conversation.messages)) == ("47 metres.", 4)


def test_deepeval_test_cases_and_goldens_are_read(tmp_path):
    case = {
        "input": "How high?",
        "actual_output": "47 metres.",
        "expected_output": "It is 47 metres high.",
        "retrieval_context": ["It has steps.", "47 metres high."],
        "context": ["47 metres high."],
        "completion_time": 1.5,
        "token_cost": 0.01,
        "additional_metadata": {"team": "a"},
    }
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"test_cases": [case, {"input": "Why?"}]}))
    dataset = checked(import_dataset("deepeval", path))
    (answer,) = import_answers("deepeval", path)
    assert [one.query_text for one in dataset.queries] == ["How high?", "Why?"]
    assert (answer.latency_ms, answer.usage) == (1500, {"estimated_cost_usd": 0.01})
    assert dataset.queries[0].metadata == {"team": "a"}
    item = make_item(dataset.queries[0], answer)
    assert run_sync(parse_metric("MRR").execute(item)).score == 0.5


def test_deepeval_rows_of_csv_part_their_passages(tmp_path):
    # As its `save_as("csv")` writes them.
    path = tmp_path / "goldens.csv"
    path.write_text(
        "input,actual_output,expected_output,retrieval_context,context,tools_called,source_file\n"
        "How high?,47 m [2],47,It has steps; many.|It is 47 m.|Old.,It is 47 m.|Tall.,a;b,a.md\n"
    )
    dataset = checked(import_dataset("deepeval", path))
    (answer,) = import_answers("deepeval", path)
    texts = {one.document_id: one.content for one in dataset.documents}
    assert [texts[one.document] for one in answer.retrieved] == ["It has steps; many.", "It is 47 m.", "Old."]
    assert [texts[name] for name in dataset.queries[0].relevant] == ["It is 47 m.", "Tall."]
    assert run_sync(parse_metric("MRR").execute(make_item(dataset.queries[0], answer))).score == 0.5


def test_deepeval_lines_of_json_part_their_passages_too(tmp_path):
    row = {"input": "How high?", "actual_output": "47 m", "context": "One.|Two.", "retrieval_context": "Two."}
    path = lines(tmp_path / "goldens.jsonl", [row])
    (query,) = checked(import_dataset("deepeval", path)).queries
    (answer,) = import_answers("deepeval", path)
    assert len(query.relevant) == 2
    assert answer.retrieved[0].document in query.relevant


def test_deepeval_passages_that_know_their_source_keep_it(tmp_path):
    written = "deepeval_source=a.md,deepeval_context=It is 47 m, or so.|Plain."
    path = tmp_path / "goldens.csv"
    path.write_text(f'input,actual_output,retrieval_context\nQ?,A.,"{written}"\n')
    dataset = checked(import_dataset("deepeval", path))
    (answer,) = import_answers("deepeval", path)
    assert answer.retrieved[0].document == "a.md"
    assert document_of(dataset, "a.md") == "It is 47 m, or so."
    held = {"source": "a.md", "context": "It is 47 m."}
    path = lines(
        tmp_path / "cases.jsonl", [{"input": "Q?", "actual_output": "A.", "retrieval_context": [held]}]
    )
    assert document_of(import_dataset("deepeval", path), "a.md") == "It is 47 m."


# --- lines of JSON -----------------------------------------------------------------------------------

MAPPING = {
    "query_id": "meta.id",
    "query_text": "in.0.q",
    "answer": "out.text",
    "ground_truth_answer": "gold",
    "contexts": "docs.*.body",
    "retrieved_docs": "docs.*.id",
    "relevance_scores": "docs.*.score",
    "relevant_documents": "rel",
    "citations": "spans",
}
MAPPED = {
    "meta": {"id": 5},
    "in": [{"q": "How high?"}],
    "out": {"text": "47 m"},
    "gold": "47 metres",
    "docs": [{"id": "a", "body": "One.", "score": 0.5}, {"id": "b", "body": "Two.", "score": 0.75}],
    "rel": {"b": 2},
    "spans": [{"file_name": "a", "start_char": 0, "end_char": 3}],
}


def test_a_mapping_says_where_the_fields_are(tmp_path):
    path = lines(tmp_path / "log.jsonl", [MAPPED])
    dataset = checked(import_dataset("jsonl", path, mapping=MAPPING))
    (query,) = dataset.queries
    assert (query.query_id, query.query_text, query.relevant) == ("5", "How high?", {"b": 2})
    assert query.citations[0].end_char == 3
    (answer,) = import_answers("jsonl", path, mapping=MAPPING)
    assert run_sync(parse_metric("MRR").execute(make_item(query, answer))).score == 1.0


def test_without_a_mapping_a_row_has_our_own_names(tmp_path):
    path = lines(tmp_path / "own.jsonl", [{"query_text": "Q?", "relevant_documents": ["a"], "answer": "A."}])
    assert import_dataset("jsonl", path).queries[0].relevant == {"a": 1.0}
    assert next(import_answers("jsonl", path)).query_id == "query_0001"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"query_text": "a"}\n{"query_text": \n', "own.jsonl: line 2: not valid JSON at column"),
        (b'{"query_text": "a"}\n[1]\n', "line 2: expected an object, found list"),
        (b'\n{"other": 1}\n', "line 2: there is no query_text; the row has other"),
        (b'{"query_text": {"a": 1}}\n', "line 1: query_text is no text but a dict"),
        (b'{"query_text": "\xff"}\n', "line 1: the text is not UTF-8"),
        (
            b'{"query_text": "a", "query_id": "x"}\n{"query_text": "b", "query_id": "x"}\n',
            "line 2: the query id",
        ),
        (b'{"query_text": "a", "citations": [{"start_char": "x"}]}\n', "line 1: citations:"),
        (b'{"query_text": "a", "relevant_documents": {"d": "high"}}\n', "no id with a grade"),
        (b"[" * 100_000, "nested more than"),
    ],
)
def test_a_malformed_line_is_said_with_its_number(tmp_path, content, problem):
    path = tmp_path / "own.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        import_dataset("jsonl", path)
    assert problem in str(error.value)


def test_a_path_that_leads_nowhere_is_said(tmp_path):
    path = lines(tmp_path / "log.jsonl", [MAPPED])
    with pytest.raises(InputError, match=r"line 1: there is nothing at 'in.5.q'"):
        import_dataset("jsonl", path, mapping={"query_text": "in.5.q"})
    with pytest.raises(InputError, match="a mapping has no field 'question'"):
        import_dataset("jsonl", path, mapping={"question": "in"})


def test_cells_of_csv_are_never_run(tmp_path):
    path = tmp_path / "evil.csv"
    path.write_text("question,contexts\nQ?,\"[__import__('os').getcwd()]\"\n")
    (query,) = import_dataset("ragas", path).queries
    assert query.query_text == "Q?"


# --- every kind --------------------------------------------------------------------------------------


def test_an_answer_comes_back_from_its_line(tmp_path):
    path = lines(tmp_path / "s.jsonl", [RAGAS])
    (answer,) = import_answers("ragas", path)
    write_answers([answer], tmp_path / "a.jsonl")
    assert read_record(json.loads((tmp_path / "a.jsonl").read_text())) == answer


def test_answers_are_written_as_an_evaluation_reads_them(tmp_path):
    path = lines(tmp_path / "s.jsonl", [RAGAS, {**RAGAS, "response": None}])
    assert write_answers(import_answers("ragas", path), tmp_path / "answers.jsonl") == 1
    with open_answers(tmp_path / "answers.jsonl") as answers:
        assert answers.get("query_0001") == next(import_answers("ragas", path))
        assert answers.problems == ()


def test_an_unknown_kind_or_option_is_said(tmp_path):
    with pytest.raises(InputError, match="did you mean ragas"):
        import_dataset("raga", tmp_path)
    with pytest.raises(InputError, match="ragas: there is no such option: 'mapping'; it has none"):
        import_dataset("ragas", tmp_path, mapping={})
    with pytest.raises(InputError, match="beir: there is no such option: 'run'; it has split, judged_only"):
        import_dataset("beir", tmp_path, run="x")


@pytest.mark.parametrize("kind", list(IMPORTS))
def test_a_file_that_is_not_there_is_said(tmp_path, kind):
    with pytest.raises(InputError):
        import_dataset(kind, tmp_path / "nowhere.jsonl")


def test_the_command_line_offers_every_kind_of_file_and_of_export() -> None:
    choices = {action.dest: action.choices for action in load_command("data convert").parser()._actions}
    assert choices["imported"] == tuple(IMPORTS)
    assert choices["kind"] == get_args(Kind)
    assert set(get_args(Kind)) == set(FORMATS)
