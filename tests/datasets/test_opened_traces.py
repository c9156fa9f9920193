"""Files of traces, opened as a dataset and its recorded answers."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pincite.datasets import EvaluationQuery, open_traces
from pincite.errors import InputError

RECORDED = Path(__file__).parents[1] / "answers" / "traces" / "recorded"
FILES = sorted(path.name for path in RECORDED.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_any_file_gives_the_same_questions_and_answers(name: str) -> None:
    traces = open_traces(RECORDED / name)
    assert traces.problems == ()
    assert [query.query_text for query in traces.dataset().queries] == [
        "How often must the pump be serviced?",
        "When did the plant in Graz open?",
        "Who designed the pump?",
    ]
    with traces.answers() as answers:
        first, _, failed = (answers.get(query.query_id) for query in traces.dataset().queries)
        assert first is not None and failed is not None
        assert first.answer == "The pump must be serviced every 24 months by a qualified engineer [1]."
        assert [found.document for found in first.retrieved or ()] == ["manual#4", "manual#7"]
        assert [source.document_id for source in first.sources][:2] == ["manual#4", "manual#7"]
        assert failed.failure == "the trace has no answer: the model is overloaded"
        assert answers.problems == ()


def test_a_folder_is_all_of_its_files_and_says_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress((RECORDED / "genai.jsonl").read_bytes()))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "phoenix.csv").write_bytes((RECORDED / "phoenix.csv").read_bytes())
    (tmp_path / "c.jsonl").write_text(
        '{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": 1}]}]}]}\n[\n'
    )
    (tmp_path / "notes.md").write_text("nothing of ours")
    traces = open_traces(tmp_path)
    assert len(traces.records) == 6
    told = [str(problem) for problem in traces.problems]
    assert len(told) == 2
    assert told[0].startswith(
        f"{tmp_path / 'c.jsonl'}:line 1: expected traces, found something else (a span has no"
    )
    assert told[1].startswith(
        f"{tmp_path / 'c.jsonl'}:line 2: expected traces, found something else (this is not"
    )


def test_a_file_that_holds_no_traces_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"query_id": "1", "answer": "Yes."}\n')
    with pytest.raises(
        InputError, match=r"holds no traces that can be read; what is wrong first: .*resourceSpans"
    ):
        open_traces(path)
    with pytest.raises(InputError, match="do not exist"):
        open_traces(tmp_path / "none.jsonl")
    path.write_text("")
    with pytest.raises(InputError, match="holds no traces"):
        open_traces(path)


def test_traces_of_other_things_are_refused_with_a_count(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    *_, health = (RECORDED / "openinference.jsonl").read_text(encoding="utf-8").splitlines()
    path.write_text(health)
    with pytest.raises(InputError, match="none of the 1 traces has a question"):
        open_traces(path)


def test_answers_get_the_ids_of_a_dataset_by_their_text_or_by_what_the_trace_says(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    text = (RECORDED / "genai.jsonl").read_text(encoding="utf-8")
    noted = '{"key":"pincite.query_id","value":{"stringValue":"q-graz"}},{"key":"gen_ai.retrieval.query.text"'
    second = text.index("0000000000000002")
    at = text.index('{"key":"gen_ai.retrieval.query.text"', second)
    path.write_text(text[:at] + noted + text[at + len('{"key":"gen_ai.retrieval.query.text"') :])
    queries = [
        EvaluationQuery(query_id="q-pump", query_text=" How often must\nthe pump be serviced? "),
        EvaluationQuery(query_id="q-graz", query_text="In which year was Graz opened?"),
    ]
    traces = open_traces(path)
    with traces.answers(queries) as answers:
        assert list(answers.ids()) == ["q-pump", "q-graz", "000000000000006a0000000000000003"]
    places = traces.places(queries)
    assert places["q-graz"].trace_id == "000000000000006a0000000000000002"
    assert places["q-graz"].response_id == "chatcmpl-1"


def test_two_traces_of_one_query_are_said_and_the_first_counts() -> None:
    traces = open_traces(RECORDED / "genai.jsonl")
    twice = open_traces(RECORDED / "phoenix.csv")
    both = type(traces)(path=traces.path, records=(*traces.records, *twice.records))
    queries = [EvaluationQuery(query_id="q", query_text="How often must the pump be serviced?")]
    with both.answers(queries) as answers:
        assert [str(problem) for problem in answers.problems] == [
            f"{traces.path}:trace 00000000000000000000000000000001: expected an id of its own; "
            "trace 000000000000006a0000000000000001 has it too, and that one counts, found the text 'q'"
        ]
    assert both.places(queries)["q"].trace_id == "000000000000006a0000000000000001"
