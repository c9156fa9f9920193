"""Which item a person gets next.

Practice comes first. Then come items that fewer than `min_annotators` have done or are doing, those first
that somebody else has done already, so that agreement can be measured early. At last a tenth of what a person
did comes again, blindly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from math import ceil

from pincite.annotation.agreement import BLIND_SHARE
from pincite.annotation.work.changes import ItemState
from pincite.annotation.work.items import ItemKey, Items

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
