"""Traces of every kind, read as recorded answers. The files in recorded/ were written by the real SDKs."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.answers import (
    Loaded,
    TraceSpan,
    json_values,
    looks_like_trace,
    read_answers,
    read_spans,
    trace_records,
)
from pincite.config import Limits
from pincite.errors import InputError, PinciteError

RECORDED = Path(__file__).parent / "recorded"
JSON_FILES = sorted(path.name for path in RECORDED.iterdir() if path.suffix in (".json", ".jsonl"))
GOOD = "The pump must be serviced every 24 months by a qualified engineer [1]."
WRONG = "The plant in Graz opened in 2021 [1] and employs 340 people [1]."
FIRST = "The pump must be serviced every 24 months by a qualified engineer."


def spans_in(value: Any, place: str = "here") -> list[TraceSpan]:
    problems: list[PinciteError] = []
    spans = read_spans(value, place, problems)
    assert not problems
    return spans


def values_of(raw: bytes) -> list[tuple[str, Any]]:
    """The values of a file with this in it."""
    return list(json_values(Path("a.json"), lambda _: io.BytesIO(raw), read_whole=lambda *_: raw))


def row(**columns: Any) -> TraceSpan | None:
    """The span of a row as Phoenix writes it; None where it has no ids that can be read."""
    ids = {"context.trace_id": "t", "context.span_id": "s"}
    found = read_spans(ids | columns, "here", [])
    return found[0] if found else None


def read_file(name: str) -> list[dict[str, Any] | None]:
    spans = [span for place, value in json_values(RECORDED / name) for span in spans_in(value, place)]
    return list(trace_records(spans))


def span(
    attributes: dict[str, Any], name: str = "a", parent: str | None = None, start: int = 1, **more: Any
) -> dict[str, Any]:
    """A span as OTLP writes it."""

    def value(held: Any) -> dict[str, Any]:
        if isinstance(held, bool):
            return {"boolValue": held}
        if isinstance(held, int):
            return {"intValue": str(held)}
        if isinstance(held, float):
            return {"doubleValue": held}
        if isinstance(held, list):
            return {"arrayValue": {"values": [value(one) for one in held]}}
        if isinstance(held, dict):
            return {
                "kvlistValue": {"values": [{"key": key, "value": value(one)} for key, one in held.items()]}
            }
        return {"stringValue": held}

    made = {
        "traceId": "1" * 32,
        "spanId": name * 16,
        "startTimeUnixNano": str(start * 10**18),
        "endTimeUnixNano": str(start * 10**18 + 10**9),
        "attributes": [{"key": key, "value": value(held)} for key, held in attributes.items()],
        **more,
    }
    return made if parent is None else {**made, "parentSpanId": parent * 16}


def record_of(*spans: dict[str, Any]) -> dict[str, Any]:
    request = {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}
    (found,) = trace_records(spans_in(request))
    assert found is not None
    return found


@pytest.mark.parametrize("name", JSON_FILES)
def test_every_kind_of_file_says_the_same_of_the_same_answers(name: str) -> None:
    good, wrong, failed = (one for one in read_file(name) if one is not None)
    assert [good["generated_answer"], wrong["generated_answer"]] == [GOOD, WRONG]
    assert [one["query"] for one in (good, wrong, failed)] == [
        "How often must the pump be serviced?",
        "When did the plant in Graz open?",
        "Who designed the pump?",
    ]
    assert good["retrieval_results"] == {
        "retrieved_docs": ["manual#4", "manual#7"],
        "relevance_scores": [0.91, 0.77],
    }
    assert good["sources"][0]["content"] == FIRST
    assert good["references"] == [{"number": 1, "source": "manual#4"}, {"number": 2, "source": "manual#7"}]
    assert failed["failure"] == "the trace has no answer: the model is overloaded"
    assert "generated_answer" not in failed


def test_a_trace_that_is_about_no_answer_is_none() -> None:
    assert [one is None for one in read_file("openinference.jsonl")] == [False, False, False, True]


def test_what_the_reranker_kept_is_what_the_model_was_shown() -> None:
    # In the file the retriever found the same documents in the opposite order.
    (first, *_) = read_file("openinference.jsonl")
    assert first is not None
    assert first["retrieval_results"]["retrieved_docs"] == ["manual#4", "manual#7"]


def test_a_request_around_the_model_gives_the_latency_and_the_model_is_what_was_evaluated() -> None:
    (first, *_) = read_file("genai.jsonl")
    assert first is not None
    assert first["latency_ms"] == 300.0
    assert first["span_id"] == "0000006a00000003"
    assert first["response_id"] == "chatcmpl-0"
    assert first["usage"] == {"total_requests": 1, "total_tokens": 120}
    assert first["conversation_id"] == "conversation-9"


def test_chunks_of_one_file_are_found_by_its_name_and_by_their_numbers() -> None:
    (first, *_) = read_file("openinference.jsonl")
    assert first is not None
    names = [source["document_id"] for source in first["sources"]]
    assert names == ["manual#4", "manual#7", "manual.pdf"]
    assert FIRST in first["sources"][2]["content"]


def test_check_reads_a_file_of_traces_with_the_documents_in_it(tmp_path: Path) -> None:
    lines = (RECORDED / "genai.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    path = tmp_path / "traces.jsonl"
    path.write_text("".join(line for line in lines if "006a0000000000000003" not in line), encoding="utf-8")
    good, wrong = pincite.check_many([path], judge="rules")
    assert [finding.code for finding in good.findings] == []
    assert [finding.code for finding in wrong.findings] == ["PIN203", "PIN203"]
    assert good.answer.name == f"{path}#000000000000006a0000000000000001"


def test_a_trace_without_an_answer_cannot_be_checked_and_says_so() -> None:
    with pytest.raises(PinciteError, match="0003: the trace has no answer: the model is overloaded"):
        pincite.check_many([RECORDED / "genai.jsonl"], judge="rules")


# --- attributes ---


def test_documents_may_be_nested_flat_or_json() -> None:
    documents = [{"document": {"id": "a", "content": "One.", "score": 0.5}}]
    forms = [
        {"retrieval.documents.0.document.id": "a", "retrieval.documents.0.document.content": "One.",
         "retrieval.documents.0.document.score": 0.5},
        {"retrieval.documents": documents},
        {"retrieval.documents": json.dumps(documents)},
        {"retrieval": {"documents": [{"document.id": "a", "document.content": "One.", "score": 0.5}]}},
        {"gen_ai.retrieval.documents": [{"id": "a", "content": "One.", "score": 0.5}]},
        {"langfuse.observation.output": [{"page_content": "One.", "metadata": {"id": "a"}, "score": 0.5}],
         "langfuse.observation.type": "retriever"},
        {"output.value": json.dumps({"documents": [{"node": {"id_": "a", "text": "One."}, "score": 0.5}]})},
    ]  # fmt: skip
    for form in forms:
        made = record_of(span({"openinference.span.kind": "RETRIEVER", **form}))
        assert made["sources"] == [{"document_id": "a", "content": "One."}], form
        assert made["retrieval_results"] == {"retrieved_docs": ["a"], "relevance_scores": [0.5]}, form


def test_documents_are_in_the_order_of_their_numbers_and_not_of_their_names() -> None:
    flat_ones = {f"retrieval.documents.{place}.document.id": f"d{place}" for place in (10, 2, 0)}
    made = record_of(span({"openinference.span.kind": "RETRIEVER", **flat_ones}))
    assert made["retrieval_results"]["retrieved_docs"] == ["d0", "d2", "d10"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.output.messages": '[{"role": "assistant", "parts": [{"type": "text", "content": "Yes."}]}]'},
        {"gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "Yes."}]}]},
        {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Yes."},
        {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Yes."},
        {
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.contents.0.message_content.type": "text",
            "llm.output_messages.0.message.contents.0.message_content.text": "Yes.",
        },
        {"output.value": "Yes."},
        {"output.value": json.dumps({"answer": "Yes.", "context": ["No."]})},
        {"output.value": json.dumps({"choices": [{"message": {"role": "assistant", "content": "Yes."}}]})},
        {"traceloop.entity.output": json.dumps({"output": {"result": "Yes."}})},
        {"langfuse.observation.output": json.dumps({"role": "assistant", "content": "Yes."})},
    ],
)  # fmt: skip
def test_an_answer_is_read_from_wherever_an_instrumentation_puts_it(attributes: dict[str, Any]) -> None:
    assert record_of(span(attributes))["generated_answer"] == "Yes."
    assert record_of(span({"gen_ai.operation.name": "chat", **attributes}))["generated_answer"] == "Yes."


def test_older_instrumentations_put_the_messages_into_events() -> None:
    events = [
        {"name": "gen_ai.user.message", "attributes": [{"key": "content", "value": {"stringValue": "Why?"}}]},
        {
            "name": "gen_ai.choice",
            "attributes": [
                {"key": "message", "value": {"stringValue": '{"role": "assistant", "content": "Because."}'}}
            ],
        },
    ]
    made = record_of(span({"gen_ai.operation.name": "chat"}, events=events))
    assert (made["query"], made["generated_answer"]) == ("Why?", "Because.")


def test_a_text_that_looks_like_json_stays_a_text_where_it_is_said_to_be_one() -> None:
    made = record_of(span({"output.value": '["a", "b"]', "output.mime_type": "text/plain"}))
    assert made["generated_answer"] == '["a", "b"]'


def test_what_tools_and_guardrails_put_out_is_no_answer() -> None:
    for kind in ("TOOL", "GUARDRAIL", "EVALUATOR", "EMBEDDING"):
        root = span({"input.value": "Why?"}, "a")
        inner = span({"openinference.span.kind": kind, "output.value": "42"}, "b", "a", 2)
        assert record_of(root, inner)["failure"] == "the trace has no answer"


def test_the_outermost_answer_counts_and_of_two_side_by_side_the_last() -> None:
    root = span({"http.route": "/ask"}, "a")
    rewritten = span({"gen_ai.operation.name": "chat", "output.value": "A better question?"}, "b", "a", 2)
    answered = span({"gen_ai.operation.name": "chat", "output.value": "The answer."}, "c", "a", 3)
    assert record_of(answered, root, rewritten)["generated_answer"] == "The answer."
    outer = span({"output.value": "What the user saw."}, "a")
    assert record_of(answered, rewritten, outer)["generated_answer"] == "What the user saw."


def test_a_retriever_that_asks_others_is_the_only_one_that_counts() -> None:
    kind = {"openinference.span.kind": "RETRIEVER"}
    outer = span({**kind, "retrieval.documents.0.document.id": "best"}, "a")
    inner = [
        span({**kind, "retrieval.documents.0.document.id": name}, name, "a", place)
        for place, name in enumerate("bc", 2)
    ]
    assert record_of(outer, *inner)["retrieval_results"]["retrieved_docs"] == ["best"]


def test_two_chunks_with_one_id_are_two_documents() -> None:
    documents = [
        {"id": "a", "content": "One."},
        {"id": "a", "content": "Two."},
        {"id": "a", "content": "One."},
    ]
    made = record_of(span({"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": documents}))
    first, second = made["retrieval_results"]["retrieved_docs"]
    assert first == "a" and second.startswith("a#")
    assert [source["content"] for source in made["sources"]] == ["One.", "Two."]


def test_an_empty_retrieval_is_not_the_same_as_none() -> None:
    empty = record_of(span({"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": "[]"}))
    assert empty["retrieval_results"] == {"retrieved_docs": []}
    assert "retrieval_results" not in record_of(span({"output.value": "Yes."}))


def test_parents_that_go_round_in_a_circle_end() -> None:
    first = span({"output.value": "One."}, "a", "b")
    second = span({"output.value": "Two."}, "b", "a")
    assert record_of(first, second)["generated_answer"] in ("One.", "Two.")


def test_a_chain_of_ten_thousand_retrievers_is_read_in_one_pass() -> None:
    spans = [
        TraceSpan(
            trace_id="t",
            span_id=str(place),
            parent_id=str(place - 1) if place else None,
            role="retriever",
            documents=({"document_id": str(place)},),
        )
        for place in range(10_000)
    ]
    (made,) = trace_records(spans[::-1])
    assert made is not None and made["retrieval_results"]["retrieved_docs"] == ["0"]


# --- forms of OTLP ---


def test_ids_are_the_same_in_hexadecimal_base64_and_with_a_prefix() -> None:
    raw = bytes(range(1, 17))
    for written in (raw.hex(), raw.hex().upper(), f"0x{raw.hex()}", base64.b64encode(raw).decode()):
        assert trace_id_of(written) == raw.hex()
    assert trace_id_of("0" * 32) is None  # which means that there is none
    assert trace_id_of("trace-1") == "trace-1"


def trace_id_of(written: str) -> str | None:
    found = row(**{"context.trace_id": written})
    return None if found is None else found.trace_id


@given(st.binary(min_size=8, max_size=8) | st.binary(min_size=16, max_size=16))
def test_any_id_comes_back_from_base64(raw: bytes) -> None:
    wanted = raw.hex() if any(raw) else None
    assert trace_id_of(raw.hex()) == wanted
    if any(raw):
        assert trace_id_of(base64.b64encode(raw).decode()) == wanted


def test_times_are_seconds_whatever_unit_they_were_written_in() -> None:
    for written in (
        1767225600,
        1767225600000,
        "1767225600000000000",
        "2026-01-01T00:00:00Z",
        "2026-01-01 00:00:00",
    ):
        found = row(start_time=written)
        assert found is not None and found.start == 1767225600
    for odd in (None, True, "soon", [], "9" * 30):
        found = row(start_time=odd)
        assert found is not None and found.start is None


@given(st.permutations(range(12)))
def test_the_order_of_spans_in_a_file_means_nothing(order: list[int]) -> None:
    lines = (RECORDED / "openinference.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = {one["query_id"]: one for one in read_file("openinference.jsonl") if one is not None}
    spans = [span for place in order for span in spans_in(json.loads(lines[place]), "line")]
    assert {one["query_id"]: one for one in trace_records(spans) if one is not None} == wanted


def test_a_span_that_was_sent_twice_counts_once() -> None:
    lines = (RECORDED / "genai.jsonl").read_text(encoding="utf-8").splitlines()
    spans = [span for line in lines * 2 for span in spans_in(json.loads(line), "line")]
    assert list(trace_records(spans)) == read_file("genai.jsonl")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "resourceSpans",
                    "scopeSpans",
                    "spans",
                    "traceId",
                    "spanId",
                    "attributes",
                    "key",
                    "value",
                    "id",
                    "context",
                    "context.trace_id",
                    "trace_id",
                    "span_id",
                    "observations",
                    "data",
                    "type",
                    "input",
                    "output",
                    "stringValue",
                    "arrayValue",
                    "values",
                    "events",
                    "name",
                    "status",
                    "parent_id",
                ]
            )
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(PLAIN)
def test_no_value_is_more_than_an_error(value: Any) -> None:
    problems: list[PinciteError] = []
    looks_like_trace(value)
    spans = [
        span
        for place, one in values_of(json.dumps(value).encode())
        for span in read_spans(one, place, problems)
    ]
    for record in trace_records(spans):
        assert record is None or record["query_id"]
    assert all(isinstance(problem, InputError) for problem in problems)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "retrieval.documents",
                "retrieval.documents.0.document.id",
                "retrieval.documents.0",
                "output.value",
                "llm.output_messages",
                "gen_ai.output.messages",
                "gen_ai.completion.0",
                "input.value",
                "metadata",
                "openinference.span.kind",
                "langfuse.observation.type",
                "langfuse.observation.output",
                "gen_ai.usage.input_tokens",
                "llm.cost.total",
                "gen_ai.response.id",
                "gen_ai.choice",
            ]
        ),
        PLAIN
        | st.sampled_from(["RETRIEVER", "LLM", "[", "[{}]", '{"documents": [{"id": 1}]}', '[{"role": 1}]']),
    )
)
def test_no_attribute_breaks_the_reading(attributes: dict[str, Any]) -> None:
    span = {"context.trace_id": "t", "context.span_id": "s", "attributes": attributes}
    for record in trace_records(spans_in(span, "here")):
        if record is not None:
            json.dumps(record)


@given(
    st.lists(st.dictionaries(st.sampled_from(["id", "text"]), st.text(), min_size=1), min_size=1, max_size=12)
)
def test_a_list_is_the_same_flat_nested_and_as_json(held: list[dict[str, str]]) -> None:
    name = "retrieval.documents"
    spread = {f"{name}.{place}.{key}": value for place, one in enumerate(held) for key, value in one.items()}
    forms = (spread, {name: held}, {"retrieval": {"documents": held}}, {name: json.dumps(held)})
    kind = {"openinference.span.kind": "RETRIEVER"}
    first, *others = [record_of(span(kind | form)) for form in forms]
    assert others == [first] * 3


# --- files ---


def test_a_json_file_of_lines_is_read_by_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "collector.json"
    path.write_bytes((RECORDED / "genai.jsonl").read_bytes())
    assert len(list(json_values(path))) == 9
    assert len(list(read_answers([path], Limits()))) == 3


def test_answers_that_speak_of_traces_are_no_traces(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"answer": "A trace_id names a trace, resourceSpans hold spans."}\n')
    (loaded,) = read_answers([path], Limits())
    assert isinstance(loaded, Loaded) and loaded.answer.text.startswith("A trace_id names")


def test_a_table_by_columns_is_its_rows() -> None:
    columns = {"context.trace_id": {"0": "a", "1": "b"}, "name": {"0": "x", "1": None}}
    rows = [{"context.trace_id": "a", "name": "x"}, {"context.trace_id": "b", "name": None}]
    assert [value for _, value in values_of(json.dumps(columns).encode())] == [rows]


def test_what_is_not_json_says_where() -> None:
    *_, (_, found) = values_of(b'{}\n\n{"resourceSpans": [')
    assert isinstance(found, InputError) and str(found).startswith("a.json: line 3: this is not JSON")
