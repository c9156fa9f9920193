"""Whether a tokenizer of somebody else's could run for ever, or make gigabytes of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

MOST_CHARACTERS = 4_000
MOST_REPEATS = 3
"""Unbounded repeats in one alternative. The tokenizers in use have two."""
MOST_GROWTH = 100
"""How many characters may be put in the place of one, all replacements together."""

_PART = re.compile(
    r"""(?P<escape>\\(?:[pP]\{[^}]{0,64}\}|x\{[^}]{0,64}\}|.))
      | (?P<class>\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\]){0,4000}+\])
      | (?P<repeat>[*+]|\{\d*,\d*\})
      | (?P<few>\?|\{\d+\})
      | (?P<sign>[()|])
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


def why_not_tokenized(table: dict[str, Any]) -> str | None:
    """What in a `tokenizer.json` must not be run; None where all of it may."""
    growth = 1
    for part in _parts(table.get("normalizer")):
        content = part.get("content") if part.get("type") == "Replace" else part.get("prepend")
        growth *= max(1, len(content)) if isinstance(content, str) else 1
        if growth > MOST_GROWTH:
            return f"its replacements make more than {MOST_GROWTH} characters of one"
    for part in _parts(table):
        pattern = part.get("Regex")
        why = why_not_matched(pattern) if isinstance(pattern, str) else None
        if why is not None:
            return f"the expression {pattern!r:.80} {why}"
    return None


def why_not_matched(pattern: str) -> str | None:
    """Why an expression may take for ever on some text; None where it cannot."""
    if len(pattern) > MOST_CHARACTERS:
        return f"is longer than {MOST_CHARACTERS:,} characters"
    # For each open group: the repeats in this alternative, and the most in one before it.
    open_groups = [[0, 0]]
    closed: int | None = None
    """The repeats in the group that ended just before, which a repeat would repeat."""
    for part in _PART.finditer(pattern):
        kind, text, here = part.lastgroup, part[0], open_groups[-1]
        if kind == "escape" and (text[1:2].isdigit() or text[1:2] in "kg"):
            return "refers back to what it matched"
        if kind == "repeat":
            if closed:
                return "repeats what is repeated"
            here[0] += 1
            if here[0] > MOST_REPEATS:
                return f"has more than {MOST_REPEATS} repeats in a row"
        if text == "(" and kind == "sign":
            open_groups.append([0, 0])
        elif text == "|" and kind == "sign":
            here[:] = [0, max(here)]
        if text == ")" and kind == "sign" and len(open_groups) > 1:
            closed = max(open_groups.pop())
            open_groups[-1][0] += closed
        elif kind != "few":
            closed = None
    return None


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every table in the value, but for the vocabulary, which is large and holds only words."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting += [inner for name, inner in value.items() if name not in ("vocab", "merges")]
        elif isinstance(value, list):
            waiting += value
