"""What drafts sentences from passages: a model, your own function, or none at all; and how one is opened.

Each kind that needs more than this has its file in `backends/`, which is imported when it is asked for.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from importlib import import_module
from typing import Any

from pincite.answering.draft_replies import UnreadReply, draft_of, read_draft
from pincite.answering.records import AnswerDraft, BackendFailed, Cite, DraftRequest, DraftSentence, Grounding
from pincite.base import describe_error, did_you_mean, find_function
from pincite.config import Settings
from pincite.errors import InputError
from pincite.records import Usage

Event = DraftSentence | AnswerDraft
"""What a stream of a draft consists of: each sentence as soon as it is whole, and the whole draft last."""


class Backend(ABC):
    """Drafts an answer from passages. It needs a `name`, its `groundings` and `draft`; the rest has defaults.

    A backend may write anything: whatever it cites is compared with the sources, stray markers are removed,
    and every sentence is judged. It raises `BackendFailed` where it has no whole draft to give.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Names the model and everything that changes its drafts, but nothing secret: `openai:gpt-5-mini`."""

    @property
    @abstractmethod
    def groundings(self) -> tuple[Grounding, ...]:
        """How its drafts can be held to their sources, the one it prefers first."""

    @abstractmethod
    async def draft(self, request: DraftRequest) -> AnswerDraft:
        """A whole draft, or only the sentences to be repaired, where `request.failed` names some."""

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

    async def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go of connections, models and files."""


# --- a function of your own ----------------------------------------------------------------------


class FunctionBackend(Backend):
    """Calls a function in a thread, so that one that blocks holds up nobody else."""

    name = ""  # each has its own
    groundings: tuple[Grounding, ...] = ("function",)

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        self._function = function
        own = f"{function.__module__}:{getattr(function, '__qualname__', 'callable')}"
        self.name = f"function:{name or own}"
        self._takes_request = _takes_request(function)

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        import asyncio

        if request.failed and not self._takes_request:
            return AnswerDraft(())  # it cannot be told what failed
        given = (request,) if self._takes_request else (request.question, request.passages)
        try:
            reply = await asyncio.to_thread(self._function, *given)
            if inspect.isawaitable(reply):
                reply = await reply
        except BackendFailed:
            raise
        except Exception as error:
            raise BackendFailed(f"the function raised {describe_error(error)}") from error
        return self._read(reply, request)

    def _read(self, reply: Any, request: DraftRequest) -> AnswerDraft:
        if isinstance(reply, AnswerDraft):
            return reply
        try:
            if isinstance(reply, str):
                return read_draft(reply, [passage.id for passage in request.passages], plain=True)
            return draft_of(reply)
        except UnreadReply as unread:
            raise BackendFailed(f"what the function returned is not a draft: {unread}", "reply") from None


def _takes_request(function: Callable[..., Any]) -> bool:
    """Whether it takes one argument, the whole `DraftRequest`, and so can be told what failed."""
    try:
        taken = [
            one
            for one in inspect.signature(function).parameters.values()
            if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty
        ]
    except (TypeError, ValueError):
        return False
    return len(taken) == 1


# --- opened by name ------------------------------------------------------------------------------


_KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "extractive": ("extractive", "ExtractiveBackend", {}),
    "openai": ("hosted", "OpenAiBackend", {}),
    "openai-responses": ("hosted", "OpenAiBackend", {"responses": True}),
    "anthropic": ("anthropic", "AnthropicBackend", {}),
    "gemini": ("hosted", "OpenAiBackend", {"provider": "gemini"}),
    "mistral": ("hosted", "OpenAiBackend", {"provider": "mistral"}),
    "llama": ("llama", "LlamaBackend", {}),
}
"""Each kind of backend: its module in `backends/`, its class, and options of its own."""


def open_backend(model: str | Backend | Callable[..., Any] | None, settings: Settings) -> Backend:
    """The backend of that name, `extractive` without one; a function of your own, or a `Backend` as it is.

    `extractive`, `openai:MODEL`, `openai-responses:MODEL`, `anthropic:MODEL`, `gemini:MODEL`,
    `mistral:MODEL`, `llama:FILE.gguf`, and `package.module:function`.
    """
    if isinstance(model, Backend):
        return model
    if model is None:
        model = "extractive"
    if callable(model):
        return FunctionBackend(model)
    if not isinstance(model, str):
        raise InputError(f"a model is a name, a function or a Backend, not a {type(model).__name__}")
    kind, _, rest = model.partition(":")
    if kind not in _KINDS:
        near = did_you_mean(kind, _KINDS)
        if rest and not near:
            return FunctionBackend(find_function(model, what="model"), model)
        known = ", ".join([*_KINDS, "package.module:function"])
        raise InputError(f"unknown model {model!r:.80}{near or f': use one of {known}'}")
    module, name, options = _KINDS[kind]
    opened: Backend = getattr(import_module(f"pincite.answering.backends.{module}"), name)(
        rest, settings, **options
    )
    return opened


_FITTING: dict[Cite, tuple[Grounding, ...]] = {
    "quotes": ("quote_grammar", "json_schema", "provider_citations", "prompt", "extractive", "function"),
    "provider": ("provider_citations",),
}


def choose_grounding(backend: Backend, cite: Cite, wanted: Grounding | None = None) -> Grounding:
    """The first of the backend's groundings that can cite like this, or the one that is wanted."""
    fitting = _FITTING.get(cite)
    if wanted is not None:
        if wanted not in backend.groundings:
            known = ", ".join(backend.groundings)
            raise InputError(f"{backend.name} cannot draft by {wanted}: it can draft by {known}")
        if fitting is not None and wanted not in fitting:
            raise InputError(f"what is drafted by {wanted} cannot be cited by {cite}")
        return wanted
    for one in backend.groundings:
        if fitting is None or one in fitting:
            return one
    raise InputError(
        f"{backend.name} cannot cite by {cite}: it can only draft by {', '.join(backend.groundings)}"
    )
