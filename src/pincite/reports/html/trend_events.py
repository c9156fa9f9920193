"""What happened at the runs of a trend: alerts, and other versions of the system, judge or dataset."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pincite.records import Alert, Run


class TrendEvents(Struct, frozen=True):
    """What a reader should know of one run in a trend."""

    alerts: tuple[Alert, ...] = ()
    changes: tuple[str, ...] = ()
    """What is not as it was in the run before."""

    def told(self, metric: str) -> list[str]:
        """The alerts about the metric or the whole run, as they were sent."""
        return [alert.message for alert in self.alerts if alert.metric in ("", metric)]


def trend_events(runs: Iterable[Run]) -> dict[str, TrendEvents]:
    """By run id. The runs are in the order of the trend, the oldest first."""
    found: dict[str, TrendEvents] = {}
    before: Run | None = None
    for run in runs:
        found[run.run_id] = TrendEvents(tuple(run.alerts), tuple(_changes(before, run)))
        before = run
    return found


def _changes(before: Run | None, run: Run) -> Iterable[str]:
    if before is None:
        return
    for what, old, new in (
        ("dataset", *(f"{one.dataset_id} {one.dataset_version}".strip() for one in (before, run))),
        ("system", *(" ".join(filter(None, (one.target, one.system_version))) for one in (before, run))),
        ("judge", before.judge, run.judge),
        ("Pincite", *(str(one.environment.get("pincite") or "") for one in (before, run))),
    ):
        if old and new and old != new:
            yield f"{what}: {old} → {new}"
    same_name = (before.dataset_id, before.dataset_version) == (run.dataset_id, run.dataset_version)
    digests = (before.dataset_digest, run.dataset_digest)
    if same_name and all(digests) and digests[0] != digests[1]:
        yield f"dataset: the content of {run.dataset_id} changed"
