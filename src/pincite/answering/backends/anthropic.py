"""Anthropic's citations API: each passage is a document, and what comes back as cited is compared with it.

Citations and structured outputs exclude each other there, so this backend uses citations alone. An SDK or a
proxy may return characters, pages or content blocks: all are read, and `cited_text` is looked up in the
passage rather than trusted.
"""

from __future__ import annotations

import asyncio
import json
from bisect import bisect_left
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from pincite.answering.backend import Event
from pincite.answering.backends.hosted import FreshListener, HostedBackend
from pincite.answering.draft_prompts import TOKENS_A_SENTENCE, draft_prompt
from pincite.answering.records import (
    CANNOT_ANSWER,
    AnswerDraft,
    BackendFailed,
    DraftCitation,
    DraftRequest,
    DraftSentence,
    Grounding,
    RetrievedPassage,
)
from pincite.citations import read_response
from pincite.config import Settings
from pincite.errors import PayloadError
from pincite.llm import Prompt, as_object, events, is_stream, parse_json, sendable
from pincite.records import Citation, SpanTarget
from pincite.text import split_sentences

MOST_BLOCKS = 2_000
LONG_PIECE = 2_000
"""Characters without the end of a sentence that are not looked at again for each block that comes."""


class AnthropicBackend(HostedBackend):
    """Drafts with the provider's own citations."""

    groundings: tuple[Grounding, ...] = ("provider_citations",)

    def __init__(self, model: str, settings: Settings | None = None) -> None:
        super().__init__(model, settings or Settings(), "anthropic")
        self.last_rich_citations: list[dict[str, Any]] = []
        """What the last draft cites, in its order: as the provider said it, before it was compared."""

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        prompt = cited_prompt(request)
        kept = self._cached.take(prompt)
        blocks = parse_json(kept) if kept is not None else None
        if blocks is None:
            blocks = blocks_of((await self._fetch(prompt)).body)
            self._cached.keep(prompt, json.dumps(blocks))
        reader = BlockReader(request.passages)
        sentences = [sentence for block in blocks for sentence in reader.add(block)]
        sentences += reader.take(last=True)
        self.last_rich_citations = _rich(sentences, request.passages)
        return reader.draft(sentences)

    async def stream(self, request: DraftRequest) -> AsyncGenerator[Event, None]:
        """Sentences as blocks are finished; citations come with their block, so none is given before."""
        prompt = cited_prompt(request)
        reader = BlockReader(request.passages)
        queue: asyncio.Queue[DraftSentence | None] = asyncio.Queue()
        given: list[DraftSentence] = []
        pending = PendingBlocks()

        def tell(event: dict[str, Any]) -> bool:
            block = pending.add(event)
            for sentence in reader.add(block) if block is not None else ():
                queue.put_nowait(sentence)
                given.append(sentence)
            return bool(given)

        listener = FreshListener(tell, reader.restart, pending.restart)
        call = asyncio.ensure_future(self._fetch(prompt, listener))
        call.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (sentence := await queue.get()) is not None:
                yield sentence
            heard = await call
        finally:
            call.cancel()
        blocks = blocks_of(heard.body)
        if not given:  # an endpoint that did not stream, or only one sentence
            reader = BlockReader(request.passages)
            given = [sentence for block in blocks for sentence in reader.add(block)]
            for sentence in given:
                yield sentence
        rest = reader.take(last=True)
        for sentence in rest:
            yield sentence
        self._cached.keep(prompt, json.dumps(blocks))
        self.last_rich_citations = _rich([*given, *rest], request.passages)
        yield reader.draft([*given, *rest])


def cited_prompt(request: DraftRequest) -> Prompt:
    """The passages as documents that can be cited, and the question."""
    lines = [f"The question: {sendable(request.question)}"]
    if request.failed:
        lines.append(
            "Your answer had sentences that failed. Write each of them again, one sentence for each and in "
            "the same order, so that what you cite says all of it. Write no other sentences."
        )
        for number, failed in enumerate(request.failed, 1):
            lines.append(
                f"{number}. {sendable(failed.text)}\n   It failed because: {sendable(failed.reason)}"
            )
    else:
        lines.append(f"Answer it in at most {request.max_sentences} sentences, with citations.")
    documents = tuple(
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": sendable(passage.text)},
            "title": _title(passage),
            "citations": {"enabled": True},
            **({"context": sendable(passage.context)} if passage.context else {}),
        }
        for passage in request.passages
    )
    tokens = request.wanted * TOKENS_A_SENTENCE
    return Prompt(*draft_prompt("cited"), "\n\n".join(lines), None, tokens, documents)


def _title(passage: RetrievedPassage) -> str:
    return f"passage {passage.id}"


def _rich(sentences: Sequence[DraftSentence], passages: Sequence[RetrievedPassage]) -> list[dict[str, Any]]:
    """Document 002's list: for each citation its source, its words and where they stand."""
    by_id = {passage.id: passage for passage in passages}
    return [
        {
            "source_id": one.passage,
            "cited_text": one.quote,
            "source_span": None if one.start is None or one.end is None else (one.start, one.end),
            "document_title": by_id[one.passage].title or by_id[one.passage].document,
        }
        for sentence in sentences
        for one in sentence.citations
    ]


# --- what came back ------------------------------------------------------------------------------


