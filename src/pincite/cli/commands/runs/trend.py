"""`pincite runs trend`: a metric over time."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from pincite.cli.history import RunHistory, open_history, since
from pincite.cli.options import PAGE_FILE, HistoryOptions, arg, command, formats, opt
from pincite.cli.output import emit, emit_or_write, note, require_page, terminal_width
from pincite.errors import InputError
from pincite.reports import (
    trend_json,
    trend_text,
)

if TYPE_CHECKING:
    from pincite.store import TrendPoint

USUAL = 30


class RunsTrendOptions(HistoryOptions):
    metric: list[str] = arg("METRIC", "one or more metrics by name: nDCG@5", nargs="+")
    since: str | None = opt("--since AGE", "only runs this recent: 30d, 12w, 36h")
    dataset: str | None = opt("--dataset ID", "only runs on this dataset")
    name: str | None = opt("--name TEXT", "only runs with this name")
    limit: int = opt(
        "--limit N", f"show this many of the newest (default: {USUAL}; 0: all)", int, default=USUAL
    )
    output_format: str = formats("text", "json", "html")
    output: str | None = PAGE_FILE


@command(RunsTrendOptions)
def run(options: RunsTrendOptions) -> int:
    if options.limit < 0:
        raise InputError(f"--limit is a number from 0, not {options.limit}")
    require_page(options.output, options.output_format)
    if options.output_format == "json" and len(options.metric) > 1:
        raise InputError("several metrics go with text or html; ask for the JSON of each")
    begin = since(options.since)
    with open_history(options) as history:
        names = history.store.metrics() if history.begun else ()
        metrics = [_named(names, given) if names else given for given in options.metric]
        found = {
            metric: history.store.trend(metric, options.dataset, begin, options.name) if names else ()
            for metric in metrics
        }
        nothing = "no finished run with that metric is of that name, that new, or on that dataset"
        if not names:
            nothing = history.nothing_yet()
        shown = {
            metric: points[-options.limit :] if options.limit else points for metric, points in found.items()
        }
        if options.output_format == "html":
            emit_or_write(_trend_page(shown, options.dataset, history), options.output)
            return 0
    for metric, points in found.items():
        if options.output_format == "json":
            emit(trend_json(metric, options.dataset, points))
        elif not shown[metric]:
            note(nothing)
        else:
            _print_trend(metric, shown[metric], len(points))
    return 0


def _trend_page(shown: Mapping[str, Sequence[TrendPoint]], dataset: str | None, history: RunHistory) -> str:
    from pincite.reports import trend_events, write_trends

    started = {point.run_id: point.started for points in shown.values() for point in points}
    runs = (history.store.find(run_id) for run_id in sorted(started, key=lambda one: started[one]))
    return write_trends(shown, dataset, trend_events(runs))


def _print_trend(metric: str, shown: Sequence[TrendPoint], total: int) -> None:
    emit(trend_text(metric, shown, terminal_width(sys.stdout)))
    _tell_mixed("are on", "datasets", {point.dataset_id for point in shown}, "--dataset")
    _tell_mixed("have", "names", {point.name for point in shown if point.name}, "--name")
    if total > len(shown):
        note(f"{total - len(shown):,} earlier runs are not shown; --limit 0 shows all")


def _tell_mixed(verb: str, what: str, found: AbstractSet[str], option: str) -> None:
    """A note where one picture shows runs that should not be compared."""
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
