"""The run to compare with: found, and refused where it cannot be, before a system is asked anything."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from msgspec import Struct

from pincite.errors import InputError
from pincite.records import ItemResult
from pincite.runs.journal import History
from pincite.runs.metric_table import SCORED, outcome
from pincite.runs.plan import RunPlan, sampled
from pincite.runs.results_files import is_results_file, read_results
from pincite.runs.tally import Items


class Earlier(Struct, frozen=True):
    """The baseline run."""

    name: str
    items: Items
    note: str | None = None
    """What a reader should know about how it was chosen."""


_LATEST = re.compile(r"latest(?:~([0-9]{1,9}))?")


def find_baseline(reference: str, plan: RunPlan, store: History | None) -> Earlier:
    """The run to compare with, of the history or of a results file; `InputError` where it cannot be."""
    earlier = _find(reference, store)
    _require_comparable(plan, earlier)
    return earlier


def _find(reference: str, store: History | None) -> Earlier:
    if is_results_file(reference):
        run = read_results(Path(reference))
        return Earlier(run.run_id, run.items)
    if store is None:
        raise InputError(
            "a baseline is an earlier run of the history, or a results file; there is no history"
        )
    latest = _LATEST.fullmatch(reference)
    if latest:
        return _find_latest(reference, int(latest[1] or 0), store)
    found = store.find(reference).run_id
    return Earlier(found, lambda: store.items(found))


def _find_latest(reference: str, wanted: int, store: History) -> Earlier:
    """The newest run that measured anything, or one before it; a night without answers is passed over."""
    skipped: list[str] = []
    measured = -1
    for back in count():
        try:
            run_id = store.find(f"latest~{back}").run_id
        except InputError:
            if not skipped:
                store.find(reference)  # says how many runs there are
            raise InputError(
                f"there is no run {reference} to compare with: in {_listed(skipped)} nothing was measured"
            ) from None
        if not any(_is_measured(item) for item in store.items(run_id)):
            skipped.append(run_id)
            continue
        measured += 1
        if measured == wanted:
            break
    passed_over = f"the baseline is {run_id}: in {_listed(skipped)} nothing was measured"
    return Earlier(run_id, lambda: store.items(run_id), passed_over if skipped else None)


def _listed(runs: list[str]) -> str:
    return runs[0] if len(runs) == 1 else f"{len(runs)} runs since"


def _require_comparable(plan: RunPlan, earlier: Earlier) -> None:
    """An `InputError` when nothing of the baseline can be compared with this run.

    They must share a query, by id and text, and the baseline must have an answer and a value for one.
    """
    asked: set[int] = set()
    for _, query in sampled(plan.dataset.queries(), plan.positions):
        # A baseline may lack the texts of its queries; then the id decides, as in a comparison.
        asked |= {_mark(query.query_id, query.query_text), _mark(query.query_id, "")}
    metrics = frozenset(metric.full_name for metric in plan.metrics)
    shared = measured = False
    for item in earlier.items():
        if _mark(item.query_id, item.query_text) not in asked:
            continue
        shared = True
        measured = measured or _is_measured(item)
        if _is_measured(item, metrics):
            return
    reason = f"shares no query with {plan.dataset.dataset_id}"
    if shared and not measured:
        reason = "measured nothing: no query has an answer and a value"
    elif shared:
        reason = f"measured none of {', '.join(sorted(metrics))}"
    raise InputError(f"the baseline {earlier.name} {reason}: nothing could be compared, so nothing was sent")


def _is_measured(item: ItemResult, metrics: frozenset[str] | None = None) -> bool:
    """Whether a query has an answer, and any of these metrics, or any at all, a value for it."""
    return item.failure is None and any(
        outcome(result) == SCORED and (metrics is None or result.metric in metrics) for result in item.results
    )


def _mark(query_id: str, text: str) -> int:
    """A number for a query: the texts of a million need not be held."""
    return hash((query_id, " ".join(text.split())))
