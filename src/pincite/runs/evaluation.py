"""A system measured on a dataset, from what was asked for to the finished run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from pincite.annotation import Labels, read_labels
from pincite.config import Settings
from pincite.errors import InputError, PinciteError
from pincite.judges import Judge
from pincite.metrics import Metric, ResourceSampler
from pincite.records import Run
from pincite.runs.alerts import find_alerts
from pincite.runs.baseline import Earlier, find_baseline
from pincite.runs.environment import environment, timestamp
from pincite.runs.harness import Progress, run_items
from pincite.runs.journal import FallbackJournal, FileJournal, History, Journal
from pincite.runs.label_correction import with_labels
from pincite.runs.metric_selection import named_thresholds
from pincite.runs.plan import EvalRequest, RunPlan, make_plan, warm_up
from pincite.runs.results_files import write_results
from pincite.runs.summary import RunResult, summarise
from pincite.runs.workers import check_engine


def evaluate(
    dataset: Any = None,
    *,
    target: Any = None,
    answers: Path | str | None = None,
    traces: Path | str | None = None,
    metrics: Iterable[str | Metric] | None = None,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    store: History | None = None,
    limit: int | None = None,
    seed: int | None = None,
    baseline: str | None = None,
    name: str | None = None,
    system_version: str | None = None,
    thresholds: Mapping[str, float] | None = None,
    output: Path | str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    isolate: bool = False,
    model: str | None = None,
) -> Run:
    """Measure a system on a dataset.

    `dataset` is a path, `"sample"`, or the dataset itself. The system is a file of recorded `answers`, or a
    `target`: an address, `package.module:function`, a function, or `"answer"` with the `model`
    that drafts. `traces` of a system in production need no dataset: what was asked is one. With a
    `store` the run is kept, and an interrupted one is resumed: of a function, whose code may have changed,
    only where `system_version` says which version it is. `output` names a file for the results
    document. `isolate` runs a function that is named, `package.module:function`, in processes of its own: a
    crash costs one query.
    """
    if isinstance(store, str | Path):
        raise InputError("open the history first: evaluate(…, store=pincite.open_store(…))")
    request = EvalRequest(
        dataset=dataset,
        target=target,
        answers=answers,
        traces=traces,
        metrics=tuple(metrics or ()),
        judge=judge,
        settings=settings or Settings(),
        limit=limit,
        seed=seed,
        baseline=baseline,
        name=name,
        system_version=system_version,
        thresholds=named_thresholds(thresholds or {}),
        target_options={**({"isolate": True} if isolate else {}), **({"model": model} if model else {})},
    )
    with run_evaluation(request, store, on_progress) as done:
        if output is not None:
            write_results(done.run.document, done.items(), Path(output))
        return msgspec.structs.replace(done.run, items=done.items)


@contextmanager
def run_evaluation(
    request: EvalRequest,
    store: History | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] = lambda text: None,
) -> Iterator[RunResult]:
    """Measure; the items of what is returned can be read until the `with` ends."""
    with ExitStack() as stack:
        plan = make_plan(request, stack)
        check_engine(plan)
        earlier, labels = look_ahead(request, plan, store)
        run, journal = open_run(new_run(plan, request), request.resume, store, warn, stack)
        if plan.target.waits:
            warm_up(plan)
        progress = Progress(plan.total, plan.judge, on_progress)
        begun = time.monotonic()
        with ResourceSampler() as resources:
            ending = run_items(plan, journal, progress)
        seconds = run.seconds + time.monotonic() - begun - journal.waited
        kept = isinstance(journal, FallbackJournal) and journal.settle()
        run = msgspec.structs.replace(run, status=ending, seconds=seconds, finished_at=timestamp())
        correct = (
            None if labels is None else lambda scores: with_labels(scores, plan, journal.results(), labels)
        )
        result = summarise(plan, run, journal, request.thresholds, resources.summary(), earlier, correct)
        alerts, notes = find_alerts(result, store, request.settings, request.named_metrics)
        run = msgspec.structs.replace(result.run, alerts=alerts)
        if kept and store is not None:
            try:
                store.finish(run)
            except (PinciteError, OSError) as error:
                warn(f"the run could not be added to the history: {error}")
                kept = False
        yield msgspec.structs.replace(
            result, run=run, kept=kept, notes=(*result.notes, *notes), resumed=progress.resumed
        )


def open_run(
    run: Run, resume: bool, store: History | None, warn: Callable[[str], None], stack: ExitStack
) -> tuple[Run, Journal]:
    """The run and where its results are kept: in the store, or in a temporary file if there is none."""
    if store is not None:
        try:
            run, journal = store.begin(run, resume)
            fallback = FallbackJournal(journal, warn)
            stack.callback(fallback.close)
            return run, fallback
        except (PinciteError, OSError) as error:
            warn(f"run not saved: {error}")
    # Without a history; closed with the last one who may read the items.
    return msgspec.structs.replace(run, run_id=f"eval_run_{datetime.now(UTC):%Y%m%d_%H%M%S}"), FileJournal()


def look_ahead(
    request: EvalRequest, plan: RunPlan, store: History | None
) -> tuple[Earlier | None, Labels | None]:
    """The baseline and the labels, read before anything is asked: a wrong one must not cost a whole run."""
    earlier = find_baseline(request.baseline, plan, store) if request.baseline else None
    labels = read_labels(request.labels) if request.labels is not None else None
    if labels is not None and not labels:
        raise InputError(f"{request.labels} has no labels")
    return earlier, labels


def new_run(plan: RunPlan, request: EvalRequest) -> Run:
    """The record of a run that begins."""
    settings = plan.settings
    return Run(
        run_id="",
        name=request.name,
        fingerprint=plan.fingerprint if plan.resumable else "",
        started_at=timestamp(),
        dataset_id=plan.dataset.dataset_id,
        dataset_version=plan.dataset.version,
        dataset_digest=plan.dataset.digest,
        target=plan.target.name,
        system_version=request.system_version,
        judge=plan.judge.name,
        metrics=tuple(metric.full_name for metric in plan.metrics),
        total=plan.total,
        parameters={
            "timeout_seconds": settings.evaluation.timeout_seconds,
            "max_retries": settings.errors.max_retries,
            "random_seed": settings.evaluation.random_seed,
            "max_in_flight": settings.evaluation.max_in_flight,
            "resamples": settings.evaluation.resamples,
            "confidence_level": settings.evaluation.confidence_level,
            "limit": request.limit,
        },
        environment=environment(),
    )
