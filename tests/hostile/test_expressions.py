"""No regular expression takes more than linear time: every one is tried on texts made to slow it down.

The steps are counted, so that nothing here depends on the machine. `python -m bench expressions` measures the
same with the `re` module and a clock.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.fuzzing.expressions import AT_FEW_PLACES, PACKAGE, Expression, Found, find_expressions
from bench.fuzzing.pumps import Pump, pumps
from bench.fuzzing.steps import Counter, TooManySteps
from bench.fuzzing.trees import UNLIMITED, parsed, walk

MOST_GROWTH = 2.3
"""Times the steps for twice the text: linear work makes it 2, quadratic 4."""
FEW, SOME, MANY = 24, 48, 96
"""Repeats of a unit."""
CHEAP = 5
"""Steps a character that no quadratic work can stay below at the first of these sizes."""
LIMIT = 3
"""What a limit in a repeat counts as, so that a short text is long beside it."""
MOST_STEPS = 300_000
"""More than any text of these sizes takes but one for which the steps explode."""

ATTACKED = (
    "answering/replies.py",
    "citations/formats/number.py",
    "config/trusted_files.py",
    "datasets/imports/trec.py",
    "metrics/path_values.py",
)
BIBLIOGRAPHY = "answering/bibliography/"
ROOMS = sorted(
    {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE}
)


@cache
def found() -> Found:
    return find_expressions()


def steep(expression: re.Pattern[Any], use: str) -> tuple[Pump, float] | None:
    """The first text whose steps grow too fast, and how fast."""
    nodes, _ = parsed(expression)
    if not any(UNLIMITED in given[:2] for _, given, _ in walk(nodes, 0) if isinstance(given, tuple)):
        return None  # each place costs a bounded number of steps
    counter = Counter(expression, LIMIT, MOST_STEPS)

    def steps(pump: Pump, times: int) -> float:
        text: Any = pump.repeated(times)
        text = text.encode("latin-1", "replace") if isinstance(expression.pattern, bytes) else text
        try:
            return counter.count(use, text)
        except TooManySteps:
            return float("inf")

    for pump in pumps(expression):
        first = steps(pump, FEW)
        if first < CHEAP * len(pump.repeated(FEW)):
            continue
        growth = steps(pump, MANY) / steps(pump, SOME) if first < MOST_STEPS else first
        if growth > MOST_GROWTH:
            return pump, growth
    return None


def steep_ones(expressions: list[Expression]) -> list[str]:
    tried: dict[tuple[str, int, str], str] = {}
    for one in expressions:
        tried.update({(one.pattern, one.flags, use): one.place for use in one.uses})
    kinds = {(one.pattern, one.flags): one for one in expressions}
    said = []
    for (pattern, flags, use), place in tried.items():
        if worst := steep(kinds[pattern, flags].compiled(), use):
            said.append(f"{place} by {use}: {worst[1]:.1f} times the steps for twice {worst[0]}")
    return said


def test_every_expression_of_the_source_is_found() -> None:
    expressions = found().expressions
    assert found().unknown == []
    places = {one.place.partition(":")[0] for one in expressions}
    calls = re.compile(r"\bre\.(?:compile|search|match|fullmatch|sub|split|findall|finditer)\(")
    assert places >= {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if calls.search(path.read_text("utf-8"))
    }
    patterns = {one.pattern for one in expressions}
    assert "[\u0400-\u052f]+" in patterns or any("\u0400" in pattern for pattern in patterns)  # of a table
    assert r"<top\b[^<>]*+>?" in patterns  # of a call inside a function
    assert any(one.is_bytes for one in expressions)


def test_what_is_tried_at_few_places_still_exists() -> None:
    for file, name in AT_FEW_PLACES:
        assert re.search(rf"^{name} = re\.compile\(", (PACKAGE / file).read_text("utf-8"), re.MULTILINE), name


SLOW = {
    "the whole number": (r"\s*[-−(]?\s*[$€]?\s*[-−]?\d[\d,. ]*\s*(?:%|percent)?\s*\)?\s*", "fullmatch"),
    "the fence": (r"\A\s*```[a-z]{0,10}\s*\n(.*?)\n?\s*```\s*\Z", "match"),
    "the topic": (r"<top\b[^>]*>", "search"),
    "a comma outside brackets": (r",(?![^(]*\))", "search"),
    "space at an end": (r"\s+\Z", "search"),
    "the classic": (r"(?:a+)+b", "match"),
    "two ways to one word": (r"(?:a|a)*b", "match"),
    "a possessive run, begun anew": (r"\s*+#", "search"),
    "a reference": (r"(\w+)-\1-\1!", "search"),
}


@pytest.mark.parametrize("name", SLOW)
def test_an_expression_that_is_slow_is_noticed(name: str) -> None:
    pattern, use = SLOW[name]
    assert steep(re.compile(pattern, re.DOTALL), use) is not None


QUICK = (
    (r"(?<!\s)\s++\Z", "search"),
    (r"\s*+\d[\d,. ]*+\s*+%?+", "fullmatch"),
    (r"\[[^\]]{0,300}\]", "search"),
    (r"(?:a|b)*+c|x{2,}", "match"),
    (r"\[[^\[\]]*+\]", "search"),
)


@pytest.mark.parametrize(("pattern", "use"), QUICK)
def test_an_expression_that_is_not_slow_passes(pattern: str, use: str) -> None:
    assert steep(re.compile(pattern), use) is None


PATTERNS = (
    *(pattern for pattern, _ in (*SLOW.values(), *QUICK)),
    r"(?i:A)b|(?P<x>c)?(?(x)d|e)",
    r"(?<=a)b(?!c)|(?<![ab])c(?=a)",
    r"\b(?:a{1,2}?|b{2,3}+)(?>c|ca)\B",
    r"(a|b)*?\1c",
    r"(?:a?)*b{0,2}$",
    r"^(?:[^\n]*\n)+?a",
    r"(?i)(a|B)\1[^c]\w\s?",
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PATTERNS), st.text("abcABC \n-,1()<top>`#\\", max_size=12))
def test_the_counter_agrees_with_re_about_what_matches(pattern: str, text: str) -> None:
    for flags, use in product((0, re.MULTILINE), ("match", "fullmatch", "search")):
        expression = re.compile(pattern, flags)
        matched = getattr(expression, use)(text)
        expected = None if matched is None else matched.span()
        counter = Counter(expression)
        assert next(iter(counter.ends(use, text)), None) == expected
        assert counter.steps > 0 or not text


def test_expressions_that_were_slow_take_steps_in_proportion_to_their_text() -> None:
    chosen = [one for one in found().expressions if one.place.startswith(ATTACKED)]
    assert len(chosen) >= len(ATTACKED)
    assert steep_ones(chosen) == []


@pytest.mark.thorough
@pytest.mark.parametrize("room", ROOMS)
def test_no_expression_takes_more_steps_than_in_proportion_to_its_text(room: str) -> None:
    chosen = [one for one in found().expressions if one.place.startswith(f"{room}/")]
    assert steep_ones([one for one in chosen if not one.place.startswith(BIBLIOGRAPHY)]) == []


@pytest.mark.thorough
def test_no_expression_of_bibliographies_takes_more_steps_than_in_proportion_to_its_text() -> None:
    assert steep_ones([one for one in found().expressions if one.place.startswith(BIBLIOGRAPHY)]) == []
