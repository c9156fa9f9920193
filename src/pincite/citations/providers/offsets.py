"""Offsets in code points, UTF-16 code units or UTF-8 bytes, read as code points.

A provider counts in the unit of the language that its servers are written in; Pincite counts in code points.
Each function takes many offsets at once, sorts them, and walks the text a single time. Where a text shows a
citation itself stands below: which spans are markers, and which sentence a point in the text closes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

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
_FLAWS = {
    "negative": "is negative",
    "inside": "is inside a character, counted in {unit}",
    "beyond": "is past the end of the text ({length} {unit})",
}


class Placed(Struct, frozen=True):
    """A span in code points, clamped to the text, and what was wrong with the one that was given."""

    start: int
    end: int
    problem: str | None = None


def unit_length(text: str, unit: Unit) -> int:
    """How long a text is in a unit."""
    if unit == "code_point":
        return len(text)
    encoding, width = _ENCODINGS[unit]
    return len(_SURROGATE.sub("\ufffd", text).encode(encoding)) // width


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
    """The start of the character that the offset is in or before, in the unit."""
    if unit == "utf16":
        inside = 2 * offset + 1 < len(data) and 0xDC <= data[2 * offset + 1] <= 0xDF
        return offset - 1 if inside else offset
    while 0 < offset < len(data) and data[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


def place_spans(
    text: str, spans: Sequence[tuple[object, object]], unit: Unit, covered: Sequence[str | None] = ()
) -> list[Placed]:
    """Spans as a payload gives them, whatever their values are, as spans of the text.

    Where `covered` says what a span should hold, the text there is compared with it. A span that holds it
    only when it is read in another unit is placed in that unit, and its problem says so.
    """
    placed = _place(text, spans, unit)
    wrong = [
        (number, expected)
        for number, expected in enumerate(covered)
        if expected is not None and not _holds(text, placed[number], expected)
    ]
    for other, name in UNIT_NAMES.items():
        if other == unit or not wrong:
            continue
        places = _place(text, [spans[number] for number, _ in wrong], other)
        still_wrong = []
        for (number, expected), place in zip(wrong, places, strict=True):
            if place.problem is None and _holds(text, place, expected):
                fits = f"the offsets fit {name}, not the {UNIT_NAMES[unit]} that the provider counts in"
                placed[number] = replace(place, problem=fits)
            else:
                still_wrong.append((number, expected))
        wrong = still_wrong
    for number, expected in wrong:
        place = placed[number]
        if place.problem is None:
            here = shorten(text[place.start : min(place.end, place.start + 100)])
            problem = f"the text at the offsets is {here}, the payload says {shorten(expected)}"
            placed[number] = replace(place, problem=problem)
    return placed


def _holds(text: str, place: Placed, expected: str) -> bool:
    # The length first: many spans over one long text must not copy it each time.
    return place.end - place.start == len(expected) and text[place.start : place.end] == expected


def shorten(text: str, limit: int = 60) -> str:
    """A text in quotes for a message, cut where it is long."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def _place(text: str, spans: Sequence[tuple[object, object]], unit: Unit) -> list[Placed]:
    offsets = sorted({value for span in spans for value in span if type(value) is int})
    found = dict(zip(offsets, to_code_points(text, offsets, unit), strict=True))
    return [_place_one(text, span, found, unit) for span in spans]


def _place_one(
    text: str, span: tuple[object, object], found: dict[int, tuple[int, Flaw]], unit: Unit
) -> Placed:
    problems = []
    points = [0, len(text)]
    for at, which in enumerate(("start", "end")):
        value = span[at]
        if type(value) is int:
            points[at], flaw = found[value]
            if flaw == "inside":
                points[at] = min(len(text), points[at] + at)
            if flaw:
                length = unit_length(text, unit) if flaw == "beyond" else 0
                what = _FLAWS[flaw].format(unit=UNIT_NAMES[unit], length=length)
                problems.append(f"the {which} offset {value} {what}")
        elif value is None:
            problems.append(f"the {which} offset is missing")
        else:
            problems.append(f"the {which} offset is not a whole number: {shorten(str(value))}")
    first, last = points
    if not problems and first > last:
        problems.append(f"the end {span[1]} is before the start {span[0]}")
    elif not problems and first == last:
        problems.append(f"the span {span[0]}–{span[1]} covers no text")
    return Placed(first, max(first, last), "; ".join(problems) or None)


# --- where the text itself shows a citation ---

# A sentence ends at a full stop or its like, with closing quotes or brackets, before white space.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]{0,3}\s|[。！？]|\n")

_LOOK_BACK = 2000
"""No sentence is longer. Without a bound, many points in one long line would cost its square."""

_SIMPLE = re.compile(
    r"\[\d{1,9}\]|\(\d{1,9}\)|\{\d{1,9}\}|\^\d{1,9}|\[doc\d{1,9}\]|\(?(?:https?://|www\.)\S{1,4000}"
)
_LINK = re.compile(r"\[[^\[\]]{0,1000}\]\([^()\s]{0,4000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000})?\)")

_LEADING = re.compile(rf"\s|\(?{_LINK.pattern}[),;]?|【[^【】]{{0,200}}】|\[\d{{1,9}}\]")


def is_marker(text: str) -> bool:
    """Whether a covered text is nothing but a marker: a link, `[1]`, `【1†source】`, an address."""
    body = text.strip().rstrip(".,;").strip()
    if not body or len(body) > 10_000:
        return False
    if _SIMPLE.fullmatch(body):
        return True
    # Private-use characters stand around a citation that was not rendered.
    if body[0] in "【\ue200" and body[-1] in "】\ue201":
        return True
    return "](" in body and not _LINK.sub("", body).strip("()[],;· \t\n")


def is_exact_marker(text: str) -> bool:
    """Whether a covered text is a marker from its first character to its last, with no bracket cut off."""
    closed = text.count("(") == text.count(")") and text.count("[") == text.count("]")
    return closed and text == text.strip() and is_marker(text)


def sentence_start(text: str, index: int) -> int:
    """Where the sentence begins that a point in the text closes."""
    floor = max(0, index - _LOOK_BACK)
    last = index
    # The sentence's own full stop, and white space after it, stand before the point and end nothing earlier.
    while last > floor and (text[last - 1].isspace() or text[last - 1] in ".!?…。！？\"'”’»)]"):
        last -= 1
    start = floor
    for match in _SENTENCE_END.finditer(text, floor, last):
        start = match.end()
    # A marker after a full stop belongs to the sentence before it.
    while start < last and (skipped := _LEADING.match(text, start, last)):
        start = skipped.end()
    return start if start < last else index
