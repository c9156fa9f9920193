"""A response of each provider, as its API documents the shape. The text and the sources are made up."""

from __future__ import annotations

import copy
import json
from typing import Any

REPORT = "Café sales rose 12% in 2023. 🚀 Exports fell by a third. Staff numbers did not change."
QUOTE = "Exports fell by a third."
QUOTE_AT = REPORT.index(QUOTE)

ANTHROPIC: dict[str, Any] = {
    "id": "msg_01",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "content": [
        {"type": "thinking", "thinking": "Let me look.", "signature": "x"},
        {"type": "text", "text": "According to the report 🚀, "},
        {
            "type": "text",
            "text": "exports dropped by 33%",
            "citations": [
                {
                    "type": "char_location",
                    "cited_text": QUOTE,
                    "document_index": 0,
                    "document_title": "Report",
                    "file_id": None,
                    "start_char_index": QUOTE_AT,
                    "end_char_index": QUOTE_AT + len(QUOTE),
                },
                {
                    "type": "page_location",
                    "cited_text": "Exports fell.",
                    "document_index": 1,
                    "document_title": None,
                    "start_page_number": 3,
                    "end_page_number": 5,
                },
            ],
        },
        {"type": "text", "text": " and "},
        {
            "type": "text",
            "text": "wages held.",
            "citations": [
                {
                    "type": "content_block_location",
                    "cited_text": "Wages held. ",
                    "document_index": 2,
                    "document_title": "Notes",
                    "start_block_index": 1,
                    "end_block_index": 2,
                },
                {
                    "type": "search_result_location",
                    "cited_text": "Wages were flat.",
                    "search_result_index": 0,
                    "source": "https://example.org/wages",
                    "title": "Wages",
                    "start_block_index": 0,
                    "end_block_index": 1,
                },
                {
                    "type": "web_search_result_location",
                    "cited_text": "Wages stayed where they were",
                    "encrypted_index": "Eo8B",
                    "title": "News",
                    "url": "https://news.example/a",
                },
            ],
        },
    ],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 1, "output_tokens": 2},
}

ANTHROPIC_REQUEST: dict[str, Any] = {
    "model": "claude",
    "messages": [
        {
            "role": "user",
            "content": [
                {
                    "type": "document",
                    "title": "Report",
                    "source": {"type": "text", "media_type": "text/plain", "data": REPORT},
                    "citations": {"enabled": True},
                },
                {
                    "type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"},
                },
                {
                    "type": "document",
                    "title": "Notes",
                    "source": {
                        "type": "content",
                        "content": [
                            {"type": "text", "text": "Rents rose. "},
                            {"type": "text", "text": "Wages held. "},
                        ],
                    },
                },
                {
                    "type": "search_result",
                    "source": "https://example.org/wages",
                    "title": "Wages",
                    "content": [{"type": "text", "text": "Wages were flat."}],
                },
                {"type": "text", "text": "What happened to exports?"},
            ],
        }
    ],
}

_LINK = "([news.example](https://news.example/a?utm_source=openai))"
OPENAI_TEXT = f"🚀 Exports fell. {_LINK} Staff was stable. See the table."
OPENAI_RESPONSES: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "output": [
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {
            "type": "file_search_call",
            "id": "fs_1",
            "status": "completed",
            "queries": ["staff"],
            "results": [
                {
                    "file_id": "file-1",
                    "filename": "staff.txt",
                    "score": 0.9,
                    "text": "Staff numbers did not change.",
                }
            ],
        },
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": OPENAI_TEXT,
                    "annotations": [
                        {
                            "type": "url_citation",
                            "start_index": OPENAI_TEXT.index(_LINK),
                            "end_index": OPENAI_TEXT.index(_LINK) + len(_LINK),
                            "url": "https://news.example/a?utm_source=openai",
                            "title": "News",
                        },
                        {
                            "type": "file_citation",
                            "index": OPENAI_TEXT.index(" See"),
                            "file_id": "file-1",
                            "filename": "staff.txt",
                        },
                        {
                            "type": "container_file_citation",
                            "container_id": "cntr_1",
                            "file_id": "cfile_1",
                            "filename": "table.csv",
                            "start_index": OPENAI_TEXT.index("the table"),
                            "end_index": OPENAI_TEXT.index("the table") + 9,
                        },
                    ],
                }
            ],
        },
    ],
}

OPENAI_CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": OPENAI_TEXT,
                "annotations": [
                    {
                        "type": "url_citation",
                        "url_citation": {
                            "start_index": OPENAI_TEXT.index(_LINK),
                            "end_index": OPENAI_TEXT.index(_LINK) + len(_LINK),
                            "url": "https://news.example/a?utm_source=openai",
                            "title": "News",
                        },
                    }
                ],
            },
            "finish_reason": "stop",
        }
    ],
}

