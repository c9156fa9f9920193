"""Where two runs differ beside the system itself: in the dataset, the judge, the settings, the version."""

from __future__ import annotations

from pincite.config import defaults
from pincite.records import Run

_OF_SCORES = (
    "attach",
    "calibration",
    "errors.fallback_scoring",
    "language",
    "llm.model",
    "llm.temperature",
    "max_span_length",
    "min_overlap_threshold",
    "offsets",
    "online",
    "panel.high",
    "panel.keep_unsure",
    "panel.low",
    "tolerance_chars",
)
"""Settings that change what the same answer scores."""


def tell_differences(a: Run, b: Run) -> list[str]:
    """What a reader should know before attributing a difference to the system."""
    told = []
    if a.run_id and a.run_id == b.run_id:
        told.append("A and B are the same run")
    for letter, run in (("A", a), ("B", b)):
        if run.status != "finished":
            told.append(f"{letter} is {run.status}: queries it has not reached are missing")
    datasets = [f"{run.dataset_id} {run.dataset_version}".strip() for run in (a, b)]
    if _differ(*datasets):
        told.append(f"other datasets: A {datasets[0]}, B {datasets[1]}")
    elif _differ(a.dataset_digest, b.dataset_digest):
        told.append(f"the dataset {datasets[0]} was changed between the runs")
    if _differ(a.judge, b.judge):
        told.append(
            f"other judges: A {a.judge}, B {b.judge}; judged metrics may differ for that reason alone"
        )
    versions = [str(run.environment.get("pincite") or "") for run in (a, b)]
    if _differ(*versions):
        told.append(f"measured by different versions: A Pincite {versions[0]}, B Pincite {versions[1]}")
    usual = defaults()
    for name in _OF_SCORES:
        one, other = (run.document.configuration.settings.get(name, usual[name]) for run in (a, b))
        if one != other:
            told.append(f"other settings: {name} is {one!s:.60} in A, {other!s:.60} in B")
    return told


def _differ(one: str, other: str) -> bool:
    return bool(one and other) and one != other
