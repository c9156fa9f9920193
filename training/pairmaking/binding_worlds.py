"""Worlds and what is told of them: fillers for the slots of a text, and rows that cross two worlds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from pairmaking.binding_words import ABOUT, AROUND, spell
from pairmaking.rows import SUPPORTED, Row

World = dict[str, str]
SLOT = re.compile(r"\b([ABCXYZ])(2?)\b")
_HERE = Path(__file__).parent
_SINGULAR = re.compile(r"\b([ABC]) (was|is|has)\b")
_PLURAL = {"was": "were", "is": "are", "has": "have"}


def fill(template: str, world: World) -> str:
    """Puts the world's fillers in, with plural verbs after plural ones; A2 is the pronoun for A."""
    template = _SINGULAR.sub(
        lambda m: f"{m[1]} {_PLURAL[m[2]] if getattr(world.get(m[1], ''), 'plural', False) else m[2]}",
        template,
    )
    return SLOT.sub(lambda m: world[m[1]].pronoun if m[2] else world[m[1]], template)  # type: ignore


def sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?")) else text + "."


def sentences(text: str) -> str:
    return " ".join(sentence(part) for part in text.split(". "))


def surround(text: str, world: World, rng: Random) -> str:
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
        parts.insert(rng.choice((0, len(parts))), sentence(spell(line, rng)))
    return " ".join(parts)


def aside(evidence: tuple[str, ...], away: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """Mostly names whoever has no part in a world all the same, so that the name alone tells nothing."""
    if not away or rng.random() < 0.2:
        return evidence
    told = []
    for text, name in zip(evidence, away, strict=False):
        line = sentence(spell(fill(rng.choice(ABOUT[name.type]), {"A": name}), rng))  # type: ignore[attr-defined]
        told.append(rng.choice((f"{text} {line}", f"{line} {text}")) if line[:3] != "It " else text)
    return tuple(told)


def swapped(world: World, swap: str) -> World:
    one, other = list(swap)
    return {**world, one: world[other], other: world[one]}


def crossed(
    kind: str, evidence: tuple[str, ...], claims: list[tuple[str, str]], against: str
) -> Iterator[tuple[str, Row]]:
    """Each claim about each world with the evidence of both; claims that hold in both are left out."""
    for pair in claims:
        if pair[0] == pair[1]:
            continue
        for told, text in enumerate(evidence):
            for said, claim in enumerate(pair):
                yield kind, Row(sentence(claim), text, SUPPORTED if said == told else against)


def lines(name: str) -> Iterator[str]:
    for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def half_right(
    kind: str, evidence: str, claims: tuple[str, str], worlds: tuple[World, World], against: str
) -> Iterator[tuple[str, Row]]:
    """Two claims joined: both of the evidence's world, or the second of the other world."""
    first, second = claims
    right, wrong = (fill(second, world) for world in worlds)
    if right == wrong:
        return
    for end, verdict in ((right, SUPPORTED), (wrong, against)):
        lead = fill(first, worlds[0]).rstrip(".")
        end = end if SLOT.match(second) else end[0].lower() + end[1:]
        yield kind, Row(sentence(f"{lead}, and {end}"), evidence, verdict)
