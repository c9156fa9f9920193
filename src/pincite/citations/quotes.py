"""Direct quotations in an answer: words that a source is said to contain letter by letter."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincite.records import Span
from pincite.text import UNSPACED

_PAIRS = {"„": "“”", **dict(zip('“”«»‹‘「『"', '””»«›’」』"', strict=True))}
"""By an opening mark, those that close it."""
_OPENERS = re.compile('[“”„«»‹‘"「『]')
_BLOCKQUOTE = re.compile(r"^[ \t]{0,3}+>[ \t]?+(?P<line>[^\n]*+)", re.MULTILINE)
_LEFT_OUT = re.compile(r"\( ?(?:…|\.{3}) ?\)|\[[^\[\]\n]{1,60}\]|…|\.{3,4}")
"""An ellipsis, or an editor's `[insertion]`: the source has other words there."""
_NUMBERS = re.compile(r"\[\^?[\d ,;–-]{1,58}\]")
_LINE_MARK = re.compile(r"\n[ \t]{0,3}>[ \t]?")
_ATTRIBUTION = re.compile(r"\s*+[—–―-]{1,2}\s*+\S")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_UNSPACED = re.compile(rf"[{UNSPACED}\uac00-\ud7af]")

_NEVER_BEFORE = frozenset("’')%°.,;!?")
_FEWEST_WORDS = 3
_FEWEST_UNSPACED = 6
_LONGEST = 2_000
"""A quotation mark that is not closed within so many characters opens nothing."""


class Quote(Struct, frozen=True):
    """A quotation, or a part of one between two ellipses: `text` is what the source should contain.

    `text` is the span's text with markers taken out and, in a block quotation, without the `>` of each line.
    """

    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


def find_quotes(
    text: str, start: int = 0, end: int | None = None, markers: Sequence[Span] = ()
) -> tuple[Quote, ...]:
    """The quotations that stand in `text[start:end]`, in order; offsets count in `text`.

    One or two words in quotation marks are a name or irony, not a quotation. `markers` are citations in the
    text; they are taken out of a quotation, and one at its beginning or end is left out of its span.
    """
    end = len(text) if end is None else min(end, len(text))
    known = sorted(markers)
    quotes: list[Quote] = []
    for opening, closing in _quoted(text, start, end):
        for part, inside in _parts(text, opening, closing, known):
            quote = _quote(text, part, inside)
            if quote:
                quotes.append(quote)
    return tuple(quotes)


def _quoted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the words between quotation marks, or after `>`, begin and end. None lies in another."""
    position = start
    for block_start, block_end in _blockquotes(text, start, end):
        yield from _between_marks(text, position, block_start)
        yield block_start, block_end
        position = block_end
    yield from _between_marks(text, position, end)


def _blockquotes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Runs of lines that begin with `>`; the line that names the speaker (`> — Smith`) is left out."""
    if ">" not in text[start:end]:
        return
    first = last = -1
    line_start = text.rfind("\n", max(0, start - _LONGEST), start) + 1
    for found in _BLOCKQUOTE.finditer(text, line_start, end):
        if found.end() <= start or (found.start() > line_start and text[found.start() - 1] != "\n"):
            continue
        if first >= 0 and text[last : found.start()].strip():
            yield first, last
            first = -1
        if _ATTRIBUTION.match(found["line"]):
            continue
        if first < 0:
            first = max(start, found.start("line"))
        last = found.end()
    if first >= 0 and last > first:
        yield first, last


def _between_marks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    closers = _Closers(text, end)
    while found := _OPENERS.search(text, position, end):
        opening = found.start()
        position = opening + 1
        if not _may_open(text, opening):
            continue
        closing = closers.of(opening)
        if closing > opening:
            yield opening + 1, closing
            position = closing + 1


def _may_open(text: str, at: int) -> bool:
    """A word follows an opening mark; one that may also close comes after white space or a bracket."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if not after or after.isspace() or after in _PAIRS:
        return False
    if text[at] in "“„«‹「『":
        return True
    if text[at] == "‘" and after.isdigit():
        return False
    return not (before.isalnum() or before in _NEVER_BEFORE)


class _Closers:
    """Finds the mark that closes another, in its paragraph. A search goes on where the last one ended."""

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self._next: dict[str, int] = {}

    def of(self, opening: int) -> int:
        stop = min(opening + _LONGEST, self._find("\n\n", opening + 1))
        marks = _PAIRS[self.text[opening]]
        closing = min(self._find(mark, opening + 1) for mark in marks)
        return closing if closing < stop else -1

    def _find(self, what: str, start: int) -> int:
        known = self._next.get(what, -1)
        if known < start:
            known = self.text.find(what, start, self.end)
            # ’ closes a quotation and is an apostrophe: only an apostrophe has a letter after it.
            while what == "’" and known >= 0 and self.text[known + 1 : known + 2].isalnum():
                known = self.text.find(what, known + 1, self.end)
            known = self.end if known < 0 else known
            self._next[what] = known
        return known


def _parts(text: str, start: int, end: int, markers: Sequence[Span]) -> Iterator[tuple[Span, list[Span]]]:
    """The stretches left word for word, between ellipses and `[insertions]`, each with its markers."""
    inside = list(markers[bisect_left(markers, Span(start, 0)) : bisect_left(markers, Span(end, 0))])
    position = start
    waiting = 0
    for found in _LEFT_OUT.finditer(text, start, end):
        if found.start() < position:
            continue
        while waiting < len(inside) and inside[waiting].end <= found.start():
            waiting += 1
        if waiting < len(inside) and inside[waiting].start < found.end():
            continue
        if _NUMBERS.fullmatch(found.group()):
            inside.append(Span(found.start(), found.end()))
            continue
        yield Span(position, found.start()), inside
        position = found.end()
    yield Span(position, end), inside


def _quote(text: str, part: Span, markers: Sequence[Span]) -> Quote | None:
    inside = sorted(marker for marker in markers if part.start <= marker.start < part.end)
    start, end = _trimmed(text, part.start, part.end, inside)
    pieces: list[str] = []
    done = start
    for marker in inside:
        if start <= marker.start and marker.end <= end:
            pieces.append(text[done : marker.start].rstrip())
            done = marker.end
    pieces.append(text[done:end])
    words = _LINE_MARK.sub("\n", "".join(pieces))
    is_quotation = (
        len(_UNSPACED.findall(words[:200])) >= _FEWEST_UNSPACED
        or len(_WORD.findall(words[:400])) >= _FEWEST_WORDS
    )
    return Quote(words, start, end) if is_quotation else None


def _trimmed(text: str, start: int, end: int, markers: Sequence[Span]) -> tuple[int, int]:
    """Without white space, quotation marks and markers at either end."""
    left, right = 0, len(markers)
    while start < end:
        if text[start].isspace() or text[start] in '>,;“”"«»':
            start += 1
        elif left < right and markers[left].start == start:
            start = markers[left].end
            left += 1
        else:
            break
    while end > start:
        if text[end - 1].isspace() or text[end - 1] in '“”"«»':
            end -= 1
        elif right > left and markers[right - 1].end == end:
            right -= 1
            end = markers[right].start
        else:
            break
    return start, max(start, end)
