"""What `pincite eval` has to tell about a run, and whom."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pincite.config import Settings
from pincite.errors import PinciteError
from pincite.measured import Run
from pincite.runs.alerts import Alert, History, drift_alerts, regression_alerts, threshold_alerts
from pincite.runs.finishing import Finished

LOOKED_AT = 10
"""Runs that are looked through for each one that the window wants: others may be of another system."""


def alerts_of(
    done: Finished, store: Any, settings: Settings, named: Collection[str] = ()
) -> tuple[Alert, ...]:
    """Missed thresholds, and what got worse: than the baseline, or else than the earlier runs.

    A run that says nothing is an alert too; one that somebody stopped is none.
    """
    run = done.run
    if run.status == "interrupted":
        return ()
    if done.nothing_done is not None:
        return (Alert(kind="nothing_measured", metric="", value=None, message=done.nothing_done),)
    missed = threshold_alerts(run.scores, named)
    if done.comparison is not None:
        return (*missed, *regression_alerts(done.comparison.metrics))
    earlier = histories(run, store, settings.alerts.window)
    level = settings.evaluation.confidence_level
    return (*missed, *drift_alerts(run.scores, earlier, settings.alerts.significance, level))


def histories(run: Run, store: Any, window: int) -> list[History]:
    """Each metric in the last runs of the same name on the same dataset with the same judge."""
    if store is None or window == 0:
        return []
    try:
        runs: list[Run] = store.runs(dataset=run.dataset_id, limit=window * LOOKED_AT)
    except PinciteError:  # the history is gone; that was told when the run was kept
        return []
    alike = [other for other in runs if other.run_id != run.run_id and _is_alike(other, run)][:window]
    values: dict[str, list[float]] = {}
    for other in reversed(alike):
        for score in other.scores:
            if score.value is not None:
                values.setdefault(score.metric, []).append(score.value)
    return [History(metric, tuple(earlier)) for metric, earlier in values.items()]


def _is_alike(other: Run, run: Run) -> bool:
    """Runs of other systems, of a part of the dataset or by another judge say nothing about this one."""
    return (
        other.status == "finished"
        and (other.name, other.judge, other.dataset_digest, other.total)
        == (run.name, run.judge, run.dataset_digest, run.total)
        and _kind(other.target) == _kind(run.target)
    )


def _kind(target: str) -> str:
    """A file of recorded answers is named by what is in it, which differs from run to run."""
    return "recorded" if target.startswith("recorded:") else target
