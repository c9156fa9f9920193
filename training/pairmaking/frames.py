"""Sentences of our own with gaps: evidence, and claims that it supports, contradicts or leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pairmaking.frame_texts import FRAMES
from pairmaking.names import FIRST_NAMES, PLACES
from pairmaking.quantities import MONTHS
from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Pool, Row

_SURNAMES = (
    "Abrams Bakshi Calloway Dufresne Egede Fontaine Galloway Hartmann Ivarsson Jimenez Kessler "
    "Lombardi Moreau Nwosu Okonkwo Pereira Quist Romero Sandoval Takeda Ullman Vance Weller Xu Yamada "
    "Zimmer Ashby Birch Corbett Delgado"
).split()
_FIRMS = (
    "Alder Brightwater Cobalt Dunmore Everline Fairmont Granite Harbor Indigo Juniper Keystone "
    "Larkspur Meridian Northgate Orchard Pinnacle Quarry Redwood Summit Tidewater Upland Vantage "
    "Westfield Yarrow Zenith Aster Bluefin"
).split()
_KINDS = (
    "Systems",
    "Foods",
    "Energy",
    "Labs",
    "Motors",
    "Media",
    "Bank",
    "Airlines",
    "Pharma",
    "Group",
    "Software",
)


def make(rng: Random, pool: Pool, most: int) -> Iterator[tuple[str, Row]]:
    """Rows of every frame, half of them supported where the frame has both sorts of claims."""
    each = max(4, round(most * 4 / len(FRAMES)))
    for frame in FRAMES:
        sides = {
            SUPPORTED: frame.supported,
            CONTRADICTED: frame.contradicted,
            NOT_ENOUGH: frame.not_enough,
        }
        against = [verdict for verdict in (CONTRADICTED, NOT_ENOUGH) if sides[verdict]]
        for turn in range(each):
            verdict = SUPPORTED if turn % 2 == 0 or not against else rng.choice(against)
            gaps = _gaps(rng)
            claim = rng.choice(sides[verdict]).format(**gaps)
            evidence = rng.choice(frame.evidence).format(**gaps)
            if rng.random() < 0.4:
                around = [pool.any_evidence(rng) for _ in range(rng.randint(1, 4))]
                around.insert(rng.randint(0, len(around)), evidence)
                evidence = " ".join(around)
            yield frame.kind, Row(_open(claim), _open(evidence), verdict)


def _open(text: str) -> str:
    return text[0].upper() + text[1:]


def _gaps(rng: Random) -> dict[str, str]:
    """What fills the gaps: p q r people, a b c firms, x y z places, n > m numbers, and dates."""
    people = [
        f"{first} {last}"
        for first, last in zip(rng.sample(FIRST_NAMES, 3), rng.sample(_SURNAMES, 3), strict=True)
    ]
    firms = [f"{name} {rng.choice(_KINDS)}" for name in rng.sample(_FIRMS, 3)]
    places = rng.sample(PLACES, 3)
    small, middle, large = sorted(rng.sample(range(3, 96), 3))
    first_year, year, last_year = sorted(rng.sample(range(1955, 2025), 3))
    months = rng.sample(MONTHS, 2)
    scale = rng.choice(("million", "thousand", "billion"))
    return {
        **dict(zip("pqr", people, strict=True)),
        **dict(zip("abc", firms, strict=True)),
        **dict(zip("xyz", places, strict=True)),
        "l": str(small),
        "m": str(middle),
        "n": str(large),
        "m60": str(middle * 60),
        "m12": str(middle * 12),
        "m7": str(middle * 7),
        "m1000": f"{middle * 1000:,}",
        "n1000": f"{large * 1000:,}",
        "rest": str(100 - middle),
        "c1": str(first_year),
        "d": str(year),
        "e": str(last_year),
        "u": months[0],
        "v": months[1],
        "day": str(rng.randint(1, 28)),
        "scale": scale,
    }
