"""From patterns to rows: evidence, claims by verdict, sentences around, and as many supported as not."""

# ruff: noqa: E501, SIM905 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from pairmaking.rows import SUPPORTED, Row
from pairmaking.word_events import PLACES, event, person

_AROUND = (
    "The weather was mild that week.", "A short note appeared in the local paper.", "The meeting lasted until late in the evening.",
    "{P} took the minutes.", "{P} was travelling in {X} at the time.", "The matter had come up once before, in {X}.",
    "Further details will follow.", "Nobody from {X} was present.", "The file runs to {k} pages.", "Questions can be sent by e-mail.",
    "Opinions on this differ.", "The office in {X} is open on weekdays.", "The building dates from the nineteenth century.",
    "{P} has worked there for {k} years.", "{P} wrote about it at length.", "A second page gives the background.",
    "Coffee was served afterwards.", "The summer had been unusually busy.", "This section was last changed in the autumn.",
    "Visitors reach the site by bus.", "The archive holds {k} folders on the subject.", "There was a lively debate.",
    "A similar case is known from {X}.", "{P} and {P2} shared a desk in those days.", "The road to {X} was being resurfaced.",
    "Some background may help here.", "The phone rang all morning.", "The story begins in {X}.", "Both sides kept their tone polite.",
    "It was a Tuesday.", "An appendix lists the sources.", "The spokesperson, {P}, comes from {X}.", "Costs are dealt with elsewhere.",
    "{P} gave a short speech.", "The room holds about {k} people.", "More than one newspaper picked it up.",
    "The earlier chapters deal with other topics.", "The team is based in {X}.", "Local radio mentioned it in the evening news.",
)  # fmt: skip
_OTHERS = ("{S} {p} {O}", "{S} did not {b} {O}", "{S} plans to {b} {O}", "{O} {was} {n} by {S}", "{S} may {b} {O}", "{S} has never {n} {O}",
           "{S} tried to {b} {O}", "{O} {was} not {n} by {S}", "{S} had {n} {O} before", "{S} refused to {b} {O}", "soon after, {S} {p} {O}")  # fmt: skip
_WHEN = ("in {y}", "last spring", "in {m}", "that winter", "on Monday", "earlier this year", "in {m} {y}", "two weeks later",
         "during the visit", "after the break", "at the end of the quarter", "the following day")  # fmt: skip
MONTHS = "January February March April May June July August September October November December".split()

Sheet = tuple[str, list[tuple[str, str]]]


def when(rng: Random) -> str:
    """A time, told loosely or by month and year."""
    return rng.choice(_WHEN).format(y=rng.randint(1962, 2025), m=rng.choice(MONTHS))


def opened(text: str) -> str:
    """With a capital at its start and after each full stop, and one full stop at its end."""
    text = text.strip()
    text = text[0].upper() + text[1:]
    for mark in (". ", "? "):
        bits = text.split(mark)
        text = mark.join(bit[:1].upper() + bit[1:] for bit in bits)
    return text if text.endswith((".", "?", "!")) else text + "."


def around(rng: Random, text: str) -> str:
    """The text as it is, or among one to three sentences that have nothing to say about it."""
    if rng.random() < 0.5:
        return text
    more = rng.sample(_AROUND, rng.choice((1, 1, 2, 2, 3)))
    told = [
        line.format(P=person(rng), P2=person(rng), X=rng.choice(PLACES), k=rng.randint(13, 90))
        for line in more
    ]
    # Acts of others, done, not done or only planned: the negations and hedges of another matter.
    for at in range(len(told)):
        apart = event(rng)
        if rng.random() < 0.45 and apart.thing not in text and apart.subject.lower() not in text.lower():
            told[at] = opened(rng.choice(_OTHERS).format(**apart.fields()))
    told.insert(rng.randint(0, len(told)), text)
    return " ".join(told)


def rows(rng: Random, kind: str, sheets: Iterable[Sheet], each: int = 2) -> Iterator[tuple[str, Row]]:
    """From each sheet as many supported claims as others, at most `each` of both sorts."""
    for evidence, claims in sheets:
        for_it = [item for item in claims if item[1] == SUPPORTED]
        against = [item for item in claims if item[1] != SUPPORTED]
        count = min(each, len(for_it), len(against))
        text = around(rng, opened(evidence))
        chosen = rng.sample(for_it, count) + rng.sample(against, count)
        for claim, verdict in chosen:
            said = opened(claim)
            if said.rstrip(".") in text and rng.random() < 0.7:
                continue
            yield kind, Row(said, text, verdict)
