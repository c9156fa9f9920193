"""What was asked for, and what a run is going to do about it; nothing that is found out on the way."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pincite.base import hashed_form, run_sync
from pincite.citations import parse
from pincite.config import Settings
from pincite.datasets import (
    Dataset,
    EvaluationQuery,
    TracedAnswers,
    answers_file,
    make_item,
    open_dataset,
    open_traces,
)
from pincite.errors import InputError
from pincite.judges import Judge, open_judge
from pincite.metrics import Case, Metric, find_failures, parse_metric
from pincite.records import DatasetItem, ItemResult, RecordedAnswer, SpanTarget
from pincite.runs.item import evaluate_item
from pincite.runs.metric_selection import choose_metrics, require_measured
from pincite.runs.targets import Target, make_target
from pincite.runs.targets.recorded import RecordedTarget, TracedTarget
from pincite.sources import Library


class EvalRequest(Struct, frozen=True, kw_only=True):
    """Everything that was asked for."""

    dataset: Any = None
    target: Any = None
    """An address, `package.module:function`, `answer`, a function, or a `Target`."""
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
    target_options: dict[str, Any] = {}
    """Of an address: `request_body`, `answer_path`, `citations_path`, `headers`; of a function: `isolate`,
    `processes`, `memory_mb`; of `answer`: `model`."""

    @property
    def named_metrics(self) -> frozenset[str]:
        """Every metric that was named, for itself or for its threshold, as it prints.

        One of these without a value cannot pass: it was asked for.
        """
        return frozenset(parse_metric(name).full_name for name in (*self.metrics, *self.thresholds))


class Task(Struct, frozen=True):
    """One query that is to be answered and measured."""

    position: int
    key: str
    query: EvaluationQuery
    recorded: RecordedAnswer | None = None
    """The answer, where it is known already."""


class RunPlan(Struct, frozen=True, kw_only=True):
    """One run."""

    dataset: Dataset
    target: Target
    metrics: tuple[Metric, ...]
    judge: Judge
    settings: Settings
    fingerprint: str
    positions: list[int] | None = None
    """The places of the sampled queries; None is all."""
    resumable: bool = True
    """Whether the same command resumes an interrupted run: not where a function may have changed."""
    total: int = 0
    """How many queries are to be done."""
    by_name: bool = True
    """Whether somebody chose the metrics; else they are the usual ones."""
    left_out: str | None = None
    """What one might expect to be measured and is not, and why."""

    def tasks(self, done: Callable[[str], bool]) -> Iterator[Task | None]:
        """What is to be done, in the order of the dataset; None for each that was done before."""
        keys = ItemKeys(self.fingerprint)
        for position, query in sampled(self.dataset.queries(), self.positions):
            recorded = self.target.look_up(query)
            key = keys.key(query, recorded)
            yield None if done(key) else Task(position, key, query, recorded)

    @property
    def grounding_scope(self) -> str:
        """Which documents an answer is checked against by default."""
        return "all documents" if self.dataset.in_memory else "the documents that query and answer name"

    async def measure(self, task: Task, recorded: RecordedAnswer) -> ItemResult:
        """The answer to one query, measured in this process."""
        return await measure(task, recorded, self.metrics, self.judge, self.settings, self.library_for)

    def library_for(self, item: DatasetItem) -> Library:
        if self.dataset.in_memory:
            return self.dataset.library()
        return self.dataset.library_for(named_documents(item))


async def measure(
    task: Task,
    recorded: RecordedAnswer,
    metrics: Sequence[Metric],
    judge: Judge,
    settings: Settings,
    library_for: Callable[[DatasetItem], Library],
) -> ItemResult:
    """The answer to one query, measured."""
    item = make_item(task.query, recorded, settings)
    more: dict[str, Any] = {"recorded": recorded, "key": task.key, "position": task.position}
    return await evaluate_item(item, task.query, metrics, judge, settings, library_for(item), **more)


def make_plan(request: EvalRequest, stack: ExitStack) -> RunPlan:
    """Open the dataset, the target and the judge; all are closed with the stack."""
    settings = request.settings
    if request.limit is not None and request.limit < 1:
        raise InputError(f"the limit is 1 or more, not {request.limit}")
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
    require_measured(request.thresholds, metrics)
    chosen = open_judge(request.judge, settings, remember=True)
    stack.callback(lambda: run_sync(chosen.close()))
    positions = None
    total = dataset.count()
    if request.limit is not None and request.limit < total:
        positions = chosen_positions(dataset.queries(), request.limit, seed)
        total = len(positions)
    if total == 0:
        raise InputError("the dataset has no queries, so there is nothing to measure")
    return RunPlan(
        dataset=dataset,
        target=target,
        metrics=metrics,
        judge=chosen,
        settings=settings,
        fingerprint=fingerprint(
            dataset.digest,
            target.name,
            chosen.name,
            [metric.full_name for metric in metrics],
            settings,
            (positions, request.system_version),
        ),
        positions=positions,
        resumable=request.system_version is not None or target.keeps_its_code,
        total=total,
        by_name=bool(request.metrics or settings.evaluation.metrics),
        left_out=left_out,
    )


def _traces(request: EvalRequest) -> TracedAnswers | None:
    """The traces that are to be measured, where that is what was asked for."""
    if request.traces is None:
        return None
    if request.answers is not None or request.target is not None:
        raise InputError("give one system to measure: its traces, recorded answers, or a target")
    if request.target_options:
        raise InputError("traces are not asked anything: options of a target do not go with them")
    return request.traces if isinstance(request.traces, TracedAnswers) else open_traces(request.traces)


def _target(request: EvalRequest, dataset: Dataset) -> Target:
    if request.answers is not None and request.target is not None:
        raise InputError("give one system to measure: recorded answers or a target, not both")
    if request.answers is None and request.target is None:
        raise InputError("give one system to measure: a file of recorded `answers`, or a `target`")
    if request.answers is not None:
        if request.target_options:
            make_target("answer", dataset, **request.target_options)  # says what these are for
        return RecordedTarget(answers_file(request.answers))
    seconds = request.settings.evaluation.timeout_seconds
    options = {**request.target_options, "seconds": seconds, "settings": request.settings}
    return make_target(request.target, dataset, **options)


def warm_up(plan: RunPlan) -> None:
    """Load and compile what the first item needs, so that no system that we ask looks slow because of it."""
    item = DatasetItem(query="?", actual_output="One [a.txt:0-3]. “Two” [1].", true_spans=(), relevant={})
    case = Case(item, plan.library_for(item), plan.settings)
    for metric in plan.metrics:
        with suppress(Exception):  # the real items will show what is wrong with it
            metric.pairs(case)
            metric.score(case, {})
    with suppress(Exception):
        find_failures(case, {})


def named_documents(item: DatasetItem) -> list[str]:
    """Every document that an item names: retrieved, relevant, to be cited, and cited."""
    names = [found.document for found in item.retrieved or ()]
    names += item.relevant or ()
    for spans in (item.true_spans or (), *item.other_true_spans):
        names += [span.document for span in spans]
    citations = item.citations if item.citations is not None else parse(item.actual_output or "").citations
    for citation in citations:
        names += [target.document for target in citation.targets if isinstance(target, SpanTarget)]
    for reference in item.references or ():
        names.append(reference if isinstance(reference, str) else str(reference.get("source", "")))
    return [name for name in dict.fromkeys(names) if name]


def chosen_positions(queries: Iterable[EvaluationQuery], limit: int, seed: int) -> list[int]:
    """The places of `limit` queries, in order: those whose hash with the seed is least. One pass."""
    ranked = ((_rank(query, seed), position) for position, query in enumerate(queries))
    return sorted(position for _, position in heapq.nsmallest(limit, ranked))


def sampled(
    queries: Iterable[EvaluationQuery], positions: list[int] | None
) -> Iterator[tuple[int, EvaluationQuery]]:
    """The queries with their places: all, or those at the chosen places."""
    if positions is None:
        yield from enumerate(queries)
        return
    wanted = iter(positions)
    following = next(wanted, None)
    for position, query in enumerate(queries):
        if following is None:
            return
        if position == following:
            yield position, query
            following = next(wanted, None)


def _rank(query: EvaluationQuery, seed: int) -> int:
    content = f"{seed}\0{query.query_id}\0{query.query_text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")


_NO_INFLUENCE = ("store", "alerts", "agreement", "reporting", "cache", "baseline", "fail_under", "sources")
"""Settings that change neither an answer nor a verdict nor a score."""
_NO_INFLUENCE_OF_RUNNING = ("max_in_flight", "workers", "timeout_seconds", "engine", "engine_address")


def digest(*parts: Any) -> str:
    """A hash of plain values."""
    return blake2b(hashed_form(parts), digest_size=16).hexdigest()


def settings_digest(settings: Settings) -> str:
    """A hash of the settings that can change what a run says."""
    values = msgspec.to_builtins(settings)
    for name in _NO_INFLUENCE:
        values.pop(name, None)
    for name in _NO_INFLUENCE_OF_RUNNING:
        values["evaluation"].pop(name, None)
    # An address may hold a password; where a model is asked is no part of what it says.
    values["llm"].pop("base_url", None)
    return digest(values)


def fingerprint(
    dataset: str, target: str, judge: str, metrics: Sequence[str], settings: Settings, more: Any = None
) -> str:
    """The same command has the same one, so that it can be resumed."""
    return digest("run/1", dataset, target, judge, list(metrics), settings_digest(settings), more)


class ItemKeys:
    """The keys of a run's items. A query that is in the dataset twice has two."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint.encode()
        self._seen: set[int] = set()
        self._again: dict[int, int] = {}

    def key(self, query: EvaluationQuery, recorded: RecordedAnswer | None) -> str:
        try:
            content = msgspec.msgpack.encode((query, recorded), enc_hook=str)
        except (UnicodeEncodeError, OverflowError):
            content = hashed_form((query, recorded))
        hashed = blake2b(content, digest_size=16, key=self._fingerprint[:64])
        number = int.from_bytes(hashed.digest()[:8], "big")
        if number in self._seen:
            self._again[number] = self._again.get(number, 1) + 1
            hashed.update(str(self._again[number]).encode())
        self._seen.add(number)
        return hashed.hexdigest()
