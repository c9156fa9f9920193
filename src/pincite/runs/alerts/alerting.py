"""The alerts of a finished run, and the earlier runs that it is compared with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pincite.config import Settings
from pincite.errors import PinciteError
from pincite.records import Alert, Run
from pincite.runs.alerts.rules import (
    FEWEST_RUNS,
    drift_alerts,
    failed_alerts,
    regression_alerts,
    threshold_alerts,
)
from pincite.runs.comparison.comparing import Comparison
from pincite.runs.journal import History

LOOKED_AT = 10
"""Runs that are looked through for each one that the window wants: others may be of another system."""
_WORSE = ("regression", "drift")


def find_alerts(
    run: Run,
    store: History | None,
    settings: Settings,
    named: Collection[str] = (),
    *,
    comparison: Comparison | None = None,
    not_compared: str | None = None,
    nothing_done: str | None = None,
) -> tuple[tuple[Alert, ...], tuple[str, ...]]:
    """What somebody should be told about a run, and notes on what it was compared with.

    Failed queries, missed thresholds, and what got worse: than the baseline, or else than earlier runs.
    A run that measured nothing is an alert too; one that somebody stopped is not.
    """
    if run.status == "interrupted":
        return (), ()
    if nothing_done is not None:
        return (_nothing(nothing_done),), ()
    found = (*failed_alerts(run, settings.alerts.max_failed), *threshold_alerts(run.scores, named))
    if not_compared is not None:
        return (*found, _nothing(not_compared)), ()
    if comparison is not None:
        return (*found, *regression_alerts(comparison.metrics)), ()
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
