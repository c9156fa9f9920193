"""Many answers at once: in order, side by side only where that helps, and none left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pincite.base import event_loop
from pincite.config import Performance, Settings
from pincite.findings import check_answers, check_many, chosen_judge
from pincite.judges import Judge
from pincite.records import Answer, Pair, Verdict
from pincite.sources import open_sources

SOURCE = "Revenue rose to $10 million in the first quarter."
SOURCES = {"report.txt": SOURCE}


def answers(count: int) -> list[Answer]:
    cited = f"[report.txt:0-{len(SOURCE)}]"
    return [Answer(f"Item {number} was sold {cited}.", name=f"{number}.md") for number in range(count)]


class Slow(Judge):
    """A judge that waits, the earlier answers longest, and counts how many it has under way."""

    name = "slow/1"

    def __init__(self, most: int = 0) -> None:
        self._most = most
        self.now = self.peak = self.closed = 0
        self.loops: set[int] = set()

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.now += 1
        self.peak = max(self.peak, self.now)
        self.loops.add(id(asyncio.get_running_loop()))
        number = int(pairs[0].claim.split()[1])
        await asyncio.sleep(max(0, self._most - number) * 0.002)
        self.now -= 1
        return [Verdict("supported", 1.0, "yes", judge=self.name) for _ in pairs]

    async def close(self) -> None:
        self.closed += 1


def test_answers_are_checked_side_by_side_and_reported_in_order() -> None:
    judge = Slow(most=20)
    reports = check_many(answers(20), SOURCES, judge=judge)
    assert [report.answer.name for report in reports] == [f"{number}.md" for number in range(20)]
    assert judge.peak == 20
    assert len(judge.loops) == 1


def test_no_more_than_fifty_are_under_way() -> None:
    judge = Slow(most=100)
    assert len(check_many(answers(65), SOURCES, judge=judge)) == 65
    assert judge.peak == 50


def test_one_at_a_time_when_the_settings_say_so() -> None:
    judge = Slow()
    settings = Settings(performance=Performance(parallel_evaluation=False))
    assert len(check_many(answers(5), SOURCES, judge=judge, settings=settings)) == 5
    assert judge.peak == 1


def test_a_judge_that_never_waits_needs_no_loop() -> None:
    told: list[bool] = []
    library = open_sources(SOURCES)
    with chosen_judge("rules", Settings()) as (judge, run):
        reports = run(check_answers(answers(3), library, judge, Settings(), lambda: told.append(True)))
    assert len(reports) == len(told) == 3


def test_a_given_judge_stays_open_and_a_named_one_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Slow()
    check_many(answers(2), SOURCES, judge=judge)
    assert judge.closed == 0
    monkeypatch.setattr("pincite.findings.checker.open_judge", lambda name, settings: judge)
    check_many(answers(2), SOURCES, judge="llm:some")
    assert judge.closed == 1


def test_a_named_judge_is_closed_when_the_check_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Slow()
    monkeypatch.setattr("pincite.findings.checker.open_judge", lambda name, settings: judge)
    with pytest.raises(ZeroDivisionError), chosen_judge("llm:some", Settings()):
        raise ZeroDivisionError
    assert judge.closed == 1


def test_when_one_breaks_the_others_are_stopped() -> None:
    judge = Slow(most=1000)

    def broken() -> None:
        raise ZeroDivisionError

    library = open_sources(SOURCES)
    mixed = [*answers(3), Answer("Nothing is cited here?", name="quick.md")]
    work = check_answers(mixed, library, judge, Settings(), broken)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(asyncio.wait_for(work, timeout=5))


def test_it_works_inside_a_running_loop() -> None:
    async def notebook() -> int:
        return len(check_many(answers(3), SOURCES, judge=Slow()))

    assert asyncio.run(notebook()) == 3


def test_a_door_held_open_has_one_loop_for_all() -> None:
    async def loop() -> int:
        await asyncio.sleep(0)
        return id(asyncio.get_running_loop())

    async def inside() -> set[int]:
        with event_loop() as run:
            return {run(loop()), run(loop())}

    with event_loop() as run:
        assert run(loop()) == run(loop())
    assert len(asyncio.run(inside())) == 1
