"""The job of a run's worker processes, and how many of them there are."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from pincite.base import cores, free_megabytes, keep_to_one_core, run_sync
from pincite.datasets import Dataset, is_large, make_item
from pincite.engine import MOST_MODELS, Engine, Job, open_engine, require_engine
from pincite.errors import InputError
from pincite.judges import Judge, open_judge
from pincite.records import ItemResult, RecordedAnswer
from pincite.runs.journal import decode, encode, storable
from pincite.runs.plan import RunPlan, Task, measure

FEWEST_QUICK = 200
FEWEST = 50
"""Starting a process takes about as long as measuring this many answers, or this many with a model."""
MOST_COPIED = 16 * 1024 * 1024
"""Characters of documents that the processes for a large dataset hold together, each a copy of its own."""

Answered = tuple[Task, RecordedAnswer]


def workers_for(plan: RunPlan) -> int:
    """How many processes to measure in; 1 is this one alone, and 0 what a cluster offers."""
    if plan.settings.evaluation.engine != "local":
        return plan.settings.evaluation.workers
    if not plan.settings.performance.parallel_evaluation or plan.judge.placement != "process":
        return 1
    wanted = plan.settings.evaluation.workers
    if wanted:
        return wanted
    quick = plan.judge.quick
    if plan.total < (FEWEST_QUICK if quick else FEWEST):
        return 1
    most = sys.maxsize if quick else min(MOST_MODELS, _fitting(plan.judge))
    return min(cores(), most, _affordable(plan.dataset))


def _fitting(judge: Judge) -> int:
    """How many processes with this judge fit into the memory that is free, with a quarter of it left."""
    free = free_megabytes()
    return sys.maxsize if free is None else max(1, free * 3 // 4 // max(1, judge.megabytes))


def _affordable(dataset: Dataset) -> int:
    """In how many processes the documents of a large dataset may be held at once."""
    if not dataset.in_memory or dataset.path is None or not is_large(dataset.path):
        return sys.maxsize
    characters = sum(len(source.text) for source in dataset.library().sources)
    return max(1, MOST_COPIED // max(1, characters))


def check_engine(plan: RunPlan) -> None:
    """Say before anything is measured that the chosen engine cannot do it."""
    name = plan.settings.evaluation.engine
    if name == "local":
        return
    require_engine(name)
    if plan.target.waits:
        raise InputError(
            f"the engine {name} scores recorded answers: record them first with `pincite eval --output`, or "
            "ask the system from this machine, with evaluation.engine set to local"
        )
    if plan.judge.placement != "process":
        raise InputError(
            f"the judge {plan.judge.name} cannot be opened on other machines, so the engine {name} cannot "
            "use it; entailment, rules and nli:FOLDER can"
        )


def chosen_engine(plan: RunPlan, workers: int) -> Engine:
    """The engine that the settings name, for the answers of this run."""
    chosen = plan.settings.evaluation
    job = measuring_job(plan, workers)
    return open_engine(chosen.engine, job, workers, address=chosen.engine_address, expected=plan.total)


def measuring_job(plan: RunPlan, workers: int) -> Job:
    """The job of measuring a run's answers; a task is a query with its answer."""
    library = plan.dataset.library() if plan.dataset.in_memory else None

    def pack(answered: Answered) -> tuple[Task, RecordedAnswer, Any]:
        task, recorded = answered
        if plan.dataset.in_memory:
            return task, recorded, None
        return task, recorded, plan.library_for(make_item(task.query, recorded, plan.settings))

    return Job(
        prepare="pincite.runs.workers:prepare",
        given=(plan.settings, plan.metrics, library, workers != 1),
        signature=plan.judge.name,
        pack=pack,
        unpack=decode,
        lost=_died,
    )


def prepare(given: Any) -> tuple[str, Callable[[Any], bytes]]:
    """In a worker: open the judge, and measure one answer after the other."""
    settings, metrics, library, several = given
    if several:
        keep_to_one_core()  # before a model is loaded
    judge = open_judge(settings.judge, settings, remember=True)

    def measured(packed: tuple[Task, RecordedAnswer, Any]) -> bytes:
        task, recorded, own = packed
        measuring = measure(
            task, recorded, metrics, judge, settings, lambda _: library if own is None else own
        )
        return encode(storable(run_sync(measuring, waits=False)))

    return judge.name, measured


def _died(answered: Answered) -> ItemResult:
    task, recorded = answered
    return ItemResult(
        key=task.key,
        position=task.position,
        query_id=task.query.query_id,
        query_text=task.query.query_text,
        failure="the process that scored this answer died, twice",
        answer=recorded.answer,
    )
