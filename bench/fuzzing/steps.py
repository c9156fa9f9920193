"""Counts the steps of a regular expression, by matching as the `re` module does: it tries, and goes back.

Seconds depend on the machine, steps do not, so that a test can compare them. It knows all that `re._parser`
knows, and agrees with `re` about what matches: `tests/hostile/test_expressions.py` compares the two.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from re import _constants  # type: ignore[attr-defined]
from typing import Any

from bench.fuzzing.trees import CHARACTERS, REPEATS, UNLIMITED, Nodes, flags_inside, parsed, parts, tester

Then = Callable[[int], int | None]
"""What is tried behind a place: the end of the whole match, or None."""
Matcher = Callable[[int, Then], int | None]


class TooManySteps(Exception):
    """The text took more steps than allowed."""


class Counter:
    """An expression that counts. With `limit`, no limit of a repeat is above that number."""

    def __init__(self, expression: re.Pattern[Any], limit: int | None = None, most: int = 10**9) -> None:
        nodes, flags = parsed(expression, limit)
        self.steps = 0
        self.most = most
        self._groups: dict[int, tuple[int, int]] = {}
        self._text: Any = ""
        self._match = self._sequence(nodes, flags)

    def count(self, use: str, text: Any) -> int:
        """The steps that `search` (behind each match again), `match` or `fullmatch` takes."""
        self.ends(use, text)
        return self.steps

    def ends(self, use: str, text: Any) -> list[tuple[int, int]]:
        """Where the matches are."""
        self.steps, self._text = 0, text
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(max(usual, 100_000))
        try:
            return self._found(use, text)
        finally:
            sys.setrecursionlimit(usual)

    def _found(self, use: str, text: Any) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        place = 0
        while place <= len(text):
            self._groups = {}
            end = self._match(place, self._last if use == "fullmatch" else _any)
            if end is not None:
                found.append((place, end))
            if use != "search":
                break
            place = end if end is not None and end > place else place + 1
        return found

    def _last(self, place: int) -> int | None:
        return place if place == len(self._text) else None

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self.most:
            raise TooManySteps

    # --- each kind of node: a function of a place and of what comes behind ---------------------------

    def _sequence(self, nodes: Nodes, flags: int) -> Matcher:
        matchers = [self._node(kind, given, flags) for kind, given in nodes]
        if not matchers:
            return lambda place, then: then(place)
        chained = matchers[-1]
        for matcher in reversed(matchers[:-1]):
            chained = _chain(matcher, chained)
        return chained

    def _node(self, kind: Any, given: Any, flags: int) -> Matcher:
        if kind in CHARACTERS:
            return self._character(self._one(kind, given, flags))
        if kind is _constants.AT:
            return self._position(tester((kind, given), flags))
        if kind in REPEATS:
            least, greatest, body = given
            if len(body) == 1 and body[0][0] in CHARACTERS:
                return self._run(kind, least, greatest, self._one(body[0][0], body[0][1], flags))
            return self._repeat(kind, least, greatest, self._sequence(body, flags))
        if kind is _constants.BRANCH:
            return self._branch(given[1], flags)
        if kind is _constants.SUBPATTERN:
            inner = self._sequence(given[3], flags_inside(kind, given, flags))
            return inner if given[0] is None else self._group(given[0], inner)
        if kind is _constants.ATOMIC_GROUP:
            return self._atomic(self._sequence(given, flags))
        if kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            return self._look(kind is _constants.ASSERT, given[0], given[1], flags)
        if kind is _constants.GROUPREF:
            return self._reference(given, bool(flags & re.IGNORECASE))
        if kind is _constants.GROUPREF_EXISTS:
            yes, no = (self._sequence(inner, flags) for inner in parts(kind, given))
            return lambda place, then: (yes if given[0] in self._groups else no)(place, then)
        if kind is _constants.FAILURE:
            return lambda place, then: None
        raise NotImplementedError(f"{kind} is new in expressions")

    def _one(self, kind: Any, given: Any, flags: int) -> Callable[[int], bool]:
        """Whether the character at a place fits; each character is asked about once."""
        test, known = tester((kind, given), flags), dict[Any, bool]()

        def fits(place: int) -> bool:
            self.steps += 1
            if self.steps > self.most:
                raise TooManySteps
            char = self._text[place : place + 1]
            if not char:
                return False
            if char not in known:
                known[char] = test(char) is not None
            return known[char]

        return fits

    def _character(self, fits: Callable[[int], bool]) -> Matcher:
        return lambda place, then: then(place + 1) if fits(place) else None

    def _position(self, test: Callable[..., Any]) -> Matcher:
        def match(place: int, then: Then) -> int | None:
            self._step()
            return None if test(self._text, place) is None else then(place)

        return match

    def _run(self, kind: Any, least: int, greatest: Any, fits: Callable[[int], bool]) -> Matcher:
        """A repeat of one character: as many as there are, then fewer; or few, then more."""
        unlimited = greatest is UNLIMITED

        def match(place: int, then: Then) -> int | None:
            end = place
            if kind is _constants.MIN_REPEAT:
                while end - place < least:
                    if not fits(end):
                        return None
                    end += 1
                while True:
                    if (found := then(end)) is not None:
                        return found
                    if not (unlimited or end - place < greatest) or not fits(end):
                        return None
                    end += 1
            while (unlimited or end - place < greatest) and fits(end):
                end += 1
            if kind is _constants.POSSESSIVE_REPEAT:
                return then(end) if end - place >= least else None
            while end - place >= least:
                self._step()
                if (found := then(end)) is not None:
                    return found
                end -= 1
            return None

        return match

    def _repeat(self, kind: Any, least: int, greatest: Any, body: Matcher) -> Matcher:
        def more(count: int) -> bool:
            return greatest is UNLIMITED or count < greatest

        def greedy(place: int, count: int, then: Then) -> int | None:
            self._step()
            if more(count):
                kept = dict(self._groups) if self._groups else {}
                # A turn that takes nothing is the last.
                found = body(
                    place, lambda end: greedy(end, count + 1, then) if end > place or count < least else None
                )
                if found is not None:
                    return found
                self._groups = kept
            return then(place) if count >= least else None

        def lazy(place: int, count: int, then: Then) -> int | None:
            self._step()
            if count >= least and (found := then(place)) is not None:
                return found
            if not more(count):
                return None
            return body(
                place, lambda end: lazy(end, count + 1, then) if end > place or count < least else None
            )

        def possessive(place: int, then: Then) -> int | None:
            count = 0
            while more(count):
                self._step()
                end = body(place, _any)
                if end is None or (end == place and count >= least):
                    break
                place, count = end, count + 1
            return then(place) if count >= least else None

        if kind is _constants.POSSESSIVE_REPEAT:
            return possessive
        chosen = greedy if kind is _constants.MAX_REPEAT else lazy
        return lambda place, then: chosen(place, 0, then)

    def _branch(self, ways: list[Nodes], flags: int) -> Matcher:
        """Each way in turn; one step finds those that can begin here, as a table does in `re`."""
        tests = [tester(way[0], flags) if way and way[0][0] in CHARACTERS else None for way in ways]
        matchers = [self._sequence(way, flags) for way in ways]
        table: dict[Any, list[Matcher]] = {}

        def match(place: int, then: Then) -> int | None:
            self._step()
            char = self._text[place : place + 1]
            if char not in table:
                fitting = [test is None or (bool(char) and test(char) is not None) for test in tests]
                table[char] = [matcher for matcher, fits in zip(matchers, fitting, strict=True) if fits]
            for way in table[char]:
                kept = dict(self._groups) if self._groups else {}
                if (found := way(place, then)) is not None:
                    return found
                self._groups = kept
            return None

        return match

    def _group(self, number: int, inner: Matcher) -> Matcher:
        def match(place: int, then: Then) -> int | None:
            before = self._groups.get(number)

            def close(end: int) -> int | None:
                kept = self._groups.get(number)
                self._groups[number] = (place, end)
                if (found := then(end)) is None:
                    _put(self._groups, number, kept)
                return found

            if (found := inner(place, close)) is None:
                _put(self._groups, number, before)
            return found

        return match

    def _atomic(self, inner: Matcher) -> Matcher:
        def match(place: int, then: Then) -> int | None:
            end = inner(place, _any)
            return None if end is None else then(end)

        return match

    def _look(self, wanted: bool, direction: int, nodes: Nodes, flags: int) -> Matcher:
        inner = self._sequence(nodes, flags)
        back = _width(nodes) if direction < 0 else 0

        def match(place: int, then: Then) -> int | None:
            self._step()
            found = place >= back and inner(place - back, _any) is not None
            return then(place) if found == wanted else None

        return match

    def _reference(self, number: int, folded: bool) -> Matcher:
        def match(place: int, then: Then) -> int | None:
            self._step()
            if number not in self._groups:
                return None
            start, end = self._groups[number]
            told, here = self._text[start:end], self._text[place : place + end - start]
            self.steps += end - start
            same = told.lower() == here.lower() if folded else told == here
            return then(place + end - start) if same else None

        return match


def _chain(first: Matcher, rest: Matcher) -> Matcher:
    return lambda place, then: first(place, lambda end: rest(end, then))


def _any(place: int) -> int | None:
    return place


def _put(groups: dict[int, tuple[int, int]], number: int, held: tuple[int, int] | None) -> None:
    if held is None:
        groups.pop(number, None)
    else:
        groups[number] = held


def _width(nodes: Nodes) -> int:
    """Characters of a sequence whose length is fixed, as behind a place it must be."""
    total = 0
    for kind, given in nodes:
        if kind in CHARACTERS:
            total += 1
        elif kind in REPEATS:
            total += given[0] * _width(given[2])
        elif kind in (_constants.SUBPATTERN, _constants.BRANCH, _constants.ATOMIC_GROUP):
            total += _width(parts(kind, given)[0])
    return total
