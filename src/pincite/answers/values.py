"""Single values as records and exports write them: what is meant is read, the rest is None."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

_LARGEST = 2**63
_SHOWN = 60

Oddities = list[tuple[str, str]]
"""What was expected and what was found, wherever a value counts as not given."""


def read_id(value: Any) -> str | None:
    """An id as text; whole numbers are ids too."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def read_number(value: Any) -> float | None:
    """A number, or a text that is one; None for anything else, and for what is not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def read_amount(value: Any) -> float | None:
    """A number that counts something, so that it is not below 0."""
    number = read_number(value)
    return number if number is not None and number >= 0 else None


def read_count(value: Any) -> int | None:
    """How many of something there are; None for what no count can be: a negative, or 2^63 and more."""
    if type(value) is int:
        return value if 0 <= value < _LARGEST else None
    number = read_amount(value)
    return int(number) if number is not None and number < _LARGEST else None


def read_whole(value: Any) -> int | None:
    """A whole number, however it is written: 9, 9.0 or "9"."""
    if type(value) is int:
        return value if abs(value) < _LARGEST else None
    number = read_number(value)
    return int(number) if number is not None and number.is_integer() and abs(number) < _LARGEST else None


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


def warn(odd: Oddities, expected: str, found: Any) -> None:
    """Note that a value is passed over; null counts as missing and is not noted."""
    if found is not None:
        odd.append((expected, f"{shown(found)}; it counts as not given"))


def warn_left_out(odd: Oddities, expected: str, given: Sequence[Any], read: Sequence[Any]) -> None:
    """Note how many elements of a list could not be read (as None, or as an empty list), and the first."""
    bad = [one for one, found in zip(given, read, strict=True) if found is None or found == []]
    if bad:
        odd.append((expected, f"{shown(bad[0])}; {len(bad)} of {len(given)} left out"))
