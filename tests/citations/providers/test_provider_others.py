from __future__ import annotations

import copy
from typing import Any

import pytest
from provider_payloads import (
    CITEFORMER,
    COHERE,
    GEMINI,
    GEMINI_INTERACTION,
    GEMINI_SNAKE,
    MISTRAL,
    MISTRAL_CONVERSATION,
    MISTRAL_REQUEST,
    PERPLEXITY,
    QUOTE,
    QUOTE_AT,
    REPORT,
    citeformer_schema_2,
)

from pincite.citations import provided_markers, read_response, write_citations
from pincite.errors import PayloadError
from pincite.records import SpanTarget, WebTarget

# --- Gemini --------------------------------------------------------------------------------------


def test_gemini_counts_bytes_of_a_part_and_the_answer_counts_code_points() -> None:
    answer = read_response(GEMINI)
    assert answer.text == "Café sales rose 12%. 🚀 Exports fell. Staff held."
    first, second, quoted = answer.citations or ()
    assert [c.text for c in (first, second, quoted)] == [
        "Café sales rose 12%.",
        "Exports fell.",
        "Staff held.",
    ]
    assert [c.problem for c in (first, second, quoted)] == [None] * 3
    assert isinstance(first.targets[0], WebTarget)
    assert isinstance(first.targets[1], SpanTarget)
    assert (first.targets[1].document, first.targets[1].page, first.targets[1].end_page) == (
        "report.pdf",
        2,
        3,
    )
    assert [source.text for source in answer.sources] == [REPORT]


def test_gemini_snake_case_of_the_sdk_reads_the_same() -> None:
    (citation,) = read_response(GEMINI_SNAKE).citations or ()
    assert citation.text == "🚀 Exports fell."
    assert citation.problem is None


def test_gemini_offsets_that_count_code_points_are_placed_and_told() -> None:
    payload = copy.deepcopy(GEMINI_SNAKE)
    segment = payload["candidates"][0]["grounding_metadata"]["grounding_supports"][0]["segment"]
    segment.update(start_index=21, end_index=36)
    (citation,) = read_response(payload).citations or ()
    assert citation.text == segment["text"] == "🚀 Exports fell."
    assert "fit code points, not the UTF-8 bytes" in (citation.problem or "")


def test_gemini_text_that_is_not_at_its_offsets_is_a_problem() -> None:
    payload = copy.deepcopy(GEMINI)
    supports = payload["candidates"][0]["groundingMetadata"]["groundingSupports"]
    supports[1]["segment"]["text"] = "Imports fell."
    assert "the payload says 'Imports fell.'" in ((read_response(payload).citations or ())[1].problem or "")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"groundingChunkIndices": [9]}, "grounding chunk 9 is not in the list of 2"),
        ({"groundingChunkIndices": []}, "names no grounding chunk"),
        ({"segment": {"partIndex": 7, "endIndex": 2}}, "part 7 is not in the list of 3"),
        ({"segment": {"partIndex": 1, "startIndex": 4, "endIndex": 10}}, "inside a character"),
    ],
)
def test_gemini_support_that_does_not_fit_is_kept_with_its_problem(
    changes: dict[str, Any], words: str
) -> None:
    payload = copy.deepcopy(GEMINI)
    payload["candidates"][0]["groundingMetadata"]["groundingSupports"][0].update(changes)
    citations = read_response(payload).citations or ()
    assert len(citations) == 3
    assert any(words in (citation.problem or "") for citation in citations)


def test_gemini_chunks_add_up() -> None:
    text = GEMINI_SNAKE["candidates"][0]["content"]["parts"][0]["text"]
    chunks = [{"candidates": [{"content": {"parts": [{"text": char}]}}]} for char in text]
    chunks.append(
        {"candidates": [{"grounding_metadata": GEMINI_SNAKE["candidates"][0]["grounding_metadata"]}]}
    )
    streamed, whole = read_response(chunks), read_response(GEMINI_SNAKE)
    assert (streamed.text, [c.span for c in streamed.citations or ()]) == (
        whole.text,
        [c.span for c in whole.citations or ()],
    )


