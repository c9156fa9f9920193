"""How far a person is: what is done, how long an item takes, and how steady they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from statistics import median

from msgspec import Struct

from pincite.annotation.work.changes import ItemState
from pincite.annotation.work.items import ItemKey, Items, Round, read_key
from pincite.annotation.work.said import KINDS, Kind, without_notes
from pincite.annotation.work.schedule import repeats


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
    practised: int
    practice: int
    practice_agreement: float | None
    """The mean agreement with the known answers; None where none was practised."""
    repeated: int
    repeats: int
    """Items to be done a second time, as far as it is known by now."""
    repeated_alike: int
    """Verdicts that were the same the second time."""
    repeated_verdicts: int
    decided: int
    """Conflicts that this person decided."""

    @property
    def done(self) -> int:
        return sum(one.done for one in self.kinds)


def person_progress(
    person: str, items: Items, states: Mapping[str, ItemState], practised: Sequence[float | None], seed: int
) -> PersonProgress:
    """The progress of one person; `practised` has the agreement with each known answer."""
    known = [one for one in practised if one is not None]
    done = {key: state for key, state in _done(states).items() if items.has(key)}
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
            practised=0,
            practice=0,
            practice_agreement=None,
            repeated=0,
            repeats=0,
            repeated_alike=0,
            repeated_verdicts=0,
            decided=0,
        )
        for person, of in counted.items()
    ]


def _done(states: Mapping[str, ItemState]) -> dict[ItemKey, ItemState]:
    return {read_key(key): state for key, state in states.items() if state.done}


def _there_are(kind: Kind, items: Items) -> int:
    return sum(key.kind == kind for key in items.first_round())


def _of_kind(kind: Kind, items: Items, done: Mapping[ItemKey, ItemState]) -> KindProgress:
    first: Round = "first"
    times = [state.seconds for key, state in done.items() if key.kind == kind and key.round == first]
    took = [one for one in times if one > 0]
    return KindProgress(kind, len(times), _there_are(kind, items), median(took) if took else None)
