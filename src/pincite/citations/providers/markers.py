"""Where the text itself shows a citation: which spans are markers, and what a point in the text closes."""

from __future__ import annotations

import re

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
    # Private-use characters stand around a citation that nobody rendered.
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
