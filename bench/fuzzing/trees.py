"""Regular expressions taken apart, as the `re` module itself reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

Node = tuple[Any, Any]
Nodes = list[Node]

REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
CHARACTERS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN)
"""Nodes that match one character."""
UNLIMITED = _constants.MAXREPEAT


def parsed(expression: re.Pattern[Any], most: int | None = None) -> tuple[Nodes, int]:
    """The tree of an expression and its flags. With `most`, no limit of a repeat is above that number.

    An expression with `{0,300}` costs at most 300 steps a character more: that is linear, but shows only in
    texts that are far longer. With small limits it shows in short ones.
    """
    tree = _parser.parse(expression.pattern, expression.flags & ~re.DEBUG)
    return _limited(list(tree), most), expression.flags


def _limited(nodes: Nodes, most: int | None) -> Nodes:
    return [_limited_node(kind, given, most) for kind, given in nodes]


def _limited_node(kind: Any, given: Any, most: int | None) -> Node:
    if kind in REPEATS:
        least, greatest, body = given
        if most is not None:
            least = min(least, most)
            greatest = greatest if greatest is UNLIMITED else min(greatest, most)
        return kind, (least, greatest, _limited(list(body), most))
    if kind is _constants.SUBPATTERN:
        group, added, removed, body = given
        return kind, (group, added, removed, _limited(list(body), most))
    if kind is _constants.BRANCH:
        return kind, (given[0], [_limited(list(way), most) for way in given[1]])
    if kind in (_constants.ASSERT, _constants.ASSERT_NOT):
        return kind, (given[0], _limited(list(given[1]), most))
    if kind is _constants.ATOMIC_GROUP:
        return kind, _limited(list(given), most)
    if kind is _constants.GROUPREF_EXISTS:
        group, yes, no = given
        return kind, (group, _limited(list(yes), most), None if no is None else _limited(list(no), most))
    return kind, given


def parts(kind: Any, given: Any) -> list[Nodes]:
    """The sequences inside a node."""
    if kind in REPEATS:
        return [given[2]]
    if kind is _constants.SUBPATTERN:
        return [given[3]]
    if kind is _constants.BRANCH:
        return list(given[1])
    if kind in (_constants.ASSERT, _constants.ASSERT_NOT):
        return [given[1]]
    if kind is _constants.ATOMIC_GROUP:
        return [given]
    if kind is _constants.GROUPREF_EXISTS:
        return [given[1], given[2] or []]
    return []


def flags_inside(kind: Any, given: Any, flags: int) -> int:
    """The flags that hold inside a node: a group may change them."""
    return (flags | given[1]) & ~given[2] if kind is _constants.SUBPATTERN else flags


def walk(nodes: Nodes, flags: int) -> Iterator[tuple[Any, Any, int]]:
    """Every node with the flags that hold for it."""
    for kind, given in nodes:
        yield kind, given, flags
        for inner in parts(kind, given):
            yield from walk(inner, flags_inside(kind, given, flags))


def longest_repeat(nodes: Nodes) -> int:
    """The greatest limit of a repeat: without a large one, no place of a text costs much."""
    return max((int(given[1]) for kind, given, _ in walk(nodes, 0) if kind in REPEATS), default=0)


def tester(node: Node, flags: int) -> Callable[..., Any]:
    """What `re` makes of a node by itself: a function of a text and a place in it."""
    state = _parser.State()
    state.flags = flags
    compiled: re.Pattern[Any] = _compiler.compile(_parser.SubPattern(state, [node]), flags & ~re.DEBUG)
    return compiled.match
