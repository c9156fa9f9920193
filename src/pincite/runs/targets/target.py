"""What a system under test is to the harness: something with a name that answers queries."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pincite.datasets.formats.records import EvaluationQuery
from pincite.datasets.recorded.file import RecordedAnswers
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


class Target(ABC):
    """The system under test. It needs a `name` and `answer`; everything else has a default."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Names the system and everything that changes its answers, but nothing secret."""

    @abstractmethod
    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        """What it answers to one query; `TargetFailed` when it gives no answer."""

    async def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go of connections, threads and processes."""

    waits: bool = True
    """Whether asking it means waiting, so that many queries should be in flight at once."""
    at_once: int | None = None
    """How many queries it can take at once; None is any number."""
    keeps_time: bool = False
    """Whether it keeps the time-out itself."""
    retries_timeouts: bool = True
    """Whether a query that ran into the time-out is worth another try."""
    code: str | None = None
    """A hash of its code, where that decides with the name whether a run can be resumed."""
    answers: RecordedAnswers | None = None
    """The file of recorded answers, for a system that is not asked."""

    def look_up(self, query: EvaluationQuery) -> RecordedAnswer | None:
        """The answer, where it is known without asking."""
        return None