def test_gemini_file_search_may_send_a_text_without_a_name() -> None:
    payload = copy.deepcopy(GEMINI_SNAKE)
    grounding = payload["candidates"][0]["grounding_metadata"]
    grounding["grounding_chunks"] = [{"retrieved_context": {"file_search_store": "stores/1", "text": REPORT}}]
    answer = read_response(payload)
    (citation,) = answer.citations or ()
    assert citation.problem is None
    assert isinstance(citation.targets[0], SpanTarget)
    assert citation.targets[0].document == answer.sources[0].name == "grounding chunk 0"


def test_gemini_interactions_annotate_their_text_blocks() -> None:
    web, file = read_response(GEMINI_INTERACTION).citations or ()
    assert [web.text, file.text] == ["Café sales rose 12%.", "🚀 Exports fell."]
    assert isinstance(file.targets[0], SpanTarget)
    assert (file.targets[0].document, file.targets[0].page) == ("report.pdf", 3)
    done = [{"event_type": "interaction.completed", "interaction": GEMINI_INTERACTION}]
    assert read_response(done).text == read_response(GEMINI_INTERACTION).text


def test_a_response_without_citations_of_its_own_leaves_them_to_be_parsed_from_the_text() -> None:
    assert read_response({"candidates": [{"content": {"parts": [{"text": "Hi [1]."}]}}]}).citations is None
    assert read_response({"candidates": []}).text == ""


# --- Cohere --------------------------------------------------------------------------------------


def test_cohere_citations_bring_their_documents() -> None:
    answer = read_response(COHERE)
    first, second = answer.citations or ()
    assert [first.text, second.text] == ["Exports fell by a third", "sales rose"]
    assert [target.document for target in second.targets if isinstance(target, SpanTarget)] == [
        "tool:0:0",
        "doc:1",
    ]
    assert first.document_title == "Report"
    assert {source.name: source.text for source in answer.sources} == {
        "doc:0": QUOTE,
        "tool:0:0": "region: north\ngrowth: 12%",
        "doc:1": "Sales rose.",
    }
    assert answer.sources[2].url == "https://s.example/x"


def test_cohere_stream_adds_up() -> None:
    message = COHERE["message"]
    text = message["content"][1]["text"]
    start = {"type": "thinking", "thinking": ""}
    events: list[dict[str, Any]] = [{"type": "message-start", "delta": {"message": {"role": "assistant"}}}]
    events.append({"type": "content-start", "index": 0, "delta": {"message": {"content": start}}})
    events.append(
        {"type": "content-start", "index": 1, "delta": {"message": {"content": {"type": "text", "text": ""}}}}
    )
    events += [
        {"type": "content-delta", "index": 1, "delta": {"message": {"content": {"text": char}}}}
        for char in text
    ]
    events += [
        {"type": "citation-start", "delta": {"message": {"citations": c}}} for c in message["citations"]
    ]
    events.append({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}})
    streamed, whole = read_response(events), read_response(COHERE)
    assert streamed.text == whole.text
    assert [(c.span, c.targets) for c in streamed.citations or ()] == [
        (c.span, c.targets) for c in whole.citations or ()
    ]


def test_cohere_text_is_checked_and_a_plan_is_no_part_of_the_answer() -> None:
    payload = copy.deepcopy(COHERE)
    payload["message"]["citations"][0]["text"] = "Imports fell"
    payload["message"]["citations"][1]["type"] = "PLAN"
    (citation,) = read_response(payload).citations or ()
    assert "the payload says 'Imports fell'" in (citation.problem or "")


# --- Mistral -------------------------------------------------------------------------------------


def test_mistral_reference_covers_the_text_before_it() -> None:
    answer = read_response(MISTRAL)
    assert answer.text == "Exports fell by a third. Sales rose."
    first, second = answer.citations or ()
    assert [first.text, second.text] == ["Exports fell by a third", "Sales rose"]
    assert [target.document for target in second.targets if isinstance(target, SpanTarget)] == ["#1", "x"]


