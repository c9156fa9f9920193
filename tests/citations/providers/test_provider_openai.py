from __future__ import annotations

import copy
from typing import Any

import pytest
from provider_payloads import AZURE_CHAT, OPENAI_CHAT, OPENAI_RESPONSES, OPENAI_TEXT

from pincite.citations import provided_markers, read_response, sentence_start, write_citations
from pincite.records import Answer, Citation, SpanTarget, WebTarget


def annotations(payload: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = payload["output"][2]["content"][0]["annotations"]
    return found


def test_url_file_and_container_citations_are_read_in_the_order_of_the_text() -> None:
    answer = read_response(OPENAI_RESPONSES, "openai")
    assert answer.provider == "openai-responses"
    assert answer.text == OPENAI_TEXT
    web, file, container = answer.citations or ()
    assert web.text == "([news.example](https://news.example/a?utm_source=openai))"
    assert isinstance(web.targets[0], WebTarget)
    assert web.document_title == "News"
    assert isinstance(file.targets[0], SpanTarget)
    assert file.targets[0].document == "staff.txt"
    assert container.text == "the table"
    assert all(citation.problem is None for citation in (web, file, container))
    assert all(citation.cited_text is None for citation in (web, file, container))


def test_a_point_covers_the_sentence_it_closes() -> None:
    file = (read_response(OPENAI_RESPONSES).citations or ())[1]
    assert file.text == "Staff was stable."


def test_what_a_file_search_found_comes_as_a_source() -> None:
    (source,) = read_response(OPENAI_RESPONSES).sources
    assert (source.name, source.text, source.document_id) == (
        "staff.txt",
        "Staff numbers did not change.",
        "file-1",
    )


def test_a_link_is_a_marker_and_a_sentence_is_not() -> None:
    answer = read_response(OPENAI_RESPONSES)
    assert provided_markers(answer) == ((answer.citations or ())[0].span,)


def test_offsets_that_were_counted_in_utf16_are_placed_and_told() -> None:
    payload = copy.deepcopy(OPENAI_RESPONSES)
    for name in ("start_index", "end_index"):
        annotations(payload)[0][name] += 1
    web = (read_response(payload).citations or ())[0]
    assert web.text == "([news.example](https://news.example/a?utm_source=openai))"
    assert web.problem is not None
    assert "UTF-16" in web.problem


def test_a_span_that_is_no_link_is_taken_as_it_is() -> None:
    payload = copy.deepcopy(OPENAI_RESPONSES)
    annotations(payload)[0].update(start_index=2, end_index=15)
    assert (read_response(payload).citations or ())[0].text == "Exports fell."


def test_a_generated_file_is_no_citation_and_an_unknown_kind_is_a_problem() -> None:
    payload = copy.deepcopy(OPENAI_RESPONSES)
    annotations(payload)[:] = [
        {"type": "file_path", "file_id": "f", "index": 0},
        {"type": "moon", "file_id": "f"},
    ]
    (citation,) = read_response(payload).citations or ()
    assert citation.problem == "unknown citation type 'moon'"


@pytest.mark.parametrize("index", [-1, 10_000, None, "7", True, 2.5])
def test_a_wrong_point_is_a_problem(index: object) -> None:
    payload = copy.deepcopy(OPENAI_RESPONSES)
    annotations(payload)[1]["index"] = index
    citations = read_response(payload).citations or ()
    assert len(citations) == 3
    assert sum(citation.problem is not None for citation in citations) == 1


def stream(completed: bool) -> list[dict[str, Any]]:
    place = {"output_index": 2, "content_index": 0, "item_id": "msg_1"}
    made: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"object": "response", "output": []}}
    ]
    made += [{"type": "response.output_text.delta", "delta": char, **place} for char in OPENAI_TEXT]
    made += [
        {
            "type": "response.output_text.annotation.added",
            "annotation": annotation,
            "annotation_index": n,
            **place,
        }
        for n, annotation in enumerate(annotations(OPENAI_RESPONSES))
    ]
    if completed:
        made.append({"type": "response.completed", "response": OPENAI_RESPONSES})
    return made


@pytest.mark.parametrize("completed", [True, False])
def test_a_stream_reads_as_the_response_it_adds_up_to(completed: bool) -> None:
    streamed, whole = read_response(stream(completed)), read_response(OPENAI_RESPONSES)
    assert streamed.text == whole.text
    assert [(c.span, c.targets) for c in streamed.citations or ()] == [
        (c.span, c.targets) for c in whole.citations or ()
    ]


def test_chat_completions_nest_the_citation_one_level_down() -> None:
    answer = read_response(OPENAI_CHAT, "openai")
    assert answer.provider == "openai-chat"
    (citation,) = answer.citations or ()
    assert citation.text == "([news.example](https://news.example/a?utm_source=openai))"
    assert write_citations(answer) == OPENAI_CHAT["choices"][0]["message"]["annotations"]


def test_chat_chunks_add_up() -> None:
    message = OPENAI_CHAT["choices"][0]["message"]
    chunks: list[dict[str, Any]] = [
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": char}}]}
        for char in message["content"]
    ]
    chunks.append({"choices": [{"index": 0, "delta": {"annotations": message["annotations"]}}]})
    chunks.append({"choices": [], "usage": {}})
    streamed, whole = read_response(chunks), read_response(OPENAI_CHAT)
    assert streamed.text == whole.text
    assert [c.span for c in streamed.citations or ()] == [c.span for c in whole.citations or ()]


def test_azure_markers_count_in_the_list_of_citations_and_one_beyond_it_is_a_problem() -> None:
    answer = read_response(AZURE_CHAT)
    first, second, third = answer.citations or ()
    assert [c.text for c in (first, second, third)] == ["[doc1]", "[doc2]", "[doc3]"]
    assert isinstance(first.targets[0], SpanTarget)
    assert first.targets[0].document == "report.txt"
    assert third.targets == ()
    assert third.problem == "[doc3] is not in the list of 2 citations"
    assert {source.name for source in answer.sources} == {"report.txt", "Sales"}
    assert provided_markers(answer) == (first.span, second.span, third.span)
    assert write_citations(answer) == AZURE_CHAT["choices"][0]["message"]["context"]["citations"]


def _is_marker(text: str) -> bool:
    form = '{"order": 0, "marker": false, "entry": null}'
    citation = Citation("provider", text, 0, len(text), (), form)
    return provided_markers(Answer(text, citations=(citation,))) == (citation.span,)


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "(2)",
        "^3",
        "[doc4]",
        "【5†source】",
        "https://a.example/x",
        " ([a](https://a.example)) ",
        "([a](https://a.example/x_(y)), [b](https://b.example)).",
        "\ue200cite\ue202turn0search1\ue201",
    ],
)
def test_markers_are_known_by_their_form(text: str) -> None:
    assert _is_marker(text)


@pytest.mark.parametrize(
    "text", ["", "Exports fell.", "see [a](https://a.example)", "[one] and [two]", "a (b)", "1"]
)
def test_prose_is_no_marker(text: str) -> None:
    assert not _is_marker(text)


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("One. Two.", "Two."),
        ("One. Two.  ", "Two.  "),
        ("- One.\n- Two", "- Two"),
        ('He said "no." She said "yes."', 'She said "yes."'),
        ("一。二。", "二。"),
        ("...", ""),
        ("", ""),
    ],
)
def test_the_sentence_before_a_point(text: str, covered: str) -> None:
    assert text[sentence_start(text, len(text)) :] == covered
