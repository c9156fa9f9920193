"""Cleaning on a copy that maps back: white space, quotes, dashes, ligatures and hyphenation made alike.

Two texts that differ only in how they are set come out the same:

- a run of white space, line and page breaks included, is one space;
- quotation marks of every kind are `'`, and two in a row are one;
- a dash that stands alone, or an em dash, is ` - `; a hyphen between letters is dropped, with the line break
  after it if there is one, so that `hyphen-⏎ation`, `well-known` and `well-⏎known` all find their partners;
- three dots, spaced or not, are `…`;
- soft hyphens, zero-width and direction marks are dropped;
- ligatures, full-width letters, subscripts and combining accents are as Unicode's NFKC has them. Superscripts
  and fractions stay: `10²` is not `102`.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from pincite.records import Span
from pincite.text.spans import offsets

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SPACES = (
    "\t\x1f\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_QUOTES = '"`´‘’‚‛“”„‟′″‵‶«»‹›「」『』〝〞＂＇'
_HYPHENS = "‐‑‒–−⁃﹣－"
_DASHES = "―⸺⸻﹘"
_JOINERS = "\xad\x02\ufffe"
"""Marks that a line was broken inside a word: the soft hyphen, and what PDF libraries write for it."""
_INVISIBLE = "\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e" + (
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)

_ALIKE: dict[str, str] = {
    **dict.fromkeys(_LINE_ENDS, "\n"),
    **dict.fromkeys(_SPACES, " "),
    **dict.fromkeys(_QUOTES, "'"),
    **dict.fromkeys(_HYPHENS, "-"),
    **dict.fromkeys(_DASHES, "—"),
}
_KEPT_FORMS = ("<super>", "<fraction>")

_ACCENT = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
_ACCENTED = re.compile(f"[{_ACCENT}]")
_LETTER = r"[^\W\d_]"

_PART = 4_000_000
_IN_WORD = re.compile(r"[a-z](?=[a-z])")

# A match begins with one of a few characters, so that the scanner leaps over all others, and no rule looks
# twice at a run: the time is linear in the text. Each group is a rule; what it writes stands in _WRITTEN.
_BREAK = r"(?:\ *+\n[ \n]*+)"
_RULES = rf"""
    (?<=[ \n]) (?=[ \n—-]) (?: ([ \n]*+ (?: —[ \n]*+ | -{{1,3}}+[ \n]++ )) | ([ \n]++) )
    | (?<=-) (?: (-++[ \n]*+) | (?<={_LETTER}-) ({_BREAK}?+ (?={_LETTER})) | (?<=\w-) ({_BREAK} (?=\w)) )
    | (?<=—) ([ \n]*+)
    | (?<=') ('++)
    | (?<=\.) ((?:\ ?\.){{2,}}+)
    | (?<=[{_JOINERS}]) ({_BREAK}?+)
    | (?<=[{_INVISIBLE}]) ([{_INVISIBLE}]*+)
"""
_WRITTEN = ("", " - ", " ", " - ", "", "-", " - ", "'", "…", "", "")


class Normalised:
    """A cleaned text and the way back: `to_original` gives the characters that a slice was made from."""

    __slots__ = ("_from", "_to", "_written_from", "_written_to", "text")

    def __init__(self, text: str, changes: Changes) -> None:
        self.text = text
        # Change i turned original[_from[i]:_to[i]] into text[_written_from[i]:_written_to[i]]; between
        # two changes the characters stand one to one.
        self._from, self._to, self._written_from, self._written_to = changes

    def to_original(self, start: int, end: int) -> Span:
        """The span of the original that became `text[start:end]`; an empty slice gives an empty span.

        A slice that cuts through what one character or one run became gets the whole of it. What was
        dropped at either edge of the slice is left out.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"{start}-{end} is not a slice of a text of {len(self.text)} characters")
        origin = self._original_start(start)
        return Span(origin, max(origin, self._original_end(end - 1)) if end > start else origin)

    def _original_start(self, position: int) -> int:
        change = bisect_right(self._written_from, position) - 1
        if change < 0:
            return position
        if position < self._written_to[change]:
            return self._from[change]
        return position - self._written_to[change] + self._to[change]

    def _original_end(self, last: int) -> int:
        change = bisect_right(self._written_from, last) - 1
        if change < 0:
            return last + 1
        if last < self._written_to[change]:
            return self._to[change]
        return last - self._written_to[change] + self._to[change] + 1


