"""The shards of a run, put together: what comes out is the run that would have been made in one piece.

Everything that a run says as a whole is computed from its items. So the items of all shards are kept as one
run, in the order of the dataset, and concluded as that run would have been.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import msgspec

from pincite.config import Settings
from pincite.errors import InputError
from pincite.metrics import parse_metric
from pincite.records import ItemResult, Run, Shard
from pincite.runs.evaluation import begin_run, close_run
from pincite.runs.finishing import Basis, Finished, conclude
from pincite.runs.journal import History, ShelteredJournal

MOST_NAMED = 10
"""Missing shards, or problems, that a message lists."""


@contextmanager
def merge_runs(
    given: Sequence[Run],
    settings: Settings,
    store: History | None = None,
    *,
    name: str | None = None,
    thresholds: Mapping[str, float] | None = None,
    warn: Callable[[str], None] = lambda text: None,
) -> Iterator[Finished]:
    """Merge these shards, given in any order; the items of the result can be read until the `with` ends.

    `InputError` says which shards are missing, given twice, unfinished, or of another run. Alerts and the
    history are those of `settings` and `store`; everything else is as the shards were made.
    """
    shards = sort_shards(given)
    first = shards[0]
    assert first.shard is not None
    whole = _whole(shards, name)
    basis = Basis(
        metrics=tuple(parse_metric(metric) for metric in first.metrics),
        settings=_settings(first, settings),
        total=whole.total,
        facts=first.shard.facts,
    )
    # All of it is read before anything is written: what is in the history may be resumed.
    count = sum(1 for _ in _items(shards))
    if count != whole.total:
        raise InputError(
            f"the shards hold {count:,} queries together, and the run has {whole.total:,}: "
            "one of them was changed after it was made"
        )
    with ExitStack() as stack:
        run, journal = begin_run(whole, False, store, warn, stack)
        for item in _items(shards):
            journal.append(item)
        journal.flush()
        kept = isinstance(journal, ShelteredJournal) and journal.settle()
        run = msgspec.structs.replace(run, status="finished", seconds=sum(one.seconds for one in shards))
        bars = {**first.shard.thresholds, **(thresholds or {})}
        finished = conclude(basis, run, journal, bars, None)
        named = {*first.shard.named, *bars}
        yield close_run(finished, store if kept else None, store, basis.settings, named, warn)


def sort_shards(given: Sequence[Run]) -> list[Run]:
    """All shards of one run, the first one first; an `InputError` lists all that is wrong with them."""
    problems = [
        f"{run.run_id} is no shard: `pincite eval --shard N/M` makes one"
        for run in given
        if run.shard is None
    ]
    found = sorted(
        ((run.shard, run) for run in given if run.shard is not None),
        key=lambda pair: (pair[0].of, pair[0].number, pair[1].run_id),
    )
    if not found:
        raise InputError("; ".join(problems) or "give the shards of a run")
    # What most of them are is taken for the run, so that one foreign shard is told, and not all others.
    usual = Counter((shard.whole, shard.of) for shard, _ in found).most_common(1)[0][0]
    one_of_them, model = next(pair for pair in found if (pair[0].whole, pair[0].of) == usual)
    seen: dict[int, str] = {}
    for shard, run in found:
        called = f"shard {shard} ({run.run_id})"
        if differences := _differences(shard, run, one_of_them, model):
            problems.append(f"{called} is of another run: {'; '.join(differences)}")
        elif shard.number in seen:
            problems.append(f"shard {shard} is given twice: {seen[shard.number]} and {run.run_id}")
        else:
            seen[shard.number] = run.run_id
            if run.status != "shard":
                again = "run its command again to finish it"
                problems.append(f"{called} is {run.status}, not finished: {again}")
    missing = [number for number in range(1, one_of_them.of + 1) if number not in seen]
    if missing:
        listed = ", ".join(f"{number}/{one_of_them.of}" for number in missing[:MOST_NAMED])
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        told = f"shard {listed} is" if len(missing) == 1 else f"shards {listed}{more} are"
        problems.append(f"{told} missing")
    if problems:
        more = f"; and {len(problems) - MOST_NAMED} more problems" if len(problems) > MOST_NAMED else ""
        raise InputError(f"the shards cannot be merged: {'; '.join(problems[:MOST_NAMED])}{more}")
    return [run for _, run in found]


def _differences(shard: Shard, run: Run, other: Shard, model: Run) -> list[str]:
    """Why two shards are not of one run."""
    told: list[str] = []

    def compare(what: str, mine: Any, theirs: Any) -> None:
        if mine != theirs:
            told.append(f"{what} {mine!s:.60}, not {theirs!s:.60}")

    compare("Pincite", run.environment.get("pincite"), model.environment.get("pincite"))
    compare("one of", shard.of, other.of)
    compare("thresholds", shard.thresholds, other.thresholds)
    if shard.whole == other.whole:
        return told
    compare(
        "dataset", f"{run.dataset_id} {run.dataset_version}", f"{model.dataset_id} {model.dataset_version}"
    )
    compare("content of the dataset", run.dataset_digest[:16], model.dataset_digest[:16])
    compare("system", run.target, model.target)
    compare("system version", run.system_version, model.system_version)
    compare("judge", run.judge, model.judge)
    compare("metrics", ", ".join(run.metrics), ", ".join(model.metrics))
    mine, theirs = ({**one.parameters, **one.document.configuration.settings} for one in (run, model))
    for setting in sorted({*mine, *theirs}):
        compare(setting, mine.get(setting, "default"), theirs.get(setting, "default"))
    return told or ["other code of the system, or other queries"]


def _whole(shards: Sequence[Run], name: str | None) -> Run:
    """The record of the run that the shards make."""
    first = shards[0]
    assert first.shard is not None
    names = {run.name for run in shards}
    return msgspec.structs.replace(
        first,
        run_id="",
        name=name if name is not None else names.pop() if len(names) == 1 else None,
        fingerprint=first.shard.whole,
        status="running",
        # With the last of its shards, so that it is newer than each of them.
        started_at=max(run.started_at for run in shards),
        finished_at=max(run.finished_at or "" for run in shards) or None,
        total=first.shard.total,
        successful=0,
        failed=0,
        seconds=0.0,
        scores=(),
        alerts=(),
        shard=None,
        document=type(first.document)(),
        items=None,
    )


def _items(shards: Sequence[Run]) -> Iterator[ItemResult]:
    """The items of all shards by their position in the dataset; each shard has its own in that order."""
    last = -1
    for item in heapq.merge(*(run.items() for run in shards), key=lambda item: item.position):
        if item.position == last:
            raise InputError(f"the query {item.query_id!r:.80} is in two shards: one of them was changed")
        last = item.position
        yield item


def _settings(first: Run, mine: Settings) -> Settings:
    """The settings that the shards were made with; alerts and the history are those of whoever merges."""
    values: dict[str, Any] = msgspec.to_builtins(Settings())
    for path, value in first.document.configuration.settings.items():
        place, _, name = path.rpartition(".")
        (values[place] if place else values)[name] = value
    try:
        made_with = msgspec.convert(values, Settings)
    except (msgspec.ValidationError, KeyError) as error:
        raise InputError(f"the settings of {first.run_id} cannot be read: {str(error)[:200]}") from None
    return msgspec.structs.replace(made_with, alerts=mine.alerts, store=mine.store, baseline=mine.baseline)
