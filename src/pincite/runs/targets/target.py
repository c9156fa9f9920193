"""What a system under test is to the harness: something with a name that answers queries."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pincite.datasets.formats.records import EvaluationQuery
from pincite.errors import PinciteError
from pincite.measured import RecordedAnswer


class TargetFailed(PinciteError):
    """The system gave no answer. The reason is kept with the query; nothing secret may stand in it."""

    def __init__(self, reason: str, retryable: bool = False, after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable
        """Whether the same question may well be answered a moment later."""
        self.after = after
        """How many seconds later, where the system says so."""


@runtime_checkable
class Target(Protocol):
    """The system under test."""

    @property
    def name(self) -> str:
        """Names the system and everything that changes its answers, but nothing secret."""

    @property
    def waits(self) -> bool:
        """Whether asking it means waiting, so that many queries should be under way at once."""

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        """What it answers to one query; `TargetFailed` when it gives no answer."""

    async def close(self) -> None:
        """Let go of connections, threads and processes."""
