from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from provider_payloads import ANTHROPIC, ANTHROPIC_REQUEST, QUOTE, QUOTE_AT, REPORT

from pincite.citations import provided_markers, read_response
from pincite.errors import PayloadError
from pincite.records import SpanTarget, WebTarget


def events() -> list[dict[str, Any]]:
    """The message as its stream: texts cut into pieces, citations one delta each."""
    made: list[dict[str, Any]] = [{"type": "message_start", "message": {"type": "message", "content": []}}]
    for index, block in enumerate(ANTHROPIC["content"]):
        text = block["type"] == "text"
        empty = (
            {"type": "text", "text": "", "citations": []} if text else {"type": "thinking", "thinking": ""}
        )
        made.append({"type": "content_block_start", "index": index, "content_block": empty})
        for citation in block.get("citations", []):
            delta = {"type": "citations_delta", "citation": citation}
            made.append({"type": "content_block_delta", "index": index, "delta": delta})
        for char in block.get("text", ""):
            delta = {"type": "text_delta", "text": char}
            made.append({"type": "content_block_delta", "index": index, "delta": delta})
        made.append({"type": "ping"})
        made.append({"type": "content_block_stop", "index": index})
    return [*made, {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}]


def test_each_citation_covers_its_text_block() -> None:
    answer = read_response(ANTHROPIC)
    assert answer.provider == "anthropic"
    assert answer.text == "According to the report 🚀, exports dropped by 33% and wages held."
    assert answer.citations is not None
    assert [citation.text for citation in answer.citations] == ["exports dropped by 33%"] * 2 + [
        "wages held."
    ] * 3
    for citation in answer.citations:
        assert citation.family == "provider"
        assert answer.text[citation.start : citation.end] == citation.text
        assert citation.problem is None


def test_every_kind_of_location_becomes_its_target() -> None:
    characters, pages, blocks, result, web = (c.targets[0] for c in read_response(ANTHROPIC).citations or ())
    assert isinstance(characters, SpanTarget)
    assert (characters.document, characters.start, characters.end) == (
        "Report",
        QUOTE_AT,
        QUOTE_AT + len(QUOTE),
    )
    assert isinstance(pages, SpanTarget)
    # The third and fourth pages: the end is exclusive in the payload and inclusive here.
    assert (pages.document, pages.page, pages.end_page, pages.start) == ("#1", 3, 4, None)
    assert isinstance(blocks, SpanTarget)
    assert (blocks.document, blocks.blocks) == ("Notes", (1, 2))
    assert isinstance(result, SpanTarget)
    assert (result.document, result.blocks) == ("https://example.org/wages", (0, 1))
    assert isinstance(web, WebTarget)
    assert (web.url, web.title) == ("https://news.example/a", "News")


def test_what_the_provider_says_of_the_source_is_kept() -> None:
    first, second, *_ = read_response(ANTHROPIC).citations or ()
    assert (first.cited_text, first.document_title) == (QUOTE, "Report")
    assert first.source_span == (QUOTE_AT, QUOTE_AT + len(QUOTE))
    assert second.source_span is None
    assert second.document_title is None


def test_a_saved_request_gives_its_documents_and_the_question() -> None:
    answer = read_response({"request": ANTHROPIC_REQUEST, "response": ANTHROPIC})
    assert answer.query == "What happened to exports?"
    texts = {source.name: source.text for source in answer.sources}
    assert texts == {
        "Report": REPORT,
        "Notes": "Rents rose. Wages held. ",
        "https://example.org/wages": "Wages were flat.",
    }
    assert answer.citations is not None
    for citation in answer.citations:
        for target in citation.targets:
            if isinstance(target, SpanTarget) and target.start is not None:
                assert texts[target.document][target.start : target.end] == citation.cited_text
    # Blocks become characters once the request says what the blocks were.
    assert answer.citations[2].source_span == (12, 24)


def test_two_documents_of_one_title_are_told_apart_by_their_places() -> None:
    request = copy.deepcopy(ANTHROPIC_REQUEST)
    request["messages"][0]["content"][1] = {
        "type": "document",
        "title": "Report",
        "source": {"type": "text", "data": "Another."},
    }
    response = copy.deepcopy(ANTHROPIC)
    response["content"][2]["citations"][1].update(type="char_location", start_char_index=0, end_char_index=8)
    answer = read_response({"request": request, "response": response})
    targets = [citation.targets[0] for citation in (answer.citations or ())[:2]]
    assert [target.document for target in targets if isinstance(target, SpanTarget)] == ["Report", "#1"]


def test_source_offsets_in_utf16_are_found_out_where_the_document_is_at_hand() -> None:
    response = copy.deepcopy(ANTHROPIC)
    wide = response["content"][2]["citations"][0]
    wide["start_char_index"] += 1
    wide["end_char_index"] += 1
    first = (read_response({"request": ANTHROPIC_REQUEST, "response": response}).citations or ())[0]
    assert first.source_span == (QUOTE_AT, QUOTE_AT + len(QUOTE))
    assert first.problem is not None
    assert "UTF-16" in first.problem


def test_a_forged_quote_is_kept_as_it_is_for_the_check_against_the_source() -> None:
    response = copy.deepcopy(ANTHROPIC)
    response["content"][2]["citations"][0]["cited_text"] = "Exports doubled."
    first = (read_response({"request": ANTHROPIC_REQUEST, "response": response}).citations or ())[0]
    assert first.cited_text == "Exports doubled."
    assert first.source_span == (QUOTE_AT, QUOTE_AT + len(QUOTE))


@pytest.mark.parametrize("form", ["list", "lines", "server-sent events"])
def test_a_stream_reads_as_the_message_it_adds_up_to(form: str) -> None:
    made: Any = events()
    if form == "lines":
        made = "\n".join(json.dumps(event) for event in made)
    elif form == "server-sent events":
        made = "".join(f"event: {event['type']}\r\ndata: {json.dumps(event)}\r\n\r\n" for event in made)
    streamed, whole = read_response(made), read_response(ANTHROPIC)
    assert streamed.text == whole.text
    facts = [
        [(c.span, c.targets, c.cited_text) for c in answer.citations or ()] for answer in (streamed, whole)
    ]
    assert facts[0] == facts[1]


def test_a_stream_that_ended_in_an_error_is_refused() -> None:
    with pytest.raises(PayloadError, match="the stream ended in an error"):
        read_response([*events()[:5], {"type": "error", "error": {"type": "overloaded_error"}}])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"type": "moon_location"}, "unknown citation type 'moon_location'"),
        ({"start_char_index": -3}, "are not a range"),
        ({"start_char_index": "3"}, "are not a range"),
        ({"end_char_index": None}, "are not a range"),
        ({"document_index": None, "document_title": None}, "names no document"),
    ],
)
def test_a_wrong_citation_is_kept_with_its_problem(changes: dict[str, Any], words: str) -> None:
    response = copy.deepcopy(ANTHROPIC)
    response["content"][2]["citations"][0].update(changes)
    citations = read_response(response).citations or ()
    assert len(citations) == 5
    assert words in (citations[0].problem or "")


def test_reversed_characters_are_left_to_the_check_of_the_span() -> None:
    response = copy.deepcopy(ANTHROPIC)
    response["content"][2]["citations"][0].update(start_char_index=20, end_char_index=10)
    target = (read_response(response).citations or ())[0].targets[0]
    assert isinstance(target, SpanTarget)
    assert (target.start, target.end) == (20, 10)


def test_covered_text_is_no_marker() -> None:
    assert provided_markers(read_response(ANTHROPIC)) == ()
