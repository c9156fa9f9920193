"""Rows that turn on who did what to whom: each text is told of two worlds that differ in one exchange.

A claim about one world is supported by the evidence of that world and not by the evidence of the other,
so neither the claim nor the evidence alone gives the verdict away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from pairmaking.binding_words import ABOUT, AROUND, WHEN, draw, draw_apart, spell
from pairmaking.quantities import MONTHS
from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Row

World = dict[str, str]
_HERE = Path(__file__).parent
_SLOT = re.compile(r"\b([ABCXYZ])(2?)\b")
_SINGULAR = re.compile(r"\b([ABC]) (was|is|has)\b")
_PLURAL = {"was": "were", "is": "are", "has": "have"}
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
    for relation in _read_relations():
        for _ in range(round(7 * instances)):
            yield from _direction(relation, rng)
        for _ in range(round(2 * instances)):
            yield from _stranger(relation, rng)
        for _ in range(round(5 * instances) if relation.voiced else 0):
            yield from _direction(relation, rng, voice=True)
    for things, verbs, types in _read_chains():
        for _ in range(round(24 * instances)):
            yield from _chain(rng.choice(things), verbs, types, rng)
    for frame in _read_frames():
        for _ in range(round(24 * instances)):
            yield from _framed(frame, rng)


def fill(template: str, world: World) -> str:
    """Puts the world's fillers in, with plural verbs after plural ones; A2 is the pronoun for A."""
    template = _SINGULAR.sub(
        lambda m: f"{m[1]} {_PLURAL[m[2]] if getattr(world.get(m[1], ''), 'plural', False) else m[2]}",
        template,
    )
    return _SLOT.sub(lambda m: world[m[1]].pronoun if m[2] else world[m[1]], template)  # type: ignore


def _sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?")) else text + "."


def _sentences(text: str) -> str:
    return " ".join(_sentence(part) for part in text.split(". "))


def _surround(text: str, world: World, rng: Random) -> str:
    """The text alone, or among one to three sentences that do not decide anything."""
    if rng.random() < 0.5:
        return text
    parts = [text]
    lines = rng.sample(AROUND, rng.randint(1, 3))
    named = [name for name in world.values() if getattr(name, "type", "") in ABOUT]
    if named and rng.random() < 0.6:
        chosen = rng.choice(named)
        lines[0] = fill(rng.choice(ABOUT[chosen.type]), {"A": chosen})  # type: ignore[attr-defined]
    for line in lines:
        parts.insert(rng.choice((0, len(parts))), _sentence(spell(line, rng)))
    return " ".join(parts)


def _swapped(world: World, swap: str) -> World:
    one, other = swap
    return {**world, one: world[other], other: world[one]}


def _crossed(
    kind: str, evidence: tuple[str, ...], claims: list[tuple[str, str]], against: str
) -> Iterator[tuple[str, Row]]:
    """Each claim about each world with the evidence of both; claims that hold in both are left out."""
    for pair in claims:
        if pair[0] == pair[1]:
            continue
        for told, text in enumerate(evidence):
            for said, claim in enumerate(pair):
                yield kind, Row(_sentence(claim), text, SUPPORTED if said == told else against)


# --- relations of two parties ---


def _read_relations() -> list[Relation]:
    relations = []
    for line in _lines("binding_relations.txt"):
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
    yield from _told(
        relation, "voice" if voice else "direction", (world, _swapped(world, "AB")), against, rng
    )


def _stranger(relation: Relation, rng: Random) -> Iterator[tuple[str, Row]]:
    """The other world has somebody else in one of the two places."""
    types = rng.choice(relation.types)
    place = rng.randrange(2)
    first, second, other = draw_apart([*types, types[place]], rng)
    world: World = {"A": first, "B": second}
    changed = {**world, "AB"[place]: other}
    yield from _told(relation, "entity", (world, changed), NOT_ENOUGH, rng)


def _told(
    relation: Relation, kind: str, worlds: tuple[World, World], against: str, rng: Random
) -> Iterator[tuple[str, Row]]:
    clauses = relation.voiced if kind == "voice" else relation.clauses
    when = "" if relation.state or rng.random() < 0.3 else spell(rng.choice(WHEN), rng)
    evidence = tuple(
        _surround(_shaped(rng.choice(clauses), world, when, rng), world, rng) for world in worlds
    )
    claims = []
    for _ in range(2 if kind == "direction" and rng.random() < 0.3 else 1):
        clause = rng.choice(clauses)
        end = (
            f" {when}" if when and when in evidence[0] and when in evidence[1] and rng.random() < 0.3 else ""
        )
        if clause in relation.voiced and rng.random() < 0.3:
            clause = _cleft(clause, worlds[0], kind != "entity", rng)
        claims.append((fill(clause, worlds[0]) + end, fill(clause, worlds[1]) + end))
    yield from _crossed(kind, evidence, claims, against)


def _who(name: str) -> str:
    return "who" if getattr(name, "type", "") in _PEOPLE else "that"


