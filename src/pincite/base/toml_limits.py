"""TOML that is read with bounds: a dotted key of 100 KB would take the standard library gigabytes."""

from __future__ import annotations

import re
from typing import Any

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
