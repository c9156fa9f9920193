"""The run to compare with: found, and refused where it cannot be, before a system is asked anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import InputError
from pincite.runs.finishing import Earlier
from pincite.runs.plan import Plan
from pincite.runs.sampling import sampled

if TYPE_CHECKING:
    from pincite.runs.evaluation import History


def find_baseline(reference: str, plan: Plan, store: History | None) -> Earlier:
    """The run to compare with, of the history or of a results file; `InputError` where it cannot be."""
    earlier = _find(reference, store)
    _refuse_unrelated(plan, earlier)
    return earlier


def _find(reference: str, store: History | None) -> Earlier:
    from pincite.runs.results_items import is_results_file, read_results_items, results_name

    if is_results_file(reference):
        path = Path(reference)
        return results_name(path), lambda: read_results_items(path)
    if store is None:
        raise InputError(
            "a baseline is an earlier run of the history, or a results file; there is no history"
        )
    found = store.find(reference).run_id
    return found, lambda: store.items(found)


def _refuse_unrelated(plan: Plan, earlier: Earlier) -> None:
    """An `InputError` when the baseline and this run would not share one query, by id and text."""
    name, items = earlier
    asked: set[int] = set()
    for _, query in sampled(plan.dataset.queries(), plan.positions):
        # A baseline may not tell the texts of its queries; then the id decides, as in a comparison.
        asked |= {_mark(query.query_id, query.query_text), _mark(query.query_id, "")}
    if not any(_mark(item.query_id, item.query_text) in asked for item in items()):
        raise InputError(
            f"the baseline {name} shares no query with {plan.dataset.dataset_id}: "
            "nothing could be compared, so nothing was asked"
        )


def _mark(query_id: str, text: str) -> int:
    """A number for a query: the texts of a million need not be held."""
    return hash((query_id, " ".join(text.split())))
