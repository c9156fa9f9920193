"""What a backend is: something that drafts sentences from passages. And how to open one by its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from importlib import import_module
from typing import Any

from pincite.answering.records import AnswerDraft, Cite, DraftRequest, DraftSentence, Way
from pincite.config import Settings
from pincite.errors import InputError, did_you_mean
from pincite.judges.judge import Prompt
from pincite.records import Usage

LADDER: tuple[Way, ...] = ("quote_grammar", "marker_grammar", "json_schema", "provider_citations", "prompt")
"""The strongest first."""

Event = DraftSentence | AnswerDraft
"""What a stream of a draft consists of: each sentence as soon as it is whole, and the whole draft last."""


class Backend(ABC):
    """Drafts an answer from passages. It needs a `name`, its `ways` and `draft`; the rest has defaults.

    A backend may write anything: whatever it cites is compared with the sources, stray markers are removed,
    and every sentence is judged. It raises `BackendFailed` where it has no whole draft to give.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Names the model and everything that changes its drafts, but nothing secret: `openai:gpt-5-mini`."""

    @property
    @abstractmethod
    def ways(self) -> tuple[Way, ...]:
        """The ways that it can take, the one it prefers first."""

    @abstractmethod
    async def draft(self, request: DraftRequest) -> AnswerDraft:
        """A whole draft, or only the sentences to be mended, where `request.mend` names some."""

    async def stream(self, request: DraftRequest) -> AsyncGenerator[Event, None]:
        """The sentences as they come, and the whole draft last. A backend that cannot stream drafts first."""
        whole = await self.draft(request)
        for sentence in whole.sentences:
            yield sentence
        yield whole

    @property
    def waits(self) -> bool:
        """Whether it may wait for something, such as a network."""
        return True

    @property
    def at_once(self) -> int:
        """How many questions it can take at the same time."""
        return 8 if self.waits else 1

    @property
    def usage(self) -> Usage:
        """What it has taken since it was opened."""
        return Usage()

    def prompts(self, request: DraftRequest) -> list[Prompt] | None:
        """What it would send for a request, to estimate the cost; None if it sends nothing."""
        return None

    async def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go of connections, models and files."""


_KINDS = {
    "extractive": ("extractive", "open_extractive"),
    "openai": ("openai", "open_openai"),
}
"""Each kind of backend with its module in `backends/` and what opens it: `open_it(rest, settings)`."""


def open_backend(model: str | Backend | Callable[..., Any] | None, settings: Settings) -> Backend:
    """The backend of that name, `extractive` without one; a function of your own, or a `Backend` as it is.

    `extractive`, `openai:MODEL`, `anthropic:MODEL`, `llama:FILE.gguf`, and `package.module:function`.
    """
    if isinstance(model, Backend):
        return model
    if model is None:
        model = "extractive"
    if not isinstance(model, str):
        raise InputError(f"a model is a name, a function or a Backend, not a {type(model).__name__}")
    kind, _, rest = model.partition(":")
    if kind not in _KINDS:
        known = "extractive"
        raise InputError(f"unknown model {model!r:.80}{did_you_mean(kind, _KINDS, f': use {known}')}")
    module, opens = _KINDS[kind]
    backend: Backend = getattr(import_module(f"pincite.answering.backends.{module}"), opens)(rest, settings)
    return backend


_FITTING: dict[Cite, tuple[Way, ...]] = {
    "quotes": ("quote_grammar", "json_schema", "prompt", "extractive", "function"),
    "provider": ("provider_citations",),
}


def choose_way(backend: Backend, cite: Cite) -> Way:
    """The first of the backend's ways that can cite like this."""
    fitting = _FITTING.get(cite)
    for way in backend.ways:
        if fitting is None or way in fitting:
            return way
    raise InputError(f"{backend.name} cannot cite by {cite}: it can only draft by {', '.join(backend.ways)}")
