"""Answers measured while the system is still asked: the same results, true latencies, and nothing lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from small_system import RULES, answer, dataset, write_dataset

from pincite.config import Settings, with_overrides
from pincite.datasets import EvaluationQuery
from pincite.datasets import load as dataset_loading
from pincite.datasets.files import plain as files
from pincite.engine import local
from pincite.errors import JudgeError
from pincite.judges import NumberRules
from pincite.metrics import Case, Metric, Verdicts
from pincite.records import ItemResult, RecordedAnswer, Result
from pincite.runs import EvalRequest, Progress, Target, evaluate, make_plan
from pincite.runs.harness import run_items
from pincite.runs.journal import FileJournal

METRICS = ("hit@1", "span_f1", "citation_correctness", "citation_completeness")
LATE = 24
"""The queries from this one on are answered only when the processes are ready."""


def settings(workers: int = 2, **more: Any) -> Settings:
    given = {
        "evaluation_resamples": 100,
        "evaluation_workers": workers,
        "evaluation_max_in_flight": 8,
        "evaluation_timeout_seconds": 1000,  # some answers wait for a process to start, however long it takes
    }
    return with_overrides(RULES, {**given, **more})


class Started:
    """The processes that a run has started, and whether one of them is ready."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.processes: list[Any] = []

    def all_gone(self) -> bool:
        return bool(self.processes) and all(not process.is_running() for process in self.processes)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Looks on while the true processes start."""
    seen = Started()
    begin, start = local.Worker.begin, local.ChildProcess

    def begun(worker: Any) -> None:
        begin(worker)
        seen.ready.set()

    def start_one(module: str) -> Any:
        seen.processes.append(start(module))
        return seen.processes[-1]

    monkeypatch.setattr(local.Worker, "begin", begun)
    monkeypatch.setattr(local, "ChildProcess", start_one)
    return seen


class Waiting(Target):
    """A system that takes a moment."""

    name = "waiting"
    waits = True

    def __init__(self, started: Started | None = None, seconds: float = 0.005) -> None:
        self.started = started
        self.seconds = seconds

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        begun = time.perf_counter()
        await asyncio.sleep(self.seconds)
        waited = time.perf_counter() - begun
        number = int(query.query_id[1:])
        while self.started is not None and number >= LATE and not self.started.ready.is_set():
            await asyncio.sleep(0.005)
        said = answer(number)
        return RecordedAnswer(
            query_id=query.query_id, answer=said["generated_answer"], latency_ms=waited * 1000
        )

    async def close(self) -> None:
        """Nothing is open."""


def measured(
    journal: Any, target: Any, queries: int = 60, judge: Any = None, **given: Any
) -> tuple[str, Progress]:
    given.setdefault("settings", settings())
    given.setdefault("metrics", METRICS)
    with ExitStack() as stack:
        request = EvalRequest(
            dataset=given.pop("data", dataset(queries)), target=target, judge=judge, **given
        )
        plan = make_plan(request, stack)
        progress = Progress(plan.total, plan.judge)
        return run_items(plan, journal, progress), progress


def timeless(items: Iterator[ItemResult]) -> list[ItemResult]:
    return [msgspec.structs.replace(item, latency_ms=None) for item in items]


class Elsewhere(Metric, frozen=True, kw_only=True):
    """Whether it is scored in another process than the one that asked."""

    title = "elsewhere"
    asked_by: int = 0

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.result(int(os.getpid() != self.asked_by), 1)


def test_answers_that_come_while_others_are_waited_for_are_measured_in_another_process(
    started: Started,
) -> None:
    journal = FileJournal()
    ending, progress = measured(journal, Waiting(started), metrics=(Elsewhere(asked_by=os.getpid()),))
    elsewhere = [item.results[0].score for item in journal.results()]
    assert (ending, progress.done, len(elsewhere)) == ("finished", 60, 60)
    assert sum(score or 0 for score in elsewhere[LATE:]) >= 8
    assert started.all_gone()


@pytest.mark.parametrize(
    "more", [{"workers": 1}, {"performance_parallel_evaluation": False}], ids=["one worker", "not parallel"]
)
def test_one_process_is_enough_for_whoever_wants_no_more(started: Started, more: dict[str, Any]) -> None:
    journal = FileJournal()
    measured(journal, Waiting(), settings=settings(**more), metrics=(Elsewhere(asked_by=os.getpid()),))
    assert [item.results[0].score for item in journal.results()] == [0.0] * 60
    assert started.processes == []


@pytest.mark.parametrize("streamed", [False, True], ids=["in memory", "streamed"])
def test_with_and_without_other_processes_the_results_are_the_same(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    path = write_dataset(tmp_path, 60)
    if streamed:
        monkeypatch.setattr(files, "LARGE", 100)
        monkeypatch.setattr(dataset_loading, "MOST_TEXT", 10)
    alone, together = FileJournal(), FileJournal()
    measured(alone, Waiting(), data=path, settings=settings(workers=1))
    measured(together, Waiting(started), data=path)
    assert started.ready.is_set()
    assert timeless(alone.results()) == timeless(together.results())


class WithoutClock(Waiting):
    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        return msgspec.structs.replace(await super().answer(query), latency_ms=12.5)


def test_with_and_without_other_processes_the_results_file_is_the_same(
    started: Started, tmp_path: Path
) -> None:
    path, documents = write_dataset(tmp_path, 60), []
    for workers, target in ((1, WithoutClock()), (3, WithoutClock(started))):
        output = tmp_path / f"{workers}.results.json"
        evaluate(path, target=target, metrics=METRICS, settings=settings(workers), output=output)
        document = msgspec.json.decode(output.read_bytes())
        for moment in ("evaluation_id", "timestamp", "finished_at"):
            del document[moment]
        del document["summary"]["total_evaluation_time_seconds"]
        del document["performance_metrics"]["resource_usage"]
        del document["metadata"]["evaluation_environment"]
        assert document["configuration"]["settings"].pop("evaluation.workers") == workers
        documents.append(document)
    assert started.ready.is_set()
    assert documents[0] == documents[1]
    assert len(documents[0]["query_results"]) == 60


class Slow(Metric, frozen=True, kw_only=True):
    """Computes for a while."""

    title = "slow"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        return self.result(1, 1)


def test_a_system_does_not_look_slow_because_others_of_its_answers_are_measured() -> None:
    given = scored = 0
    unanswered: list[asyncio.Future[int]] = []
    waits: list[int] = []

    class Answering(Waiting):
        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            nonlocal given
            if given > scored:  # an answer is still to be measured: this one arrives while that is done
                arrives: asyncio.Future[int] = asyncio.get_running_loop().create_future()
                unanswered.append(arrives)
                arrived = await arrives
                waits.append(scored - arrived)
            given += 1
            said = answer(int(query.query_id[1:]))
            return RecordedAnswer(query_id=query.query_id, answer=said["generated_answer"])

    class Scoring(Metric, frozen=True, kw_only=True):
        title = "scoring"

        def score(self, case: Case, verdicts: Verdicts) -> Result:
            nonlocal scored
            scored += 1
            while unanswered:
                unanswered.pop().set_result(scored)
            return self.result(1, 1)

    settled = settings(workers=1, evaluation_max_in_flight=20)
    measured(FileJournal(), Answering(), metrics=(Scoring(),), settings=settled)
    assert scored == 60 and len(waits) > 40
    # Were the answers that are there measured in one go, one that arrives meanwhile would wait for up to 19.
    assert max(waits) <= 1


def test_as_many_answers_may_wait_to_be_measured_as_queries_may_be_under_way() -> None:
    kept: list[str] = []
    ahead = 0

    class Counting(Waiting):
        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            nonlocal ahead
            ahead = max(ahead, int(query.query_id[1:]) - len(kept))
            return await super().answer(query)

    class Keeping(FileJournal):
        def append(self, result: ItemResult) -> None:
            kept.append(result.query_id)
            super().append(result)

    measured(Keeping(), Counting(seconds=0.0), metrics=(Slow(),), settings=settings(workers=1))
    assert 8 <= ahead <= 16
    assert len(kept) == 60


@pytest.mark.thorough
def test_a_second_process_is_started_when_the_first_falls_behind(started: Started) -> None:
    given = settings(workers=3, evaluation_max_in_flight=16)
    measured(FileJournal(), Waiting(started, 0.0), metrics=(Slow(),), settings=given)
    assert len(started.processes) == 2
    assert started.all_gone()


def test_one_process_is_enough_while_few_answers_wait_to_be_measured(started: Started) -> None:
    kept: list[str] = []

    class Keeping(FileJournal):
        def append(self, result: ItemResult) -> None:
            kept.append(result.query_id)
            super().append(result)

    class Following(Waiting):
        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            while int(query.query_id[1:]) - len(kept) >= 8:
                await asyncio.sleep(0.005)
            return await super().answer(query)

    given = settings(workers=3, evaluation_max_in_flight=16)
    measured(Keeping(), Following(started), metrics=(Elsewhere(),), settings=given)
    assert len(started.processes) == 1
    assert started.all_gone()


# --- what may go wrong ---------------------------------------------------------------------------


class Deadly(Metric, frozen=True, kw_only=True):
    """Kills any process but the one that asked, at a certain query; only once where it can leave a mark."""

    title = "deadly"
    asked_by: int
    mark: str | None = None

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        spared = os.getpid() == self.asked_by or (self.mark is not None and Path(self.mark).exists())
        if case.item.query_id == f"q{LATE + 10}" and not spared:
            if self.mark is not None:
                Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.result(1, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("always", [False, True])
def test_a_process_that_dies_costs_at_most_the_answer_that_kills_it(
    started: Started, tmp_path: Path, always: bool
) -> None:
    journal, mark = FileJournal(), tmp_path / "mark"
    metric = Deadly(asked_by=os.getpid(), mark=None if always else str(mark))
    # So few at once that none is measured here while the process has its hands full.
    given = settings(evaluation_max_in_flight=2)
    ending, _ = measured(journal, Waiting(started), metrics=(metric,), settings=given)
    items = list(journal.results())
    assert (ending, len(items)) == ("finished", 60)
    assert [item.query_id for item in items if item.failure] == ([f"q{LATE + 10}"] if always else [])
    assert len(started.processes) == (3 if always else 2)
    assert started.all_gone()


def test_what_a_lost_pool_had_is_measured_here(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = FileJournal()

    class Losing(Waiting):
        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            found = await super().answer(query)
            if query.query_id == f"q{LATE + 5}":
                monkeypatch.setattr(sys, "executable", "")
                started.processes[0].kill()
            return found

    ending, _ = measured(journal, Losing(started), metrics=(Elsewhere(asked_by=os.getpid()),))
    items = list(journal.results())
    assert (ending, len(items)) == ("finished", 60)
    assert not any(item.failure for item in items)
    assert items[-1].results[0].score == 0.0


def test_without_processes_all_is_measured_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    journal = FileJournal()
    ending, progress = measured(journal, Waiting())
    assert (ending, progress.done, progress.failed) == ("finished", 60, 0)


class OnlyKnownHere:
    """Can be pickled, but read again only where this module was imported under the same name."""


OnlyKnownHere.__module__ = "__main__"


@pytest.mark.parametrize("odd", [lambda: None, OnlyKnownHere()], ids=["unsendable", "unreadable"])
def test_an_answer_that_no_other_process_can_be_given_is_measured_here(
    started: Started, monkeypatch: pytest.MonkeyPatch, odd: Any
) -> None:
    journal = FileJournal()

    class Odd(Waiting):
        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            return msgspec.structs.replace(await super().answer(query), extra={"trace": odd})

    monkeypatch.setattr(sys.modules["__main__"], "OnlyKnownHere", OnlyKnownHere, raising=False)
    ending, progress = measured(journal, Odd(started), metrics=(Elsewhere(asked_by=os.getpid()),))
    assert started.ready.is_set()
    assert (ending, progress.done, progress.failed) == ("finished", 60, 0)
    assert {item.results[0].score for item in journal.results()} == {0.0}


class Refusing(Metric, frozen=True, kw_only=True):
    """Cannot go on in another process."""

    title = "refusing"
    asked_by: int

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        if os.getpid() != self.asked_by:
            raise JudgeError("there is no judge here")
        return self.result(1, 1)


def test_a_judge_that_cannot_go_on_ends_the_run_with_its_words(started: Started) -> None:
    class Hanging(Waiting):
        """One query hangs for good: the run must not wait for it."""

        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            if query.query_id == "q3":
                await asyncio.Event().wait()
            return await super().answer(query)

    with pytest.raises(JudgeError, match="there is no judge here"):
        measured(FileJournal(), Hanging(started), metrics=(Refusing(asked_by=os.getpid()),))
    assert started.all_gone()


class Renamed(NumberRules):
    """A judge of somebody's own making."""

    name = "rules/of-my-own"