def blocks_of(body: str) -> list[dict[str, Any]]:
    """The content blocks of a whole reply, streamed or not."""
    try:
        if not is_stream(body, ""):
            content = as_object(parse_json(body)).get("content")
            return [as_object(block) for block in content] if isinstance(content, list) else []
        pending = PendingBlocks()
        return [block for event in events(body) if (block := pending.add(as_object(event))) is not None]
    except ValueError as error:
        raise BackendFailed(f"the model's reply could not be read: {error}"[:200], "reply") from None


class PendingBlocks:
    """The blocks of a stream that have begun and not ended."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self._open: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}

    def add(self, event: dict[str, Any]) -> dict[str, Any] | None:
        """The block that this event ends, or None."""
        kind, index = event.get("type"), event.get("index")
        if not isinstance(index, int) or isinstance(index, bool):
            return None
        if kind == "content_block_start":
            block = dict(as_object(event.get("content_block")))
            if len(self._open) < MOST_BLOCKS and block.get("type") == "text":
                cited = block.get("citations")
                self._open[index] = {**block, "citations": list(cited) if isinstance(cited, list) else []}
                text = block.get("text")
                self._pieces[index] = [text if isinstance(text, str) else ""]
        elif index not in self._open:
            return None
        elif kind == "content_block_delta":
            delta = as_object(event.get("delta"))
            if isinstance(delta.get("text"), str):
                self._pieces[index].append(delta["text"])
            if isinstance(delta.get("citation"), dict):
                self._open[index]["citations"].append(delta["citation"])
        elif kind == "content_block_stop":
            return {**self._open.pop(index), "text": "".join(self._pieces.pop(index))}
        return None


class BlockReader:
    """Makes sentences of text blocks: each cites what the blocks that it overlaps cite."""

    def __init__(self, passages: tuple[RetrievedPassage, ...]) -> None:
        self._passages = passages
        self._names = {_title(passage): passage for passage in passages}
        documents = [
            {
                "type": "document",
                "title": _title(passage),
                "source": {"type": "text", "data": sendable(passage.text)},
            }
            for passage in passages
        ]
        self._request = {"messages": [{"role": "user", "content": documents}]}
        self.restart()

    def restart(self) -> None:
        self._left: list[str] = []
        self._length = self._tried = 0
        self._done, self._before = 0, ""
        self._covers: list[tuple[int, int, DraftCitation]] = []
        self.problems: list[str] = []

    def add(self, block: dict[str, Any]) -> list[DraftSentence]:
        """Read one more block; the sentences that are surely whole now: all but the last one."""
        text, given = block.get("text"), block.get("citations")
        if block.get("type") != "text" or not isinstance(text, str) or not text:
            return []
        at = self._done + self._length
        for one in given if isinstance(given, list) else ():
            self._cite(one, text, at)
        self._left.append(text)
        self._length += len(text)
        # A long piece without the end of a sentence is not split again before there is twice as much of it.
        return self.take(last=False) if self._length >= 2 * self._tried else []

    def _cite(self, one: Any, text: str, at: int) -> None:
        block = {"type": "text", "text": text, "citations": [one]}
        message = {"type": "message", "role": "assistant", "content": [block]}
        try:
            read = read_response({"request": self._request, "response": message}, "anthropic")
        except PayloadError as error:
            self.problems.append(f"a citation could not be read: {error}"[:300])
            return
        for citation in read.citations or ():
            found = self._citation(citation)
            if isinstance(found, str):
                self.problems.append(found)
            else:
                self._covers.append((at, at + len(text), found))

    def draft(self, sentences: list[DraftSentence]) -> AnswerDraft:
        """The whole draft. That the documents do not say is no sentence of an answer."""
        told = [one for one in sentences if one.text.strip().rstrip(".") != CANNOT_ANSWER.rstrip(".")]
        return AnswerDraft(tuple(told), answerable=bool(told), problems=tuple(self.problems))

    def take(self, last: bool) -> list[DraftSentence]:
        """The sentences that are surely whole; all that is left, where nothing more comes."""
        left = "".join(self._left)
        spans = list(split_sentences(left))
        sentences = []
        first = 0
        for span in spans if last else spans[:-1]:
            start, end = self._done + span.start, self._done + span.end
            while first < len(self._covers) and self._covers[first][1] <= start:  # they are in order
                first += 1
            last_one = bisect_left(self._covers, end, first, key=lambda cover: cover[0])
            words = left[span.start : span.end].strip()
            paragraph = "\n\n" in (self._before + left[max(0, span.start - 3) : span.start])[-3:]
            if words:
                cited = dict.fromkeys(one for _, _, one in self._covers[first:last_one])
                sentences.append(DraftSentence(words, tuple(cited), paragraph))
        taken = len(left) if last else spans[-2].end if len(spans) > 1 else 0
        self._before = (self._before + left[max(0, taken - 3) : taken])[-3:]
        self._done, self._left, self._length = self._done + taken, [left[taken:]], len(left) - taken
        self._tried = self._length if self._length > LONG_PIECE else 0
        self._covers = [cover for cover in self._covers if cover[1] > self._done]
        return sentences

    def _citation(self, citation: Citation) -> DraftCitation | str:
        """What a provider's citation points to, to be compared with the source; or why it points nowhere."""
        target = citation.targets[0] if citation.targets else None
        if not isinstance(target, SpanTarget):
            return f"a citation points to no document: {citation.problem or citation.text:.100}"
        passage = self._names.get(target.document)
        if passage is None:
            return f"a citation names {target.document!r:.60}, which was not given"
        quote = citation.cited_text
        if target.start is None or target.end is None:
            return DraftCitation(passage.id, quote)
        return DraftCitation(passage.id, quote, passage.start + target.start, passage.start + target.end)
