"""Messages and documents of the real LangChain, read and checked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.messages.content import create_citation, create_text_block
from langchain_core.tools import tool

from pages import run_page
from pincite.errors import PayloadError
from pincite.integrations.langchain import (
    check_conversation,
    check_message,
    read_message,
    retrieved_documents,
)
from pincite.integrations.rows import check_row

REPORT = Document(
    "Revenue grew by 21% in the first quarter.", metadata={"source": "report.txt", "title": "Report"}
)
NOTES = Document("The office in Lisbon opened in May.", id="notes-1")
ANSWER = "Revenue grew by 21% in the first quarter. The office in Lisbon opened in June."


def cited(text: str, *citations: Any) -> AIMessage:
    return AIMessage(content_blocks=[create_text_block(text, annotations=list(citations))])


def test_markers_in_a_message_count_the_documents() -> None:
    message = AIMessage("Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in June [2].")
    report = check_message(message, [REPORT, NOTES], judge="rules")
    assert [one.standing for one in report.judged.citations] == ["correct", "contradicted"]


def test_a_document_is_cited_by_its_id_its_source_or_its_title() -> None:
    for marker in ("[notes-1]", "[2]"):
        message = AIMessage(f"The office in Lisbon opened in May {marker}.")
        assert check_message(message, [REPORT, NOTES], judge="rules").ok, marker
    said = "Revenue grew by 21% in the first quarter"
    assert check_message(AIMessage(f"{said} [report.txt]."), [REPORT, NOTES], judge="rules").ok
    message = cited(said + ".", create_citation(title="Report", cited_text=REPORT.page_content))
    assert check_message(message, [REPORT, NOTES], judge="rules").ok


def test_the_indices_of_a_citation_count_in_the_answer() -> None:
    start = ANSWER.index("The office")
    citation = create_citation(title="notes-1", start_index=start, end_index=len(ANSWER))
    report = check_message(cited(ANSWER, citation), [REPORT, NOTES], judge="rules")
    (judged,) = report.judged.citations
    assert ANSWER[judged.start : judged.end] == "The office in Lisbon opened in June."
    assert judged.standing == "contradicted"
    assert judged.document == "notes-1"


def test_a_citation_without_indices_covers_its_block() -> None:
    message = AIMessage(
        content_blocks=[
            create_text_block("First, "),
            create_text_block("revenue grew.", annotations=[create_citation(title="Report")]),
        ]
    )
    answer = read_message(message)
    assert answer.text == message.text == "First, revenue grew."
    (citation,) = answer.citations or ()
    assert (citation.start, citation.end, citation.text) == (7, 20, "revenue grew.")


def test_what_the_model_says_the_source_says_is_compared_with_it() -> None:
    citation = create_citation(title="Report", cited_text="Revenue grew by 12% in the first quarter.")
    message = cited("Revenue grew by 21% in the first quarter.", citation)
    report = check_message(message, [REPORT], judge="rules")
    assert [one.standing for one in report.judged.citations] == ["misquoted"]


def test_the_place_that_anthropic_cites_is_kept() -> None:
    location = {
        "type": "char_location",
        "cited_text": "Revenue grew by 21%",
        "document_index": 0,
        "document_title": "report.txt",
        "start_char_index": 0,
        "end_char_index": 19,
    }
    content = [{"type": "text", "text": "Revenue grew by 21%.", "citations": [location]}]
    message = AIMessage(content, response_metadata={"model_provider": "anthropic"})
    assert message.content_blocks[0]["annotations"][0]["type"] == "citation"
    for one in (message, content):
        (citation,) = read_message(one).citations or ()
        (target,) = citation.targets
        assert (target.document, target.start, target.end) == ("report.txt", 0, 19)
        assert citation.cited_text == "Revenue grew by 21%"
    assert check_message(message, [REPORT], judge="rules").ok


def test_gemini_counts_bytes_of_the_answer_and_quotes_the_answer() -> None:
    text = "Größer: the Café opened in May. Revenue grew."
    said = "Revenue grew."
    start = len(text[: text.index(said)].encode())
    support = {
        "segment": {"start_index": start, "end_index": start + len(said), "text": said},
        "grounding_chunk_indices": [0],
    }
    metadata = {
        "grounding_chunks": [{"web": {"uri": "https://example.org/report", "title": "Report"}}],
        "grounding_supports": [support],
    }
    message = AIMessage(
        text, response_metadata={"model_provider": "google_genai", "grounding_metadata": metadata}
    )
    (citation,) = read_message(message).citations or ()
    assert (citation.text, citation.problem) == (said, None)
    assert citation.cited_text is None  # it is no quote from the page
    assert citation.targets[0].url == "https://example.org/report"


def test_a_point_that_openai_gives_closes_its_sentence() -> None:
    text = "Something else. Revenue grew by 21%."
    annotation = {
        "type": "file_citation",
        "file_id": "file-1",
        "filename": "report.txt",
        "index": len(text) - 1,
    }
    content = [{"type": "text", "text": text, "annotations": [annotation]}]
    message = AIMessage(content, response_metadata={"model_provider": "openai"})
    assert message.content_blocks[0]["annotations"][0]["extras"]["index"] == len(text) - 1
    (citation,) = read_message(message).citations or ()
    assert citation.text == "Revenue grew by 21%"
    assert citation.targets[0].document == "report.txt"


def test_a_streamed_message_is_read_when_it_is_whole() -> None:
    pieces = [
        AIMessageChunk([{"type": "text", "text": "Revenue ", "index": 0}]),
        AIMessageChunk(
            [{"type": "text", "text": "grew.", "index": 0, "annotations": [create_citation(title="Report")]}]
        ),
    ]
    whole = pieces[0] + pieces[1]
    answer = read_message(whole)
    assert answer.text == "Revenue grew."
    assert [citation.text for citation in answer.citations or ()] == ["Revenue grew."]


@pytest.mark.parametrize(
    ("indices", "problem"),
    [((5, 500), "past the end"), ((-3, 4), "negative"), ((9, 2), "reversed|before"), (("a", 4), "number")],
)
def test_indices_that_do_not_fit_are_kept_with_their_problem(indices: tuple[Any, Any], problem: str) -> None:
    citation = {"type": "citation", "title": "Report", "start_index": indices[0], "end_index": indices[1]}
    (read,) = read_message(cited("Revenue grew.", citation)).citations or ()
    assert read.problem is not None
    assert any(word in read.problem for word in problem.split("|")), read.problem


def test_an_annotation_that_names_no_source_says_so() -> None:
    odd = {"type": "non_standard_annotation", "value": {"type": "container_file_citation"}}
    citations = read_message(cited("Revenue grew.", {"type": "citation"}, odd)).citations or ()
    assert [citation.problem for citation in citations] == [
        "the citation names no source",
        "LangChain does not know its type",
    ]


@pytest.mark.parametrize("given", [None, 3, {"type": "text"}, [{"type": "text", "text": 3}]])
def test_what_is_no_message_is_refused(given: Any) -> None:
    with pytest.raises(PayloadError):
        read_message(given)


def test_what_langchain_itself_cannot_read_is_said() -> None:
    content = [{"type": "text", "text": "Revenue grew.", "annotations": [{"type": "url_citation"}]}]
    message = AIMessage(content, response_metadata={"model_provider": "openai"})
    with pytest.raises(KeyError):
        _ = message.content_blocks
    with pytest.raises(PayloadError, match="LangChain cannot read the message: KeyError: 'url'"):
        read_message(message)
    outcome = check_row({"answer": message, "contexts": [REPORT]}, judge="rules")
    assert (outcome.score, outcome.reason[:45]) == (None, "not checked: LangChain cannot read the messag")


def test_an_agents_answer_is_checked_against_what_its_tools_returned() -> None:
    @tool(response_format="content_and_artifact")
    def search(query: str) -> tuple[str, list[Document]]:
        """Search the company's documents."""
        return "\n\n".join(one.page_content for one in (REPORT, NOTES)), [REPORT, NOTES]

    called = search.invoke({"type": "tool_call", "id": "1", "name": "search", "args": {"query": "growth"}})
    assert isinstance(called, ToolMessage)
    messages = [
        HumanMessage("How much did revenue grow?"),
        AIMessage("", tool_calls=[{"id": "1", "name": "search", "args": {"query": "growth"}}]),
        called,
        called,
        AIMessage("Revenue grew by 12% in the first quarter [1]."),
    ]
    assert retrieved_documents(messages) == [REPORT, NOTES]
    report = check_conversation(messages, judge="rules")
    assert report.answer.query == "How much did revenue grow?"
    assert [one.standing for one in report.judged.citations] == ["contradicted"]


def test_a_conversation_without_an_answer_is_refused() -> None:
    with pytest.raises(PayloadError, match="no answer to check"):
        check_conversation([HumanMessage("Hello?")])


@given(
    blocks=st.lists(
        st.tuples(
            st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=3)
        ),
        max_size=4,
    )
)
def test_every_citation_covers_what_its_indices_say(blocks: list[tuple[str, list[tuple[int, int]]]]) -> None:
    content = []
    expected = []
    for text, spans in blocks:
        inside = [(min(a, b), max(a, b)) for a, b in spans if max(a, b) <= len(text)]
        expected += [text[start:end] for start, end in inside]
        notes = [create_citation(title="Report", start_index=start, end_index=end) for start, end in inside]
        content.append({"type": "text", "text": text, "annotations": notes})
    answer = read_message(content)
    assert answer.text == "".join(text for text, _ in blocks)
    citations = answer.citations or ()
    assert sorted(citation.text for citation in citations) == sorted(expected)
    assert all(answer.text[citation.start : citation.end] == citation.text for citation in citations)


def test_the_page_is_true() -> None:
    run_page("langchain")
