"""`pincite runs merge`: the shards of a run, put together."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path

from msgspec import structs

from pincite.cli.history import NO_STORE, RunHistory, open_history
from pincite.cli.measuring import end_run, refuse_results_file
from pincite.cli.options import HISTORY, QUIET, arg, flag, formats, on_command, opt
from pincite.cli.output import note, tell
from pincite.errors import InputError
from pincite.records import Run
from pincite.reports import RUN_FORMATS, plural
from pincite.runs import is_results_file, is_run_file, merge_runs, read_run_file, read_thresholds


@on_command(
    "runs merge",
    arg("runs", "RUN", "a shard: its .journal file, or its id or name in the history", nargs="+"),
    opt("-o, --output FILE", "the results: .json, .yaml, .csv, .parquet, .journal; - prints JSON"),
    formats(*RUN_FORMATS, help="how to print the summary"),
    opt("--name TEXT", "a name for the merged run (default: that of its shards)"),
    opt("--threshold METRIC=VALUE...", "required value of a metric"),
    flag("--fail-on-unjudged", "exit 1 when something could not be judged", "fail_on_unjudged"),
    QUIET,
    *HISTORY,
    epilog="""\
The shards may be given in any order. The merged run is the one that would have been made in one piece, with
the same value and interval of every metric. One shard of the history by its id or name stands for all
shards of its run that the history holds.

examples:
  pincite runs merge 1.journal 2.journal 3.journal --output run.results.json
  pincite runs merge nightly --store postgresql://user@host/name

exit codes: 0 clean, 1 a threshold missed, too many queries failed, or worse than before, 2 could not run: a
            shard is missing, given twice, unfinished, or of another run
""",
)
def _merge(options: Namespace) -> int:
    refuse_results_file(options)
    thresholds = read_thresholds(options.threshold)
    with open_history(options, write=True) as history:
        shards = [_found(reference, history) for reference in options.runs]
        if len(shards) == 1 and not is_run_file(options.runs[0]):
            # One shard of the history stands for all of its run.
            shards = history.store.shards(shards[0]) or shards
            tell(options, f"merging {plural(len(shards), 'shard')} of the history")
        settings = history.settings
        store = None if settings.store.url == NO_STORE else history.store
        warn = partial(note, kind="warning")
        merging = merge_runs(shards, settings, store, name=options.name, thresholds=thresholds, warn=warn)
        with merging as done:
            return end_run(options, settings, done, store)


def _found(reference: str, history: RunHistory) -> Run:
    if is_run_file(reference):
        # Runs of two machines may have one id; a message had better name the file.
        return structs.replace(read_run_file(Path(reference)), run_id=Path(reference).name)
    if is_results_file(reference):
        raise InputError(
            f"{reference} holds results, which is not all that a merge needs: give a .journal file, as "
            "`pincite eval --shard N/M --output NAME.journal` and `pincite runs export` write it"
        )
    return history.store.find(reference)
