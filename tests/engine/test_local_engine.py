"""The engine of this machine: every task has an outcome, whatever happens to the process that has it."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import wait
from typing import Any

import pytest

from pincite.engine import Engine, EngineUnavailable, Job, LocalEngine

HANG_GUARD = 120.0


def prepare(given: int) -> tuple[str, Callable[[Any], Any]]:
    """What the processes of these tests do: add, or end, or raise."""

    def carry_out(task: Any) -> Any:
        if task == "end":
            os._exit(3)
        if task == "raise":
            raise ValueError("no such task")
        return task + given, os.getpid()

    return "adding/1", carry_out


def adding(**more: Any) -> Job:
    return Job(f"{__name__}:prepare", 100, "adding/1", **more)


def test_every_task_has_an_outcome_by_other_processes() -> None:
    with LocalEngine(adding(), 2) as engine:
        found = dict(engine.map(range(50), size=4))
    assert sorted(found) == list(range(100, 150))
    assert os.getpid() not in found.values()


def test_a_task_that_ends_its_process_costs_no_other_outcome() -> None:
    job = adding(lost=lambda task: (f"lost: {task}", 0), pack=lambda task: task, unpack=lambda found: found)
    with LocalEngine(job, 1) as engine:
        (outcomes,) = [engine.submit([1, "end", 2]).result(HANG_GUARD)]
    assert [first for first, _ in outcomes] == [101, "lost: end", 102]


def test_what_a_task_raises_is_raised_here_and_the_process_goes_on() -> None:
    with LocalEngine(adding(), 1) as engine:
        with pytest.raises(ValueError, match="no such task"):
            engine.submit(["raise"]).result(HANG_GUARD)
        assert engine.submit([1]).result(HANG_GUARD)[0][0] == 101


def test_what_no_process_has_begun_can_be_taken_back() -> None:
    with LocalEngine(adding(), 1) as engine:
        futures = [engine.submit([number]) for number in range(200)]
        taken_back = [future for future in futures if future.cancel()]
        wait(futures, HANG_GUARD)
        assert engine.waiting == 0
    assert all(future.cancelled() or future.result() for future in futures)
    assert futures[-1] in taken_back


@pytest.mark.parametrize(
    "job",
    [
        Job("nowhere.at.all:prepare", 1, "adding/1"),
        Job(f"{__name__}:prepare", 1, "another/1"),
    ],
    ids=["no such module", "another signature"],
)
def test_processes_that_cannot_do_the_job_are_told_as_unavailable(job: Job) -> None:
    with LocalEngine(job, 2) as engine, pytest.raises(EngineUnavailable):
        list(engine.map(range(10)))


def test_what_cannot_be_sent_is_told_as_unavailable() -> None:
    with pytest.raises(EngineUnavailable):
        LocalEngine(Job(f"{__name__}:prepare", lambda: None, "adding/1"), 1)
    with LocalEngine(adding(), 1) as engine:
        with pytest.raises(EngineUnavailable):
            engine.submit([lambda: None]).result(HANG_GUARD)
        assert engine.submit([1]).result(HANG_GUARD)[0][0] == 101


def test_it_is_an_engine() -> None:
    with LocalEngine(adding(), 1) as local:
        engine: Engine = local
        assert engine.workers == 1
