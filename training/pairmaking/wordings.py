"""How much, whether, and in other words: rows about negation, quantifiers, hedges, amounts and paraphrase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from pairmaking import word_hedges, word_negation, word_quantifiers, word_same, word_units
from pairmaking.rows import SUPPORTED, Row
from pairmaking.word_sheets import Sheet, rows

# The source of the sheets of each kind, how many sheets, and how many claims of each sort from one sheet.
_SOURCES: tuple[tuple[str, Callable[[Random, int], Iterator[Sheet]], int, int], ...] = (
    ("negation", word_negation.acts, 650, 2),
    ("negation", word_negation.reasons, 120, 2),
    ("negation", word_negation.pairs_of, 550, 2),
    ("no_longer", word_negation.habits, 350, 2),
    ("prefix", word_negation.prefixes, 250, 1),
    ("quantifier", word_quantifiers.counts, 750, 2),
    ("quantifier", word_quantifiers.two_acts, 450, 2),
    ("hedge", word_hedges.hedged, 850, 2),
    ("certain", word_hedges.certain, 400, 2),
    ("unit", word_units.scales, 450, 2),
    ("rounding", word_units.rounding, 150, 2),
    ("change", word_units.changes, 250, 2),
    ("share", word_units.shares, 350, 2),
    ("same", word_same.phrases, 6, 2),
    ("same_of_two", word_same.two_subjects, 600, 2),
    ("same_framed", word_same.framed, 4, 1),
)


def make(rng: Random) -> Iterator[tuple[str, Row]]:
    """Rows of all these kinds, half of them supported."""
    for kind, source, count, each in _SOURCES:
        yield from _even(list(rows(rng, kind, source(rng, count), each)))


def _even(made: list[tuple[str, Row]]) -> Iterator[tuple[str, Row]]:
    """Without the surplus of claims that open alike and share a verdict: it must not give that away."""
    groups: dict[str, list[tuple[str, Row]]] = {}
    for item in made:
        groups.setdefault(" ".join(item[1].claim.lower().split()[:2]), []).append(item)
    for group in groups.values():
        sides = [[item for item in group if (item[1].verdict == SUPPORTED) is side] for side in (True, False)]
        most = max(20, round(1.5 * min(len(side) for side in sides)))
        yield from sides[0][:most]
        yield from sides[1][:most]
