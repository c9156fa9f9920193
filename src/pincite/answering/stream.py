"""An answer sentence by sentence: each is checked before it is shown, or shown first and taken back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from msgspec.structs import replace

from pincite.answering.compose import SAID_BEFORE, Prepared, compose, misread, prepare
from pincite.answering.pipeline import NOT_SAID, NOTHING_FOUND, NOTHING_LEFT, Answerer, Work
from pincite.answering.records import AnswerDraft, AnswerResult, BackendFailed, Dropped, StreamedSentence
from pincite.answering.sentence_checks import MISREAD, Examined, without_needless

StreamEvent = StreamedSentence | AnswerResult


async def stream_answer(
    answerer: Answerer, question: str, raw: bool = False
) -> AsyncGenerator[StreamEvent, None]:
    """The pieces of the answer as they come, and the whole result last.

    A sentence that fails is repaired, dropped or marked before the next is looked at, so that what was shown
    never changes. `raw` shows each sentence before it is checked, and retracts it where it fails. Where one
    failed sentence refuses the whole answer (`on_unsupported="refuse"`), nothing is shown before all is
    checked.
    """
    if answerer.options.on_unsupported == "refuse":
        whole = await answerer.answer(question)
        if whole.text:
            yield StreamedSentence(whole.text)
        yield whole
        return
    work = answerer.begin(question)
    if not work.retrieved.passages:
        for event in _closing(work.without_answer(NOTHING_FOUND)):
            yield event
        return
    stream = Stream(work, raw)
    failure: BackendFailed | None = None
    try:
        async with aclosing(answerer.backend.stream(work.request)) as events:
            async for drafted in events:
                if isinstance(drafted, AnswerDraft):
                    work.read(drafted)
                    stream.answerable = drafted.answerable
                    break
                prepared = prepare(drafted, work.retrieved, work.dropped, work.strict)
                if prepared is None:
                    continue
                async for piece in stream.add(prepared):
                    yield piece
    except BackendFailed as failed:
        failure = failed
    for event in await stream.end(failure):
        yield event


class Stream:
    """What was shown so far. Nothing is ever put before what was shown."""

    def __init__(self, work: Work, raw: bool) -> None:
        self._work = work
        self._raw = raw
        self._cite = work.options.cite
        self._accepted: list[Prepared] = []
        self._shown = ""
        self.answerable = True

    async def add(self, sentence: Prepared) -> AsyncIterator[StreamedSentence]:
        """Check a sentence; what is to be shown of it, and what is taken back."""
        work = self._work
        refused = ""
        if len(self._accepted) >= work.options.max_sentences:
            refused = f"more than {work.options.max_sentences} sentences (max_sentences)"
        elif any(sentence.text == one.text for one in self._accepted):
            refused = SAID_BEFORE
        elif len(self._accepted) in misread(compose([*self._accepted, sentence], self._cite)):
            refused = MISREAD.reason
        if refused:
            work.dropped.append(Dropped("sentence", sentence.text, refused))
            return
        shown = self._piece(sentence) if self._raw else ""
        if shown:
            yield StreamedSentence(shown)
        final, reason = await self._settle(sentence)
        piece = self._piece(final) if final is not None else ""
        if shown and shown != piece:
            yield StreamedSentence(shown, True, reason or "it was written again")
        if final is not None:
            self._accepted.append(final)
            self._shown += piece
            if shown != piece:
                yield StreamedSentence(piece)

    async def _settle(self, sentence: Prepared) -> tuple[Prepared | None, str]:
        """The sentence as it may be shown, or None; and why it could not stay as it was."""
        work = self._work
        sentences, examined = await self._examine([*self._accepted, sentence])
        reason = examined.checks[-1].reason
        for _ in range(work.options.repairs):
            failed = [] if examined.checks[-1].ok else [len(sentences) - 1]
            repaired = await work.repair(sentences, examined, failed) if failed else None
            if repaired is None:
                break
            sentences, examined = await self._examine(repaired)
        last = sentences[-1]
        if examined.checks[-1].ok:
            return last, reason
        if work.options.on_unsupported == "mark" and not examined.checks[-1].unreadable:
            return replace(last, marked=True), examined.checks[-1].reason
        work.dropped.append(Dropped("sentence", last.text, examined.checks[-1].reason))
        return None, examined.checks[-1].reason

    async def _examine(self, sentences: list[Prepared]) -> tuple[list[Prepared], Examined]:
        """The sentences with what the last of them can do without taken off, and their check."""
        examined = await self._work.examine(sentences)
        if examined.checks[-1].needless:
            last = without_needless(sentences[-1:], examined.checks[-1:], self._work.dropped)
            sentences = [*sentences[:-1], *last]
            examined = await self._work.examine(sentences)
        return sentences, examined

    def _piece(self, sentence: Prepared) -> str:
        """What the text gains by a sentence at its end."""
        return compose([*self._accepted, sentence], self._cite).text[len(self._shown) :]

    async def end(self, failure: BackendFailed | None) -> list[StreamEvent]:
        """The result. A reply that broke off leaves what was shown as it is, and is no answer."""
        work = self._work
        if not self._accepted:
            if failure is not None:
                return [work.failed(failure)]
            return _closing(work.without_answer(NOTHING_LEFT if self.answerable else NOT_SAID))
        examined = await work.examine(self._accepted)
        if failure is not None:
            return [work.result(examined, "failed", f"the answer is not whole: {failure}")]
        return [work.result(examined)]


def _closing(result: AnswerResult) -> list[StreamEvent]:
    return [StreamedSentence(result.text), result]
