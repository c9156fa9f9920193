"""Models behind an API: what they share, and those of any OpenAI-compatible endpoint.

Drafts are asked for as structured output with an enum of passages, or in words where an endpoint has none. A
server of llama.cpp takes a grammar too, by its `grammar` field. Whether a server heeds that is seen from
the reply: one that does not have the grammar's form was only asked in words.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

from msgspec.structs import replace

from pincite.answering.backend import Backend, Event
from pincite.answering.draft_prompts import TOKENS_A_SENTENCE, draft_prompt, write_lines, write_prompt
from pincite.answering.draft_replies import SentenceScanner, UnreadReply, read_draft
from pincite.answering.grammars import NO_LINE, marker_gbnf, read_marked, read_marked_line
from pincite.answering.records import AnswerDraft, BackendFailed, DraftRequest, DraftSentence, Grounding
from pincite.config import Settings
from pincite.errors import InputError
from pincite.llm import (
    CachedCaller,
    CallFailed,
    EventListener,
    LlmReply,
    Prompt,
    event_text,
    make_client,
    open_cache,
)
from pincite.records import Usage

LONGER_REPLIES = 4
"""A draft may think before it writes: its reply may take so many times what a judge's may."""


class HostedBackend(Backend):
    """Calls one model. What could be read is kept, so that equal questions get equal answers."""

    name = ""  # each has its own

    def __init__(
        self, model: str, settings: Settings, provider: str = "openai", responses: bool = False
    ) -> None:
        if not model.strip():
            raise InputError(f"no model is named: write {provider}:MODEL")
        self.name = f"openai-responses:{model}" if responses else f"{provider}:{model}"
        named = model if provider == "openai" else f"{provider}:{model}"
        llm = replace(settings.llm, max_tokens=settings.llm.max_tokens * LONGER_REPLIES)
        self._client = make_client(named, replace(settings, llm=llm), responses=responses)
        if (self._client.kind == "anthropic") != (provider == "anthropic"):
            raise InputError(f"{model!r:.60} is asked through Anthropic's API: write anthropic:{model:.60}")
        self._cached = CachedCaller(self._client, open_cache(settings))

    @property
    def usage(self) -> Usage:
        return self._cached.usage

    async def _fetch(self, prompt: Prompt, listener: EventListener | None = None) -> LlmReply:
        """The model's whole reply, or `BackendFailed`: a reply that was cut off is none."""
        try:
            return await self._client.fetch(prompt, listener)
        except CallFailed as failed:
            raise BackendFailed(str(failed), failed.cause) from None
        except Exception as error:
            # Its message is not repeated: nobody has looked through it for a key.
            raise BackendFailed(f"the call of the model failed: {type(error).__name__}") from None

    async def close(self) -> None:
        self._cached.close()


class FreshListener(EventListener):
    """Begins anew with each request."""

    def __init__(self, tell: Callable[[dict[str, Any]], bool], *restart: Callable[[], None]) -> None:
        self._restart = restart
        super().__init__(tell)

    def begin(self, key: Any) -> None:
        super().begin(key)
        for one in self._restart:
            one()


# --- any OpenAI-compatible endpoint --------------------------------------------------------------


REPAIRS = 2
"""How often a reply that cannot be read is asked for again."""


class OpenAiBackend(HostedBackend):
    """Drafts by one call; repairs by one more."""

    @property
    def groundings(self) -> tuple[Grounding, ...]:
        """Structured output first: nearly every server has it, and few have a field for a grammar."""
        own = self.name.startswith("openai:")
        return ("json_schema", "prompt", "marker_grammar") if own else ("json_schema", "prompt")

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        """The draft; a reply that cannot be read is asked for again, with what was wrong."""
        first = prompt = _prompt(request)
        text = self._cached.take(first)
        for attempt in range(1, REPAIRS + 2):
            if text is None:
                text = (await self._fetch(prompt)).text
            try:
                drafted = self._read(text, request)
            except UnreadReply as unread:
                complaint, text = str(unread), None
                prompt = _prompt(request, complaint, attempt + 1)
                continue
            self._cached.keep(first, text)
            return drafted
        raise BackendFailed(f"the model's reply could not be read: {complaint}", "reply")

    async def stream(self, request: DraftRequest) -> AsyncGenerator[Event, None]:
        """Sentences as the reply comes. What was given is compared with the whole reply at its end."""
        prompt = _prompt(request)
        drafted = None
        if request.grounding == "marker_grammar":
            drafted = await self.draft(request)
        elif (kept := self._cached.take(prompt)) is not None:
            drafted = self._read(kept, request)
        if drafted is not None:
            for one in drafted.sentences:
                yield one
            yield drafted
            return
        given: list[DraftSentence] = []
        queue: asyncio.Queue[DraftSentence | None] = asyncio.Queue()
        scanner = SentenceScanner(queue.put_nowait)

        def tell(event: dict[str, Any]) -> bool:
            scanner.feed(listener.scrub(event_text(event)))
            return not queue.empty() or bool(given)

        listener = FreshListener(tell, scanner.restart)
        call = asyncio.ensure_future(self._fetch(prompt, listener))
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
        self._cached.keep(prompt, heard.text)
        for sentence in whole.sentences[len(given) :]:
            yield sentence
        yield whole

    def _read(self, text: str, request: DraftRequest) -> AnswerDraft:
        if request.grounding == "marker_grammar":
            return self._read_lines(text, request)
        held = request.grounding == "json_schema" and "response_format" not in self._client.not_understood
        drafted = read_draft(text, [passage.id for passage in request.passages], plain=not held)
        return replace(drafted, grounding="json_schema" if held else "prompt")

    def _read_lines(self, text: str, request: DraftRequest) -> AnswerDraft:
        """The lines of a grammar; or prose, where the server did not heed it."""
        lines = [read_marked_line(f"{line}\n") for line in text.splitlines() if line.strip()]
        followed = text.strip() == NO_LINE or (bool(lines) and all(lines))
        if followed and "grammar" not in self._client.not_understood:
            drafted = read_marked(text if text.endswith("\n") else f"{text}\n")
            return replace(drafted, grounding="marker_grammar")
        return replace(read_draft(text, [one.id for one in request.passages], plain=True), grounding="prompt")


def _prompt(request: DraftRequest, complaint: str = "", attempt: int = 1) -> Prompt:
    if request.grounding != "marker_grammar":
        prompt = write_prompt(request, complaint, attempt)
        return prompt if request.grounding == "json_schema" else replace(prompt, schema=None)
    system, user = write_lines(request, request.passages)
    told = f"\n\nYour reply before could not be used: {complaint}." if complaint else ""
    grammar = marker_gbnf([one.id for one in request.passages], request.wanted, exactly=bool(request.failed))
    return Prompt(
        draft_prompt("marker")[0],
        system,
        user + told,
        None,
        request.wanted * TOKENS_A_SENTENCE,
        seed=request.seed or None,
        grammar=grammar,
    )