def test_mistral_tool_results_of_the_request_name_the_sources() -> None:
    answer = read_response({"request": MISTRAL_REQUEST, "response": MISTRAL})
    first, second = answer.citations or ()
    assert isinstance(first.targets[0], WebTarget)
    assert first.document_title == "Report"
    assert [type(target) for target in second.targets] == [SpanTarget, WebTarget]
    assert {source.name: source.text for source in answer.sources} == {
        "https://en.example/report": f"{QUOTE}\nAnd more.",
        "Sales": "Sales rose.",
    }
    assert answer.query == "What happened?"


def test_mistral_conversations_name_pages_themselves() -> None:
    answer = read_response(MISTRAL_CONVERSATION)
    first, second = answer.citations or ()
    assert [first.text, second.text] == ["Exports fell."] * 2
    assert isinstance(first.targets[0], WebTarget)
    assert isinstance(second.targets[0], SpanTarget)
    assert answer.sources[0].text == "Exports fell by a third, officials said."


def test_mistral_streams_add_up() -> None:
    chunks: list[Any] = [
        {
            "data": {
                "choices": [
                    {"index": 0, "delta": {"content": [chunk] if chunk["type"] != "text" else chunk["text"]}}
                ]
            }
        }
        for chunk in MISTRAL["choices"][0]["message"]["content"]
    ]
    whole = read_response(MISTRAL)
    streamed = read_response(chunks)
    assert (streamed.text, [c.span for c in streamed.citations or ()]) == (
        whole.text,
        [c.span for c in whole.citations or ()],
    )
    content = MISTRAL_CONVERSATION["outputs"][1]["content"]
    events: list[Any] = [
        {"event": "conversation.response.started", "data": {"type": "conversation.response.started"}}
    ]
    events += [
        {"event": "x", "data": {"type": "message.output.delta", "content": chunk}} for chunk in content
    ]
    assert read_response(events).text == "Exports fell. That is all."


def test_mistral_reference_before_any_text_is_a_problem() -> None:
    payload = copy.deepcopy(MISTRAL)
    payload["choices"][0]["message"]["content"] = [{"type": "reference", "reference_ids": [0]}]
    (citation,) = read_response(payload).citations or ()
    assert "there is no text before the reference" in (citation.problem or "")


# --- Perplexity ----------------------------------------------------------------------------------


def test_perplexity_markers_count_in_the_list_of_pages() -> None:
    answer = read_response(PERPLEXITY)
    first, second, third = answer.citations or ()
    assert [c.text for c in (first, second, third)] == ["[1]", "[2]", "[7]"]
    assert {c.family for c in (first, second, third)} == {"provider"}
    assert isinstance(first.targets[0], WebTarget)
    assert (first.targets[0].url, first.document_title) == ("https://news.example/a", "A")
    assert (third.targets, third.problem) == ((), "[7] is not in the list of 2 pages")
    assert [source.text for source in answer.sources] == ["Exports fell by a third."]
    assert provided_markers(answer) == (first.span, second.span, third.span)


@pytest.mark.parametrize("missing", ["citations", "search_results"])
def test_perplexity_is_read_with_either_list(missing: str) -> None:
    payload = {key: value for key, value in PERPLEXITY.items() if key != missing}
    urls = [target.url for c in read_response(payload).citations or () for target in c.targets]  # type: ignore[union-attr]
    assert urls == ["https://news.example/a", "https://news.example/b"]


def test_perplexity_stream_adds_up_from_its_deltas() -> None:
    text = PERPLEXITY["choices"][0]["message"]["content"]
    chunks = [
        {
            "citations": PERPLEXITY["citations"],
            "choices": [{"delta": {"content": char}, "message": {"content": text[: number + 1]}}],
        }
        for number, char in enumerate(text)
    ]
    streamed, whole = read_response(chunks), read_response(PERPLEXITY)
    assert (streamed.text, [c.span for c in streamed.citations or ()]) == (
        whole.text,
        [c.span for c in whole.citations or ()],
    )


