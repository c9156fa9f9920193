"""Rows that turn on who did what to whom: each text is told of two worlds that differ in one exchange.

A claim about one world is supported by the evidence of that world and not by the evidence of the other,
so neither the claim nor the evidence alone gives the verdict away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from pairmaking.binding_words import ABOUT, THEN, WHEN, draw, draw_apart, spell
from pairmaking.binding_worlds import (
    SLOT,
    World,
    aside,
    crossed,
    fill,
    half_right,
    lines,
    sentence,
    sentences,
    surround,
    swapped,
)
from pairmaking.quantities import MONTHS
from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Row

_PEOPLE = "PWRG"


@dataclass
class Frame:
    """Ways to tell a world, claims about it, and what is exchanged to get the other world."""

    kind: str
    slots: list[tuple[list[str], str]]
    swaps: list[str]
    texts: dict[str, list[str]] = field(default_factory=lambda: {"E": [], "C": [], "F": [], "N": []})


@dataclass(frozen=True)
class Relation:
    """Clauses that all say the same of A and B; `voiced` are those that differ in voice alone."""

    types: list[str]
    state: bool
    open: bool
    clauses: list[str]
    voiced: list[str]


def make(rng: Random, instances: float = 1.0) -> Iterator[tuple[str, Row]]:
    """Rows of every relation, chain of verbs and frame, with their kind."""
    relations = _read_relations()
    events = [relation for relation in relations if not relation.state]
    for relation in relations:
        for _ in range(round(5 * instances)):
            yield from _direction(relation, rng)
        for _ in range(round(2 * instances)):
            yield from _stranger(relation, rng)
        for _ in range(round(5 * instances) if relation.voiced else 0):
            yield from _direction(relation, rng, voice=True)
    for _ in range(round(1000 * instances)):
        one, two = rng.sample(events, 2)
        yield from _two_facts(one, two, rng)
    for things, verbs, types in _read_chains():
        for _ in range(round(24 * instances)):
            yield from _chain(rng.choice(things), verbs, types, rng)
    for frame in _read_frames():
        for _ in range(round(18 * instances)):
            yield from _framed(frame, rng)


# --- relations of two parties ---


def _read_relations() -> list[Relation]:
    relations = []
    for line in lines("binding_relations.txt"):
        head, _, body = line.partition("|")
        body, _, flags = body.partition("@")
        flags += "~" if "~" in head else ""
        state = "s" in flags
        clauses: list[str] = []
        voiced: list[str] = []
        for part in (part.strip() for part in body.split(";")):
            past, slash, participle = part.partition("/")
            if not slash:
                clauses.append(part)
            elif participle != "x":
                voiced = [f"A {past} B", f"B {'is' if state else 'was'} {participle} by A"]
                clauses += voiced
            else:
                clauses.append(f"A {past}")
        clauses = list(dict.fromkeys(clauses))
        relations.append(
            Relation(head.strip(" ~").replace(" ", "").split(","), state, "~" in flags, clauses, voiced)
        )
    return relations


def _direction(relation: Relation, rng: Random, voice: bool = False) -> Iterator[tuple[str, Row]]:
    first, second = draw_apart(list(rng.choice(relation.types)), rng)
    world: World = {"A": first, "B": second}
    against = NOT_ENOUGH if relation.open else CONTRADICTED
    yield from _told(relation, "voice" if voice else "direction", (world, swapped(world, "AB")), against, rng)


def _stranger(relation: Relation, rng: Random) -> Iterator[tuple[str, Row]]:
    """The other world has somebody else in one of the two places."""
    types = rng.choice(relation.types)
    place = rng.randrange(2)
    first, second, other = draw_apart([*types, types[place]], rng)
    world: World = {"A": first, "B": second}
    changed = {**world, "AB"[place]: other}
    yield from _told(relation, "entity", (world, changed), NOT_ENOUGH, rng, away=(other, world["AB"[place]]))


def _two_facts(one: Relation, two: Relation, rng: Random) -> Iterator[tuple[str, Row]]:
    """A did one thing to B, and B another to C; the other world has two of the three exchanged."""
    shared = [types for types in one.types if types in two.types]
    if not shared:
        return
    kind = rng.choice(shared)
    first, second, third = draw_apart([kind[0], kind[1], kind[0]], rng)
    world: World = {"A": first, "B": second, "C": third}
    worlds = (world, swapped(world, "AC"))
    turned = {"A": "B", "B": "C"}
    followed = [SLOT.sub(lambda m: turned[m[1]], clause) for clause in two.clauses]
    evidence = tuple(
        surround(
            sentence(fill(rng.choice(one.clauses), each)) + " " + sentence(fill(rng.choice(followed), each)),
            each,
            rng,
        )
        for each in worlds
    )
    if rng.random() < 0.4:
        pair = (rng.choice(one.clauses), rng.choice(followed))
        yield from half_right("two_facts", evidence[0], pair, worlds, NOT_ENOUGH)
    claim = rng.choice(rng.choice((one.clauses, followed)))
    yield from crossed("two_facts", evidence, [(fill(claim, worlds[0]), fill(claim, worlds[1]))], NOT_ENOUGH)


def _told(
    relation: Relation,
    kind: str,
    worlds: tuple[World, World],
    against: str,
    rng: Random,
    away: tuple[str, str] | tuple[()] = (),
) -> Iterator[tuple[str, Row]]:
    clauses = relation.voiced if kind == "voice" else relation.clauses
    when = "" if relation.state or rng.random() < 0.3 else spell(rng.choice(WHEN), rng)
    evidence = tuple(
        surround(_told_once(relation, clauses, world, when, rng), world, rng) for world in worlds
    )
    evidence = aside(evidence, away, rng)
    claims = []
    for _ in range(2 if kind == "direction" and rng.random() < 0.3 else 1):
        clause = rng.choice(clauses)
        end = (
            f" {when}" if when and when in evidence[0] and when in evidence[1] and rng.random() < 0.3 else ""
        )
        if clause in relation.voiced and rng.random() < 0.3:
            clause = _cleft(clause, relation.state, worlds[0], kind in ("direction", "voice"), rng)
        claims.append((fill(clause, worlds[0]) + end, fill(clause, worlds[1]) + end))
    yield from crossed(kind, evidence, claims, against)


def _told_once(relation: Relation, clauses: list[str], world: World, when: str, rng: Random) -> str:
    if relation.voiced and not relation.state and world["A"].type not in "SM" and rng.random() < 0.2:  # type: ignore[attr-defined]
        return _participial(relation, world, when, rng)
    return _shaped(rng.choice(clauses), relation.state, world, when, rng)


def _participial(relation: Relation, world: World, when: str, rng: Random) -> str:
    """Having beaten B, A ...; or: beaten by A, B ..."""
    participle = relation.voiced[1].removeprefix("B was ").removesuffix(" by A")
    lead, end = rng.choice((("A", f"having {participle} B"), ("B", f"{participle} by A")))
    kind = world[lead].type  # type: ignore[attr-defined]
    next_step = spell(
        rng.choice(THEN["people" if kind in _PEOPLE else "bodies" if kind in "FKDCT" else "things"]), rng
    )
    when = f" {when}" if when else ""
    return sentence(fill(f"{end}{when}, {lead} {next_step}", world))


def _who(name: str) -> str:
    return "who" if getattr(name, "type", "") in _PEOPLE else "that"


def _cleft(clause: str, state: bool, world: World, contrast: bool, rng: Random) -> str:
    """The clause with its subject put first by a cleft: it was A who ..."""
    slot, _, rest = clause.partition(" ")
    link, be = _who(world[slot]), "is" if state else "was"
    other = "B" if slot == "A" else "A"
    shapes = [f"it {be} {slot} {link} {rest}"]
    if contrast and rest.endswith(f" by {other}"):
        shapes.append(f"it {be} {slot}, not {other}, {link} {rest.removesuffix(f' by {other}')}")
    if not getattr(world[slot], "plural", False) and rest.startswith(("was ", "is ")) is False:
        shapes.append(f"the one {link} {rest} {be} {slot}")
    chosen = rng.choice(shapes)
    if getattr(world[slot], "plural", False):
        chosen = re.sub(r"(who|that) was\b", r"\1 were", chosen)
    return chosen


def _shaped(clause: str, state: bool, world: World, when: str, rng: Random) -> str:
    """The clause as one sentence or two: plain, fronted, as a relative clause, or with a pronoun."""
    slot, _, rest = clause.partition(" ")
    lead = world.get(slot)
    when = "" if " is " in clause else when
    end = f" {when}" if when else ""
    shape = rng.random()
    if lead is None or shape < 0.4:
        text = fill(clause, world)
        if when and rng.random() < 0.4:
            return sentence(f"{when[0].upper()}{when[1:]}, {text}")
        return sentence(text + end)
    about = spell(rng.choice(ABOUT[lead.type]), rng)  # type: ignore[attr-defined]
    if shape < 0.65:
        link = "who" if lead.type in _PEOPLE else "which"  # type: ignore[attr-defined]
        if lead.plural:  # type: ignore[attr-defined]
            rest = re.sub(r"^was\b", "were", rest)
        return sentence(fill(f"{slot}, {link} {rest}{end}, {about[2:]}", world))
    if shape < 0.85 and lead.pronoun:  # type: ignore[attr-defined]
        if lead.plural:  # type: ignore[attr-defined]
            rest = re.sub(r"^was\b", "were", rest)
        intro = sentence(fill(about, {"A": lead}))
        return f"{intro} {sentence(fill(f'{slot}2 {rest}{end}', world))}"
    if rng.random() < 0.5 and clause[0] in "AB" and not lead.plural:  # type: ignore[attr-defined]
        return sentence(f"it {'is' if state else 'was'} " + fill(f"{slot} {_who(lead)} {rest}{end}", world))
    return sentence(fill(clause, world) + end)


# --- chains: one thing, and what several did to it ---


def _read_chains() -> Iterator[tuple[list[str], list[list[str]], str]]:
    for line in lines("binding_voice.txt"):
        things, verbs, types = (part.strip() for part in line.split("|"))
        yield things.split(","), [verb.split("/") for verb in verbs.split(",")], types


_CHAIN = (
    "A {v} X, and B {w} it.",
    "X was {p} by A and {q} by B.",
    "X, {p} by A, was {q} by B.",
    "B {w} X after it had been {p} by A.",
    "A {v} X. Later it was {q} by B.",
    "it was A who {v} X; B {w} it.",
    "B {w} X that A had {p}.",
    "when A had {p} X, B {w} it.",
    "X was {p} by A, whereas it was {q} by B.",
)
_CHAIN_CLAIMS = (
    "A {v} X",
    "X was {p} by A",
    "B {w} X",
    "X was {q} by B",
    "it was A who {v} X",
    "it was by B that X was {q}",
    "X was {p} by A and {q} by B",
    "A {v} X, and B {w} it",
    "B was the one who {w} X",
)


def _chain(thing: str, verbs: list[list[str]], types: str, rng: Random) -> Iterator[tuple[str, Row]]:
    early, late, third = (verbs[i] for i in sorted(rng.sample(range(len(verbs)), 3)))
    if rng.random() < 0.3:
        late, third = third, late
    kind = rng.choice(types)
    first, second = draw_apart([kind, rng.choice((kind, rng.choice(types)))], rng)
    world: World = {"A": first, "B": second, "X": f"the {thing}"}
    words = {"v": early[0], "p": early[1], "w": late[0], "q": late[1]}
    plural = first.plural or second.plural
    other = swapped(world, "AB")
    tell = [text for text in _CHAIN if not (plural and "was A who" in text)]
    say = [text for text in _CHAIN_CLAIMS if not (plural and "the one" in text)]
    evidence = tuple(
        surround(sentences(fill(rng.choice(tell).format(**words), each)), each, rng)
        for each in (world, other)
    )
    claim = rng.choice(say).format(**words)
    yield from crossed("voice", evidence, [(fill(claim, world), fill(claim, other))], CONTRADICTED)
    if rng.random() < 0.5:
        yield from _agentless(world, words, third, rng)


def _agentless(
    world: World, words: dict[str, str], third: list[str], rng: Random
) -> Iterator[tuple[str, Row]]:
    """Who did the first thing is not told, or something is claimed that nobody is told to have done."""
    when = spell(rng.choice(WHEN), rng)
    shapes = (
        "X was {p} " + when + ". B {w} it.",
        "X, {p} " + when + ", was {q} by B.",
        "B {w} X, which had been {p}.",
    )
    text = surround(sentences(fill(rng.choice(shapes).format(**words), world)), world, rng)
    sides = {
        SUPPORTED: ("X was {p}", "B {w} X", "X was {q} by B", "X was {p} and {q}"),
        NOT_ENOUGH: ("X was {p} by B", "B {v} X", f"X was {third[1]} by B", f"B {third[0]} X"),
    }
    for verdict, claims in sides.items():
        yield "voice", Row(sentence(fill(rng.choice(claims).format(**words), world)), text, verdict)


# --- frames ---


def _read_frames() -> list[Frame]:
    frames: list[Frame] = []
    for line in lines("binding_frames.txt"):
        mark, _, rest = line.partition(" ")
        if mark == "=":
            kind, slots, swaps = (part.strip() for part in rest.split("|"))
            parsed = [part.strip().split(":", 1) for part in slots.split(";")]
            frames.append(Frame(kind, [(names.split(","), spec) for names, spec in parsed], swaps.split()))
        else:
            frames[-1].texts[mark].append(rest)
    return frames


def _world(frame: Frame, rng: Random) -> World:
    world: World = {}
    types = [(name, spec) for names, spec in frame.slots for name in names if len(spec) == 1]
    drawn = draw_apart([spec for _, spec in types], rng)
    world.update({name: value for (name, _), value in zip(types, drawn, strict=True)})
    for names, spec in frame.slots:
        if len(spec) == 1:
            continue
        if spec == "year":
            start = rng.randint(1880, 1995)
            values = [str(year) for year in sorted(rng.sample(range(start, start + 28), len(names)))]
        elif spec.startswith("num "):
            low, high = (int(figure) for figure in spec.split()[1:])
            values = [str(figure) for figure in sorted(rng.sample(range(low, high), len(names)))]
        else:
            values = rng.sample(list(MONTHS) if spec == "month" else spec.split(","), len(names))
        world.update(zip(names, values, strict=True))
    return world


def _framed(frame: Frame, rng: Random) -> Iterator[tuple[str, Row]]:
    world = _world(frame, rng)
    swap = rng.choice([swap for swap in frame.swaps if swap != "one"])
    against = NOT_ENOUGH if swap.startswith("-") else CONTRADICTED
    if swap[0] in "+-":
        slot = swap[1]
        new = draw(world[slot].type, rng)  # type: ignore[attr-defined]
        if set(new.split()) & set(" ".join(world.values()).split()) - {"the", "Dr"}:
            return
        other = {**world, slot: new}
        away: tuple[str, ...] = (new, world[slot])
    else:
        other, away = swapped(world, swap), ()
    told = (world,) if "one" in frame.swaps else (world, other)
    evidence = tuple(
        surround(sentences(fill(rng.choice(frame.texts["E"]), each)), each, rng) for each in told
    )
    evidence = aside(evidence, away, rng)
    claims = rng.sample(frame.texts["C"], min(len(frame.texts["C"]), 3 if len(told) == 1 else 2))
    pairs = [(fill(claim, world), fill(claim, other)) for claim in claims]
    yield from crossed(frame.kind, evidence, pairs, against)
    if rng.random() < 0.4:
        yield from half_right(frame.kind, evidence[0], (claims[0], claims[1]), (world, other), against)
    for mark, verdict in (("F", CONTRADICTED), ("N", NOT_ENOUGH)):
        for claim in frame.texts[mark]:
            if rng.random() < 0.2:
                yield frame.kind, Row(sentence(fill(claim, world)), evidence[0], verdict)
