"""What a run says once its items are done: scores, breakdown, comparison, and the results document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from pincite.config import defaults
from pincite.datasets import is_large, validate_file
from pincite.errors import PinciteError
from pincite.metrics import NO_SOURCES
from pincite.reading import UNKNOWABLE
from pincite.records import Run, RunConfiguration, Score, SignificanceTest
from pincite.runs.baseline import Earlier
from pincite.runs.journal import Journal
from pincite.runs.metric_selection import thin_passes, with_thresholds
from pincite.runs.metric_table import MetricTable
from pincite.runs.plan import RunPlan
from pincite.runs.results_document import part_score, results_document
from pincite.runs.tally import Items, RunTally, is_retrieval, leave_out, without_ground
from pincite.runs.targets.recorded import NOT_RECORDED

_PRIVATE = ("store.", "alerts.", "llm.base_url", "cache.", "evaluation.engine_address")
"""Settings that may hold an address with a password, or say nothing about a run."""

UNUSED_LABELS = "nothing is corrected: no query has labels for all the pairs that a metric asks about"
MOST_TOLD = 5
MOST_PROBLEMS = 1000


class RunResult(Struct, frozen=True):
    """A run with all that was found out about it."""

    run: Run
    items: Items
    """The items of the run, in the order of the dataset; may be called again."""
    comparison: Any = None
    """What `compare` says against the baseline, where there is one."""
    not_compared: str | None = None
    """Why there is no comparison, where one was asked for."""
    nothing_done: str | None = None
    """Why the run has no result at all, if so."""
    kept: bool = False
    """Whether the history has the run."""
    resumed: int = 0
    """Queries that were done before, by a run that was interrupted."""
    notes: tuple[str, ...] = ()
    """What the run was compared with, if that is not obvious."""
    oddities: tuple[str, ...] = ()
    """What a person should know about the input: lines that could not be read, answers nobody asked for."""


def summarise(
    plan: RunPlan,
    run: Run,
    journal: Journal,
    thresholds: Mapping[str, float],
    resources: Mapping[str, Any] | None,
    earlier: Earlier | None = None,
    correct: Callable[[tuple[Score, ...]], tuple[Score, ...]] | None = None,
) -> RunResult:
    """Go through the items once, and put together what they say. `correct` corrects the scores by labels."""
    table, tally = MetricTable(plan.metrics), RunTally(plan.metrics)
    for item in journal.results():
        table.add(item)
        tally.add(item)
    scores = with_thresholds(table.scores(plan.settings), thresholds)
    if correct is not None:
        scores = correct(scores)
    unmeasured = without_ground(plan.metrics, plan.by_name, tally, thresholds)
    metrics = tuple(metric for metric in plan.metrics if metric.full_name not in unmeasured)
    run = msgspec.structs.replace(
        run,
        metrics=tuple(metric.full_name for metric in metrics),
        unmeasured=unmeasured,
        # Results that a history took and cannot return are as good as not done.
        status=run.status if tally.total >= plan.total else "interrupted",
        scores=_of(scores, unmeasured),
        successful=tally.total - tally.failed,
        failed=tally.failed,
    )
    breakdown = {
        kind: {
            label: {score.metric: part_score(score) for score in _of(found, unmeasured)}
            for label, found in groups.items()
        }
        for kind, groups in table.breakdown(plan.settings).items()
    }
    table.close()
    items = leave_out(journal.results, unmeasured)
    comparison, not_compared = _compared(plan, run, items, earlier)
    document = results_document(
        run,
        metrics,
        tally,
        configuration=_configuration(plan, run),
        breakdown=breakdown,
        resources=resources,
        significance=_significance(comparison, earlier),
        quality=_quality(plan, run, tally, comparison, not_compared),
        level=plan.settings.evaluation.confidence_level,
    )
    run = msgspec.structs.replace(run, document=document)
    return RunResult(
        run=run,
        items=items,
        comparison=comparison,
        not_compared=not_compared,
        nothing_done=_nothing_done(run, tally),
        notes=(earlier.note,) if earlier is not None and earlier.note else (),
        oddities=(
            *thin_passes(run.scores),
            *_unmeasured(plan, run, tally),
            *_odd_answers(plan, run),
            *_odd_replies(tally),
            *([UNUSED_LABELS] if correct and not any(score.labelled for score in run.scores) else ()),
        ),
    )


def _of(scores: Iterable[Score], unmeasured: Collection[str]) -> tuple[Score, ...]:
    return tuple(score for score in scores if score.metric not in unmeasured)


def _compared(plan: RunPlan, run: Run, items: Items, earlier: Earlier | None) -> tuple[Any, str | None]:
    """The comparison, or why there is none: what was measured must not be lost with it."""
    if earlier is None:
        return None, None
    from pincite.runs.comparison import compare_items

    # What has a threshold is what a gate is about; metrics that were named are all of them.
    apart = () if plan.by_name else [score.metric for score in run.scores if score.threshold is not None]
    name = earlier.name
    try:
        found = compare_items(
            earlier.items(), items(), None, plan.settings, names=(name, "this run"), apart=apart
        )
    except (PinciteError, OSError) as error:
        return None, f"this run cannot be compared with {name}: {error}"
    if all(row.difference is None for row in found.metrics):
        return None, f"this run cannot be compared with {name}: no metric has a value in both on any query"
    there = {row.name for row in found.metrics}
    missing = [metric for metric in run.metrics if metric not in there]
    if missing:
        told = f"not compared, since {name} does not have it: {', '.join(missing)}"
        found = msgspec.structs.replace(found, notes=(told, *found.notes))
    return found, None


def _significance(comparison: Any, earlier: Earlier | None) -> dict[str, SignificanceTest]:
    if comparison is None or earlier is None:
        return {}
    return {
        one.name: SignificanceTest(
            baseline_mean=one.a,
            current_mean=one.b,
            difference=one.difference,
            confidence_interval=one.confidence_interval,
            p_value=one.p_value,
            p_adjusted=one.p_adjusted,
            significant=None if one.p_adjusted is None else one.outcome != "not decisive",
            effect_size=one.effect_size,
            test=one.test,
            unit=one.unit,
            baseline=earlier.name,
        )
        for one in comparison.metrics
    }


def _configuration(plan: RunPlan, run: Run) -> RunConfiguration:
    usual, now = defaults(), defaults(plan.settings)
    return RunConfiguration(
        target=run.target,
        judge=run.judge,
        metrics=run.metrics,
        dataset_digest=run.dataset_digest,
        fingerprint=run.fingerprint,
        grounding_scope=plan.grounding_scope,
        settings={
            path: now[path] for path in now if now[path] != usual[path] and not path.startswith(_PRIVATE)
        },
    )


def _quality(
    plan: RunPlan, run: Run, tally: RunTally, comparison: Any, not_compared: str | None
) -> dict[str, str]:
    """What was checked about this document itself."""
    wrong = [
        score.metric
        for score in run.scores
        if score.n + score.not_scorable + score.unjudged != run.successful + run.failed
    ]
    found: dict[str, str] = {
        "data_validation": _validated(plan),
        "metric_calculation": "verified" if not wrong else f"counts do not add up: {', '.join(wrong)}",
        "statistical_tests": "passed"
        if comparison is not None
        else f"not run: {not_compared or 'no baseline was given'}",
    }
    if plan.target.answers is not None:
        problems = plan.target.answers.problem_count
        found["recorded_answers"] = f"{problems} problems" if problems else "passed"
    else:
        problems = sum(count for count, _, _ in tally.oddities.values())
        found["replies"] = f"{problems} problems" if problems else "passed"
    return found


def _validated(plan: RunPlan) -> str:
    path = plan.dataset.path
    if path is None or is_large(path):
        return "not run: `pincite data check` does it"
    problems = list(islice(validate_file(path, "dataset"), MOST_PROBLEMS))
    if not problems:
        return "passed"
    count = f"{MOST_PROBLEMS} or more" if len(problems) == MOST_PROBLEMS else str(len(problems))
    return f"{count} problems, the first: {problems[0]}"


def _nothing_done(run: Run, tally: RunTally) -> str | None:
    if tally.total == 0:
        return "no query was done"
    if tally.failed == tally.total:
        return (
            f"every query failed: {next(iter(tally.failures.counts().failed_queries), 'no reason was given')}"
        )
    if tally.unjudged_pairs and not tally.judged_pairs:
        return "no pair could be judged, so this says nothing about the answers"
    return None


def _unmeasured(plan: RunPlan, run: Run, tally: RunTally) -> Iterator[str]:
    reasons = {reason for score in run.scores for reason in score.reasons}
    if reasons & {UNKNOWABLE["not_given"], NO_SOURCES} and next(plan.dataset.documents(), None) is None:
        yield "the dataset has no documents: what needs the text of a source is not scorable or unjudged"
    if plan.left_out is not None:
        yield plan.left_out
    if run.unmeasured:
        yield "retrieval is not measured: no answer came with retrieval_results"
    asked = {metric.full_name for metric in plan.metrics if is_retrieval(metric)} - set(run.unmeasured)
    if asked and tally.total > tally.failed and not tally.with_retrieval:
        yield "no answer came with retrieval_results: the retrieval metrics count that as nothing found"


def _odd_answers(plan: RunPlan, run: Run) -> Iterator[str]:
    answers = plan.target.answers
    if answers is None:
        return
    shown = answers.problems[:MOST_TOLD]
    yield from map(str, shown)
    rest = answers.problem_count - len(shown)
    if rest > 0:
        yield f"problems in the recorded answers that are not shown here: {rest}"
    missing = run.document.failures.failed_queries.get(NOT_RECORDED, 0)
    unknown = len(answers) - (run.successful + run.failed - missing)
    if unknown > 0 and plan.positions is None and run.status == "finished":
        answers_belong = "answer belongs" if unknown == 1 else "answers belong"
        yield f"{unknown} recorded {answers_belong} to no query of the dataset"


def _odd_replies(tally: RunTally) -> Iterator[str]:
    """Each kind of field that could not be used once, with the first reply that had it."""
    for expected, (count, query_id, found) in tally.oddities.items():
        more = f" ({count} replies have something like it)" if count > 1 else ""
        yield f"the reply to {query_id}: expected {expected}, found {found}{more}"
