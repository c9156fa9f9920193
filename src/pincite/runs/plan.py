"""What a run is going to do: everything that the harness needs to know, and nothing that it finds out."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from pincite.base import hashed_form
from pincite.citations import parse
from pincite.config import Settings
from pincite.datasets import Dataset, EvaluationQuery, make_item
from pincite.errors import InputError
from pincite.judges import Judge
from pincite.metrics import Case, Metric, find_failures
from pincite.records import DatasetItem, ItemResult, RecordedAnswer, Shard, SpanTarget
from pincite.runs.item import evaluate_item
from pincite.runs.targets.target import Target
from pincite.sources import Library

MOST_SHARDS = 100_000


class Task(Struct, frozen=True):
    """One query that is to be answered and measured."""

    position: int
    key: str
    query: EvaluationQuery
    recorded: RecordedAnswer | None = None
    """The answer, where it is known already."""


class Plan(Struct, frozen=True, kw_only=True):
    """One run."""

    dataset: Dataset
    target: Target
    metrics: tuple[Metric, ...]
    judge: Judge
    settings: Settings
    fingerprint: str
    positions: list[int] | None = None
    """The places of the sampled queries; None is all."""
    total: int = 0
    """How many queries are to be done."""
    shard: tuple[int, int] | None = None
    """Which part of these queries is to be done, and of how many parts; None is all."""
    whole: int = 0
    """The queries of all shards together."""
    by_name: bool = True
    """Whether somebody chose the metrics; else they are the usual ones."""
    left_out: str | None = None
    """What one might expect to be measured and is not, and why."""

    def tasks(self, done: Callable[[str], bool]) -> Iterator[Task | None]:
        """What is to be done, in the order of the dataset; None for each that was done before."""
        keys = ItemKeys(self.fingerprint)
        for position, query in sampled(self.dataset.queries(), self.positions):
            if self.shard is not None and not in_shard(query, *self.shard):
                continue
            recorded = self.target.look_up(query)
            key = keys.key(query, recorded)
            yield None if done(key) else Task(position, key, query, recorded)

    @property
    def grounding_scope(self) -> str:
        """Which documents an answer is checked against by default."""
        return "all documents" if self.dataset.in_memory else "the documents that query and answer name"

    async def measure(self, task: Task, recorded: RecordedAnswer) -> ItemResult:
        """The answer to one query, measured in this process."""
        return await measure(task, recorded, self.metrics, self.judge, self.settings, self.library_for)

    def library_for(self, item: DatasetItem) -> Library:
        if self.dataset.in_memory:
            return self.dataset.library()
        return self.dataset.library_for(named_documents(item))


async def measure(
    task: Task,
    recorded: RecordedAnswer,
    metrics: Sequence[Metric],
    judge: Judge,
    settings: Settings,
    library_for: Callable[[DatasetItem], Library],
) -> ItemResult:
    """The answer to one query, measured."""
    item = make_item(task.query, recorded, settings)
    more: dict[str, Any] = {"recorded": recorded, "key": task.key, "position": task.position}
    return await evaluate_item(item, task.query, metrics, judge, settings, library_for(item), **more)


def warm_up(plan: Plan) -> None:
    """Load and compile what the first item needs, so that no system that we ask looks slow because of it."""
    item = DatasetItem(query="?", actual_output="One [a.txt:0-3]. “Two” [1].", true_spans=(), relevant={})
    case = Case(item, plan.library_for(item), plan.settings)
    for metric in plan.metrics:
        with suppress(Exception):  # the real items will show what is wrong with it
            metric.pairs(case)
            metric.score(case, {})
    with suppress(Exception):
        find_failures(case, {})


def named_documents(item: DatasetItem) -> list[str]:
    """Every document that an item names: retrieved, relevant, to be cited, and cited."""
    names = [found.document for found in item.retrieved or ()]
    names += item.relevant or ()
    for spans in (item.true_spans or (), *item.other_true_spans):
        names += [span.document for span in spans]
    citations = item.citations if item.citations is not None else parse(item.actual_output or "").citations
    for citation in citations:
        names += [target.document for target in citation.targets if isinstance(target, SpanTarget)]
    for reference in item.references or ():
        names.append(reference if isinstance(reference, str) else str(reference.get("source", "")))
    return [name for name in dict.fromkeys(names) if name]


def chosen_positions(queries: Iterable[EvaluationQuery], limit: int, seed: int) -> list[int]:
    """The places of `limit` queries, in order: those whose hash with the seed is least. One pass."""
    ranked = ((_rank(query, seed), position) for position, query in enumerate(queries))
    return sorted(position for _, position in heapq.nsmallest(limit, ranked))


def sampled(
    queries: Iterable[EvaluationQuery], positions: list[int] | None
) -> Iterator[tuple[int, EvaluationQuery]]:
    """The queries with their places: all, or those at the chosen places."""
    if positions is None:
        yield from enumerate(queries)
        return
    wanted = iter(positions)
    following = next(wanted, None)
    for position, query in enumerate(queries):
        if following is None:
            return
        if position == following:
            yield position, query
            following = next(wanted, None)


def read_shard(given: str) -> tuple[int, int]:
    """`2/8`: the second of eight shards."""
    number, slash, of = given.partition("/")
    if not (slash and _is_count(number) and _is_count(of)) or not 1 <= int(number) <= int(of) <= MOST_SHARDS:
        raise InputError(
            f"a shard is N/M, such as 2/8 for the second of eight, up to {MOST_SHARDS}; found {given!r:.40}"
        )
    return int(number), int(of)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def in_shard(query: EvaluationQuery, number: int, of: int) -> bool:
    """Whether a query belongs to this shard: by what it asks, so that its place does not matter.

    Copies of one query share a shard, as the keys of the second and later ones count the copies before.
    """
    return _rank(query, "shard") % of == number - 1


def _rank(query: EvaluationQuery, seed: int | str) -> int:
    content = f"{seed}\0{query.query_id}\0{query.query_text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")


_NO_INFLUENCE = ("store", "alerts", "agreement", "reporting", "cache", "baseline", "fail_under", "sources")
"""Settings that change neither an answer nor a verdict nor a score."""
_NO_INFLUENCE_OF_RUNNING = ("max_in_flight", "workers", "timeout_seconds", "engine", "engine_address")


def digest(*parts: Any) -> str:
    """A hash of plain values."""
    return blake2b(hashed_form(parts), digest_size=16).hexdigest()


def settings_digest(settings: Settings) -> str:
    """A hash of the settings that can change what a run says."""
    values = msgspec.to_builtins(settings)
    for name in _NO_INFLUENCE:
        values.pop(name, None)
    for name in _NO_INFLUENCE_OF_RUNNING:
        values["evaluation"].pop(name, None)
    # An address may hold a password; where a model is asked is no part of what it says.
    values["llm"].pop("base_url", None)
    return digest(values)


def fingerprint(
    dataset: str, target: str, judge: str, metrics: Sequence[str], settings: Settings, more: Any = None
) -> str:
    """The same command has the same one, so that it can be resumed."""
    return digest("run/1", dataset, target, judge, list(metrics), settings_digest(settings), more)


def shard_fingerprint(shard: Shard) -> str:
    """What a shard is resumed by. The keys of its items are those of the whole run."""
    return digest("shard/1", shard.whole, shard.number, shard.of)


class ItemKeys:
    """The keys of a run's items. A query that is in the dataset twice has two."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint.encode()
        self._seen: set[int] = set()
        self._again: dict[int, int] = {}

    def key(self, query: EvaluationQuery, recorded: RecordedAnswer | None) -> str:
        try:
            content = msgspec.msgpack.encode((query, recorded), enc_hook=str)
        except (UnicodeEncodeError, OverflowError):
            content = hashed_form((query, recorded))
        hashed = blake2b(content, digest_size=16, key=self._fingerprint[:64])
        number = int.from_bytes(hashed.digest()[:8], "big")
        if number in self._seen:
            self._again[number] = self._again.get(number, 1) + 1
            hashed.update(str(self._again[number]).encode())
        self._seen.add(number)
        return hashed.hexdigest()
