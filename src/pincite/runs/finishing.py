"""What a run says once its items are done: scores, breakdown, comparison, and the results document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from pincite.config import Settings, defaults
from pincite.datasets import is_large, validate_file
from pincite.errors import PinciteError
from pincite.metrics import NO_SOURCES, Metric
from pincite.reading import UNKNOWABLE
from pincite.records import Run, RunConfiguration, RunFacts, Score, SignificanceTest
from pincite.runs.alerts.rules import thin_passes
from pincite.runs.choosing import with_thresholds
from pincite.runs.journal import Journal
from pincite.runs.plan import Plan
from pincite.runs.results.document import part_score, results_document
from pincite.runs.summary import Columns
from pincite.runs.tally import Items, RunTally, is_retrieval, leave_out, without_ground
from pincite.runs.targets.recorded import NOT_RECORDED

_PRIVATE = ("store.", "alerts.", "llm.base_url", "cache.", "evaluation.engine_address")
"""Settings that may hold an address with a password, or say nothing about a run."""

UNUSED_LABELS = "nothing is corrected: no query has labels for all the pairs that a metric asks about"
MOST_TOLD = 5
MOST_PROBLEMS = 1000


class Earlier(Struct, frozen=True):
    """The baseline run."""

    name: str
    items: Items
    note: str | None = None
    """What a reader should know about how it was chosen."""


class Finished(Struct, frozen=True):
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


class Basis(Struct, frozen=True, kw_only=True):
    """What must be known of a run to conclude it, beside its items: from its plan, or from its shards."""

    metrics: tuple[Metric, ...]
    settings: Settings
    total: int
    facts: RunFacts


def basis_of(plan: Plan) -> Basis:
    """The basis of a run whose dataset and target are at hand."""
    answers = plan.target.answers
    told = () if answers is None else tuple(str(problem) for problem in answers.problems[:MOST_TOLD])
    facts = RunFacts(
        by_name=plan.by_name,
        left_out=plan.left_out,
        grounding_scope=plan.grounding_scope,
        sampled=plan.positions is not None,
        validation=_validated(plan),
        has_documents=next(plan.dataset.documents(), None) is not None,
        recorded=None if answers is None else len(answers),
        problem_count=0 if answers is None else answers.problem_count,
        problems=told,
    )
    return Basis(metrics=plan.metrics, settings=plan.settings, total=plan.total, facts=facts)


def conclude(
    basis: Basis,
    run: Run,
    journal: Journal,
    thresholds: Mapping[str, float],
    resources: Mapping[str, Any] | None,
    earlier: Earlier | None = None,
    correct: Callable[[tuple[Score, ...]], tuple[Score, ...]] | None = None,
) -> Finished:
    """Go through the items once, and put together what they say. `correct` corrects the scores by labels."""
    columns, tally = Columns(basis.metrics), RunTally(basis.metrics)
    for item in journal.results():
        columns.add(item)
        tally.add(item)
    scores = with_thresholds(columns.scores(basis.settings), thresholds)
    if correct is not None:
        scores = correct(scores)
    # What a shard has nothing of, another one may have.
    unmeasured = (
        without_ground(basis.metrics, basis.facts.by_name, tally, thresholds) if run.shard is None else ()
    )
    metrics = tuple(metric for metric in basis.metrics if str(metric) not in unmeasured)
    run = msgspec.structs.replace(
        run,
        metrics=tuple(str(metric) for metric in metrics),
        unmeasured=unmeasured,
        # Results that a history took and cannot return are as good as not done.
        status=run.status if tally.total >= basis.total else "interrupted",
        scores=_of(scores, unmeasured),
        successful=tally.total - tally.failed,
        failed=tally.failed,
    )
    breakdown = {
        kind: {
            label: {score.metric: part_score(score) for score in _of(found, unmeasured)}
            for label, found in groups.items()
        }
        for kind, groups in columns.breakdown(basis.settings).items()
    }
    columns.close()
    items = leave_out(journal.results, unmeasured)
    comparison, not_compared = _compared(basis, run, items, earlier)
    document = results_document(
        run,
        metrics,
        tally,
        configuration=_configuration(basis, run),
        breakdown=breakdown,
        resources=resources,
        significance=_significance(comparison, earlier),
        quality=_quality(basis, run, tally, comparison, not_compared),
        level=basis.settings.evaluation.confidence_level,
    )
    run = msgspec.structs.replace(run, document=document)
    return Finished(
        run=run,
        items=items,
        comparison=comparison,
        not_compared=not_compared,
        nothing_done=_nothing_done(run, tally),
        notes=(earlier.note,) if earlier is not None and earlier.note else (),
        oddities=(
            *thin_passes(run.scores),
            *_unmeasured(basis, run, tally),
            *_odd_answers(basis, run),
            *_odd_replies(tally),
            *([UNUSED_LABELS] if correct and not any(score.labelled for score in run.scores) else ()),
        ),
    )


def _of(scores: Iterable[Score], unmeasured: Collection[str]) -> tuple[Score, ...]:
    return tuple(score for score in scores if score.metric not in unmeasured)


def _compared(basis: Basis, run: Run, items: Items, earlier: Earlier | None) -> tuple[Any, str | None]:
    """The comparison, or why there is none: what was measured must not be lost with it."""
    if earlier is None:
        return None, None
    from pincite.runs.comparison.comparing import compare_items

    # What has a threshold is what a gate is about; metrics that were named are all of them.
    apart = (
        () if basis.facts.by_name else [score.metric for score in run.scores if score.threshold is not None]
    )
    name = earlier.name
    try:
        found = compare_items(
            earlier.items(), items(), None, basis.settings, names=(name, "this run"), apart=apart
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


def _configuration(basis: Basis, run: Run) -> RunConfiguration:
    usual, now = defaults(), defaults(basis.settings)
    return RunConfiguration(
        target=run.target,
        judge=run.judge,
        metrics=run.metrics,
        dataset_digest=run.dataset_digest,
        fingerprint=run.fingerprint,
        grounding_scope=basis.facts.grounding_scope,
        settings={
            path: now[path] for path in now if now[path] != usual[path] and not path.startswith(_PRIVATE)
        },
    )


def _quality(
    basis: Basis, run: Run, tally: RunTally, comparison: Any, not_compared: str | None
) -> dict[str, str]:
    """What was checked about this document itself."""
    wrong = [
        score.metric
        for score in run.scores
        if score.n + score.not_scorable + score.unjudged != run.successful + run.failed
    ]
    found: dict[str, str] = {
        "data_validation": basis.facts.validation,
        "metric_calculation": "verified" if not wrong else f"counts do not add up: {', '.join(wrong)}",
        "statistical_tests": "passed"
        if comparison is not None
        else f"not run: {not_compared or 'no baseline was given'}",
    }
    if basis.facts.recorded is not None:
        problems = basis.facts.problem_count
        found["recorded_answers"] = f"{problems} problems" if problems else "passed"
    else:
        problems = sum(count for count, _, _ in tally.oddities.values())
        found["replies"] = f"{problems} problems" if problems else "passed"
    return found


def _validated(plan: Plan) -> str:
    path = plan.dataset.path
    if path is None or is_large(path):
        return "not run: `pincite data validate` does it"
    problems = list(islice(validate_file(path, "dataset"), MOST_PROBLEMS))
    if not problems:
        return "passed"
    count = f"{MOST_PROBLEMS} or more" if len(problems) == MOST_PROBLEMS else str(len(problems))
    return f"{count} problems, the first: {problems[0]}"


def _nothing_done(run: Run, tally: RunTally) -> str | None:
    if tally.total == 0:
        return "no query was done" if run.total or run.shard is None else None
    if tally.failed == tally.total:
        return f"every query failed: {next(iter(tally.failures().failed_queries), 'no reason was given')}"
    if tally.unjudged_pairs and not tally.judged_pairs:
        return "no pair could be judged, so this says nothing about the answers"
    return None


def _unmeasured(basis: Basis, run: Run, tally: RunTally) -> Iterator[str]:
    reasons = {reason for score in run.scores for reason in score.reasons}
    if reasons & {UNKNOWABLE["not_given"], NO_SOURCES} and not basis.facts.has_documents:
        yield "the dataset has no documents: what needs the text of a source is not scorable or unjudged"
    if basis.facts.left_out is not None:
        yield basis.facts.left_out
    if run.unmeasured:
        yield "retrieval is not measured: no answer came with retrieval_results"
    asked = {str(metric) for metric in basis.metrics if is_retrieval(metric)} - set(run.unmeasured)
    if asked and tally.total > tally.failed and not tally.with_retrieval:
        yield "no answer came with retrieval_results: the retrieval metrics count that as nothing found"


def _odd_answers(basis: Basis, run: Run) -> tuple[str, ...]:
    facts = basis.facts
    if facts.recorded is None:
        return ()
    told = list(facts.problems)
    rest = facts.problem_count - len(told)
    if rest > 0:
        told.append(f"problems in the recorded answers that are not shown here: {rest}")
    missing = run.document.failures.failed_queries.get(NOT_RECORDED, 0)
    unknown = facts.recorded - (run.successful + run.failed - missing)
    if unknown > 0 and not facts.sampled and run.status == "finished":
        answers_belong = "answer belongs" if unknown == 1 else "answers belong"
        told.append(f"{unknown} recorded {answers_belong} to no query of the dataset")
    return tuple(told)


def _odd_replies(tally: RunTally) -> Iterator[str]:
    """Each kind of field that could not be used once, with the first reply that had it."""
    for expected, (count, query_id, found) in tally.oddities.items():
        more = f" ({count} replies have something like it)" if count > 1 else ""
        yield f"the reply to {query_id}: expected {expected}, found {found}{more}"
