"""What there is to annotate, which item a person gets next, and how far they are.

There are queries of a dataset, answers of a system, and pairs that a judge decided. An item is met in rounds.
In `train` the answer is known and shown afterwards; `first` is the work itself; `again` is the same item a
second time, blindly; in `decide` a third person adjudicates what others disagree on.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import median
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct

from pincite.annotation.agreement import BLIND_SHARE
from pincite.annotation.change_log import ItemState
from pincite.annotation.responses import KINDS, Kind, without_notes
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


# --- who gets what, and when -------------------------------------------------------------------------


BUSY = timedelta(minutes=30)
"""An item that somebody else began counts as theirs for so long."""

States = Mapping[str, ItemState]
"""One person's items by key."""


def remaining(
    items: Items,
    person: str,
    people: Mapping[str, States],
    elsewhere: Mapping[ItemKey, Collection[str]],
    min_annotators: int,
    seed: int,
    now: datetime,
) -> list[ItemKey]:
    """What is left for a person, in the order in which they get it.

    `elsewhere` has who did an item without our log.
    """
    mine = people.get(person, {})
    practice = [ItemKey("train", "spans", one) for one in items.training]
    takers = _takers(items, person, people, elsewhere, now)
    open_to_me = [
        key
        for key in items.first_round()
        if not _done(mine, key) and not has_decided(mine, key) and person not in elsewhere.get(key, ())
    ]
    begun = [key for key in open_to_me if str(key) in mine]
    needed = [key for key in open_to_me if str(key) not in mine and len(takers.get(key, ())) < min_annotators]
    needed.sort(key=lambda key: -len(takers.get(key, ())))
    listed = [*practice, *begun, *needed, *repeats(items, mine, seed)]
    return [key for key in listed if not _done(mine, key)]


def repeats(items: Items, mine: States, seed: int) -> list[ItemKey]:
    """A tenth of what a person has done, of each kind of work, to be done again.

    What was begun stays; the rest is drawn by a hash, so that the draw changes little while work grows.
    """
    found: list[ItemKey] = []
    done = [key for key in items.first_round() if _done(mine, key)]
    for kind in dict.fromkeys(key.kind for key in done):
        of_kind = [key.in_round("again") for key in done if key.kind == kind]
        begun = [key for key in of_kind if str(key) in mine]
        drawn = sorted((key for key in of_kind if key not in begun), key=lambda key: _draw(key, seed))
        wanted = ceil(BLIND_SHARE * len(of_kind))
        found += begun + drawn[: max(0, wanted - len(begun))]
    return found


def sealed(mine: States, key: ItemKey) -> bool:
    """Whether a person may no longer look at what they said: they are asked, or were asked, once more."""
    return key.round == "first" and str(key.in_round("again")) in mine


def has_decided(mine: States, key: ItemKey) -> bool:
    """Whether a person has said what a disagreement about an item comes to; a look is no decision."""
    state = mine.get(str(key.in_round("decide")))
    return state is not None and bool(state.said or state.done_at)


def _takers(
    items: Items,
    person: str,
    people: Mapping[str, States],
    elsewhere: Mapping[ItemKey, Collection[str]],
    now: datetime,
) -> dict[ItemKey, set[str]]:
    """Who else has done an item, or is at it."""
    takers: dict[ItemKey, set[str]] = {key: set(names) - {person} for key, names in elsewhere.items()}
    for other, states in people.items():
        if other == person:
            continue
        for key in items.first_round():
            state = states.get(str(key))
            if state is not None and (state.done or _recent(state.at, now)):
                takers.setdefault(key, set()).add(other)
    return takers


def _recent(at: str, now: datetime) -> bool:
    try:
        return now - datetime.fromisoformat(at) < BUSY
    except (ValueError, TypeError):
        return False


def _done(mine: States, key: ItemKey) -> bool:
    state = mine.get(str(key))
    return state is not None and state.done


def _draw(key: ItemKey, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}/{key}".encode("utf-8", "surrogatepass")).digest()


# --- how far they are ------------------------------------------------------------------------------


class KindProgress(Struct, frozen=True):
    """One kind of work."""

    kind: Kind
    done: int
    items: int
    """That there are; a person need not do them all."""
    seconds: float | None
    """The median time of an item; None before the first is done."""


class PersonProgress(Struct, frozen=True):
    """How far one annotator has come, and how well the practice went."""

    person: str
    kinds: tuple[KindProgress, ...]
    practised: int = 0
    practice: int = 0
    practice_agreement: float | None = None
    """The mean agreement with the known answers; None where none was practised."""
    repeated: int = 0
    repeats: int = 0
    """Items to be done a second time, as far as it is known by now."""
    repeated_alike: int = 0
    """Verdicts that were the same the second time."""
    repeated_verdicts: int = 0
    decided: int = 0
    """Conflicts that this person decided."""

    @property
    def done(self) -> int:
        return sum(one.done for one in self.kinds)


def person_progress(
    person: str, items: Items, states: States, practised: Sequence[float | None], seed: int
) -> PersonProgress:
    """The progress of one person; `practised` has the agreement with each known answer."""
    known = [one for one in practised if one is not None]
    finished = ((read_key(key), state) for key, state in states.items() if state.done)
    done = {key: state for key, state in finished if items.has(key)}
    asked = repeats(items, states, seed)
    again = [key for key in done if key.round == "again"]
    verdicts = [key for key in again if key.kind == "verdicts"]
    alike = sum(
        without_notes(done[key].said) == without_notes(states[str(key.in_round("first"))].said)
        for key in verdicts
    )
    return PersonProgress(
        person,
        tuple(_of_kind(kind, items, done) for kind in KINDS if _there_are(kind, items)),
        practised=len(practised),
        practice=len(items.training),
        practice_agreement=sum(known) / len(known) if known else None,
        repeated=len(again),
        repeats=len(asked),
        repeated_alike=alike,
        repeated_verdicts=len(verdicts),
        decided=sum(key.round == "decide" for key in done),
    )


def progress_elsewhere(items: Items, done: Mapping[ItemKey, Collection[str]]) -> list[PersonProgress]:
    """What people have done by other means, of which only the results are known."""
    counted: dict[str, Counter[Kind]] = {}
    for key, people in done.items():
        for person in people:
            counted.setdefault(person, Counter())[key.kind] += 1
    return [
        PersonProgress(
            person,
            tuple(
                KindProgress(kind, of[kind], max(of[kind], _there_are(kind, items)), None)
                for kind in KINDS
                if of[kind] or _there_are(kind, items)
            ),
        )
        for person, of in counted.items()
    ]


def _there_are(kind: Kind, items: Items) -> int:
    return sum(key.kind == kind for key in items.first_round())


def _of_kind(kind: Kind, items: Items, done: Mapping[ItemKey, ItemState]) -> KindProgress:
    times = [state.seconds for key, state in done.items() if key.kind == kind and key.round == "first"]
    took = [one for one in times if one > 0]
    return KindProgress(kind, len(times), _there_are(kind, items), median(took) if took else None)