AZURE_CHAT: dict[str, Any] = {
    "id": "1",
    "object": "extensions.chat.completion",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "Exports fell [doc1][doc2]. Rents rose [doc3].",
                "context": {
                    "citations": [
                        {
                            "content": QUOTE,
                            "title": "Report",
                            "url": None,
                            "filepath": "report.txt",
                            "chunk_id": "0",
                        },
                        {
                            "content": "Sales rose.",
                            "title": "Sales",
                            "url": "https://s.example/x",
                            "filepath": None,
                        },
                    ],
                    "intent": "exports",
                },
            },
        }
    ],
}

_FIRST, _SECOND = "Café sales rose 12%.", "🚀 Exports fell."


def _bytes(text: str) -> int:
    return len(text.encode())


GEMINI: dict[str, Any] = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [
                    {"text": "hm", "thought": True},
                    {"text": f"{_FIRST} "},
                    {"text": f"{_SECOND} Staff held."},
                ],
            },
            "groundingMetadata": {
                "webSearchQueries": ["exports"],
                "groundingChunks": [
                    {"web": {"uri": "https://news.example/a", "title": "news.example"}},
                    {
                        "retrievedContext": {
                            "uri": "gs://bucket/report.pdf",
                            "title": "report.pdf",
                            "text": REPORT,
                            "ragChunk": {"text": REPORT, "pageSpan": {"firstPage": 2, "lastPage": 3}},
                        }
                    },
                ],
                "groundingSupports": [
                    {
                        "segment": {"partIndex": 1, "endIndex": _bytes(_FIRST), "text": _FIRST},
                        "groundingChunkIndices": [0, 1],
                        "confidenceScores": [0.9, 0.4],
                    },
                    {
                        "segment": {
                            "partIndex": 2,
                            "startIndex": _bytes("🚀 "),
                            "endIndex": _bytes(_SECOND),
                            "text": "Exports fell.",
                        },
                        "groundingChunkIndices": [1],
                    },
                ],
            },
            "citationMetadata": {
                "citationSources": [
                    {
                        "startIndex": _bytes(f"{_FIRST} {_SECOND} "),
                        "endIndex": _bytes(f"{_FIRST} {_SECOND} Staff held."),
                        "uri": "https://quotes.example/staff",
                        "license": "",
                    }
                ]
            },
        }
    ],
    "usageMetadata": {"promptTokenCount": 3},
    "modelVersion": "gemini",
}

GEMINI_SNAKE: dict[str, Any] = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"text": f"{_FIRST} {_SECOND}", "thought": None}]},
            "citation_metadata": None,
            "grounding_metadata": {
                "grounding_chunks": [
                    {
                        "web": {"uri": "https://news.example/a", "title": "news", "domain": None},
                        "retrieved_context": None,
                    }
                ],
                "grounding_supports": [
                    {
                        "segment": {
                            "start_index": _bytes(f"{_FIRST} "),
                            "end_index": _bytes(f"{_FIRST} {_SECOND}"),
                            "part_index": None,
                            "text": _SECOND,
                        },
                        "grounding_chunk_indices": [0],
                        "confidence_scores": None,
                    }
                ],
            },
        }
    ]
}

GEMINI_INTERACTION: dict[str, Any] = {
    "id": "v1",
    "status": "completed",
    "steps": [
        {"type": "thought", "signature": "x"},
        {
            "type": "model_output",
            "content": [
                {
                    "type": "text",
                    "text": f"{_FIRST} {_SECOND}",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url": "https://news.example/a",
                            "title": "News",
                            "end_index": _bytes(_FIRST),
                        },
                        {
                            "type": "file_citation",
                            "file_name": "report.pdf",
                            "page_number": 3,
                            "start_index": _bytes(f"{_FIRST} "),
                            "end_index": _bytes(f"{_FIRST} {_SECOND}"),
                        },
                    ],
                }
            ],
        },
    ],
}

_COHERE_TEXT = "🚀 Exports fell by a third and sales rose."
COHERE: dict[str, Any] = {
    "id": "c1",
    "finish_reason": "COMPLETE",
    "message": {
        "role": "assistant",
        "tool_plan": "I will search.",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": _COHERE_TEXT}],
        "citations": [
            {
                "start": 2,
                "end": 25,
                "text": "Exports fell by a third",
                "content_index": 1,
                "type": "TEXT_CONTENT",
                "sources": [
                    {
                        "type": "document",
                        "id": "doc:0",
                        "document": {"id": "doc:0", "title": "Report", "snippet": QUOTE},
                    }
                ],
            },
            {
                "start": 30,
                "end": 40,
                "text": "sales rose",
                "content_index": 1,
                "type": "TEXT_CONTENT",
                "sources": [
                    {"type": "tool", "id": "tool:0:0", "tool_output": {"region": "north", "growth": "12%"}},
                    {
                        "type": "document",
                        "id": "doc:1",
                        "document": {"id": "doc:1", "text": "Sales rose.", "url": "https://s.example/x"},
                    },
                ],
            },
        ],
    },
    "usage": {"tokens": {"input_tokens": 1}},
}

