"""A system measured on a dataset, from what was asked for to the finished run."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pincite.annotation import Labels, read_labels
from pincite.base import run_sync
from pincite.config import Settings
from pincite.datasets import Dataset, TracedAnswers, answers_file, open_dataset, open_traces
from pincite.errors import InputError, PinciteError
from pincite.judges import Judge, open_judge
from pincite.metrics import Metric, ResourceSampler
from pincite.records import Alert, Run, RunStatus, Shard
from pincite.runs.alerts.alerting import find_alerts
from pincite.runs.baseline import find_baseline
from pincite.runs.choosing import choose_metrics, named_metrics, named_thresholds, refuse_unmeasured
from pincite.runs.environment import environment, timestamp
from pincite.runs.finishing import Earlier, Finished, basis_of, conclude
from pincite.runs.harness import run_items
from pincite.runs.journal import FileJournal, History, Journal, ShelteredJournal
from pincite.runs.labelled import with_labels
from pincite.runs.plan import (
    Plan,
    chosen_positions,
    fingerprint,
    in_shard,
    read_shard,
    sampled,
    shard_fingerprint,
    warm_up,
)
from pincite.runs.progress import Progress
from pincite.runs.results.files import write_file
from pincite.runs.targets import Target, make_target
from pincite.runs.targets.recorded import RecordedTarget, TracedTarget
from pincite.runs.workers import refuse_engine


class Request(Struct, frozen=True, kw_only=True):
    """Everything that was asked for."""

    dataset: Any = None
    target: Any = None
    """An address, `package.module:function`, `reference`, `answer`, a function, or a `Target`."""
    answers: Path | str | None = None
    """A file of recorded answers; `sample:a` and `sample:b` are those that come with the sample."""
    traces: Path | str | TracedAnswers | None = None
    """A file or a folder of traces; without a dataset, what was asked is the dataset."""
    metrics: tuple[str | Metric, ...] = ()
    judge: str | Judge | None = None
    settings: Settings = Settings()
    limit: int | None = None
    seed: int | None = None
    baseline: str | None = None
    labels: Path | None = None
    name: str | None = None
    system_version: str | None = None
    thresholds: dict[str, float] = {}
    resume: bool = True
    shard: str | None = None
    """`2/8` measures only the second of eight parts, which `pincite runs merge` puts together."""
    target_options: dict[str, Any] = {}
    """Of an address: `request_body`, `answer_path`, `citations_path`, `headers`; of a function: `isolate`,
    `processes`, `memory_mb`; of `answer`: `model`."""


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
    thresholds: Mapping[str, float] | None = None,
    output: Path | str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    isolate: bool = False,
    model: str | None = None,
    shard: str | None = None,
) -> Run:
    """Measure a system on a dataset.

    `dataset` is a path, `"sample"`, or the dataset itself. The system is a file of recorded `answers`, or a
    `target`: an address, `package.module:function`, a function, `"reference"`, or `"answer"` with the
    `model` that drafts. `traces` of a system in production need no dataset: what was asked is one. With a
    `store` the run is kept, and an interrupted one is resumed. `output` names a file for the results
    document, or with `.journal` for all that is kept. `isolate` runs a function that is named,
    `package.module:function`, in processes of its own: a crash costs one query. `shard`, such as `"2/8"`,
    measures only that part, which `pincite runs merge` puts together with the others.
    """
    if isinstance(store, str | Path):
        raise InputError("open the history first: evaluate(…, store=pincite.open_store(…))")
    request = Request(
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
        thresholds=named_thresholds(thresholds or {}),
        shard=shard,
        target_options={**({"isolate": True} if isolate else {}), **({"model": model} if model else {})},
    )
    with carry_out(request, store, on_progress) as done:
        if output is not None:
            write_file(done.run, done.items(), Path(output))
        return msgspec.structs.replace(done.run, items=done.items)


@contextmanager
def carry_out(
    request: Request,
    store: History | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] = lambda text: None,
) -> Iterator[Finished]:
    """Measure; the items of what is returned can be read until the `with` ends."""
    with ExitStack() as stack:
        plan = make_plan(request, stack)
        refuse_engine(plan)
        earlier, labels = look_ahead(request, plan, store)
        run, journal = begin_run(new_run(plan, request), request.resume, store, warn, stack)
        if plan.target.waits:
            warm_up(plan)
        progress = Progress(plan.total, plan.judge, on_progress)
        begun = time.monotonic()
        with ResourceSampler() as resources:
            ending = run_items(plan, journal, progress)
        seconds = run.seconds + time.monotonic() - begun - journal.waited
        kept = isinstance(journal, ShelteredJournal) and journal.settle()
        basis = basis_of(plan)
        run = msgspec.structs.replace(run, status=ending, seconds=seconds, finished_at=timestamp())
        if run.shard is not None:
            told = msgspec.structs.replace(run.shard, facts=basis.facts)
            status: RunStatus = "shard" if ending == "finished" else ending
            run = msgspec.structs.replace(run, shard=told, status=status)
        correct = (
            None if labels is None else lambda scores: with_labels(scores, plan, journal.results(), labels)
        )
        finished = conclude(basis, run, journal, request.thresholds, resources.summary(), earlier, correct)
        named = named_metrics(request.metrics, request.thresholds)
        done = close_run(finished, store if kept else None, store, request.settings, named, warn)
        yield msgspec.structs.replace(done, resumed=progress.resumed)


def close_run(
    finished: Finished,
    keeper: History | None,
    store: History | None,
    settings: Settings,
    named: Collection[str],
    warn: Callable[[str], None],
) -> Finished:
    """Find the alerts of a run that is concluded, and have the history keep it where there is a keeper."""
    alerts: tuple[Alert, ...] = ()
    notes: tuple[str, ...] = ()
    if finished.run.shard is None:  # of a part nothing can be said yet
        alerts, notes = find_alerts(
            finished.run,
            store,
            settings,
            named,
            comparison=finished.comparison,
            not_compared=finished.not_compared,
            nothing_done=finished.nothing_done,
        )
    run = msgspec.structs.replace(finished.run, alerts=alerts)
    if keeper is not None:
        try:
            keeper.finish(run)
        except (PinciteError, OSError) as error:
            warn(f"the run could not be added to the history: {error}")
            keeper = None
    return msgspec.structs.replace(
        finished, run=run, notes=(*finished.notes, *notes), kept=keeper is not None
    )


def begin_run(
    run: Run, resume: bool, store: History | None, warn: Callable[[str], None], stack: ExitStack
) -> tuple[Run, Journal]:
    """The run and where its results are kept: in the store, or in a temporary file if there is none."""
    if store is not None:
        try:
            run, journal = store.begin(run, resume)
            sheltered = ShelteredJournal(journal, warn)
            stack.callback(sheltered.close)
            return run, sheltered
        except (PinciteError, OSError) as error:
            warn(f"this run is not kept: {error}")
    shelter = FileJournal()  # closed with the last one who may read the items
    return msgspec.structs.replace(run, run_id=f"eval_run_{datetime.now(UTC):%Y%m%d_%H%M%S}"), shelter


def make_plan(request: Request, stack: ExitStack) -> Plan:
    """Open the dataset, the target and the judge; all are closed with the stack."""
    settings = request.settings
    if request.limit is not None and request.limit < 1:
        raise InputError(f"the limit is 1 or more, not {request.limit}")
    shard = None if request.shard is None else read_shard(request.shard)
    if shard is not None and (request.baseline or request.labels):
        raise InputError(
            "a shard alone is neither compared with a baseline nor corrected by labels: merge the shards "
            "first with `pincite runs merge`, then compare with `pincite runs compare`"
        )
    traces = _traces(request)
    given = request.dataset
    if given is None:
        if traces is None:
            raise InputError("give a dataset, or the `traces` of a system")
        given = traces.dataset()
    dataset: Dataset = stack.enter_context(open_dataset(given, settings))
    if isinstance(request.judge, str):
        settings = msgspec.structs.replace(settings, judge=request.judge)
    if dataset.offsets in ("document", "page"):
        settings = msgspec.structs.replace(settings, offsets=dataset.offsets)
    seed = settings.evaluation.random_seed if request.seed is None else request.seed
    settings = msgspec.structs.replace(
        settings, evaluation=msgspec.structs.replace(settings.evaluation, random_seed=seed)
    )
    if traces is None:
        target = _target(request, dataset)
    else:
        asked = None if request.dataset is None else dataset.queries()  # else what was asked is the dataset
        target = TracedTarget(traces.path, traces.answers(asked))
    stack.callback(lambda: run_sync(target.close()))
    metrics, left_out = choose_metrics(request.metrics, dataset, target, settings)
    refuse_unmeasured(request.thresholds, metrics)
    chosen = open_judge(request.judge, settings, remember=True)
    stack.callback(lambda: run_sync(chosen.close()))
    positions = None
    total = dataset.count()
    if request.limit is not None and request.limit < total:
        positions = chosen_positions(dataset.queries(), request.limit, seed)
        total = len(positions)
    if total == 0:
        raise InputError("the dataset has no queries, so there is nothing to measure")
    whole = total
    if shard is not None:
        total = sum(in_shard(query, *shard) for _, query in sampled(dataset.queries(), positions))
    return Plan(
        dataset=dataset,
        target=target,
        metrics=metrics,
        judge=chosen,
        settings=settings,
        fingerprint=fingerprint(
            dataset.digest,
            target.name,
            chosen.name,
            [str(metric) for metric in metrics],
            settings,
            (positions, request.system_version, target.code),
        ),
        positions=positions,
        total=total,
        shard=shard,
        whole=whole,
        by_name=bool(request.metrics or settings.evaluation.metrics),
        left_out=left_out,
    )


def look_ahead(request: Request, plan: Plan, store: History | None) -> tuple[Earlier | None, Labels | None]:
    """The baseline and the labels, read before anything is asked: a wrong one must not cost a whole run."""
    earlier = find_baseline(request.baseline, plan, store) if request.baseline else None
    labels = read_labels(request.labels) if request.labels is not None else None
    if labels is not None and not labels:
        raise InputError(f"{request.labels} has no labels")
    return earlier, labels


def new_run(plan: Plan, request: Request) -> Run:
    """The record of a run that begins."""
    settings = plan.settings
    shard = None
    if plan.shard is not None:
        number, of = plan.shard
        named = tuple(sorted(named_metrics(request.metrics, request.thresholds)))
        shard = Shard(
            number=number,
            of=of,
            whole=plan.fingerprint,
            total=plan.whole,
            thresholds=request.thresholds,
            named=named,
        )
    return Run(
        run_id="",
        name=request.name,
        fingerprint=plan.fingerprint if shard is None else shard_fingerprint(shard),
        shard=shard,
        started_at=timestamp(),
        dataset_id=plan.dataset.dataset_id,
        dataset_version=plan.dataset.version,
        dataset_digest=plan.dataset.digest,
        target=plan.target.name,
        system_version=request.system_version,
        judge=plan.judge.name,
        metrics=tuple(str(metric) for metric in plan.metrics),
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


def _traces(request: Request) -> TracedAnswers | None:
    """The traces that are to be measured, where that is what was asked for."""
    if request.traces is None:
        return None
    if request.answers is not None or request.target is not None:
        raise InputError("give one system to measure: its traces, recorded answers, or a target")
    if request.target_options:
        raise InputError("traces are not asked anything: options of a target do not go with them")
    return request.traces if isinstance(request.traces, TracedAnswers) else open_traces(request.traces)


def _target(request: Request, dataset: Dataset) -> Target:
    if request.answers is not None and request.target is not None:
        raise InputError("give one system to measure: recorded answers or a target, not both")
    if request.answers is None and request.target is None:
        raise InputError("give one system to measure: a file of recorded `answers`, or a `target`")
    if request.answers is not None:
        if request.target_options:
            make_target("reference", dataset, **request.target_options)  # says what these are for
        return RecordedTarget(answers_file(request.answers))
    seconds = request.settings.evaluation.timeout_seconds
    options = {**request.target_options, "seconds": seconds, "settings": request.settings}
    return make_target(request.target, dataset, **options)


__all__: Sequence[str] = ("History", "Request", "carry_out", "evaluate", "make_plan")
