"""A long check on several cores: the same report, and processes only where they pay."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import wait
from typing import Any

import pytest

import pincite
from pincite.base import run_sync
from pincite.config import Settings, with_overrides
from pincite.engine import local
from pincite.engine.local import Worker
from pincite.findings import check_answers, pool_for
from pincite.findings import pool as module
from pincite.findings.pool import Batch, CheckPool
from pincite.judges import NumberRules, open_judge
from pincite.records import Answer, Pair, Passage, Report, Verdict
from pincite.reports import write
from pincite.sources import Library, open_sources

HANG_GUARD = 120.0
TWO = with_overrides(Settings(judge="rules"), {"evaluation_workers": 2})
ONE = with_overrides(TWO, {"evaluation_workers": 1})


def towns(count: int) -> dict[str, str]:
    return {
        f"town{n}.txt": f"Town {n} has {n + 100} houses. Its mayor took office in {1950 + n}."
        for n in range(count)
    }


def long_answer(count: int) -> str:
    """A right claim, a wrong one and one without a citation for each town."""
    return "\n\n".join(
        f"Town {n} has {n + 100} houses [town{n}.txt]. Its mayor took office in {1951 + n} [town{n}.txt]. "
        f"Nobody ever counted the bridges of town {n}."
        for n in range(count)
    )


def over(batch: Batch) -> bool:
    """Waits until nobody works on it any more."""
    return not wait([batch.future], HANG_GUARD).not_done


def found(batch: Batch) -> bool:
    return not batch.future.cancelled() and batch.future.exception() is None


def workers_of(pool: CheckPool) -> list[Worker]:
    assert pool._engine is not None
    return pool._engine._processes


def as_json(reports: Sequence[Report]) -> str:
    return write(list(reports), "json")


@pytest.fixture
def only_workers(monkeypatch: pytest.MonkeyPatch) -> list[Batch]:
    """Whatever can be handed out is, and waited for: so the test does not depend on who is quicker."""
    finished: list[Batch] = []
    finish = CheckPool.finish

    def waiting(self: CheckPool, batch: Batch) -> Any:
        assert over(batch)
        finished.append(batch)
        return finish(self, batch)

    monkeypatch.setattr(CheckPool, "finish", waiting)
    monkeypatch.setattr(CheckPool, "hungry", property(lambda self: True))
    monkeypatch.setattr(module, "QUICK_PAIRS", 20)
    monkeypatch.setattr(module, "PAIRS", 20)
    return finished


@pytest.mark.thorough
@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_the_pairs_of_a_long_answer_are_judged_elsewhere_to_the_same_report(
    only_workers: list[Batch], judge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.findings.checker.open_judge", open_judge)  # the true one, also by default
    answer, sources = long_answer(25), towns(25)
    alone = pincite.check(answer, sources, settings=ONE, judge=judge)
    assert only_workers == []
    together = pincite.check(answer, sources, settings=TWO, judge=judge)
    assert as_json([together]) == as_json([alone])
    assert {finding.code for finding in together.findings} >= {"PIN203", "PIN301"}
    judged = [len(batch.work) for batch in only_workers if batch.kind == "pairs" and found(batch)]
    assert judged and sum(judged) >= 40


def test_many_answers_are_checked_elsewhere_to_the_same_reports_in_order(only_workers: list[Batch]) -> None:
    answers = [f"{text} See the list." for text in long_answer(12).split("\n\n")]
    alone = pincite.check_many(answers, towns(12), settings=ONE)
    together = pincite.check_many(answers, towns(12), settings=TWO)
    assert as_json(together) == as_json(alone)
    assert [report.answer.text for report in together] == answers
    assert sum(len(batch.work) for batch in only_workers if batch.kind == "answers") == 12
    assert all(found(batch) for batch in only_workers)


def test_short_and_long_answers_are_checked_together_each_told_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "QUICK_CHARACTERS", 4 * 1000)
    monkeypatch.setattr(module, "QUICK_PAIRS", 20)
    answers = [Answer(text, f"{n}.md") for n, text in enumerate(long_answer(12).split("\n\n"))]
    answers.insert(5, Answer(long_answer(30), "long.md"))
    library, judge = open_sources(towns(30)), open_judge("rules")
    told: list[bool] = []
    with pool_for(answers, library, judge, TWO) as pool:
        work = check_answers(answers, library, judge, TWO, lambda: told.append(True), None, pool)
        together = run_sync(work, waits=False)
    alone = run_sync(check_answers(answers, library, judge, ONE), waits=False)
    assert as_json(together) == as_json(alone)
    assert len(told) == 13


def started_for(
    characters: int, judge: str | NumberRules, settings: Settings = Settings(judge="rules"), answers: int = 1
) -> int:
    """How many processes would help."""
    made = open_judge(judge)
    given = [Answer("x" * (characters // answers)) for _ in range(answers)]
    with pool_for(given, Library(), made, settings) as pool:
        return pool.count if pool is not None else 0


def test_processes_help_only_where_there_is_much_to_judge_and_a_core_to_do_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(4)), raising=False)
    assert started_for(200_000, "rules") == started_for(200_000, "rules", answers=100) == 3
    assert started_for(199_999, "rules") == 0
    assert started_for(20_000, "entailment") == 3
    assert started_for(19_999, "entailment") == 0
    assert started_for(10_000_000, NumberRules()) == 0  # it cannot be made again elsewhere
    assert started_for(10_000_000, "rules", ONE) == 0
    assert started_for(100, "rules", TWO) == 1
    apart = with_overrides(TWO, {"performance_parallel_evaluation": False})
    assert started_for(10_000_000, "rules", apart) == 0
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0}, raising=False)
    assert started_for(10_000_000, "rules") == 0
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(64)), raising=False)
    assert started_for(200_000, "rules") == 63
    assert started_for(200_000, "entailment") == 7  # each loads a model


def test_a_page_is_checked_without_starting_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(module: str) -> Any:
        raise AssertionError("a process was started")

    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.setattr(local, "ChildProcess", refuse)
    page = long_answer(25)
    assert 2_500 < len(page) < 20_000
    for judge in ("rules", "entailment"):
        assert pincite.check(page, towns(25), judge=judge, settings=Settings()).summary.claims == 75


def helped(count: int = 1) -> CheckPool:
    return CheckPool(TWO, open_judge("rules"), None, count)


def pairs(count: int) -> list[Pair]:
    return [Pair(f"Town {n} has 7 houses.", (Passage(f"Town {n} has 8 houses."),)) for n in range(count)]


def judged(work: Sequence[Pair]) -> list[Verdict]:
    return run_sync(NumberRules().judge(work), waits=False)


def test_two_processes_take_part_and_end_with_the_check() -> None:
    pool = helped(2)
    try:
        batches = [pool.begin("pairs", pairs(n)) for n in (3, 4)]
        for batch in batches:
            assert over(batch)
        assert [pool.finish(batch) for batch in batches] == [judged(pairs(3)), judged(pairs(4))]
        running = [worker._process for worker in workers_of(pool)]
        assert len({process.pid for process in running} - {os.getpid()}) == 2
    finally:
        pool.close()
    assert all(process.returncode is not None for process in running)


def test_an_interrupted_check_leaves_no_process_behind() -> None:
    answers = [Answer("x")]
    with (
        pytest.raises(KeyboardInterrupt),
        pool_for(answers, Library(), open_judge("rules"), TWO) as pool,
    ):
        assert pool is not None
        pool.begin("pairs", pairs(5))
        (worker,) = workers_of(pool)
        raise KeyboardInterrupt
    assert worker._process.returncode is not None


def test_what_a_process_that_died_had_is_done_by_another_or_is_the_callers_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = helped()
    try:
        first = pool.begin("pairs", pairs(2))
        assert over(first)
        workers_of(pool)[0].kill()
        second = pool.begin("pairs", pairs(2))
        assert over(second)  # by another process
        assert [pool.finish(batch) for batch in (first, second)] == [judged(pairs(2)), judged(pairs(2))]
        monkeypatch.setattr("sys.executable", "")
        workers_of(pool)[0].kill()
        third, fourth = pool.begin("pairs", pairs(2)), pool.begin("pairs", pairs(2))
        assert over(third)
        assert [pool.finish(batch) for batch in (third, fourth)] == [None, None]
        assert over(pool.begin("pairs", pairs(1)))
        assert not pool.hungry
    finally:
        pool.close()


@pytest.mark.parametrize("broken", ["no python", "other judge"])
def test_without_processes_the_whole_check_is_done_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, broken: str
) -> None:
    if broken == "no python":
        monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))
    else:
        monkeypatch.setattr(NumberRules, "name", "rules/of-this-process")
    monkeypatch.setattr(module, "QUICK_PAIRS", 20)
    answers = long_answer(20).split("\n\n")
    expected = pincite.check_many(answers, towns(20), settings=ONE)
    assert as_json(pincite.check_many(answers, towns(20), settings=TWO)) == as_json(expected)
    whole = pincite.check(long_answer(20), towns(20), settings=ONE)
    assert as_json([pincite.check(long_answer(20), towns(20), settings=TWO)]) == as_json([whole])
