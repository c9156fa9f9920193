"""`pincite ab plan|add|status`: A/B tests that may be looked at, and stopped, at any time."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import msgspec
from msgspec import Struct

from pincite.cli.history import RunHistory, open_history
from pincite.cli.options import HISTORY, arg, flag, formats, on_command, opt
from pincite.cli.output import emit, emit_json, emit_table, note
from pincite.errors import InputError
from pincite.reports import dump, plan_text, status_text
from pincite.runs import PairedScore, add_rows, all_tests, begin, find_test, plan_test, status_of


@on_command(
    "ab plan",
    opt("--name NAME", "a name for the test", required=True),
    opt("-m, --metric NAME", "the metric to compare; between 0 and 1", default="citation_correctness"),
    opt("--difference D", "smallest difference worth detecting (default: 0.05)", float, default=0.05),
    opt("--power P", "statistical power (default: 0.8)", float, default=0.8),
    opt("--alpha P", "significance level (default: 0.05)", float, default=0.05),
    opt("--sd S", "the standard deviation of the paired differences", float),
    opt(
        "--from RUN...",
        "estimate the deviation from a run, or, given twice, from the differences of two",
        dest="runs",
    ),
    flag("--replace", "restart the test with that name, without its rows"),
    formats("text", "json"),
    *HISTORY,
)
def _plan(options: Namespace) -> int:
    if options.sd is not None and options.runs:
        raise InputError("give --sd or --from, not both")
    if len(options.runs) > 2:
        raise InputError("--from takes one run, or two whose differences are measured")
    with open_history(options, write=True) as history:
        spread, told = (options.sd, "as given") if options.sd is not None else (None, "")
        if options.runs:
            spread, told = _measured(history, options.runs, options.metric)
        plan = plan_test(
            options.name,
            options.metric,
            options.difference,
            spread=spread,
            spread_from=told,
            power=options.power,
            alpha=options.alpha,
        )
        begin(history.store, plan, replace=options.replace)
    _print(plan, plan_text(plan), options)
    return 0


def _measured(history: RunHistory, references: list[str], metric: str) -> tuple[float, str]:
    """The spread of the differences, from one run or from two, and where it is from."""
    from pincite.metrics import parse_metric
    from pincite.runs import rows_of_runs, spread_of, spread_of_run

    name = str(parse_metric(metric))
    found = [history.find(reference) for reference in references]
    if len(found) == 2:
        spread = spread_of(rows_of_runs(found[0].items(), found[1].items(), name).rows)
        told = f"measured between {found[0].run_id} and {found[1].run_id}"
    else:
        spread = spread_of_run(found[0].items(), name)
        told = (
            f"that of the scores in {found[0].run_id}, assuming the usual correlation of 0.5 between "
            "two systems' scores"
        )
    if spread is None:
        raise InputError(f"{name} does not vary in {' and '.join(references)}: give --sd instead")
    return min(1.0, spread), told


@on_command(
    "ab add",
    arg("name", "NAME", "the test"),
    opt("--a RUN", "a run of system A"),
    opt("--b RUN", "a run of system B on the same queries"),
    opt("--rows FILE", "paired scores instead of runs"),
    formats("text", "json"),
    *HISTORY,
    epilog="""\
A run is an id of `pincite runs list`, `latest`, a name, or a file of results (.json, .yaml, .csv, .parquet).
A file of rows is JSON Lines or CSV with query_id, a and b: the scores of both systems on one query.
""",
)
def _add(options: Namespace) -> int:
    from pincite.runs import rows_of_file

    runs_given = options.a is not None and options.b is not None
    if runs_given == (options.rows is not None) or (options.rows is not None and (options.a or options.b)):
        raise InputError("give two runs (--a RUN --b RUN) or a file of rows (--rows FILE)")
    with open_history(options) as history:
        metric = find_test(history.store, options.name).plan.metric
        if runs_given:
            rows = _paired(history, options.a, options.b, metric)
        else:
            rows = list(rows_of_file(Path(options.rows)))
            if not rows:
                raise InputError(f"{options.rows} has no rows: it needs query_id, a and b, one query per row")
        added = add_rows(history.store, options.name, rows)
        note(f"{added.new:,} new, {added.known:,} counted before, {added.total:,} in all")
        if added.example is not None:
            note(_contradiction(added.contradicted, *added.example), "warning")
        status = status_of(find_test(history.store, options.name))
    _print(status, status_text(status), options)
    return 0


def _paired(history: RunHistory, a_name: str, b_name: str, metric: str) -> list[PairedScore]:
    """The rows of two runs, with a note on what could not be paired."""
    from pincite.runs import rows_of_runs, tell_differences, told_dropouts

    a, b = history.find(a_name), history.find(b_name)
    for difference in tell_differences(a, b):
        note(difference)
    paired = rows_of_runs(a.items(), b.items(), metric)
    left_out = told_dropouts(metric, paired.one_sided, len(paired.rows) + sum(paired.one_sided))
    if left_out:
        note(left_out, "warning")
    elif paired.without_value:
        note(f"paired queries without a score in one of the runs: {paired.without_value:,}")
    if paired.unpaired:
        note(f"{paired.unpaired:,} queries are in one of the runs only, or with another text")
    return list(paired.rows)


def _contradiction(count: int, counts: PairedScore, came: PairedScore) -> str:
    told = (
        f"{count:,} were added before with other scores; the first ones stay: {counts.query_id!r:.60} "
        f"counts with A {counts.a:g}, B {counts.b:g}, and came with A {came.a:g}, B {came.b:g}"
    )
    swapped = (counts.a, counts.b) == (came.b, came.a)
    return f"{told}; are A and B swapped?" if swapped else told


@on_command(
    "ab status",
    arg("name", "NAME", "the test (without one, all are listed)", nargs="?"),
    formats("text", "json"),
    *HISTORY,
)
def _status(options: Namespace) -> int:
    with open_history(options) as history:
        if options.name is not None:
            status = status_of(find_test(history.store, options.name))
            _print(status, status_text(status), options)
            return 0
        statuses = [status_of(test) for test in all_tests(history.store)]
    if options.output_format == "json":
        emit_json({"tests": msgspec.to_builtins(statuses)})
    elif not statuses:
        emit("there are no tests yet: start one with `pincite ab plan --name NAME`\n")
    else:
        rows = [
            (one.metric, f"{one.n:,}", f"{one.n_planned:,}", one.decision, one.name)
            for one in sorted(statuses, key=lambda one: one.name)
        ]
        emit_table(("metric", "queries", "planned", "decision", "test"), rows)
    return 0


def _print(record: Struct, text: str, options: Namespace) -> None:
    emit(dump(msgspec.to_builtins(record)) if options.output_format == "json" else text)
