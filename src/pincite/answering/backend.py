"""What a backend is: something that drafts sentences from passages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator

from pincite.answering.records import AnswerDraft, DraftRequest, DraftSentence, Way
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

    async def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go of connections, models and files."""
