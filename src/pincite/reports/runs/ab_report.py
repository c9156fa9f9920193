"""What an A/B test says, for people and for machines."""

from __future__ import annotations

import shlex

from pincite.reports.display import fold_words, safe
from pincite.reports.runs.comparison import number, signed
from pincite.runs import ABPlan, Status

COLUMNS = 80
WHY = (
    "Looking at this before the end, and as often as you like, is fine: the e-value is the capital of "
    "a gambler who bets against `no difference` and places each bet before seeing its row. Without a "
    "difference such bets are fair, so the chance that they ever reach the bar is at most {percent:g}%. "
    "An ordinary p-value, checked repeatedly, would report a difference that is not there far more often."
)


def plan_text(plan: ABPlan) -> str:
    told = (
        f"To find a difference of {plan.difference:g} in {safe(plan.metric)} with a power of "
        f"{100 * plan.power:g}% at a level of {plan.alpha:g}:"
    )
    lines = [
        *fold_words(told, COLUMNS),
        f"  {plan.n_planned:>9,} queries, looked at whenever you like",
        f"  {plan.n_fixed:>9,} queries for an ordinary test, looked at once",
        *fold_words(
            f"The differences' spread is taken to be {plan.spread:.3g}: {safe(plan.spread_from)}.", COLUMNS
        ),
        "",
        f"next: pincite ab add {safe(shlex.quote(plan.name))} --a RUN --b RUN",
    ]
    return "".join(f"{line}\n" for line in lines)


def status_text(status: Status) -> str:
    low, high = status.confidence_sequence
    rows = [
        ("decision", status.decision),
        ("queries", f"{status.n:,} of {status.n_planned:,} planned"),
        ("A", number(status.mean_a)),
        ("B", number(status.mean_b)),
        ("B − A", signed(status.difference)),
        (f"{100 * (1 - status.alpha):.4g}% sequence", f"[{low:+.3f}, {high:+.3f}]"),
        ("e-value", f"{_e_value(status.e_value)} (the bar is {1 / status.alpha:g})"),
        ("p, at any time", f"{status.p_value:.3g}"),
    ]
    lines = [f"{safe(status.name)}: {safe(status.metric)}", ""]
    lines += [f"  {label:<15} {value}" for label, value in rows]
    told = status.explanation[0].upper() + status.explanation[1:]
    why = WHY.format(percent=100 * status.alpha)
    lines += ["", *fold_words(f"{told}.", COLUMNS), "", *fold_words(why, COLUMNS)]
    return "".join(f"{line}\n" for line in lines)


def _e_value(value: float) -> str:
    return f"{value:.3g}" if value < 10_000 else f"{value:.1e}"
