"""Under which conditions a run was measured, and where two runs differ in them beside the system itself."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from pincite.config.settings import defaults
from pincite.records import ResultsDocument, Run

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


class Conditions(Struct, frozen=True, kw_only=True):
    """What should be the same in two runs that are compared. Empty is not known."""

    run_id: str = ""
    status: str = ""
    dataset: str = ""
    digest: str = ""
    judge: str = ""
    software: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


def conditions_of_run(run: Run) -> Conditions:
    """Those of a run of the history, which knows most of them before it has a document."""
    return Conditions(
        run_id=run.run_id,
        status=run.status,
        dataset=f"{run.dataset_id} {run.dataset_version}".strip(),
        digest=run.dataset_digest,
        judge=run.judge,
        software=str(run.environment.get("pincite") or ""),
        settings=run.document.configuration.settings,
    )


def conditions_of_document(document: ResultsDocument) -> Conditions:
    """Those that a results document states."""
    configuration = document.configuration
    return Conditions(
        run_id=document.evaluation_id,
        status=document.status,
        dataset=f"{document.dataset_id} {document.dataset_version}".strip(),
        digest=configuration.dataset_digest,
        judge=configuration.judge,
        software=str(document.metadata.evaluation_environment.get("pincite") or ""),
        settings=configuration.settings,
    )


def tell_differences(a: Conditions, b: Conditions) -> list[str]:
    """What a reader should know before believing that a difference is the system's."""
    told = []
    if a.run_id and a.run_id == b.run_id:
        told.append("A and B are the same run")
    for letter, side in (("A", a), ("B", b)):
        if side.status not in ("", "finished"):
            told.append(f"{letter} is {side.status}: queries it has not reached are missing")
    if _differ(a.dataset, b.dataset):
        told.append(f"other datasets: A {a.dataset}, B {b.dataset}")
    elif _differ(a.digest, b.digest):
        told.append(f"the dataset {a.dataset} was changed between the runs")
    if _differ(a.judge, b.judge):
        told.append(
            f"other judges: A {a.judge}, B {b.judge}; judged metrics may differ for that reason alone"
        )
    if _differ(a.software, b.software):
        told.append(f"measured by different versions: A Pincite {a.software}, B Pincite {b.software}")
    usual = defaults()
    for name in _OF_SCORES:
        one, other = a.settings.get(name, usual[name]), b.settings.get(name, usual[name])
        if one != other:
            told.append(f"other settings: {name} is {one!s:.60} in A, {other!s:.60} in B")
    return told


def _differ(one: str, other: str) -> bool:
    return bool(one and other) and one != other
