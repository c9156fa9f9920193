"""`pincite.answer`: open what was given, answer one question, close it again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from pincite.answering.backend import Backend, open_backend
from pincite.answering.pipeline import Answerer
from pincite.answering.records import AnswerOptions, AnswerResult, StreamedSentence, read_options
from pincite.answering.stream import stream_answer
from pincite.base import RunHere, event_loop
from pincite.config import Settings
from pincite.judges import Judge, open_judge
from pincite.sources import Library, open_sources

Model = str | Backend | Callable[..., Any] | None
Opening = AbstractContextManager[tuple[Answerer, RunHere[Any]]]


def answer(
    question: str,
    sources: Any = None,
    *,
    model: Model = None,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> AnswerResult:
    """Answer a question from sources, with citations that were checked.

    `sources` is whatever `open_sources` takes. `model` is `extractive` (the default, which needs no model),
    `openai:MODEL`, `anthropic:MODEL`, `llama:FILE`, `package.module:function`, a function or a `Backend`.
    `options` are fields of `AnswerOptions` (`cite`, `on_unsupported`, `max_sentences` …) and of `Settings`.
    """
    chosen, settings = read_options(settings, options)
    library = open_sources(sources, settings.limits)
    with opened_answerer(library, model, judge, settings, chosen) as (answerer, run):
        result: AnswerResult = run(answerer.answer(question))
        return result


async def answer_async(
    question: str,
    sources: Any = None,
    *,
    model: Model = None,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> AnswerResult:
    """The same for code that has an event loop: `await pincite.answering.answer_async(…)`."""
    chosen, settings = read_options(settings, options)
    answerer = open_answerer(open_sources(sources, settings.limits), model, judge, settings, chosen)
    try:
        return await answerer.answer(question)
    finally:
        await close_answerer(answerer, model)


def answer_stream(
    question: str,
    sources: Any = None,
    *,
    raw: bool = False,
    model: Model = None,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> AnswerStream:
    """The same sentence by sentence, each checked before it is given.

    The pieces are texts; joined, they are the answer's text. `stream.result` is the result, once all pieces
    were taken. `raw` gives each sentence before it is checked, and takes it back where it fails: such a piece
    says `retracted`.
    """
    chosen, settings = read_options(settings, options)
    library = open_sources(sources, settings.limits)
    return AnswerStream(question, opened_answerer(library, model, judge, settings, chosen), raw)


class AnswerStream:
    """The pieces of an answer, to be taken one by one. Whoever stops early closes everything."""

    def __init__(self, question: str, opening: Opening, raw: bool = False) -> None:
        """`opening` is what `opened` gives: it is entered with the first piece."""
        self.result: AnswerResult | None = None
        """None until the last piece was taken."""
        self._pieces = self._take(question, opening, raw)

    def __iter__(self) -> Iterator[StreamedSentence]:
        return self._pieces

    def __next__(self) -> StreamedSentence:
        return next(self._pieces)

    def close(self) -> None:
        """Stop here."""
        self._pieces.close()

    def _take(self, question: str, opening: Opening, raw: bool) -> Generator[StreamedSentence, None, None]:
        with opening as (answerer, run):
            events = stream_answer(answerer, question, raw)

            async def step() -> StreamedSentence | AnswerResult | None:
                return await anext(events, None)

            async def stop() -> None:
                await events.aclose()

            try:
                while (event := run(step())) is not None:
                    if isinstance(event, AnswerResult):
                        self.result = event
                    else:
                        yield event
            finally:
                run(stop())


def open_answerer(
    library: Library, model: Model, judge: str | Judge | None, settings: Settings, options: AnswerOptions
) -> Answerer:
    """Everything that answering needs, opened; to be closed with `close_answerer`."""
    backend = open_backend(model, settings)
    return Answerer(library, backend, open_judge(judge, settings, remember=True), settings, options)


async def close_answerer(answerer: Answerer, model: Model) -> None:
    """Close what was opened by name. What was given is the caller's."""
    await answerer.judge.close()
    if not isinstance(model, Backend):
        await answerer.backend.close()


@contextmanager
def opened_answerer(
    library: Library, model: Model, judge: str | Judge | None, settings: Settings, options: AnswerOptions
) -> Iterator[tuple[Answerer, RunHere[Any]]]:
    """An answerer, and the way to run what it does; both are closed at the end."""
    answerer = open_answerer(library, model, judge, settings, options)
    with event_loop(answerer.judge.waits or answerer.backend.waits) as run:
        try:
            yield answerer, run
        finally:
            run(close_answerer(answerer, model))
