"""Texts on which a regular expression may take far longer than it should, made from the expression itself.

A text begins with what gets a match started, repeats one part or two parts of the expression, and ends in
what breaks the match. The parts are one character for each kind of character that the expression tells apart,
its words, and the beginnings of its sequences.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from random import Random
from re import _constants  # type: ignore[attr-defined]
from typing import Any

from msgspec import Struct

from bench.fuzzing.trees import CHARACTERS, REPEATS, Node, Nodes, flags_inside, parsed, parts, tester, walk

COMMON = "a1 \n_Z.,-:;()[]{}\"'|<>/\\!=%&#*`~@^$\t\r\xa0é漢٣\u0301\u2028\0"
"""Characters that expressions tell apart, the plainest first."""
MOST_UNITS = 10
MOST_WORDS = 4
MOST_OPENINGS = 10
BREAK = "\0"
"""What hardly any expression expects."""
LIMIT = 3
"""No limit of a repeat in a beginning is above this, so that beginnings stay short."""


class Pump(Struct, frozen=True, order=True):
    """A text of any size: the head, the unit again and again, and the end."""

    head: str
    unit: str
    end: str

    def text(self, size: int) -> str:
        """About that many characters, and whole units."""
        return self.head + self.unit * max(size // len(self.unit), 1) + self.end

    def repeated(self, count: int) -> str:
        return self.head + self.unit * count + self.end


EXPRESSIONS: list[re.Pattern[Any]] = []
"""Those whose texts the mutators use; a worker fills it when it begins."""


def pumped(random: Random) -> str:
    """A text for any expression, short or long."""
    pump = random.choice(_known_pumps(random.randrange(len(EXPRESSIONS))))
    return pump.text(random.choice((20, 200, 2_000, 2_000, 20_000)))


@lru_cache(maxsize=1_000)
def _known_pumps(number: int) -> list[Pump]:
    return pumps(EXPRESSIONS[number])


def pumps(expression: re.Pattern[Any]) -> list[Pump]:
    """The texts for one expression; always the same, in the same order."""
    nodes, flags = parsed(expression, LIMIT)
    letters = _letters(nodes, flags, isinstance(expression.pattern, bytes))
    openings = _openings(nodes, flags, letters)
    words = _words(nodes)
    units = list(dict.fromkeys([*letters[:MOST_UNITS], *words]))
    found: dict[Pump, None] = {}
    for unit in (*units, *openings):
        found[Pump("", unit, BREAK)] = None
        found[Pump("", unit, "")] = None
    for head, unit in product(openings, units):
        found[Pump(head, unit, BREAK)] = None
        found[Pump("", head + unit, BREAK)] = None
    for one, other in product(units, units):
        found[Pump("", one + other, BREAK)] = None
    for head, one, other in product(openings[:3], letters[:5], letters[:5]):
        found[Pump(head, one + other, BREAK)] = None
    return list(found)


def _letters(nodes: Nodes, flags: int, is_bytes: bool) -> list[str]:
    """One character for each kind that the expression tells apart; first those that a repeat takes."""
    tests = [tester((kind, given), inner) for kind, given, inner in walk(nodes, flags) if kind in CHARACTERS]
    repeated = [
        tester(node, inner)
        for kind, given, inner in walk(nodes, flags)
        if kind in REPEATS and given[1] > LIMIT
        for node in given[2]
        if node[0] in CHARACTERS
    ]
    own = [chr(given) for kind, given, _ in walk(nodes, flags) if kind is _constants.LITERAL]
    for kind, given, _ in walk(nodes, flags):
        if kind is _constants.IN:
            own += [chr(value) for inner, value in given if inner is _constants.LITERAL][:20]
            own += [chr(value[0]) for inner, value in given if inner is _constants.RANGE][:20]
    kinds: dict[tuple[bool, ...], str] = {}
    for char in dict.fromkeys((*COMMON, *own)):
        if is_bytes and ord(char) > 255:
            continue
        text = char.encode("latin-1") if is_bytes else char
        kind = (*(test(text) is not None for test in tests), char.isalnum() or char == "_", char == "\n")
        kinds.setdefault(kind, char)

    def taken(char: str) -> int:
        text = char.encode("latin-1") if is_bytes else char
        return -sum(test(text) is not None for test in repeated)

    return sorted(kinds.values(), key=taken)


def _words(nodes: Nodes) -> list[str]:
    """Runs of letters that stand one after the other in the expression."""
    found: dict[str, None] = {}

    def read(sequence: Nodes) -> None:
        run = ""
        for kind, given in [*sequence, (None, None)]:
            if kind is _constants.LITERAL:
                run += chr(given)
                continue
            if len(run) > 1:
                found[run] = None
            run = ""
            for inner in parts(kind, given):
                read(inner)

    read(nodes)
    return list(found)[:MOST_WORDS]


def _openings(nodes: Nodes, flags: int, letters: list[str]) -> list[str]:
    """Beginnings of the expression's sequences: what comes before each of their nodes, the longest last."""
    found: dict[str, None] = {}

    def read(sequence: Nodes, before: str, flags: int, often: bool) -> None:
        for number, (kind, given) in enumerate(sequence):
            for inner in parts(kind, given):
                under = flags_inside(kind, given, flags)
                ahead = kind not in (_constants.ASSERT, _constants.ASSERT_NOT) or given[0] > 0
                read(inner, before if ahead else "", under, often)
                if kind in REPEATS and given[1] > 1:
                    read(inner, "", under, often)
            before += _example((kind, given), flags, letters, often)
            if before and (number + 1 == len(sequence) or sequence[number + 1][0] is not _constants.LITERAL):
                found[before] = None  # not in the middle of a word

    read(nodes, "", flags, often=False)
    read(nodes, "", flags, often=True)
    chosen = [one for one in found if len(one) <= 60]
    # Evenly from all, since an expression of many words would fill the list with its first ones.
    step = max(len(chosen) / MOST_OPENINGS, 1.0)
    return [chosen[int(number * step)] for number in range(min(len(chosen), MOST_OPENINGS))]


def _example(node: Node, flags: int, letters: list[str], often: bool) -> str:
    """A short text that the node matches: without what may be left out, or with it."""
    kind, given = node
    if kind is _constants.LITERAL:
        return chr(given)
    if kind in CHARACTERS:
        test = tester(node, flags)
        return next((char for char in sorted(letters, key=_plainness) if _matches(test, char)), "")
    if kind in REPEATS:
        least, greatest, body = given
        times = int(max(least, min(1, greatest)) if often else least)
        return "".join(_example(inner, flags, letters, often) for inner in body) * min(times, LIMIT)
    if kind in (_constants.ASSERT, _constants.ASSERT_NOT, _constants.AT, _constants.GROUPREF):
        return ""
    inside = parts(kind, given)
    under = flags_inside(kind, given, flags)
    return "".join(_example(inner, under, letters, often) for inner in inside[0]) if inside else ""


def _plainness(char: str) -> int:
    return COMMON.find(char) % 1_000


def _matches(test: Any, char: str) -> bool:
    try:
        return test(char) is not None
    except TypeError:
        return test(char.encode("latin-1")) is not None
