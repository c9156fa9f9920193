"""What the tests of answering share: sources, a backend that drafts what it is told, replies of models."""

from __future__ import annotations

import json
from typing import Any

from llm_server import LlmServer
from pincite.answering import (
    AnswerDraft,
    Backend,
    DraftCitation,
    DraftRequest,
    DraftSentence,
    Grounding,
    clean_sentence,
    placed_markers,
)
from pincite.config import LlmSettings, Performance, Settings

WATER = (
    "# Water\n\nA cubic metre of water costs 2.50 euros in the town. The price rose by 21.4% in 2023.\n\n"
    "The waterworks were built in 1931 by Anna Berg.\n"
)
FERRY = "The ferry Linnet carries 48 cars and 300 passengers. It sails every day at 8.15.\n"
SOURCES = {"water.md": WATER, "ferry.txt": FERRY}
ASKED = "What does a cubic metre of water cost?"


class Scripted(Backend):
    """Drafts what it was given, one draft after the other, and keeps what it was asked for."""

    name = "scripted/1"
    groundings: tuple[Grounding, ...] = ("prompt",)
    waits = False

    def __init__(self, *drafts: AnswerDraft) -> None:
        self.drafts = list(drafts)
        self.requests: list[DraftRequest] = []

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        self.requests.append(request)
        return self.drafts[min(len(self.requests), len(self.drafts)) - 1]


def said(text: str, *passages: int, quote: str | None = None) -> DraftSentence:
    """A drafted sentence that cites passages by their ids."""
    return DraftSentence(text, tuple(DraftCitation(number, quote) for number in passages))


def drafted(*sentences: DraftSentence) -> AnswerDraft:
    return AnswerDraft(sentences)


def reply(*sentences: tuple[Any, ...], answerable: bool = True) -> str:
    """A model's reply: each sentence is its text, a passage, and perhaps a quote."""
    return json.dumps(
        {
            "answerable": answerable,
            "sentences": [
                {
                    "text": text,
                    "citations": [{"passage": passage, "quote": quote[0] if quote else None}],
                }
                for text, passage, *quote in sentences
            ],
        },
        ensure_ascii=False,
    )


def settings_for(server: LlmServer, **llm: Any) -> Settings:
    given = {"base_url": server.url, "retry_attempts": 1, "timeout_seconds": 10.0, **llm}
    return Settings(judge="rules", llm=LlmSettings(**given), performance=Performance(cache_results=False))


def stray_markers(text: str) -> tuple[str, ...]:
    """What a reader or a parser would take for a marker in a text that should have none."""
    return (*(text[start:end] for start, end in sorted(placed_markers(text))), *clean_sentence(text).removed)
