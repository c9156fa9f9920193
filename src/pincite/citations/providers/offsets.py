"""Offsets of one unit read in another: code points, UTF-16 code units, UTF-8 bytes.

A provider counts in the unit of the language that its servers are written in; Pincite counts in code points.
Each function takes many offsets at once, sorts them, and walks the text a single time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Unit = Literal["code_point", "utf16", "utf8"]

UNIT_NAMES: dict[Unit, str] = {
    "code_point": "code points",
    "utf16": "UTF-16 code units",
    "utf8": "UTF-8 bytes",
}

_ENCODINGS: dict[Unit, tuple[str, int]] = {"utf16": ("utf-16-le", 2), "utf8": ("utf-8", 1)}

# A lone surrogate cannot be encoded, but U+FFFD is as wide as one in either encoding, so it can stand in.
_SURROGATE = re.compile("[\ud800-\udfff]")

Flaw = Literal["", "negative", "beyond", "inside"]


class Placed(Struct, frozen=True):
    """A span in code points, clamped to the text, and what was wrong with the one that was given."""

    start: int
    end: int
    problem: str | None = None


def unit_length(text: str, unit: Unit) -> int:
    """How long a text is in a unit."""
    return from_code_points(text, [len(text)], unit)[0]


def from_code_points(text: str, offsets: Sequence[int], unit: Unit) -> list[int]:
    """Offsets in code points as offsets in another unit. Each must lie in the text."""
    if unit == "code_point" or text.isascii():
        return list(offsets)
    encoding, width = _ENCODINGS[unit]
    clean = _SURROGATE.sub("\ufffd", text)
    converted: dict[int, int] = {}
    position = units = 0
    for offset in sorted(set(offsets)):
        units += len(clean[position:offset].encode(encoding)) // width
        position = offset
        converted[offset] = units
    return [converted[offset] for offset in offsets]


def to_code_points(text: str, offsets: Sequence[int], unit: Unit) -> list[tuple[int, Flaw]]:
    """Offsets in a unit as offsets in code points, each with its flaw: an empty string when it has none.

    An offset outside the text is clamped to it; one inside a character becomes the start of that character.
    """
    if unit == "code_point" or text.isascii():
        return [_clamp(offset, len(text)) for offset in offsets]
    encoding, width = _ENCODINGS[unit]
    data = _SURROGATE.sub("\ufffd", text).encode(encoding)
    length = len(data) // width
    converted: dict[int, tuple[int, Flaw]] = {}
    position = points = 0
    for offset in sorted(set(offsets)):
        within, flaw = _clamp(offset, length)
        boundary = _boundary(data, within, unit)
        points += len(data[position * width : boundary * width].decode(encoding))
        # A later offset inside the same character must not step back over what was counted already.
        position = max(position, boundary)
        converted[offset] = (points, flaw or ("inside" if boundary != within else ""))
    return [converted[offset] for offset in offsets]


def _clamp(offset: int, length: int) -> tuple[int, Flaw]:
    if offset < 0:
        return 0, "negative"
    if offset > length:
        return length, "beyond"
    return offset, ""


def _boundary(data: bytes, offset: int, unit: Unit) -> int:
    """The start of the character that the offset stands in or before, in the unit."""
    if unit == "utf16":
        inside = 2 * offset + 1 < len(data) and 0xDC <= data[2 * offset + 1] <= 0xDF
        return offset - 1 if inside else offset
    while 0 < offset < len(data) and data[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


def place_spans(
    text: str,
    spans: Sequence[tuple[object, object]],
    unit: Unit,
    covered: Sequence[str | None] | None = None,
) -> list[Placed]:
    """Spans as a payload gives them, whatever their values are, as spans of the text.

    Where `covered` tells what a span should hold, the text there is compared with it. A span that holds it
    only when it is read in another unit is placed in that unit, and its problem says so.
    """
    placed = _place(text, spans, unit)
    if covered is None:
        return placed
    wrong = [
        number
        for number, (place, expected) in enumerate(zip(placed, covered, strict=True))
        if expected is not None and not _holds(text, place, expected)
    ]
    if not wrong:
        return placed
    others = {
        other: _place(text, [spans[number] for number in wrong], other)
        for other in UNIT_NAMES
        if other != unit
    }
    for position, number in enumerate(wrong):
        expected = covered[number]
        placed[number] = _explain(text, placed[number], expected or "", unit, others, position)
    return placed


def _holds(text: str, place: Placed, expected: str) -> bool:
    # The length first: many spans over one long text must not copy it each time.
    return place.end - place.start == len(expected) and text[place.start : place.end] == expected


def _explain(
    text: str, place: Placed, expected: str, unit: Unit, others: dict[Unit, list[Placed]], position: int
) -> Placed:
    for other, places in others.items():
        found = places[position]
        if found.problem is None and _holds(text, found, expected):
            fits = (
                f"the offsets fit {UNIT_NAMES[other]}, not the {UNIT_NAMES[unit]} that the provider counts in"
            )
            return Placed(found.start, found.end, fits)
    if place.problem is not None:
        return place
    here = text[place.start : min(place.end, place.start + 100)]
    return Placed(
        place.start,
        place.end,
        f"the text at the offsets is {shorten(here)}, the payload says {shorten(expected)}",
    )


def shorten(text: str, limit: int = 60) -> str:
    """A text in quotes for a message, cut where it is long."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def _place(text: str, spans: Sequence[tuple[object, object]], unit: Unit) -> list[Placed]:
    numbers = sorted({value for span in spans for value in span if _is_offset(value)})  # type: ignore[type-var]
    offsets = [int(value) for value in numbers]  # type: ignore[call-overload]
    found = dict(zip(offsets, to_code_points(text, offsets, unit), strict=True))
    return [_place_one(text, start, end, found, unit) for start, end in spans]


def _is_offset(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _place_one(
    text: str, start: object, end: object, found: dict[int, tuple[int, Flaw]], unit: Unit
) -> Placed:
    problems = []
    first, last = 0, len(text)
    if isinstance(start, int) and _is_offset(start):
        first, flaw = found[start]
        if flaw:
            problems.append(_describe("start", start, flaw, text, unit))
    else:
        problems.append(_not_a_number("start", start))
    if isinstance(end, int) and _is_offset(end):
        last, flaw = found[end]
        if flaw:
            problems.append(_describe("end", end, flaw, text, unit))
        if flaw == "inside":
            last = min(len(text), last + 1)
    else:
        problems.append(_not_a_number("end", end))
    if not problems and isinstance(start, int) and isinstance(end, int):
        if start > end:
            problems.append(f"the end {end} is before the start {start}")
        elif start == end:
            problems.append(f"the span {start}–{end} covers no text")
    return Placed(first, max(first, last), "; ".join(problems) or None)


def _not_a_number(which: str, value: object) -> str:
    if value is None:
        return f"the {which} offset is missing"
    return f"the {which} offset is not a whole number: {shorten(str(value))}"


def _describe(which: str, offset: int, flaw: Flaw, text: str, unit: Unit) -> str:
    if flaw == "negative":
        return f"the {which} offset {offset} is negative"
    if flaw == "inside":
        return f"the {which} offset {offset} is inside a character, counted in {UNIT_NAMES[unit]}"
    length = unit_length(text, unit)
    return f"the {which} offset {offset} is past the end of the text ({length} {UNIT_NAMES[unit]})"
