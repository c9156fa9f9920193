"""Any OpenAI-compatible endpoint: structured outputs with an enum of passages, or words where it has none.

A server of llama.cpp takes a grammar too, by its `grammar` field. Whether a server heeds that is seen from
the reply: one that does not have the grammar's form was only asked in words.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from msgspec.structs import replace

from pincite.answering.backend import Event
from pincite.answering.backends.calling import FreshListener, HostedBackend
from pincite.answering.grammars.marked import NO_LINE, marker_gbnf, read_marked, read_marked_line
from pincite.answering.prompting import TOKENS_A_SENTENCE, draft_prompt, write_lines, write_prompt
from pincite.answering.records import AnswerDraft, BackendFailed, DraftRequest, DraftSentence, Way
from pincite.answering.replies import SentenceScanner, UnreadReply, read_draft
from pincite.llm import Prompt, text_of

REPAIRS = 2
"""How often a reply that cannot be read is asked for again."""


class OpenAiBackend(HostedBackend):
    """Drafts by one call; mends by one more."""

    @property
    def ways(self) -> tuple[Way, ...]:
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
        if request.way == "marker_grammar":
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
            scanner.feed(listener.scrub(text_of(event)))
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
        if request.way == "marker_grammar":
            return self._read_lines(text, request)
        held = request.way == "json_schema" and "response_format" not in self._client.not_understood
        drafted = read_draft(text, [passage.id for passage in request.passages], plain=not held)
        return replace(drafted, way="json_schema" if held else "prompt")

    def _read_lines(self, text: str, request: DraftRequest) -> AnswerDraft:
        """The lines of a grammar; or prose, where the server did not heed it."""
        lines = [read_marked_line(f"{line}\n") for line in text.splitlines() if line.strip()]
        followed = text.strip() == NO_LINE or (bool(lines) and all(lines))
        if followed and "grammar" not in self._client.not_understood:
            drafted = read_marked(text if text.endswith("\n") else f"{text}\n")
            return replace(drafted, way="marker_grammar")
        return replace(read_draft(text, [one.id for one in request.passages], plain=True), way="prompt")


def _prompt(request: DraftRequest, complaint: str = "", attempt: int = 1) -> Prompt:
    if request.way != "marker_grammar":
        prompt = write_prompt(request, complaint, attempt)
        return prompt if request.way == "json_schema" else replace(prompt, schema=None)
    system, user = write_lines(request, request.passages)
    told = f"\n\nYour reply before could not be used: {complaint}." if complaint else ""
    grammar = marker_gbnf([one.id for one in request.passages], request.wanted, exactly=bool(request.mend))
    return Prompt(
        draft_prompt("marker")[0],
        system,
        user + told,
        None,
        request.wanted * TOKENS_A_SENTENCE,
        seed=request.seed or None,
        grammar=grammar,
    )
