"""`pincite.answer`: open what was given, answer one question, close it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pincite import doorway
from pincite.answering.backend import Backend, open_backend
from pincite.answering.options import AnswerOptions, read_options
from pincite.answering.pipeline import Answerer
from pincite.answering.records import AnswerResult
from pincite.config import Settings
from pincite.judges.judge import Judge
from pincite.judges.opening import open_judge
from pincite.sources.library import Library, open_sources

Model = str | Backend | Callable[..., Any] | None


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
    with opened(library, model, judge, settings, chosen) as (answerer, run):
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
    """The same for code that has an event loop: `await pincite.answering.answer(…)`."""
    chosen, settings = read_options(settings, options)
    answerer = open_answerer(open_sources(sources, settings.limits), model, judge, settings, chosen)
    try:
        return await answerer.answer(question)
    finally:
        await close_answerer(answerer, model)


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
def opened(
    library: Library, model: Model, judge: str | Judge | None, settings: Settings, options: AnswerOptions
) -> Iterator[tuple[Answerer, doorway.Run[Any]]]:
    """An answerer, and the way to run what it does; both are closed at the end."""
    answerer = open_answerer(library, model, judge, settings, options)
    with doorway.held_open(answerer.judge.waits or answerer.backend.waits) as run:
        try:
            yield answerer, run
        finally:
            run(close_answerer(answerer, model))
