"""What is wrong with a file: where, what was expected and what was found."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

_SHOWN = 60


class Problem(Struct, frozen=True):
    """One thing that is wrong with a file or a value."""

    file: str
    """The path as it was given, or an empty string for a value that came from no file."""
    pointer: str
    """A JSON pointer (RFC 6901) to the value, or `line 12` in a file of lines."""
    expected: str
    found: str

    def __str__(self) -> str:
        place = ":".join(part for part in (self.file, self.pointer) if part) or "the whole value"
        return f"{place}: expected {self.expected}, found {self.found}"


def step(key: str | int) -> str:
    """One step of a JSON pointer, with its slash."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def shown(value: Any) -> str:
    """A value for a person: its kind where it is large, itself where it is short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return f"the text {value!r}" if len(value) <= _SHOWN else f"the text {value[:_SHOWN]!r}…"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"  # Python refuses to write out a number of some thousand digits
    return f"the number {value!r}"[: _SHOWN + 12]
