"""One call of a language model: what is asked, what comes back, and who can make it."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from pincite.errors import JudgeError
from pincite.records import Usage


class Prompt(Struct, frozen=True):
    """One question to a model, ready to be sent."""

    name: str
    """The prompt file and its version: `support/1`."""
    system: str
    user: str
    schema: dict[str, Any] | None = None
    """The JSON Schema of the reply, for endpoints that can hold a model to one."""
    pairs: int = 1
    """How many pairs are asked about at once: what `max_tokens` is multiplied by."""


class Reply(Struct, frozen=True):
    """What a model answered, and what it took."""

    text: str
    usage: Usage


class CallFailed(JudgeError):
    """A call that gave nothing, after every retry that made sense. The message never holds a key."""

    def __init__(self, reason: str, cause: str = "error", reply: str | None = None) -> None:
        super().__init__(reason)
        self.cause = cause
        """timeout, connection, rate_limit, server, auth, refusal, empty, length, budget, error."""
        self.reply = reply
        """What the model sent instead, where it sent anything."""


class Caller(Protocol):
    """Sends prompts to one model with one set of parameters."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything about the caller that changes a reply: model, endpoint, parameters. Never the key."""

    async def call(self, prompt: Prompt) -> Reply:
        """The model's reply, or `CallFailed`."""
