"""Document 002's names: results of citeformer's schema whose every citation was placed and checked here."""

from __future__ import annotations

import json
from typing import Any

import pytest

import pincite
from pincite.compat import AnthropicBackend, Citeformer, GenerationResult
from pincite.compat.citeformer import Citation, Reference, Source

SOURCES = [
    Source({"id": "ferry", "type": "webpage", "title": "Ferries"}, "The ferry Linnet carries 48 cars."),
    Source(
        {
            "id": "water",
            "type": "report",
            "title": "Water tariff",
            "author": [{"family": "Berg", "given": "Anna"}],
            "issued": {"date-parts": [[2024]]},
        },
        "The waterworks are old. A cubic metre of water costs 2.50 euros. It rose by 21.4% in 2023.",
    ),
]
ASKED = "What does a cubic metre of water cost?"
PRICE = "A cubic metre of water costs 2.50 euros [1]."


def generated(**options: Any) -> GenerationResult:
    return Citeformer(judge="rules").generate(ASKED, SOURCES, max_sentences=1, **options)


def test_a_generated_citation_carries_its_words_their_place_and_the_title() -> None:
    result = generated()
    assert (result.text, result.schema_version) == (PRICE, 3)
    (citation,) = result.citations
    assert isinstance(citation, Citation)
    assert result.text[slice(*citation.span)] == "[1]" and citation.verified
    source = result.sources[citation.source_id - 1]
    assert source == SOURCES[1]
    assert citation.source_span is not None
    assert source.content[slice(*citation.source_span)] == citation.cited_text
    assert citation.document_title == "Water tariff"
    assert result.references == (Reference(1, "[1]", "Berg, A. (2024). Water tariff."),)


def test_a_result_is_read_back_as_it_was_written_and_verified_again() -> None:
    result = generated()
    assert GenerationResult.from_json(result.to_json()) == result
    forged = json.loads(result.to_json())
    forged["text"] = forged["text"].replace("2.50", "9.99")
    forged["citations"][0] |= {"verified": True, "entailment_score": 1.0}
    (citation,) = GenerationResult.from_json(forged).verify(judge="rules").citations
    assert not citation.verified
    (citation,) = result.verify(judge="rules").citations
    assert citation.verified and citation.entailment_score is not None


def test_schema_2_has_none_of_the_new_fields_and_is_read() -> None:
    old = {
        "schema_version": 2,
        "text": "A [1].",
        "citations": [{"span": [2, 5], "source_id": 1, "verified": False, "entailment_score": None}],
        "sources": [{"metadata": {"id": "a"}, "content": "A."}],
    }
    (citation,) = GenerationResult.from_json(old).citations
    assert (citation.cited_text, citation.source_span, citation.document_title) == (None, None, None)


@pytest.mark.parametrize(
    "given", ["", "[]", "{}", '{"text": 1}', '{"text": "", "schema_version": 9}', {"x": 1}]
)
def test_what_is_no_result_is_an_input_error(given: Any) -> None:
    with pytest.raises(pincite.InputError):
        GenerationResult.from_json(given)


def test_the_pieces_of_a_stream_are_the_text_and_finalize_waits_for_the_last() -> None:
    stream = Citeformer(judge="rules").stream(ASKED, SOURCES, max_sentences=1)
    with pytest.raises(pincite.InputError, match="not at its end"):
        stream.finalize()
    assert "".join(stream) == stream.finalize().text == PRICE


def test_a_misspelt_option_and_a_misspelt_style_are_errors() -> None:
    with pytest.raises(pincite.InputError):
        generated(temprature=0.3)
    with pytest.raises(pincite.InputError, match="apa-7"):
        Citeformer(style="apa-77")
    with pytest.raises(pincite.InputError, match="no sources"):
        Citeformer().generate(ASKED, [])


def test_the_anthropic_backend_keeps_what_its_last_reply_cited(monkeypatch: pytest.MonkeyPatch) -> None:
    from llm_server import LlmServer, sends
    from pincite.config import LlmSettings, Performance, Settings

    words = "A cubic metre of water costs 2.50 euros."
    cited = {
        "type": "char_location",
        "cited_text": words,
        "document_index": 0,
        "document_title": "passage 1",
        "start_char_index": SOURCES[1].content.index(words),
        "end_char_index": SOURCES[1].content.index(words) + len(words),
    }
    message = {
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": words, "citations": [cited]}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 50, "output_tokens": 12},
    }
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k-12345678")
    with LlmServer(lambda body, nth: sends(json.dumps(message))) as server:
        settings = Settings(
            judge="rules",
            llm=LlmSettings(base_url=server.root),
            performance=Performance(cache_results=False),
        )
        backend = AnthropicBackend("m", settings)
        assert backend.last_rich_citations == []
        result = Citeformer(backend, judge="rules", settings=settings).generate(ASKED, SOURCES)
    assert result.text == PRICE
    (rich,) = backend.last_rich_citations
    assert rich["cited_text"] == words == SOURCES[1].content[slice(*rich["source_span"])]
    assert rich["document_title"] == "Water tariff"
    assert result.usage is not None
    assert (result.usage.input_tokens, result.usage.output_tokens) == (50, 12)
