"""What there is to annotate: queries of a dataset, answers of a system, and pairs that a judge decided.

An item is met in rounds. In `train` the answer is known and shown afterwards; `first` is the work itself;
`again` is the same item a second time, blindly; in `decide` a third person settles what others disagree on.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct

from pincite.annotation.work.said import KINDS, Kind
from pincite.datasets import Dataset, EvaluationQuery
from pincite.errors import InputError

Round = Literal["train", "first", "again", "decide"]
MOST_ITEMS = 100_000
"""Queries or pairs of more than these are not for people; draw a sample."""
HIDDEN = ("outcome", "reason", "score", "verdict", "label", "confidence", "cause", "source", "message")
"""Fields of a pair that tell what a judge, or somebody else, said."""


class ItemKey(NamedTuple):
    """Names an item in a round; as a text, `first/spans/query_001`."""

    round: Round
    kind: Kind
    id: str

    def __str__(self) -> str:
        return f"{self.round}/{self.kind}/{self.id}"

    def in_round(self, round: Round) -> ItemKey:
        return self._replace(round=round)


def read_key(text: str) -> ItemKey:
    """The key that a text stands for."""
    round_, _, rest = text.partition("/")
    kind, slash, item = rest.partition("/")
    found = next((one for one in get_args(Round) if one == round_), None)
    if found is None or kind not in KINDS or not slash:
        raise InputError(f"{text!r:.80} names no item")
    return ItemKey(found, kind, item)


class PairItem(Struct, frozen=True):
    """A claim and its evidence. What the judge said is kept apart, to be shown after the label only."""

    id: str
    row: dict[str, Any]
    """What may be shown, and is kept with the label."""
    judged: dict[str, Any]


class Items(Struct, frozen=True):
    """Everything that there is to do, in order."""

    queries: dict[str, EvaluationQuery]
    training: tuple[str, ...]
    """Queries with known citations that are for practice."""
    answers: frozenset[str]
    """Queries with a recorded answer."""
    pairs: dict[str, PairItem]

    def first_round(self) -> list[ItemKey]:
        """What each person may be given, in the order of the dataset."""
        practised = set(self.training)
        keys = [ItemKey("first", "spans", one) for one in self.queries if one not in practised]
        keys += [ItemKey("first", "answers", one) for one in self.queries if one in self.answers]
        return keys + [ItemKey("first", "verdicts", one) for one in self.pairs]

    def has(self, key: ItemKey) -> bool:
        """Whether there is such an item. What others annotated by other means can be decided on, too."""
        if key.kind == "verdicts":
            return key.id in self.pairs
        if key.round == "decide":
            return key.id in self.queries
        if key.kind == "answers":
            return key.id in self.answers
        return key.id in self.queries and (key.round == "train") == (key.id in self.training)


def list_items(
    dataset: Dataset, answered: Iterable[str], pairs: Iterable[Mapping[str, Any]], training: int, seed: int
) -> Items:
    """The items of a dataset. `training` of its queries with known citations are drawn by the seed."""
    if dataset.count() > MOST_ITEMS:
        raise InputError(
            f"{dataset.count():,} queries are too many to annotate; take a sample of {MOST_ITEMS:,}"
        )
    queries: dict[str, EvaluationQuery] = {}
    for query in dataset.queries():
        _refuse_halves(query.query_id)
        if query.query_id in queries:
            raise InputError(f"the dataset has the query {query.query_id!r:.80} twice")
        queries[query.query_id] = query
    known = sorted(one for one, query in queries.items() if query.citations)
    # Practice must leave something to do.
    wanted = min(training, len(known), len(queries) - 1)
    drawn = random.Random(seed).sample(known, max(0, wanted))  # noqa: S311 - a sample, no secret
    listed: dict[str, PairItem] = {}
    for row in pairs:
        pair = _pair(row)
        listed.setdefault(pair.id, pair)
        if len(listed) > MOST_ITEMS:
            raise InputError(f"more than {MOST_ITEMS:,} pairs are too many to annotate; take a sample")
    return Items(queries, tuple(drawn), frozenset(answered) & queries.keys(), listed)


def _pair(row: Mapping[str, Any]) -> PairItem:
    if not isinstance(row.get("claim"), str) and row.get("question") != "relevance":
        raise InputError("a pair to annotate needs its claim")
    shown = {name: held for name, held in row.items() if name not in HIDDEN and held is not None}
    told = {name: row[name] for name in HIDDEN if row.get(name) not in (None, "")}
    given = row.get("id")
    if isinstance(given, str | int) and str(given):
        _refuse_halves(str(given))
        return PairItem(str(given), shown, told)
    named = [row.get(name) for name in ("query_id", "question", "claim", "document", "documents", "spans")]
    named.append(row.get("evidence"))
    raw = json.dumps(named, sort_keys=True, default=str).encode()
    return PairItem(hashlib.sha256(raw).hexdigest()[:16], shown, told)


def _refuse_halves(item: str) -> None:
    """An id is part of every line of a log, which has no form for half a character."""
    if any("\ud800" <= character <= "\udfff" for character in item):
        raise InputError(f"the id {item!r:.80} holds half a character; give the item another one")
