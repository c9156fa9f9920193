"""Many items at once: retried, timed out, resumed, and never lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from small_system import (
    FERRY,
    MUSEUM,
    RULES,
    answer,
    dataset,
    http_system,
    reply,
    write_answers,
    write_dataset,
)

from pincite.base import cores
from pincite.config import Settings, with_overrides
from pincite.datasets import load as dataset_loading
from pincite.datasets.files import plain as files
from pincite.errors import JudgeError, StoreError
from pincite.judges import Judge, NumberRules
from pincite.metrics import Case, Metric, Verdicts
from pincite.records import ItemResult, Pair, Passage, Result, Verdict
from pincite.runs import EvalRequest, Progress, evaluate, make_plan
from pincite.runs import workers as placing
from pincite.runs.harness import run_items
from pincite.runs.journal import FallbackJournal, FileJournal
from pincite.runs.targets import target as asking

METRICS = ("hit@1", "span_f1", "citation_correctness")


class Free(Metric, frozen=True, kw_only=True):
    """Costs nothing."""

    title = "free"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.result(1, 1)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "FIRST_PAUSE", 0.01)


def settings(**more: Any) -> Settings:
    return with_overrides(RULES, {"evaluation_resamples": 100, **more})


def measured(journal: Any, queries: int = 6, **request: Any) -> tuple[str, Progress]:
    """Run the items of the small dataset into a journal."""
    with ExitStack() as stack:
        request.setdefault("settings", settings())
        request.setdefault("metrics", METRICS)
        plan = make_plan(EvalRequest(dataset=request.pop("data", dataset(queries)), **request), stack)
        progress = Progress(plan.total, plan.judge)
        return run_items(plan, journal, progress), progress


def said(text: str) -> dict[str, Any]:
    return answer(int(text.rpartition(" ")[2].rstrip("?")))


def scores(items: Iterator[ItemResult]) -> list[tuple[str, list[float | None]]]:
    return [(item.query_id, [result.score for result in item.results]) for item in items]


def test_recorded_and_live_answers_of_the_same_words_score_alike(tmp_path: Path) -> None:
    recorded, live = FileJournal(), FileJournal()
    assert measured(recorded, answers=write_answers(tmp_path))[0] == "finished"
    assert measured(live, target=said)[0] == "finished"
    assert scores(recorded.results()) == scores(live.results())
    assert [item.query_id for item in live.results()] == [f"q{n}" for n in range(6)]
    assert [item.latency_ms for item in recorded.results()] == [100 + n for n in range(6)]


def test_no_more_are_under_way_than_allowed_and_that_many_are() -> None:
    now = most = 0

    async def slow(text: str) -> dict[str, Any]:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.02)
        now -= 1
        return said(text)

    measured(FileJournal(), 30, target=slow, settings=settings(evaluation_max_in_flight=7))
    assert most == 7


def test_a_query_without_a_recorded_answer_is_a_failed_one_and_is_scored(tmp_path: Path) -> None:
    journal = FileJournal()
    _, progress = measured(journal, answers=write_answers(tmp_path, [0, 1, 2, 4, 5]))
    items = list(journal.results())
    assert [item.query_id for item in items if item.failure] == ["q3"]
    assert items[3].failure == "no answer was recorded for this query"
    assert items[3].results[0].score == 0.0  # a judged query without results
    assert (progress.done, progress.failed) == (6, 1)


@pytest.mark.thorough
def test_a_system_that_recovers_is_asked_again_and_one_that_does_not_is_recorded() -> None:
    asked: dict[str, int] = {}

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        text = json.loads(body)["query"]
        asked[text] = asked.get(text, 0) + 1
        number = int(text.rpartition(" ")[2].rstrip("?"))
        if number == 0 and asked[text] < 3:
            writer.write(reply("503 Busy", b"come back later"))
        elif number == 1 and asked[text] < 2:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf an ans")
            await writer.drain()
            writer.close()
        elif number == 2:
            writer.write(reply("200 OK", b"\x00\xff garbage"))
        elif number == 3:
            await asyncio.sleep(30)
        elif number == 4:
            writer.write(reply("400 Bad", b"never ask that"))
        else:
            writer.write(reply("200 OK", json.dumps(said(text)).encode()))

    journal = FileJournal()
    with http_system(handler) as url:
        ending, _ = measured(
            journal, target=url, settings=settings(evaluation_timeout_seconds=2, errors_max_retries=2)
        )
    items = list(journal.results())
    assert ending == "finished"
    assert [item.attempts for item in items] == [3, 2, 3, 3, 1, 1]
    assert [item.failure for item in items] == [
        None,
        None,
        "the reply is not UTF-8 text",
        "no answer within 2 s",
        "HTTP 400: never ask that",
        None,
    ]


def test_what_was_kept_is_not_asked_again() -> None:
    journal = FileJournal()
    asked: list[str] = []

    def answering(text: str) -> dict[str, Any]:
        asked.append(text)
        return said(text)

    measured(journal, 3, target=answering)
    _, progress = measured(journal, 3, target=answering)
    assert len(asked) == 3
    assert (progress.done, progress.resumed) == (3, 3)


def test_items_are_known_by_content_not_by_place() -> None:
    journal = FileJournal()
    measured(journal, 4, target=said)
    turned = dataset(4)
    turned["queries"].reverse()
    turned["queries"][0]["query_text"] += " Again, number 3?"
    asked: list[str] = []

    def answering(text: str) -> dict[str, Any]:
        asked.append(text)
        return said(text)

    # The dataset's digest is part of a run's fingerprint, so the keys are compared below it.
    with ExitStack() as stack:
        one = make_plan(
            EvalRequest(dataset=dataset(4), target=said, settings=settings(), metrics=METRICS), stack
        )
        two = make_plan(EvalRequest(dataset=turned, target=said, settings=settings(), metrics=METRICS), stack)
        two = msgspec.structs.replace(two, fingerprint=one.fingerprint)
        keys = [{task.key for task in plan.tasks(lambda key: False) if task} for plan in (one, two)]
    assert len(keys[0] & keys[1]) == 3


def test_the_same_query_twice_is_two_items(tmp_path: Path) -> None:
    twice = dataset(2)
    twice["queries"] += [dict(twice["queries"][0]), dict(twice["queries"][0])]
    journal = FileJournal()
    measured(journal, data=twice, answers=write_answers(tmp_path))
    assert [item.query_id for item in journal.results()] == ["q0", "q1", "q0", "q0"]


def test_a_limit_draws_the_same_queries_each_time_and_keeps_their_order(tmp_path: Path) -> None:
    drawn = []
    for seed in (1, 1, 2):
        journal = FileJournal()
        measured(journal, 40, answers=write_answers(tmp_path, range(40)), limit=10, seed=seed)
        drawn.append([item.position for item in journal.results()])
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 10
    assert drawn[0] == sorted(drawn[0])


def test_a_metric_that_raises_is_a_result_that_says_so() -> None:
    class Broken(Metric, frozen=True, kw_only=True):
        title = "broken"

        def score(self, case: Case, verdicts: Verdicts) -> Result:
            raise KeyError("lost")

    journal = FileJournal()
    measured(journal, 2, target=said, metrics=(Free(), Broken()))
    first = next(journal.results())
    assert [result.score for result in first.results] == [1.0, None]
    assert first.results[1].unjudged == 1
    assert "KeyError" in next(iter(first.results[1].reasons))


class Asking(Metric, frozen=True, kw_only=True):
    """Asks one thing of a judge."""

    title = "asking"

    def pairs(self, case: Case) -> list[Pair]:
        return [Pair("a claim", (Passage("a text"),))]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        (verdict,) = verdicts.values()
        unjudged = verdict.outcome == "unjudged"
        return self.result(0 if unjudged else 1, 0 if unjudged else 1, unjudged=int(unjudged))


class LlmLike(Judge):
    name = "waiting/1"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.calls = self.under_way = self.most_at_once = 0

    async def judge(self, pairs: Any) -> list[Verdict]:
        self.calls += 1
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        await asyncio.sleep(0.02)
        self.under_way -= 1
        if self.error is not None:
            raise self.error
        return [Verdict("supported", 1.0, "yes") for _ in pairs]


def test_answers_are_judged_side_by_side_where_the_judge_waits(tmp_path: Path) -> None:
    judge, journal = LlmLike(), FileJournal()
    measured(journal, 40, answers=write_answers(tmp_path, range(40)), metrics=(Asking(),), judge=judge)
    assert judge.calls == 40
    assert judge.most_at_once > 1


def test_all_metrics_share_one_call_of_the_judge() -> None:
    judge = LlmLike()
    measured(FileJournal(), 1, target=said, metrics=(Asking(), Asking(threshold=0.5)), judge=judge)
    assert judge.calls == 1


@pytest.mark.parametrize(("size", "calls"), [(None, 1), (2, 3), (5, 1)])
def test_the_size_of_a_batch_is_that_of_the_settings(size: int | None, calls: int) -> None:
    class AskingFive(Asking, frozen=True, kw_only=True):
        def pairs(self, case: Case) -> list[Pair]:
            return [Pair(f"claim {n}", (Passage("a text"),)) for n in range(5)]

        def score(self, case: Case, verdicts: Verdicts) -> Result:
            return self.result(len(verdicts), 5)

    judge, journal = LlmLike(), FileJournal()
    given = {"target": said, "metrics": (AskingFive(),), "judge": judge}
    measured(journal, 1, **given, settings=settings(batch_size=size))
    assert judge.calls == calls
    assert next(journal.results()).results[0].score == 1.0


def test_a_judge_that_breaks_leaves_items_unjudged_and_one_that_cannot_start_ends_the_run() -> None:
    journal = FileJournal()
    _, progress = measured(
        journal, 3, target=said, metrics=(Asking(),), judge=LlmLike(ValueError("half a reply"))
    )
    assert progress.unjudged == 3
    with pytest.raises(JudgeError, match="no key"):
        measured(FileJournal(), 3, target=said, metrics=(Asking(),), judge=LlmLike(JudgeError("no key")))


def test_what_was_done_before_does_not_count_for_the_rate() -> None:
    progress = Progress(100)
    for _ in range(50):
        progress.skip()
        time.sleep(0.002)
    for place in range(10):
        progress.add(ItemResult(key=str(place), position=place, query_id="q", query_text="?"))
    assert progress.rate > 10 / 0.05
    assert progress.seconds_left is not None and progress.seconds_left < 40 * 0.005


# --- Ctrl-C --------------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_done_and_the_next_time_does_the_rest() -> None:
    journal = FileJournal()
    over = threading.Event()
    patient = settings(evaluation_timeout_seconds=1000)

    def answering(text: str) -> dict[str, Any]:
        if not text.endswith(("0?", "1?")):
            over.wait()
        return said(text)

    def interrupt() -> None:
        while len(list(journal.results())) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    # It comes back although the other answers never come.
    ending, _ = measured(journal, target=answering, settings=patient)
    assert ending == "interrupted"
    assert len(list(journal.results())) == 2
    over.set()
    ending, progress = measured(journal, target=answering, settings=patient)
    assert (ending, progress.resumed) == ("finished", 2)
    assert [item.query_id for item in journal.results()] == [f"q{n}" for n in range(6)]


# --- several processes ---------------------------------------------------------------------------


def test_several_processes_give_the_same_results_as_one(tmp_path: Path) -> None:
    path, answers = write_dataset(tmp_path, 80), write_answers(tmp_path, [n for n in range(80) if n != 7])
    found = []
    for workers in (1, 2):
        journal = FileJournal()
        ending, progress = measured(
            journal, data=path, answers=answers, settings=settings(evaluation_workers=workers)
        )
        assert (ending, progress.done, progress.failed) == ("finished", 80, 1)
        found.append(list(journal.results()))
    assert found[0] == found[1]


class Elsewhere(Metric, frozen=True, kw_only=True):
    """Whether it is scored in another process than the one that asked."""

    title = "elsewhere"
    asked_by: int = 0

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.result(int(os.getpid() != self.asked_by), 1)


def test_a_whole_evaluation_of_recorded_answers_is_scored_in_other_processes(tmp_path: Path) -> None:
    run = evaluate(
        write_dataset(tmp_path, 40),
        answers=write_answers(tmp_path, range(40)),
        metrics=(*METRICS, Elsewhere(asked_by=os.getpid())),
        settings=settings(evaluation_workers=2),
    )
    assert run.scores[-1].value == 1.0


class ProcessIds(Metric, frozen=True, kw_only=True):
    """Which process scores, and how many cores it uses. Waits until so many processes take part."""

    title = "process_ids"
    folder: str
    expected: int

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        (Path(self.folder) / str(os.getpid())).touch()
        hang_guard = time.monotonic() + 120
        while len(list(Path(self.folder).iterdir())) < self.expected and time.monotonic() < hang_guard:
            time.sleep(0.01)
        return self.result(os.getpid(), 1, counts={"cores": float(cores())})


def test_the_default_judge_gives_the_same_results_in_two_processes_as_in_one(tmp_path: Path) -> None:
    path, answers = write_dataset(tmp_path, 80), write_answers(tmp_path, range(80))
    found: list[list[ItemResult]] = []
    for workers in (1, 2):
        journal = FileJournal()
        by_model = settings(judge="entailment", evaluation_workers=workers)
        (tmp_path / f"{workers}").mkdir()
        ids = ProcessIds(folder=str(tmp_path / f"{workers}"), expected=workers)
        ending, progress = measured(
            journal, data=path, answers=answers, settings=by_model, metrics=(*METRICS, ids)
        )
        assert (ending, progress.done, progress.failed) == ("finished", 80, 0)
        found.append(list(journal.results()))
    here, there = ([item.results[-1] for item in items] for items in found)
    assert {result.numerator for result in here} == {os.getpid()}
    assert len({result.numerator for result in there} - {os.getpid()}) == 2
    assert {result.counts["cores"] for result in there} == {1.0}  # so that all together use each core once
    without_ids = [
        [msgspec.structs.replace(item, key="", results=item.results[:-1]) for item in items]
        for items in found
    ]
    assert without_ids[0] == without_ids[1]
    assert {verdict.judge for item in found[1] for verdict in item.verdicts} == {"entailment/2"}


def test_a_small_job_one_core_and_a_judge_that_was_given_stay_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_dataset(tmp_path, 300)

    def workers(queries: int, cores: int, judge: Any = None, free: int | None = 16_000, **more: Any) -> int:
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)), raising=False)
        monkeypatch.setattr(placing, "free_megabytes", lambda: free)
        request = EvalRequest(
            dataset=path, target="answer", settings=settings(**more), judge=judge, limit=queries
        )
        with ExitStack() as stack:
            return placing.workers_for(make_plan(request, stack))

    assert workers(300, 4, "rules") == 4
    assert workers(199, 4, "rules") == 1
    assert workers(300, 1, "rules") == 1
    assert workers(50, 4, "entailment") == 4
    assert workers(49, 4, "entailment") == 1
    assert workers(300, 1, "entailment") == 1
    assert workers(300, 64, "entailment") == 8  # each loads a model
    assert workers(300, 4, "entailment", performance_parallel_evaluation=False) == 1
    assert workers(6, 1, "entailment", evaluation_workers=3) == 3
    assert workers(300, 4, NumberRules(), evaluation_workers=3) == 1
    assert workers(300, 4, "panel:mean:rules,entailment") == 4
    assert workers(300, 64, "entailment", free=None) == 8
    assert workers(300, 64, "entailment", free=900) == 3  # a quarter of the memory is left to others
    assert workers(300, 64, "entailment", free=10) == 1
    assert workers(300, 64, "rules", free=10) == 64


def test_a_pair_that_many_answers_share_is_judged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Pair] = []
    judge = NumberRules.judge

    async def counting(self: NumberRules, pairs: Any) -> list[Verdict]:
        asked.extend(pairs)
        return await judge(self, pairs)

    monkeypatch.setattr(NumberRules, "judge", counting)
    for queries in (2, 40):
        asked.clear()
        given = {"data": write_dataset(tmp_path, queries), "answers": write_answers(tmp_path, range(queries))}
        journal = FileJournal()
        measured(journal, **given, metrics=("citation_correctness", "hallucination_rate"))
        # The answers to all even queries are the same, and those to all odd ones.
        seen = {(pair.claim, tuple(passage.text for passage in pair.passages)) for pair in asked}
        assert len(asked) == len(seen) <= 6
        assert sum(len(item.verdicts) for item in journal.results()) >= 2 * queries


@pytest.mark.thorough
def test_an_interrupted_run_of_two_processes_goes_on_to_the_same_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, answers = write_dataset(tmp_path, 120), write_answers(tmp_path, range(120))
    given = {"data": path, "answers": answers, "settings": settings(evaluation_workers=2)}
    whole = FileJournal()
    measured(whole, **given)

    class Stopping(FileJournal):
        def append(self, result: ItemResult) -> None:
            super().append(result)
            if len(list(self.results())) == 40:
                raise KeyboardInterrupt

    journal = Stopping()
    assert measured(journal, **given)[0] == "interrupted"
    ending, progress = measured(journal, **given)
    assert (ending, progress.resumed, progress.done) == ("finished", 40, 120)
    assert list(journal.results()) == list(whole.results())


@pytest.mark.parametrize("workers", [1, 2])
def test_a_dataset_that_is_not_held_in_memory_scores_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    path, answers = write_dataset(tmp_path, 40), write_answers(tmp_path, range(40))
    held, streamed = FileJournal(), FileJournal()
    measured(held, data=path, answers=answers)
    monkeypatch.setattr(files, "LARGE", 100)
    monkeypatch.setattr(dataset_loading, "MOST_TEXT", 10)
    given = {"data": path, "answers": answers, "settings": settings(evaluation_workers=workers)}
    with ExitStack() as stack:
        request = EvalRequest(dataset=path, answers=answers, settings=settings(), metrics=METRICS)
        plan = make_plan(request, stack)
        assert not plan.dataset.in_memory
        assert "name" in plan.grounding_scope
    assert measured(streamed, **given)[0] == "finished"
    assert scores(held.results()) == scores(streamed.results())


def test_a_large_dataset_is_scored_in_no_more_processes_than_may_hold_its_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    given = {"dataset": write_dataset(tmp_path, 300), "answers": write_answers(tmp_path, range(300))}
    text = len(FERRY + MUSEUM)

    def workers() -> int:
        with ExitStack() as stack:
            return placing.workers_for(
                make_plan(EvalRequest(**given, settings=settings(), metrics=METRICS), stack)
            )

    monkeypatch.setattr(placing, "MOST_COPIED", 3 * text)
    assert workers() == 8
    monkeypatch.setattr(files, "LARGE", 100)
    assert workers() == 3
    monkeypatch.setattr(placing, "MOST_COPIED", text - 1)
    assert workers() == 1


class Deadly(Metric, frozen=True, kw_only=True):
    """Kills the process that scores a certain query."""

    title = "deadly"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        if case.item.query_id == "q13":
            os.kill(os.getpid(), signal.SIGKILL)
        return self.result(1, 1)


@pytest.mark.thorough
def test_a_process_that_dies_costs_one_item_which_says_so(tmp_path: Path) -> None:
    path, answers = write_dataset(tmp_path, 40), write_answers(tmp_path, range(40))
    journal = FileJournal()
    ending, _ = measured(
        journal, data=path, answers=answers, metrics=(Deadly(),), settings=settings(evaluation_workers=2)
    )
    items = list(journal.results())
    assert ending == "finished"
    assert len(items) == 40
    assert [item.query_id for item in items if item.failure] == ["q13"]
    assert "died" in (items[13].failure or "")


def test_without_processes_the_work_is_done_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))
    journal = FileJournal()
    ending, progress = measured(
        journal, 40, answers=write_answers(tmp_path, range(40)), settings=settings(evaluation_workers=2)
    )
    assert (ending, progress.done, progress.failed) == ("finished", 40, 0)


def test_a_metric_that_other_processes_cannot_import_is_scored_here(tmp_path: Path) -> None:
    class Local(Metric, frozen=True, kw_only=True):
        title = "local"

        def score(self, case: Case, verdicts: Verdicts) -> Result:
            return self.result(1, 1)

    journal = FileJournal()
    measured(
        journal,
        40,
        answers=write_answers(tmp_path, range(40)),
        metrics=(Local(),),
        settings=settings(evaluation_workers=2),
    )
    assert all(item.results[0].score == 1.0 for item in journal.results())


# --- journals ------------------------------------------------------------------------------------


def test_a_temporary_journal_gives_back_what_it_got_by_position(tmp_path: Path) -> None:
    kept, other = FileJournal(), FileJournal()
    for journal in (kept, other):
        measured(journal, answers=write_answers(tmp_path))
    assert list(kept.results()) == list(other.results())
    assert other.done(next(kept.results()).key)
    other.close()


class Failing(FileJournal):
    """A history whose disk is full after a while."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def append(self, result: ItemResult) -> None:
        if self.room == 0:
            raise StoreError("the disk is full")
        self.room -= 1
        super().append(result)


