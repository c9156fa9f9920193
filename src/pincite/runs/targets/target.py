"""What a system under test is to the harness: something with a name that answers queries."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

import msgspec

from pincite.base import hide_in_addresses
from pincite.config import Settings
from pincite.datasets import EvaluationQuery, RecordedAnswers
from pincite.errors import PinciteError
from pincite.records import RecordedAnswer


class TargetFailed(PinciteError):
    """The system gave no answer. The reason is kept with the query and must not contain secrets."""

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
    keeps_its_code: bool = True
    """Whether its name says all that its answers depend on; a run of another one is resumed only where the
    version of the system is named."""
    answers: RecordedAnswers | None = None
    """The file of recorded answers, for a system that is not asked."""

    def look_up(self, query: EvaluationQuery) -> RecordedAnswer | None:
        """The answer, where it is known without asking."""
        return None


FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
"""Also where a system asks for more: a run must come to its end."""


async def ask(target: Target, query: EvaluationQuery, settings: Settings) -> RecordedAnswer:
    """The answer; or a record of the failure with its reason and the number of attempts."""
    attempts = settings.errors.max_retries + 1
    reason, after = "", None
    for attempt in range(1, attempts + 1):
        try:
            answered = await _in_time(target, query, settings.evaluation.timeout_seconds)
            return msgspec.structs.replace(answered, attempts=attempt)
        except TargetFailed as failed:
            reason, after = failed.reason, failed.after
            if not failed.retryable or attempt == attempts:
                break
        except Exception as error:  # a target of somebody else's making
            reason = f"the target failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
            break
        await _pause(attempt, after)
    return RecordedAnswer(query_id=query.query_id, failure=hide_in_addresses(reason), attempts=attempt)


async def _in_time(target: Target, query: EvaluationQuery, seconds: float) -> RecordedAnswer:
    if not target.waits or target.keeps_time:
        return await target.answer(query)
    import asyncio

    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await target.answer(query)
    except TimeoutError as error:
        if not limit.expired():
            raise
        why = f": {error.__cause__}" if str(error.__cause__ or "") else ""
        # A function that hangs in a thread would most likely hang again, and leave one more thread behind.
        raise TargetFailed(
            f"no answer within {seconds:g} s{why}", retryable=target.retries_timeouts
        ) from None


async def _pause(attempt: int, after: float | None) -> None:
    """Longer each time, not before the system says, and never the same for all that come back."""
    import asyncio

    longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
    told = min(LONGEST_PAUSE, after or 0.0)
    await asyncio.sleep(told + longest * random.uniform(0.5, 1.0))  # noqa: S311 - nothing secret hangs on it
