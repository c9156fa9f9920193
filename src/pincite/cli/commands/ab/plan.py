"""`pincite ab plan`: how many queries a difference needs, and the beginning of a test."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack

from pincite.cli.history import add_history
from pincite.cli.named_runs import NamedRuns
from pincite.cli.options import Parser
from pincite.errors import InputError


def parser() -> Parser:
    made = Parser("ab plan", "Estimate how many queries a difference needs, and start a test.")
    add = made.add_argument
    add("--name", required=True, metavar="NAME", help="a name for the test")
    add(
        "-m",
        "--metric",
        metavar="NAME",
        default="citation_correctness",
        help="the metric to compare; between 0 and 1",
    )
    add(
        "--difference",
        type=float,
        default=0.05,
        metavar="D",
        help="smallest difference worth detecting (default: 0.05)",
    )
    add("--power", type=float, default=0.8, metavar="P", help="statistical power (default: 0.8)")
    add("--alpha", type=float, default=0.05, metavar="P", help="significance level (default: 0.05)")
    add("--sd", type=float, metavar="S", help="the standard deviation of the paired differences")
    add(
        "--from",
        dest="runs",
        action="append",
        default=[],
        metavar="RUN",
        help="estimate the deviation from a run, or, given twice, from the differences of two",
    )
    add("--replace", action="store_true", help="restart the test with that name, without its rows")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit
    from pincite.reports.runs.ab_report import plan_json, plan_text
    from pincite.runs.compare.ab import begin, make_plan

    if options.sd is not None and options.runs:
        raise InputError("give --sd or --from, not both")
    if len(options.runs) > 2:
        raise InputError("--from takes one run, or two whose differences are measured")
    settings = load_settings(options.config, store_url=options.store)
    with ExitStack() as stack:
        runs = NamedRuns(settings, stack, write=True)
        spread, told = (options.sd, "as given") if options.sd is not None else (None, "")
        if options.runs:
            spread, told = _measured(runs, options.runs, options.metric)
        plan = make_plan(
            options.name,
            options.metric,
            options.difference,
            spread=spread,
            spread_from=told,
            power=options.power,
            alpha=options.alpha,
        )
        begin(runs.store, plan, replace=options.replace)
    emit(plan_json(plan) if options.output_format == "json" else plan_text(plan))
    return 0


def _measured(runs: NamedRuns, references: list[str], metric: str) -> tuple[float, str]:
    """The spread of the differences, from one run or from two, and where it is from."""
    from pincite.metrics.names import parse_metric
    from pincite.runs.compare.ab_rows import rows_of_runs, spread_of, spread_of_run

    name = str(parse_metric(metric))
    found = [runs.find(reference) for reference in references]
    if len(found) == 2:
        spread = spread_of(rows_of_runs(found[0].items, found[1].items, name).rows)
        told = f"measured between {found[0].name} and {found[1].name}"
    else:
        spread = spread_of_run(found[0].items, name)
        told = (
            f"that of the scores in {found[0].name}, assuming the usual correlation of 0.5 between "
            "two systems' scores"
        )
    if spread is None:
        raise InputError(f"{name} does not vary in {' and '.join(references)}: give --sd instead")
    return min(1.0, spread), told