@pytest.mark.parametrize("room", [0, 2, 6])
def test_a_history_that_fails_loses_nothing_and_is_told_once(tmp_path: Path, room: int) -> None:
    warnings: list[str] = []
    journal = FallbackJournal(Failing(room), warnings.append)
    ending, _ = measured(journal, answers=write_answers(tmp_path))
    assert ending == "finished"
    assert [item.query_id for item in journal.results()] == [f"q{n}" for n in range(6)]
    assert len(warnings) == (room < 6)
    journal.close()


class FailingForAWhile(Failing):
    """A history that can be written again when it is flushed."""

    def flush(self) -> None:
        self.room = -1


@pytest.mark.parametrize(("history", "settled"), [(Failing, False), (FailingForAWhile, True)])
def test_a_history_that_recovers_gets_everything_in_the_end(
    tmp_path: Path, history: type[Failing], settled: bool
) -> None:
    warnings: list[str] = []
    kept = history(2)
    journal = FallbackJournal(kept, warnings.append)
    for place in range(6):
        journal.append(ItemResult(key=str(place), position=place, query_id=f"q{place}", query_text="?"))
    assert journal.settle() is settled
    assert len(list(kept.results())) == (6 if settled else 2)
    assert [item.position for item in journal.results()] == list(range(6))
    assert [("written again" in warning) for warning in warnings] == ([False, True] if settled else [False])
    journal.close()


def test_half_a_character_and_endless_numbers_do_not_lose_a_result() -> None:
    def odd(text: str) -> dict[str, Any]:
        return {
            "answer": "half \ud800 [ferry.txt:0-26].",
            "citations": [{"file_name": "a\udfff", "start_char": 10**30, "end_char": -(10**30)}],
            "usage": {"note": float("inf")},
        }

    run = evaluate(dataset(2), target=odd, metrics=METRICS, settings=settings())
    assert (run.total, run.failed) == (2, 0)