def normalise(text: str, fold_case: bool = False) -> Normalised:
    """The text with the differences of setting taken out, and the map back to it."""
    changes = (offsets(len(text)), offsets(len(text)), offsets(20 * len(text)), offsets(20 * len(text)))
    cleaned = ""
    for start, end in _parts(text):
        # Joining all parts at the end would need them twice. CPython makes a text without another
        # reference longer where it is, but only for a plain sum in a `for` loop.
        cleaned = cleaned + _clean(text[start:end], start, len(cleaned), fold_case, changes)
    return Normalised(cleaned, changes)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """A long text in parts, since cleaning takes many times its size. No rule looks over a cut in a word."""
    start = 0
    while len(text) - start > 2 * _PART and (cut := _IN_WORD.search(text, start + _PART)):
        yield start, cut.end()
        start = cut.end()
    yield start, len(text)


Changes = tuple["array[int]", "array[int]", "array[int]", "array[int]"]


def _clean(text: str, first: int, written_first: int, fold_case: bool, changes: Changes) -> str:
    """A part of a text that begins at `first`, cleaned; what was changed is added to the changes."""
    same_length, expansions = _alike(text)
    pieces: list[str] = []
    starts, ends, written_starts, written_ends = changes
    position = length = 0
    pattern = _pattern("".join(expansions), accented=_ACCENTED.search(same_length) is not None)
    for match in pattern.finditer(same_length):
        start, end = match.span()
        group = match.lastindex or 0
        if group < len(_WRITTEN):
            written = _WRITTEN[group]
        else:  # a character that becomes several, or a letter whose combining accents make one with it
            written = expansions.get(match[0]) or unicodedata.normalize("NFKC", match[0])
        pieces.append(same_length[position:start])
        pieces.append(written)
        length += start - position
        starts.append(first + start)
        ends.append(first + end)
        written_starts.append(written_first + length)
        length += len(written)
        written_ends.append(written_first + length)
        position = end
    pieces.append(same_length[position:])
    cleaned = "".join(pieces).replace("\n", " ")
    # One character for one wherever it stands: İ would grow, and σ is ς where a word ends.
    return cleaned.replace("İ", "i").lower().replace("ς", "σ") if fold_case else cleaned


def _alike(text: str) -> tuple[str, dict[str, str]]:
    """The text after every one-to-one change, and the characters that become several."""
    expansions: dict[str, str] = {}
    # A replacement for each character that occurs is many times faster than `str.translate`.
    for char in sorted(set(text)):
        alike = _ALIKE.get(char)
        if alike is None:
            plain = _plain(char)
            if len(plain) > 1:
                expansions[char] = plain
                continue
            alike = plain
        if alike != char:
            text = text.replace(char, alike)
    return text, expansions


@lru_cache(maxsize=1 << 14)
def _plain(char: str) -> str:
    """What a character is without its dress, or the character itself."""
    if char.isascii() or char == "…" or unicodedata.decomposition(char).startswith(_KEPT_FORMS):
        return char
    plain = "".join(_ALIKE.get(part, part) for part in unicodedata.normalize("NFKC", char))
    # A spacing accent would come apart into a space and an accent, which is no help.
    return char if not plain or plain[0].isspace() else plain


@lru_cache(maxsize=64)
def _pattern(expanding: str, accented: bool) -> re.Pattern[str]:
    """The rules, and those that only this text needs."""
    also = "".join(re.escape(char) for char in expanding)
    rules = f"[ \\n—'.{_JOINERS}{_INVISIBLE}{also}-] (?:{_RULES}{f'| (?<=[{also}]) ()' if also else ''})"
    return re.compile(rules + (f"| ({_LETTER}[{_ACCENT}]++)" if accented else ""), re.VERBOSE)


_DASH_BETWEEN_WORDS = re.compile(rf"(?<={_LETTER}) - (?={_LETTER})")


def without_dashes(cleaned: str) -> tuple[str, list[int]]:
    """A cleaned text without the dashes between its words, and where in what is left each was taken out.

    A text sets `fox—jumps`, and whoever copies it may write `fox-jumps`, whose hyphen the cleaning drops. For
    the way back, a place is three characters later for every dash taken out at or before it.
    """
    pieces: list[str] = []
    cuts: list[int] = []
    done = length = 0
    for dash in _DASH_BETWEEN_WORDS.finditer(cleaned):
        pieces.append(cleaned[done : dash.start()])
        length += dash.start() - done
        cuts.append(length)
        done = dash.end()
    pieces.append(cleaned[done:])
    return "".join(pieces), cuts
