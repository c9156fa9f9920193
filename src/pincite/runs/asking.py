"""One question to the system under test: in time, tried again where that may help, never raising."""

from __future__ import annotations

import random

import msgspec

from pincite.config import Settings
from pincite.datasets.formats.records import EvaluationQuery
from pincite.measured import RecordedAnswer
from pincite.runs.targets.target import Target, TargetFailed

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
    return RecordedAnswer(query_id=query.query_id, failure=reason, attempts=attempt)


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
