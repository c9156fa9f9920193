"""An A/B test that may be looked at any time: a plan, paired rows as they come, and what they say so far.

A test is one document in a `DocumentStore`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pincite.errors import InputError
from pincite.metrics import parse_metric
from pincite.records import SCHEMA_VERSION
from pincite.runs.journal import DocumentStore

KIND = "ab"
USUAL_SPREAD = 0.5
"""Of paired differences, where nothing is known: the most that right-or-wrong scores usually have."""
LONGEST_NAME = 200

Decision = Literal["B better", "A better", "go on", "planned size reached"]


class PairedScore(Struct, frozen=True, array_like=True):
    """One query, as both systems scored on it."""

    query_id: str
    a: float
    b: float


class ABPlan(Struct, frozen=True, kw_only=True):
    """What is to be found out, and how many queries that takes."""

    name: str
    metric: str
    difference: float
    """The smallest difference worth finding."""
    spread: float
    """The standard deviation of the paired differences."""
    spread_from: str
    """Where the spread was taken from, in words."""
    power: float
    alpha: float
    n_fixed: int
    """Queries for a test that is looked at once, at its end."""
    n_planned: int
    """Queries within which this test, looked at any time, finds the difference with that power."""
    higher_is_better: bool = True


class ABTest(Struct, frozen=True, kw_only=True):
    """A test as it is kept."""

    plan: ABPlan
    rows: tuple[PairedScore, ...] = ()
    schema_version: int = SCHEMA_VERSION


class Added(Struct, frozen=True):
    """What became of rows that were handed in."""

    new: int
    known: int
    """Queries that had been counted before, and are not counted again."""
    total: int
    contradicted: int = 0
    """How many of those came with other scores than the ones that count."""
    example: tuple[PairedScore, PairedScore] | None = None
    """One such query: as it counts, and as it came."""


class Status(Struct, frozen=True, kw_only=True):
    """What a test says so far."""

    name: str
    metric: str
    n: int
    n_planned: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    """Mean of B less A."""
    e_value: float
    p_value: float
    """Valid at any time."""
    confidence_sequence: tuple[float, float]
    alpha: float
    decision: Decision
    decided_at: int | None
    """The row after which the evidence was enough; it stays enough, whatever comes later."""
    explanation: str
    schema_version: int = SCHEMA_VERSION


def plan_test(
    name: str,
    metric: str,
    difference: float,
    *,
    spread: float | None = None,
    spread_from: str = "",
    power: float = 0.8,
    alpha: float = 0.05,
) -> ABPlan:
    """A plan for a test. Without a spread a cautious one is taken, and the plan says so."""
    from pincite.stats import queries_needed, sequential_queries_needed

    _check(name, difference, spread, power, alpha)
    parsed = parse_metric(metric)
    if not parsed.has_direction:
        raise InputError(f"{parsed} has no better direction, so no test can say which system is better")
    if spread is None:
        spread, spread_from = USUAL_SPREAD, "nothing is known about it, so a large one is taken"
    fixed = queries_needed(difference / spread, power=power, alpha=alpha)
    planned = sequential_queries_needed(difference, spread, power=power, alpha=alpha)
    if fixed is None or planned is None:
        raise InputError(f"a difference of {difference:g} is too small to detect with any number of queries")
    return ABPlan(
        name=name,
        metric=str(parsed),
        difference=difference,
        spread=spread,
        spread_from=spread_from,
        power=power,
        alpha=alpha,
        n_fixed=fixed,
        n_planned=max(fixed, planned),
        higher_is_better=parsed.higher_is_better,
    )


def begin(documents: DocumentStore, plan: ABPlan, *, replace: bool = False) -> None:
    """Keep the plan. A test of that name that has rows already is not lost by mistake."""

    def begun(kept: dict[str, Any] | None) -> dict[str, Any]:
        if kept is not None and kept.get("rows") and not replace:
            counted = f"{len(kept['rows']):,} {'query' if len(kept['rows']) == 1 else 'queries'}"
            raise InputError(
                f"there is a test {plan.name!r} with {counted}: choose another name, or restart it with "
                "--replace"
            )
        return _plain(ABTest(plan=plan))

    documents.update(KIND, plan.name, begun)


def find_test(documents: DocumentStore, name: str) -> ABTest:
    kept = documents.get(KIND, name)
    if kept is None:
        raise _unknown(name)
    return _test(name, kept)


def all_tests(documents: DocumentStore) -> list[ABTest]:
    """Every test that is kept, by name."""
    return [find_test(documents, name) for name in documents.keys(KIND)]


def add_rows(documents: DocumentStore, name: str, rows: Iterable[PairedScore]) -> Added:
    """Add paired scores. The same query never counts twice: the first score of it stays."""
    given: dict[str, PairedScore] = {}
    repeated: list[PairedScore] = []
    for row in rows:
        _check_row(row)
        if row.query_id in given:
            repeated.append(row)
        else:
            given[row.query_id] = row
    # Rows must not come in an order that has to do with their scores, as when easy queries come first.
    # This one has to do with nothing.
    shuffled = sorted(given.values(), key=lambda row: _order(name, row.query_id))
    found = Added(0, 0, 0)

    def grown(kept: dict[str, Any] | None) -> dict[str, Any]:
        if kept is None:
            raise _unknown(name)
        nonlocal found
        test = _test(name, kept)
        known = {row.query_id: row for row in test.rows}
        new = [row for row in shuffled if row.query_id not in known]
        known.update((row.query_id, row) for row in new)
        again = [*(row for row in shuffled if known[row.query_id] is not row), *repeated]
        apart = [(known[row.query_id], row) for row in again if known[row.query_id] != row]
        found = Added(len(new), len(again), len(known), len(apart), apart[0] if apart else None)
        return _plain(msgspec.structs.replace(test, rows=(*test.rows, *new)))

    documents.update(KIND, name, grown)
    return found


def status_of(test: ABTest) -> Status:
    """What the rows say. Looking costs nothing: the evidence is valid after every row at once."""
    from pincite.stats import betting

    plan, rows = test.plan, test.rows
    found = betting([row.b - row.a for row in rows], alpha=plan.alpha)
    decision: Decision = "go on"
    if found.crossed_at is not None:
        then = betting([row.b - row.a for row in rows[: found.crossed_at]], alpha=plan.alpha)
        b_higher = then.e_higher > then.e_lower
        decision = "B better" if b_higher == plan.higher_is_better else "A better"
    elif len(rows) >= plan.n_planned:
        decision = "planned size reached"
    return Status(
        name=plan.name,
        metric=plan.metric,
        n=len(rows),
        n_planned=plan.n_planned,
        mean_a=sum(row.a for row in rows) / len(rows) if rows else None,
        mean_b=sum(row.b for row in rows) / len(rows) if rows else None,
        difference=found.mean,
        e_value=found.e_value,
        p_value=found.p_value,
        confidence_sequence=found.confidence_sequence,
        alpha=plan.alpha,
        decision=decision,
        decided_at=found.crossed_at,
        explanation=_explained(decision, len(rows), plan, found.crossed_at),
    )


def _explained(decision: Decision, rows: int, plan: ABPlan, crossed_at: int | None) -> str:
    bar = 1 / plan.alpha
    if crossed_at is not None:
        return (
            f"after {crossed_at:,} queries the bets against `no difference` had made {bar:g} times their "
            f"money, which happens by chance in at most {100 * plan.alpha:g}% of tests, however often one "
            "looks"
        )
    if decision == "planned size reached":
        return (
            f"a difference of {plan.difference:g} would have been found by now with a chance of "
            f"{100 * plan.power:g}%; you may stop without a decision, or continue, which is just as valid"
        )
    if not rows:
        return "nothing was added yet"
    return f"{max(0, plan.n_planned - rows):,} more queries of {plan.n_planned:,} at the most, by the plan"


def _check(name: str, difference: float, spread: float | None, power: float, alpha: float) -> None:
    if not name.strip() or len(name) > LONGEST_NAME:
        raise InputError(f"a test needs a name of at most {LONGEST_NAME} characters")
    if not 0 < difference <= 1:
        raise InputError(f"the difference to find is above 0 and at most 1, not {difference:g}")
    if spread is not None and not 0 < spread <= 1:
        raise InputError(f"the spread of paired differences is above 0 and at most 1, not {spread:g}")
    for label, share in (("power", power), ("alpha", alpha)):
        if not 0 < share < 1:
            raise InputError(f"{label} lies between 0 and 1, not at {share:g}")
    if power <= alpha:
        raise InputError(f"a power of {power:g} is no more than chance finds at an alpha of {alpha:g}")


def _check_row(row: PairedScore) -> None:
    for score in (row.a, row.b):
        if not 0 <= score <= 1:
            raise InputError(
                f"query {row.query_id!r:.80} has the score {score:g}: a test takes metrics between 0 and 1"
            )


def _order(name: str, query_id: str) -> bytes:
    return blake2b(f"{name}\0{query_id}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _unknown(name: str) -> InputError:
    return InputError(f"there is no test {name!r:.80}: start one with `pincite ab plan --name NAME`")


def _test(name: str, kept: dict[str, Any]) -> ABTest:
    try:
        return msgspec.convert(kept, ABTest)
    except msgspec.ValidationError as error:
        raise InputError(f"the test {name!r:.80} cannot be read from the history: {error}") from None


def _plain(test: ABTest) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(test)
    return plain
