"""Which item a person gets next, and how far they are.

Practice comes first. Then come items that fewer than `min_annotators` have done or are doing, those first
that somebody else has done already, so that agreement can be measured early. At last a tenth of what a person
did comes again, blindly.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import median

from msgspec import Struct

from pincite.annotation.agreement import BLIND_SHARE
from pincite.annotation.work.changes import ItemState
from pincite.annotation.work.items import ItemKey, Items, read_key
from pincite.annotation.work.said import KINDS, Kind, without_notes

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