def test_perplexity_agent_responses_have_the_shape_of_openais() -> None:
    payload = {
        "object": "response",
        "output": [
            {
                "type": "search_results",
                "results": [{"id": 1, "url": "https://a.example", "title": "A", "snippet": "S."}],
            },
            {
                "type": "message",
                "content": [
                    {
                        "type": "output_text",
                        "text": "Hello there.",
                        "annotations": [
                            {
                                "type": "url_citation",
                                "start_index": 0,
                                "end_index": 5,
                                "url": "https://a.example",
                            }
                        ],
                    }
                ],
            },
        ],
    }
    answer = read_response(payload, "perplexity")
    assert (answer.provider, answer.sources[0].text) == ("perplexity", "S.")
    assert (answer.citations or ())[0].text == "Hello"


# --- citeformer ----------------------------------------------------------------------------------


def test_citeformer_keeps_the_three_fields_of_schema_3() -> None:
    answer = read_response(CITEFORMER)
    first, second = answer.citations or ()
    assert (first.text, first.cited_text, first.document_title) == ("[1]", QUOTE, "Report")
    assert first.source_span == (QUOTE_AT, QUOTE_AT + len(QUOTE))
    assert isinstance(first.targets[0], SpanTarget)
    assert (first.targets[0].document, first.targets[0].start) == ("report", QUOTE_AT)
    assert answer.sources[0].text[QUOTE_AT:].startswith(QUOTE)
    assert (second.cited_text, second.source_span, second.document_title) == (None, None, None)
    # A source without text can only be looked up by its address.
    assert isinstance(second.targets[0], WebTarget)
    assert second.targets[0].key == "doi:10.1234/abc"


def test_citeformer_schema_2_has_none_of_the_three_fields() -> None:
    payload = citeformer_schema_2()
    payload["citations"][0]["cited_text"] = "not a field of this schema"
    for citation in read_response(payload).citations or ():
        assert (citation.cited_text, citation.source_span, citation.document_title) == (None, None, None)
        assert citation.problem is None


@pytest.mark.parametrize("version", [1, 4, "3", None, True, 3.0])
def test_citeformer_schemas_that_are_unknown_are_refused_by_name(version: object) -> None:
    with pytest.raises(PayloadError, match=r"schema_version"):
        read_response({**CITEFORMER, "schema_version": version}, "citeformer")


def test_citeformer_list_that_does_not_fit_the_markers_is_never_dropped() -> None:
    payload = copy.deepcopy(CITEFORMER)
    payload["citations"] = payload["citations"][:1]
    payload["citations"][0]["span"] = [2, 9]
    wrong, first, second = read_response(payload).citations or ()
    assert wrong.problem == "the text at the span is 'Exports', no marker of source 1"
    assert first.problem == "the marker [1] has no entry in the payload's list of citations"
    assert second.problem == "the marker [2] has no entry in the payload's list of citations"
    assert write_citations(read_response(payload)) == payload["citations"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source_id": 9}, "source 9 is not in the list of 2"),
        ({"source_id": 0}, "source_id is not a number from 1"),
        ({"span": [3]}, "the start offset is missing"),
        ({"span": [900, 903]}, "past the end of the text"),
        ({"source_span": [5]}, "source_span is not a range"),
    ],
)
def test_citeformer_entry_that_is_wrong_is_kept_with_its_problem(changes: dict[str, Any], words: str) -> None:
    payload = copy.deepcopy(CITEFORMER)
    payload["citations"][0].update(changes)
    assert any(words in (citation.problem or "") for citation in read_response(payload).citations or ())


@pytest.mark.parametrize("marker", ["({})", "{{{}}}", "^{}"])
def test_citeformer_knows_its_other_styles_of_marker(marker: str) -> None:
    first, second = marker.format(1), marker.format(2)
    text = f"Exports fell {first}. Sales rose {second}."
    spans = [[text.index(mark), text.index(mark) + len(mark)] for mark in (first, second)]
    payload = copy.deepcopy(CITEFORMER)
    payload["text"] = text
    for citation, span in zip(payload["citations"], spans, strict=True):
        citation["span"] = span
    assert [c.problem for c in read_response(payload).citations or ()] == [None, None]
