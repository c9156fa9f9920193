"""A whole dataset as one test: measured, and shown as a table where it fails."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pincite.base import did_you_mean
from pincite.config import Settings
from pincite.errors import InputError
from pincite.metrics import parse_metric
from pincite.records import Run
from pincite.reports import run_text
from pincite.runs import evaluate, named_thresholds

_PATHS = ("dataset", "answers", "output")
_OWN = "max_failed"
"""An option of the marker that `evaluate` does not have."""


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
            asked = [parse_metric(metric).full_name for metric in given["metrics"]]
            given["metrics"] = tuple(dict.fromkeys([*asked, *thresholds]))
    if judge is not None:
        given.setdefault("judge", judge)
    if _OWN in given:
        given["settings"] = _allowing(given.pop(_OWN), given.get("settings"))
    return evaluate(given.pop("dataset"), **given)


def complaint(run: Run, options: Mapping[str, Any]) -> str:
    """The alerts of the run, with its table; nothing where there are none.

    With thresholds of its own, a test does not ask for the default ones of other metrics. A metric that the
    test names and that has no value is an alert: a gate that passes because nothing was measured is no gate.
    """
    told = [f"no query of {run.total} was answered"] if run.successful == 0 else []
    if not told and run.status != "finished":
        told = [f"the run is {run.status}"]
    asked = named_thresholds(options.get("thresholds") or {})
    told = told or [
        alert.message
        for alert in run.alerts
        if not asked or alert.metric in asked or alert.kind not in ("threshold", "nothing_measured")
    ]
    return "\n".join([*told, "", run_text(run)]) if told else ""


def _allowing(share: Any, settings: Settings | None) -> Settings:
    """The settings, with so many failed queries allowed."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InputError(f"max_failed is a share of the queries between 0 and 1, not {share!r:.40}")
    settings = settings or Settings()
    return replace(settings, alerts=replace(settings.alerts, max_failed=float(share)))


def _beside(value: Any, folder: Path) -> Any:
    if not isinstance(value, str | Path) or Path(value).exists():
        return value
    near = folder / value
    return near if near.exists() else value
