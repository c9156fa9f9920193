"""YAML and TOML that are read with bounds.

A YAML loader takes repeated keys and aliases without a word, and a few lines then hold a value that is
endless, or as good as. A dotted TOML key of 100 KB would take the standard library gigabytes.
"""

from __future__ import annotations

import re
from typing import Any

DEEPEST = 200
"""How many lists and objects may stand inside one another."""
_GROWTH = 10
"""How many times its own size a text may grow by its aliases."""
_ALWAYS = 10_000
"""Up to this size it may grow however small it is."""
_INTEGER = "tag:yaml.org,2002:int"
_CONVERTED = ("bool", "int", "float", "timestamp")
_LONGEST_NUMBER = 4000
"""Characters. Python writes out none of over 4,300 digits, and `1:2:3` costs the square of its length."""
_PIECE = 64
"""A scalar counts 1, and 1 more for each so many characters: copies of a long text are large too."""


def check_yaml(text: str) -> None:
    """Refuse repeated keys, great depth, values that contain themselves, exploding aliases and false tags.

    A `ValueError` tells line and column; what is no YAML at all is the parser's own error.
    """
    import yaml

    patterns = _patterns(yaml.SafeLoader)
    sizes: dict[str, int | None] = {}  # of what is still open, None
    stack: list[_Open] = []
    plain = 0
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        closed: _Open | None = None
        size: int | None
        if isinstance(event, yaml.CollectionStartEvent):
            plain += 1
            stack.append(_Open(isinstance(event, yaml.MappingStartEvent), event.anchor))
            if event.anchor:
                sizes[event.anchor] = None
            if len(stack) > DEEPEST:
                raise ValueError(f"{_place(event)}: nested more than {DEEPEST} levels deep")
            continue
        if isinstance(event, yaml.ScalarEvent):
            _check_scalar(event, patterns)
            size = 1 + len(event.value) // _PIECE
            plain += size
            if event.anchor:
                sizes[event.anchor] = size
        elif isinstance(event, yaml.AliasEvent):
            plain += 1
            size = sizes.get(event.anchor or "", 1)  # the loader refuses an alias of nothing
            if size is None:
                raise ValueError(f"{_place(event)}: *{event.anchor:.80} is inside &{event.anchor:.80} itself")
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = stack.pop()
            size = closed.size
            # An anchor of the same name inside it is the later one, and counts from there on.
            if closed.anchor and sizes[closed.anchor] is None:
                sizes[closed.anchor] = size
        else:
            continue
        if stack:
            _note_key(stack[-1], event, closed is not None)
            stack[-1].size += size
            if stack[-1].size > _GROWTH * plain + _ALWAYS:
                raise ValueError(f"{_place(event)}: its aliases make it grow without end")


def _patterns(loader: Any) -> dict[str, Any]:
    """How the values of `!!bool`, `!!int`, `!!float` and `!!timestamp` are written, by their tags."""
    listed = [pair for pairs in loader.yaml_implicit_resolvers.values() for pair in pairs]
    return {tag: pattern for tag, pattern in listed if tag.rpartition(":")[2] in _CONVERTED}


def _check_scalar(event: Any, patterns: dict[str, Any]) -> None:
    """Refuse `!!bool x`, which the loader takes at its word and stumbles over, and numbers without end."""
    kind = event.tag.rpartition(":")[2] if event.tag in patterns else ""
    if kind in ("int", "float"):  # a float may be written as a whole number, and the loader refuses the rest
        fits = event.value.strip("+-_") != ""
    else:
        fits = not kind or patterns[event.tag].match(event.value) is not None
    if not fits:
        raise ValueError(f"{_place(event)}: {event.value!r:.80} is not a valid {kind}")
    may_be_number = event.implicit[0] or kind == "int"
    if len(event.value) > _LONGEST_NUMBER and may_be_number and patterns[_INTEGER].match(event.value):
        raise ValueError(f"{_place(event)}: a number of more than {_LONGEST_NUMBER:,} digits")


class _Open:
    """A list or an object that is being read."""

    def __init__(self, is_object: bool, anchor: str | None) -> None:
        self.is_object = is_object
        self.anchor = anchor
        self.keys: set[str] = set()
        self.expects_key = is_object
        self.size = 1


def _note_key(container: _Open, event: Any, closed: bool) -> None:
    if not container.is_object:
        return
    if container.expects_key and not closed and hasattr(event, "value"):
        key = event.value
        if key in container.keys and key != "<<":
            raise ValueError(f"{_place(event)}: the key {key!r:.80} comes twice in one object")
        container.keys.add(key)
    container.expects_key = not container.expects_key


def _place(event: Any) -> str:
    return f"line {event.start_mark.line + 1}, column {event.start_mark.column + 1}"


# --- TOML ------------------------------------------------------------------------------------------

MOST_PARTS = 32
"""In one key, `a.b.c`. What it costs grows with the square of their number."""
LARGEST = 10_000_000
"""Bytes."""

_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{0,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{0,5}"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}")


def read_toml(raw: bytes) -> dict[str, Any]:
    """The table in a TOML file; a `ValueError` says what is wrong with it."""
    import tomllib

    if len(raw) > LARGEST:
        raise ValueError(f"it has more than {LARGEST // 1_000_000} MB")
    text = raw.decode("utf-8-sig")
    # Quoted parts of a key count too, so a word stands for each string; lines stay where they are.
    bare = _STRING_OR_COMMENT.sub(lambda found: "s" + "\n" * found[0].count("\n"), text)
    if long := _LONG_KEY.search(bare):
        line = bare.count("\n", 0, long.start()) + 1
        raise ValueError(f"line {line}: a key of more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
