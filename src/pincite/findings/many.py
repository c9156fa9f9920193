"""Many answers checked against the same sources: side by side where the judge waits for somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pincite.config import Settings
from pincite.findings.check import check_answer, chosen_judge, with_given
from pincite.findings.inputs import to_answer
from pincite.findings.questions import Tell
from pincite.judges.judge import Judge, waits
from pincite.records import Answer, Report
from pincite.sources.library import Library, open_sources

AT_ONCE = 50
"""Answers under way at the same time. How many requests that makes is for the judge's own limit to say."""


def check_many(
    answers: Iterable[Any],
    sources: Any = None,
    *,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    provider: str | None = None,
    **overrides: Any,
) -> list[Report]:
    """Check the citations of many answers, each as `check` does: one report an answer, in order."""
    settings = with_given(settings or Settings(), overrides)
    library = open_sources(sources, settings.limits)
    read = [to_answer(answer, settings.limits, provider) for answer in answers]
    with chosen_judge(judge, settings) as (chosen, run):
        return run(check_answers(read, library, chosen, settings))


async def check_answers(
    answers: Sequence[Answer],
    library: Library,
    judge: Judge,
    settings: Settings,
    done: Callable[[], None] = lambda: None,
    tell: Tell | None = None,
) -> list[Report]:
    """One report an answer, in order; `done` is called whenever one is finished, `tell` in between.

    A judge that does not wait gains nothing from company, so its answers are checked one after the other.
    """
    if not (waits(judge) and settings.performance.parallel_evaluation):
        reports = []
        for answer in answers:
            reports.append(await check_answer(answer, library, judge, settings, tell))
            done()
        return reports
    import asyncio

    gate = asyncio.Semaphore(AT_ONCE)

    async def check_one(answer: Answer) -> Report:
        async with gate:
            report = await check_answer(answer, library, judge, settings)
            done()
            return report

    tasks = [asyncio.create_task(check_one(answer)) for answer in answers]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        # One broke, or somebody pressed Ctrl-C: the others are stopped and waited for, not left behind.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
