"""What is wrong with a file: where, what was expected and what was found."""

from __future__ import annotations

from msgspec import Struct

from pincite.answers.values import shown

__all__ = ["Problem", "shown", "step"]


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
