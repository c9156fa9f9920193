"""When a run needs attention: a threshold missed, or a change for the worse beyond chance.

A figure below its threshold is an alert whatever its interval says, but the alert says whether the interval
leaves room for doubt. A figure that merely differs from yesterday's is none.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from pincite.config import Settings
from pincite.errors import PinciteError
from pincite.metrics import known_metric
from pincite.records import Alert, Run, Score
from pincite.runs.journal import History
from pincite.runs.metric_comparison import MetricComparison
from pincite.runs.summary import RunResult
from pincite.stats import holm

LOOKED_AT = 10
"""Runs that are looked through for each one that the window wants: others may be of another system."""
_WORSE = ("regression", "drift")


def find_alerts(
    result: RunResult, store: History | None, settings: Settings, named: Collection[str] = ()
) -> tuple[tuple[Alert, ...], tuple[str, ...]]:
    """The alerts of a finished run, and notes on what it was compared with.

    Failed queries, missed thresholds, and what got worse: than the baseline, or else than earlier runs.
    A run that measured nothing is an alert too; one that was stopped is not.
    """
    run = result.run
    if run.status == "interrupted":
        return (), ()
    if result.nothing_done is not None:
        return (_nothing(result.nothing_done),), ()
    found = (*failed_alerts(run, settings.alerts.max_failed), *threshold_alerts(run.scores, named))
    if result.not_compared is not None:
        return (*found, _nothing(result.not_compared)), ()
    if result.comparison is not None:
        return (*found, *regression_alerts(result.comparison.metrics)), ()
    window = _window(_alike(run, store, settings.alerts.window), settings.alerts.window)
    level = settings.evaluation.confidence_level
    drifts = drift_alerts(run.scores, _values(window), settings.alerts.significance, level)
    return (*found, *drifts), tuple(_told(window))


def _nothing(reason: str) -> Alert:
    return Alert(kind="nothing_measured", metric="", value=None, message=reason)


def _values(window: Iterable[Run]) -> dict[str, list[float]]:
    """Each metric in these runs, the oldest first."""
    values: dict[str, list[float]] = {}
    for run in window:
        for score in run.scores:
            if score.value is not None:
                values.setdefault(score.metric, []).append(score.value)
    return values


def _alike(run: Run, store: History | None, window: int) -> list[Run]:
    """Earlier runs of the same name on the same dataset with the same judge, the oldest first."""
    if store is None or window == 0:
        return []
    try:
        runs = store.runs(dataset=run.dataset_id, limit=window * LOOKED_AT)
    except PinciteError:  # the history is gone, which has been reported
        return []
    return [other for other in reversed(runs) if other.run_id != run.run_id and _is_alike(other, run)]


def _window(runs: Iterable[Run], window: int) -> list[Run]:
    """The last runs that got no worse, of runs the oldest first.

    One that got worse stays out, or the next that is as bad would be compared with it and pass. As many of
    them in a row as there are in the window are the new normal.
    """
    usual: list[Run] = []
    worse: list[Run] = []
    for run in runs:
        if not _got_worse(run):
            usual, worse = [*usual, run][-window:], []
            continue
        worse.append(run)
        if len(worse) >= max(len(usual), FEWEST_RUNS):
            usual, worse = worse[-window:], []
    return usual


def _told(window: Sequence[Run]) -> Iterable[str]:
    worse = sum(_got_worse(run) for run in window)
    if worse:
        yield (
            f"{worse} of the {len(window)} earlier runs that this one is compared with had got worse "
            "themselves: after that many in a row, worse is the new normal"
        )


def _got_worse(run: Run) -> bool:
    return any(alert.kind in _WORSE for alert in run.alerts)


def _is_alike(other: Run, run: Run) -> bool:
    """Runs of other systems, of a part of the dataset, by another judge or without an answer say nothing."""
    kind = _kind(run.target)
    # Traces hold what people happened to ask, so that no two runs have the same questions.
    same_questions = (other.dataset_digest, other.total) == (run.dataset_digest, run.total)
    return (
        other.status == "finished"
        and other.successful > 0
        and (other.name, other.judge, _kind(other.target)) == (run.name, run.judge, kind)
        and (kind == "traces" or same_questions)
    )


def _kind(target: str) -> str:
    """Recorded answers and traces are named by what is in them, which differs from run to run."""
    kind, colon, _ = target.partition(":")
    return kind if colon and kind in ("recorded", "traces") else target


# --- one rule each --------------------------------------------------------------------------------


FEWEST_RUNS = 3
"""A window with fewer runs says too little about how much a figure moves by itself."""


def failed_alerts(run: Run, most: float) -> tuple[Alert, ...]:
    """An alert where a greater share of the queries than `most` failed, with the most frequent reason."""
    done = run.successful + run.failed
    # Shares such as 0.07 of 100 must not fail by their last binary digit.
    if run.failed <= most * done + 1e-9:
        return ()
    reasons = run.document.failures.failed_queries
    reason, count = max(reasons.items(), key=lambda one: one[1], default=("no reason was given", run.failed))
    others = f" ({count:,} of them)" if count < run.failed else ""
    queries = "query" if done == 1 else "queries"
    message = f"{run.failed:,} of {done:,} {queries} failed, {100 * most:g}% are allowed: {reason}{others}"
    return (Alert(kind="failed", metric="", value=run.failed / done, message=message, threshold=most),)


def threshold_alerts(scores: Sequence[Score], named: Collection[str] = ()) -> tuple[Alert, ...]:
    """An alert for each score that misses its threshold.

    One that could not be measured is an alert where somebody `named` its metric: of the usual ones some have
    nothing to say about a dataset.
    """
    alerts = []
    for score in scores:
        bar = score.threshold
        if bar is None:
            continue
        if score.value is None and score.metric in named:
            why = f"{score.unjudged} unjudged, {score.not_scorable} not scorable"
            message = f"{score.metric} has a threshold of {bar:g} and no value: {why}"
            alerts.append(
                Alert(
                    kind="nothing_measured", metric=score.metric, value=None, message=message, threshold=bar
                )
            )
        elif score.passed is False:
            alerts.append(_missed(score, bar))
    return tuple(alerts)


def _missed(score: Score, bar: float) -> Alert:
    assert score.value is not None
    side = "below" if score.higher_is_better else "above"
    interval = score.confidence_interval
    decisive = interval is None or not interval[0] <= bar <= interval[1]
    doubt = (
        ""
        if decisive or interval is None
        else f"; its interval {interval[0]:.3f}–{interval[1]:.3f} reaches it"
    )
    message = f"{score.metric} is {score.value:.3f}, {side} its threshold of {bar:g}{doubt}"
    return Alert(
        kind="threshold",
        metric=score.metric,
        value=score.value,
        message=message,
        threshold=bar,
        decisive=decisive,
    )


def regression_alerts(compared: Iterable[MetricComparison]) -> tuple[Alert, ...]:
    """An alert for each metric that a paired test against the baseline run calls worse."""
    return tuple(
        Alert(
            kind="regression",
            metric=one.name,
            value=one.b,
            message=f"{one.name} is worse than the baseline: {one.b:.3f}, from {one.a:.3f} "
            f"(adjusted p = {one.p_adjusted:.2g})",
            expected=one.a,
            p_value=one.p_adjusted,
        )
        for one in compared
        if one.outcome == "worse"
    )


def drift_alerts(
    scores: Sequence[Score],
    earlier: Mapping[str, Sequence[float]],
    significance: float = 0.05,
    level: float = 0.95,
) -> tuple[Alert, ...]:
    """An alert for each score that got worse than the earlier runs beyond chance.

    `earlier` has each metric's values in earlier runs of the same dataset.
    Chance is how much the earlier runs moved, and how sure the run is of its own figure: the interval of its
    score at `level`. The values are adjusted by Holm's method for the number of metrics.
    """
    tested: list[tuple[Score, float, float]] = []
    for score in scores:
        values = earlier.get(score.metric, ())
        if score.value is None or len(values) < FEWEST_RUNS or not known_metric(score.metric).has_direction:
            continue
        chance = _chance(score, values, level)
        if chance is not None:
            tested.append((score, math.fsum(values) / len(values), chance))
    alerts = []
    for (score, mean, _), p in zip(tested, holm([chance for *_, chance in tested]), strict=True):
        assert score.value is not None and p is not None
        worse = score.value < mean if score.higher_is_better else score.value > mean
        if p >= significance or not worse:
            continue
        before = f"the mean of {len(earlier[score.metric])} earlier runs is {mean:.3f}"
        message = f"{score.metric} is {score.value:.3f}; {before} (adjusted p = {p:.2g})"
        alerts.append(
            Alert(
                kind="drift",
                metric=score.metric,
                value=score.value,
                message=message,
                expected=mean,
                p_value=p,
            )
        )
    return tuple(alerts)


def _chance(score: Score, earlier: Sequence[float], level: float) -> float | None:
    """The two-sided chance of a value this far from the earlier ones, if the system is as it was.

    One more run is as far from the mean of k as one run moves, times √(1 + 1 ÷ k). A run moves as the earlier
    ones did, in which their own errors are, and at least by its own standard error: a system that answers the
    same each day has moved by nothing, and one query more or less is then no news. None where neither says
    how far a figure moves by itself.
    """
    from scipy.stats import norm, t

    assert score.value is not None
    n = len(earlier)
    mean = math.fsum(earlier) / n
    between = math.fsum((one - mean) ** 2 for one in earlier) / (n - 1)
    low, high = score.confidence_interval or (score.value, score.value)
    within = ((high - low) / (2 * norm.ppf(0.5 + level / 2))) ** 2
    # Values that came out of the same arithmetic differ in their last digits; that is no change.
    if abs(score.value - mean) <= 1e-12 * max(1.0, abs(mean)):
        return 1.0
    spread = max(between, within)
    if spread <= 0.0:
        return None
    freedom = float(n - 1)
    if between < within:
        # As shares, since the squares of tiny spreads are too small to be told from 0.
        share = between / (between + within)
        freedom = 1 / (share**2 / (n - 1) + (1 - share) ** 2 / max(score.n - 1, 1))
    return float(2 * t.sf(abs(score.value - mean) / math.sqrt(spread * (1 + 1 / n)), freedom))