def test_a_judge_of_ones_own_is_never_replaced_by_that_of_another_process() -> None:
    journal = FileJournal()
    _, progress = measured(
        journal, Waiting(), judge=Renamed(), metrics=(*METRICS, Elsewhere(asked_by=os.getpid()))
    )
    assert progress.done == 60
    assert {item.results[-1].score for item in journal.results()} == {0.0}


def test_a_journal_that_fails_ends_the_run(started: Started) -> None:
    class Full(FileJournal):
        def append(self, result: ItemResult) -> None:
            if result.position >= LATE + 4:
                raise OSError("there is no room")
            super().append(result)

    with pytest.raises(OSError, match="no room"):
        measured(Full(), Waiting(started))
    assert started.all_gone()


def test_ctrl_c_keeps_every_answer_that_was_given_and_leaves_no_process_behind(started: Started) -> None:
    journal, given = FileJournal(), []

    class Interrupted(Waiting):
        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            found = await super().answer(query)
            if query.query_id == f"q{LATE + 16}":
                os.kill(os.getpid(), signal.SIGINT)
            elif len(given) >= LATE + 16:
                await asyncio.Event().wait()
            given.append(query.query_id)
            return found

    ending, _ = measured(journal, Interrupted(started), metrics=(Slow(),))
    assert ending == "interrupted"
    assert sorted(item.query_id for item in journal.results()) == sorted(given)
    assert len(given) < 60
    assert started.all_gone()
