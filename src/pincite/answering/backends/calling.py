"""What the backends of hosted models share: a caller with its limits and retries, and the cache before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pincite.answering.backend import Backend
from pincite.answering.records import BackendFailed
from pincite.config import Settings
from pincite.errors import InputError
from pincite.llm import (
    CachedCaller,
    CallFailed,
    EventListener,
    LlmReply,
    Prompt,
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
