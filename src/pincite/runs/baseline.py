"""Whether a baseline can be compared with at all, found out before a system is asked anything."""

from __future__ import annotations

from pincite.errors import InputError
from pincite.runs.finishing import Earlier
from pincite.runs.plan import Plan
from pincite.runs.sampling import sampled


def refuse_unrelated(plan: Plan, earlier: Earlier) -> None:
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
