"""Many answers checked against the same sources: side by side where the judge waits for somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from pincite.answers import to_answers
from pincite.base import keep_to_one_core, run_sync
from pincite.config import Settings
from pincite.findings.checker import check_answer, chosen_judge, with_given
from pincite.findings.pool import Batch, CheckPool, pool_for
from pincite.judges import Judge, open_judge
from pincite.reading import Tell
from pincite.records import Answer, Report
from pincite.sources import Library, open_sources

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
    """Check the citations of many answers, each as `check` does: one report per answer, in order."""
    settings = with_given(settings or Settings(), overrides, judge)
    library = open_sources(sources, settings.limits)
    read = to_answers(answers, settings.limits, provider)
    with chosen_judge(judge, settings) as (chosen, run), pool_for(read, library, chosen, settings) as pool:
        return run(check_answers(read, library, chosen, settings, pool=pool))


async def check_answers(
    answers: Sequence[Answer],
    library: Library,
    judge: Judge,
    settings: Settings,
    done: Callable[[], None] = lambda: None,
    tell: Tell | None = None,
    pool: CheckPool | None = None,
) -> list[Report]:
    """One report per answer, in order; `done` is called whenever one is finished, `tell` in between.

    A judge that does not wait gains nothing from company in its process, so its answers are checked one after
    the other, unless there is a pool.
    """
    if pool is not None:
        return await _check_together(answers, library, judge, settings, done, tell, pool)
    if not (judge.waits and settings.performance.parallel_evaluation):
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


async def _check_together(
    answers: Sequence[Answer],
    library: Library,
    judge: Judge,
    settings: Settings,
    done: Callable[[], None],
    tell: Tell | None,
    pool: CheckPool,
) -> list[Report]:
    """Short answers in groups, for the workers and this process; long ones here, with their pairs shared."""
    reports: dict[int, Report] = {}

    async def check_here(place: int) -> None:
        reports[place] = await check_answer(answers[place], library, judge, settings, tell, pool)
        done()

    async def collect(group: list[int], batch: Batch) -> None:
        found = pool.finish(batch)
        for number, place in enumerate(group):
            if found is None:
                await check_here(place)
            else:
                reports[place] = msgspec.structs.replace(found[number], answer=answers[place])
                done()

    elsewhere: list[tuple[list[int], Batch]] = []
    short, long = _groups(answers, pool)
    for group in short:
        if pool.hungry:
            elsewhere.append((group, pool.begin("answers", [answers[place] for place in group])))
            continue
        for place in group:
            await check_here(place)
        while elsewhere and elsewhere[0][1].future.done():
            await collect(*elsewhere.pop(0))
    # The last ones are begun last: what no worker has come to yet is checked here.
    for group, batch in reversed(elsewhere):
        await collect(group, batch)
    for place in long:
        await check_here(place)
    return [reports[place] for place in range(len(answers))]


def _groups(answers: Sequence[Answer], pool: CheckPool) -> tuple[list[list[int]], list[int]]:
    """The places of short answers, so many together as one worker gets, and those of long ones."""
    short: list[list[int]] = []
    long: list[int] = []
    room = 0
    for place, answer in enumerate(answers):
        size = len(answer.text)
        if pool.library is None or size > pool.characters:
            long.append(place)
            continue
        if size > room or not short:
            short.append([])
            room = pool.characters
        short[-1].append(place)
        room -= size
    return short, long


def prepare(given: Any) -> tuple[str, Callable[[Any], Any]]:
    """In a worker: open the judge, and judge pairs or check whole answers."""
    settings, library = given
    keep_to_one_core()  # before a model is loaded
    judge = open_judge(settings.judge, settings)

    def carry_out(asked: Any) -> Any:
        kind, work = asked
        if kind == "pairs":
            return run_sync(judge.judge(work), waits=False)
        checks = (check_answer(answer, library, judge, settings) for answer in work)
        checked = [run_sync(check, waits=False) for check in checks]
        # Whoever asked has the answers, which may be long.
        return [msgspec.structs.replace(report, answer=Answer("")) for report in checked]

    return judge.name, carry_out
