"""Any OpenAI-compatible endpoint: structured outputs with an enum of passages, or words where it has none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from msgspec.structs import replace

from pincite.answering.backend import Backend, Event
from pincite.answering.backends.calling import ModelCalls
from pincite.answering.prompting import write_prompt
from pincite.answering.records import (
    AnswerDraft,
    BackendFailed,
    DraftRequest,
    DraftSentence,
    Way,
)
from pincite.answering.replies import SentenceScanner, UnreadReply, read_draft
from pincite.config import Settings
from pincite.judges.judge import Prompt
from pincite.judges.llm.listening import EventListener, text_of
from pincite.records import Usage

REPAIRS = 2
"""How often a reply that cannot be read is asked for again."""


def open_openai(rest: str, settings: Settings) -> OpenAiBackend:
    return OpenAiBackend(rest, settings)


def open_responses(rest: str, settings: Settings) -> OpenAiBackend:
    return OpenAiBackend(rest, settings, responses=True)


class OpenAiBackend(Backend):
    """Drafts by one call; mends by one more."""

    ways: tuple[Way, ...] = ("json_schema", "prompt")

    def __init__(self, model: str, settings: Settings, responses: bool = False) -> None:
        self._calls = ModelCalls(model, "openai", settings, responses)
        self._name = f"openai-responses:{model}" if responses else f"openai:{model}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def usage(self) -> Usage:
        return self._calls.usage

    def prompts(self, request: DraftRequest) -> list[Prompt]:
        prompt = _prompt(request)
        return [prompt] if self._calls.cached(prompt) is None else []

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        """The draft; a reply that cannot be read is asked for again, with what was wrong."""
        first = prompt = _prompt(request)
        text = self._calls.take(first)
        for attempt in range(1, REPAIRS + 2):
            if text is None:
                text = (await self._calls.hear(prompt)).text
            try:
                drafted = self._read(text, request)
            except UnreadReply as unread:
                complaint, text = str(unread), None
                prompt = _prompt(request, complaint, attempt + 1)
                continue
            self._calls.keep(first, text)
            return drafted
        raise BackendFailed(f"the model's reply could not be read: {complaint}", "reply")

    async def stream(self, request: DraftRequest) -> AsyncGenerator[Event, None]:
        """Sentences as the reply comes. What was given is compared with the whole reply at its end."""
        prompt = _prompt(request)
        kept = self._calls.take(prompt)
        if kept is not None:
            for event in _as_events(self._read(kept, request)):
                yield event
            return
        given: list[DraftSentence] = []
        queue: asyncio.Queue[DraftSentence | None] = asyncio.Queue()
        scanner = SentenceScanner(queue.put_nowait)

        def tell(event: dict[str, Any]) -> bool:
            scanner.feed(listener.scrub(text_of(event)))
            return not queue.empty() or bool(given)

        listener = _Restarting(tell, lambda: scanner.restart())
        call = asyncio.ensure_future(self._calls.hear(prompt, listener))
        call.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (sentence := await queue.get()) is not None:
                given.append(sentence)
                yield sentence
            heard = await call
        finally:
            call.cancel()
        try:
            whole = self._read(heard.text, request)
        except UnreadReply as unread:
            raise BackendFailed(f"the model's reply could not be read: {unread}", "reply") from None
        if list(whole.sentences[: len(given)]) != given:
            raise BackendFailed("the whole reply is not what was streamed", "reply")
        self._calls.keep(prompt, heard.text)
        for sentence in whole.sentences[len(given) :]:
            yield sentence
        yield whole

    async def close(self) -> None:
        self._calls.close()

    def _read(self, text: str, request: DraftRequest) -> AnswerDraft:
        held = request.way == "json_schema" and "response_format" not in self._calls.caller.not_understood
        drafted = read_draft(text, [passage.id for passage in request.passages], plain=not held)
        return replace(drafted, way="json_schema" if held else "prompt")


class _Restarting(EventListener):
    """Begins anew with each request."""

    def __init__(self, tell: Any, restart: Any) -> None:
        self._restart = restart
        super().__init__(tell)

    def begin(self, key: Any) -> None:
        super().begin(key)
        self._restart()


def _prompt(request: DraftRequest, complaint: str = "", attempt: int = 1) -> Prompt:
    prompt = write_prompt(request, complaint, attempt)
    return prompt if request.way == "json_schema" else replace(prompt, schema=None)


def _as_events(drafted: AnswerDraft) -> list[Event]:
    return [*drafted.sentences, drafted]