def _cleft(clause: str, world: World, contrast: bool, rng: Random) -> str:
    """The clause with its subject put first by a cleft: it was A who ..."""
    slot, _, rest = clause.partition(" ")
    link = _who(world[slot])
    other = "B" if slot == "A" else "A"
    shapes = [f"it was {slot} {link} {rest}"]
    if contrast and rest.endswith(f" by {other}"):
        shapes.append(f"it was {slot}, not {other}, {link} {rest.removesuffix(f' by {other}')}")
    if not getattr(world[slot], "plural", False) and rest.startswith(("was ", "is ")) is False:
        shapes.append(f"the one {link} {rest} was {slot}")
    chosen = rng.choice(shapes)
    if getattr(world[slot], "plural", False):
        chosen = re.sub(r"(who|that) was\b", r"\1 were", chosen)
    return chosen


def _shaped(clause: str, world: World, when: str, rng: Random) -> str:
    """The clause as one sentence or two: plain, fronted, as a relative clause, or with a pronoun."""
    slot, _, rest = clause.partition(" ")
    lead = world.get(slot)
    when = "" if " is " in clause else when
    end = f" {when}" if when else ""
    shape = rng.random()
    if lead is None or shape < 0.4:
        text = fill(clause, world)
        if when and rng.random() < 0.4 and not when.startswith("without"):
            return _sentence(f"{when[0].upper()}{when[1:]}, {text}")
        return _sentence(text + end)
    about = spell(rng.choice(ABOUT[lead.type]), rng)  # type: ignore[attr-defined]
    if shape < 0.65:
        link = "who" if lead.type in _PEOPLE else "which"  # type: ignore[attr-defined]
        if lead.plural:  # type: ignore[attr-defined]
            rest = re.sub(r"^was\b", "were", rest)
        return _sentence(fill(f"{slot}, {link} {rest}{end}, {about[2:]}", world))
    if shape < 0.85 and lead.pronoun:  # type: ignore[attr-defined]
        if lead.plural:  # type: ignore[attr-defined]
            rest = re.sub(r"^was\b", "were", rest)
        intro = _sentence(fill(about, {"A": lead}))
        return f"{intro} {_sentence(fill(f'{slot}2 {rest}{end}', world))}"
    if rng.random() < 0.5 and clause[0] in "AB" and not lead.plural:  # type: ignore[attr-defined]
        return _sentence(
            f"it {'is' if ' is ' in clause else 'was'} " + fill(f"{slot} {_who(lead)} {rest}{end}", world)
        )
    return _sentence(fill(clause, world) + end)


# --- chains: one thing, and what several did to it ---


def _read_chains() -> Iterator[tuple[list[str], list[list[str]], str]]:
    for line in _lines("binding_voice.txt"):
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
    "X was {p} by A; the person or body who {w} it was B.",
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
    other = _swapped(world, "AB")
    tell = [text for text in _CHAIN if not (plural and ("was A who" in text or "was B." in text))]
    say = [text for text in _CHAIN_CLAIMS if not (plural and "the one" in text)]
    evidence = tuple(
        _surround(_sentences(fill(rng.choice(tell).format(**words), each)), each, rng)
        for each in (world, other)
    )
    claim = rng.choice(say).format(**words)
    yield from _crossed("voice", evidence, [(fill(claim, world), fill(claim, other))], CONTRADICTED)
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
    text = _surround(_sentences(fill(rng.choice(shapes).format(**words), world)), world, rng)
    sides = {
        SUPPORTED: ("X was {p}", "B {w} X", "X was {q} by B", "X was {p} and {q}"),
        NOT_ENOUGH: ("X was {p} by B", "B {v} X", f"X was {third[1]} by B", f"B {third[0]} X"),
    }
    for verdict, claims in sides.items():
        yield "voice", Row(_sentence(fill(rng.choice(claims).format(**words), world)), text, verdict)


# --- frames ---


def _read_frames() -> list[Frame]:
    frames: list[Frame] = []
    for line in _lines("binding_frames.txt"):
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
            values = [str(year) for year in sorted(rng.sample(range(1890, 2024), len(names)))]
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
    if swap.startswith("+"):
        slot = swap[1]
        new = draw(world[slot].type, rng)  # type: ignore[attr-defined]
        if set(new.split()) & set(" ".join(world.values()).split()) - {"the", "Dr"}:
            return
        other = {**world, slot: new}
    else:
        other = _swapped(world, swap)
    told = (world,) if "one" in frame.swaps else (world, other)
    evidence = tuple(
        _surround(_sentences(fill(rng.choice(frame.texts["E"]), each)), each, rng) for each in told
    )
    claims = rng.sample(frame.texts["C"], min(len(frame.texts["C"]), 3 if len(told) == 1 else 2))
    pairs = [(fill(claim, world), fill(claim, other)) for claim in claims]
    yield from _crossed(frame.kind, evidence, pairs, CONTRADICTED)
    for mark, verdict in (("F", CONTRADICTED), ("N", NOT_ENOUGH)):
        for claim in frame.texts[mark]:
            if rng.random() < 0.2:
                yield frame.kind, Row(_sentence(fill(claim, world)), evidence[0], verdict)


def _lines(name: str) -> Iterator[str]:
    for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
