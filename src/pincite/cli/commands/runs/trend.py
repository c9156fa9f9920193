"""`pincite runs trend METRIC`: a metric over time."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.history import add_history, nothing_yet, open_history, since
from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from pincite.store.trends import TrendPoint

USUAL = 30


def parser() -> Parser:
    made = Parser("runs trend", "Show a metric over time, the oldest run first.")
    made.add_argument("metric", metavar="METRIC", help="the metric by name: nDCG@5")
    made.add_argument("--since", metavar="AGE", help="only runs this recent: 30d, 12w, 36h")
    made.add_argument("--dataset", metavar="ID", help="only runs on this dataset")
    made.add_argument("--name", metavar="TEXT", help="only runs with this name")
    made.add_argument(
        "--limit",
        type=int,
        default=USUAL,
        metavar="N",
        help=f"show this many of the newest (default: {USUAL}; 0: all)",
    )
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit, note, terminal_width
    from pincite.reports.runs.trend import trend_json, trend_text

    if options.limit < 0:
        raise InputError(f"--limit is a number from 0, not {options.limit}")
    begin = since(options.since)
    points: Sequence[TrendPoint] = ()
    metric, known = options.metric, False
    with open_history(options) as store:
        if store is not None and (names := store.metrics()):
            known, metric = True, _named(names, options.metric)
            points = store.trend(metric, options.dataset, begin, options.name)
    shown = points[-options.limit :] if options.limit else points
    if options.output_format == "json":
        emit(trend_json(metric, options.dataset, points))
    elif not shown:
        none = "no finished run with that metric is of that name, that new, or on that dataset"
        note(none if known else nothing_yet(options))
    else:
        emit(trend_text(metric, shown, terminal_width(sys.stdout)))
        _tell_mixed("are on", "datasets", {point.dataset_id for point in shown}, "--dataset")
        _tell_mixed("have", "names", {point.name for point in shown if point.name}, "--name")
        if len(points) > len(shown):
            note(f"{len(points) - len(shown):,} earlier runs are not shown; --limit 0 shows all")
    return 0


def _tell_mixed(verb: str, what: str, found: AbstractSet[str], option: str) -> None:
    """A note where one picture shows what should not be held against each other."""
    from pincite.cli.output import note

    if len(found) > 1:
        some = ", ".join(f"{one:.40}" for one in sorted(found)[:5]) + (", …" if len(found) > 5 else "")
        note(f"these runs {verb} {len(found)} {what} ({some}); {option} shows one")


def _named(names: Sequence[str], given: str) -> str:
    """The metric that was meant; the case of letters does not matter where that leaves no doubt."""
    if given in names:
        return given
    alike = [name for name in names if name.casefold() == given.casefold()]
    if len(alike) == 1:
        return alike[0]
    from difflib import get_close_matches

    near = get_close_matches(given, names, n=3, cutoff=0.4) or names[:5]
    more = f" and {len(names) - len(near)} more" if len(names) > len(near) else ""
    raise InputError(f"no run has a metric {given!r:.60}; there are {', '.join(near)}{more}")