MISTRAL: dict[str, Any] = {
    "id": "m1",
    "object": "chat.completion",
    "model": "mistral-large-latest",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Exports fell by a third"},
                    {"type": "reference", "reference_ids": [0]},
                    {"type": "text", "text": ". Sales rose"},
                    {"type": "reference", "reference_ids": [1, "x"]},
                    {"type": "text", "text": "."},
                ],
            },
        }
    ],
}

MISTRAL_REQUEST: dict[str, Any] = {
    "messages": [
        {"role": "user", "content": "What happened?"},
        {
            "role": "tool",
            "name": "get_information",
            "content": json.dumps(
                {
                    "0": {
                        "url": "https://en.example/report",
                        "title": "Report",
                        "snippets": [[QUOTE, "And more."]],
                    },
                    "1": {"title": "Sales", "snippets": [["Sales rose."]]},
                    "x": {"url": "https://en.example/x", "title": "X", "snippets": []},
                }
            ),
        },
    ]
}

MISTRAL_CONVERSATION: dict[str, Any] = {
    "object": "conversation.response",
    "conversation_id": "conv_1",
    "outputs": [
        {"type": "tool.execution", "name": "web_search", "arguments": "{}"},
        {
            "type": "message.output",
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Exports fell."},
                {
                    "type": "tool_reference",
                    "tool": "web_search",
                    "title": "News",
                    "url": "https://news.example/a",
                    "description": "Exports fell by a third, officials said.",
                },
                {"type": "tool_reference", "tool": "web_search", "title": "More news"},
                {"type": "text", "text": " That is all."},
            ],
        },
    ],
    "usage": {},
}

PERPLEXITY: dict[str, Any] = {
    "id": "p1",
    "object": "chat.completion",
    "model": "sonar",
    "citations": ["https://news.example/a", "https://news.example/b"],
    "search_results": [
        {
            "title": "A",
            "url": "https://news.example/a",
            "date": "2024-01-02",
            "snippet": "Exports fell by a third.",
        },
        {"title": "B", "url": "https://news.example/b", "date": None},
    ],
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": "Exports fell by a third.[1][2] Sales rose by 12%.[7]",
            },
            "delta": {"role": "assistant", "content": ""},
        }
    ],
}

_CITEFORMER_TEXT = "🚀 Exports fell by a third [1]. Sales rose by a lot [2]."
CITEFORMER: dict[str, Any] = {
    "schema_version": 3,
    "text": _CITEFORMER_TEXT,
    "citations": [
        {
            "span": [_CITEFORMER_TEXT.index("[1]"), _CITEFORMER_TEXT.index("[1]") + 3],
            "source_id": 1,
            "verified": False,
            "entailment_score": None,
            "cited_text": QUOTE,
            "source_span": [QUOTE_AT, QUOTE_AT + len(QUOTE)],
            "document_title": "Report",
        },
        {
            "span": [_CITEFORMER_TEXT.index("[2]"), _CITEFORMER_TEXT.index("[2]") + 3],
            "source_id": 2,
            "verified": True,
            "entailment_score": 0.9,
            "cited_text": None,
            "source_span": None,
            "document_title": None,
        },
    ],
    "references": [{"source_id": 1, "inline_marker": "[1]", "rendered": "Report."}],
    "sources": [
        {"metadata": {"id": "report", "type": "report", "title": "Report"}, "content": REPORT},
        {
            "metadata": {"id": "doe2020", "type": "article", "title": "Sales", "DOI": "10.1234/abc"},
            "content": "",
        },
    ],
    "usage": None,
}


def citeformer_schema_2() -> dict[str, Any]:
    """The same result as the earlier schema has it: without the three fields, and without usage."""
    result = copy.deepcopy(CITEFORMER)
    result["schema_version"] = 2
    del result["usage"]
    for citation in result["citations"]:
        for name in ("cited_text", "source_span", "document_title"):
            del citation[name]
    return result


PAYLOADS: dict[str, dict[str, Any]] = {
    "anthropic": ANTHROPIC,
    "openai-responses": OPENAI_RESPONSES,
    "openai-chat": OPENAI_CHAT,
    "gemini": GEMINI,
    "cohere": COHERE,
    "mistral": MISTRAL,
    "perplexity": PERPLEXITY,
    "citeformer": CITEFORMER,
}

MORE_PAYLOADS: list[tuple[str, dict[str, Any]]] = [
    ("openai-chat", AZURE_CHAT),
    ("gemini", GEMINI_SNAKE),
    ("gemini", GEMINI_INTERACTION),
    ("mistral", MISTRAL_CONVERSATION),
    ("citeformer", citeformer_schema_2()),
    ("anthropic", {"request": ANTHROPIC_REQUEST, "response": ANTHROPIC}),
    ("mistral", {"request": MISTRAL_REQUEST, "response": MISTRAL}),
]
