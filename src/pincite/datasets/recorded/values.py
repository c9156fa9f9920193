"""Single values as recorded answers and exports write them: what is meant is read, the rest is None."""

from __future__ import annotations

import math
from typing import Any

_LARGEST = 2**63


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
