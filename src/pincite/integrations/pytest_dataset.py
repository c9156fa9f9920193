"""A whole dataset as one test: measured, and told as a table where a threshold is missed."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pincite.config import Settings
from pincite.errors import InputError, did_you_mean
from pincite.metrics.names import parse_metric
from pincite.records import Alert, Run, Score
from pincite.reports.runs.eval_table import run_text
from pincite.runs.choosing import named_metrics, named_thresholds
from pincite.runs.evaluation import evaluate

_PATHS = ("dataset", "answers", "output")
_OWN = "max_failed"
"""An option of the marker beside those of `evaluate`."""


def measure(options: Mapping[str, Any], folder: Path, judge: str | None) -> Run:
    """Measure as the marker says. A path that does not exist here is looked for beside the test's file."""
    known = [*inspect.signature(evaluate).parameters, _OWN]
    unknown = [name for name in options if name not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known, f"; it has {', '.join(known)}")
        raise InputError(f"the marker has no option {unknown[0]!r}{hint}")
    if "dataset" not in options:
        raise InputError("the marker names no dataset: @pytest.mark.pincite(dataset=…, answers=…)")
    given = {
        name: _beside(value, folder) if name in _PATHS else value
        for name, value in options.items()
        if value is not None
    }
    thresholds = named_thresholds(given.get("thresholds") or {})
    if thresholds:
        given["thresholds"] = thresholds
        # What has a threshold is measured, whatever else is.
        given.setdefault("metrics", ())
        if given["metrics"] or "metrics" not in options:
            asked = [str(parse_metric(metric)) for metric in given["metrics"]]
            given["metrics"] = tuple(dict.fromkeys([*asked, *thresholds]))
    if judge is not None:
        given.setdefault("judge", judge)
    if _OWN in given:
        given["settings"] = _allowing(given.pop(_OWN), given.get("settings"))
    return evaluate(given.pop("dataset"), **given)


def complaint(run: Run, options: Mapping[str, Any]) -> str:
    """What is wrong with the run, with its table; nothing where no alert is raised and every threshold met.

    Without thresholds of its own a test asks for the usual ones. A metric that the test names and that has
    no value does not meet its threshold: a gate that passes because nothing was measured is no gate.
    """
    if run.successful == 0:
        return f"no query of {run.total} was answered\n\n{run_text(run)}"
    if run.status != "finished":
        return f"the run is {run.status}\n\n{run_text(run)}"
    told = [alert.message for alert in run.alerts if _is_of_the_run(alert)]
    asked = named_thresholds(options.get("thresholds") or {})
    named = named_metrics(options.get("metrics") or (), asked)
    limited = [score for score in run.scores if score.metric in asked or not asked]
    missed = [score for score in limited if _is_missed(score, score.metric in named)]
    if not missed and not told:
        return ""
    count = sum(score.threshold is not None for score in limited)
    head = [f"{len(missed)} of {count} thresholds missed", *map(_told, missed)] if missed else []
    return "\n".join([*told, *head, "", run_text(run)])


def _is_of_the_run(alert: Alert) -> bool:
    """Whether it tells more than that a metric missed its threshold, or has no value to hold against it."""
    return alert.kind != "threshold" and not (alert.kind == "nothing_measured" and alert.metric)


def _allowing(share: Any, settings: Settings | None) -> Settings:
    """The settings, with so many failed queries allowed."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InputError(f"max_failed is a share of the queries between 0 and 1, not {share!r:.40}")
    settings = settings or Settings()
    return replace(settings, alerts=replace(settings.alerts, max_failed=float(share)))


def _is_missed(score: Score, named: bool) -> bool:
    if score.threshold is None:
        return False
    # Of the usual metrics some have nothing to say about a dataset; one that a test names must.
    return score.passed is False or (named and score.passed is None)


def _told(score: Score) -> str:
    wanted = f"at {'least' if score.higher_is_better else 'most'} {score.threshold:g}"
    if score.value is None:
        why = ", ".join(score.reasons) or "nothing to score"
        return f"  {score.metric}: nothing was measured ({why}), {wanted} is required"
    return f"  {score.metric}: {score.value:.3f}, {wanted} is required"


def _beside(value: Any, folder: Path) -> Any:
    if not isinstance(value, str | Path) or Path(value).exists():
        return value
    near = folder / value
    return near if near.exists() else value
