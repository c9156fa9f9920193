"""Where a quote is in one source: to the letter, but for typography, or with some edits."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from pincite.records import Source, Span
from pincite.text import Normalised, align, normalise, trim, without_dashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SIMILARITY = 0.8
"""Below this share of unedited characters, two passages are different sentences about the same thing."""

_SHORTEST_FUZZY = 20
_LONGEST_FUZZY = 20_000
_MOST_CANDIDATES = 5
_WIDEST_GAP = 3_000
"""How much a quote may leave out at an ellipsis, in characters of the source."""

_TRIES = 50
"""How many places are looked at for each that is wanted, since some cut a word or a number in two."""
_EDGE = 8

_ELISION = re.compile(r" ?(?:\[ ?(?:…|\.\.\.) ?\]|\( ?… ?\)|…) ?")
_EDITED_LETTER = re.compile(r"\[(\w)\]")
"""`[T]he`: a letter that the one who quotes has changed."""
_ANY_DASH = re.compile(r"[-‐‑‒–—―−]")
_SHORTEST_DASHED = 8

GRAM = 8
"""Characters in a run. With one character in ten changed, about four runs in ten are still whole."""

_MOST_HASHES = 2_000_000
_PIECE = 250_000
_MOST_PLACES = 64
"""A run that is in more places than this says nothing about where a quote is."""
_MOST_SEEDS = 64
_MULTIPLIER = 0x9E3779B97F4A7C15


class QuotePlace(Struct, frozen=True):
    """One place of a quote, in the offsets of the source."""

    span: Span
    score: float
    method: Literal["exact", "normalised", "fuzzy"]


class QuoteIndex:
    """Everything about one source that finding quotes in it needs, made once."""

    def __init__(self, source: Source) -> None:
        self._original = source.text
        self._cleaned: Normalised = normalise(source.text, fold_case=True)
        self._grams = GramIndex(self._cleaned.text)

    @cached_property
    def _dashless(self) -> tuple[str, list[int]]:
        return without_dashes(self._cleaned.text)

    def find(self, quote: str, limit: int = 20) -> list[QuotePlace]:
        """The places of a quote, exact ones first, otherwise in the order of the text; none when absent."""
        quote = quote.strip()
        if not quote or limit < 1:
            return []
        needle = normalise(_EDITED_LETTER.sub(r"\1", quote), fold_case=True).text.strip()
        for variant in _variants(needle):
            places = [self._place(quote, start, len(variant)) for start in self._whole(variant, limit)]
            if places:
                return sorted(places, key=lambda place: place.method != "exact")
        return (
            self._verbatim(quote, limit)
            or self._otherwise_dashed(needle, quote, limit)
            or self._elided(needle, limit)
            or self._fuzzy(needle)[:limit]
        )

    # --- the same words --------------------------------------------------------------------------

    def _whole(self, needle: str, limit: int) -> list[int]:
        """Where the needle is, words whole if they can be; a number is never cut in two."""
        text = self._cleaned.text
        tried = _find_all(text, needle, _TRIES * limit)
        found = [at for at in tried if not _cuts_number(text, at, len(needle))]
        aligned = [at for at in found if _is_edge(text, at) and _is_edge(text, at + len(needle))]
        return (aligned or found)[:limit]

    def _place(self, quote: str, start: int, length: int) -> QuotePlace:
        span = self._cleaned.to_original(start, start + length)
        # An exact quote may begin with marks that the cleaning drops.
        for before in range(min(_EDGE, span.start) + 1):
            if self._original.startswith(quote, span.start - before):
                return QuotePlace(Span(span.start - before, span.start - before + len(quote)), 1.0, "exact")
        return self._set_otherwise(span)

    def _set_otherwise(self, span: Span) -> QuotePlace:
        """Without the white space at the ends of the span: a dash brings that of its sides along."""
        return QuotePlace(trim(self._original, span.start, span.end), 1.0, "normalised")

    def _verbatim(self, quote: str, limit: int) -> list[QuotePlace]:
        """Quotes whose own edges the cleaning sees otherwise than inside the text, such as `-⏎ation`."""
        found = [
            QuotePlace(Span(at, at + len(quote)), 1.0, "exact")
            for at in _find_all(self._original, quote, _TRIES * limit)
            if not _cuts_number(self._original, at, len(quote))
        ]
        return found[:limit]

    def _otherwise_dashed(self, needle: str, quote: str, limit: int) -> list[QuotePlace]:
        """Quotes that write a hyphen where the source has a dash between words, or the other way round."""
        if not _ANY_DASH.search(quote):
            return []
        text, cuts = self._dashless
        wanted = without_dashes(needle)[0].strip("'… ")
        places: list[QuotePlace] = []
        for at in _find_all(text, wanted, _TRIES * limit) if len(wanted) >= _SHORTEST_DASHED else ():
            end = at + len(wanted)
            if _is_edge(text, at) and _is_edge(text, end):
                start = at + 3 * bisect_right(cuts, at)
                span = self._cleaned.to_original(start, end + 3 * bisect_right(cuts, end - 1))
                places.append(self._set_otherwise(span))
        return places[:limit]

    def _elided(self, needle: str, limit: int) -> list[QuotePlace]:
        """A quote that leaves words out: its parts in order, each near the one before."""
        parts = [part.strip() for part in _ELISION.split(needle)]
        parts = [part for part in parts if part]
        if len(parts) < 2 or len(parts) > 20 or any(len(part) < 8 for part in parts):
            return []
        places = []
        following = [self._whole(part, 1_000) for part in parts[1:]]
        for start in self._whole(parts[0], limit):
            end = start + len(parts[0])
            for part, starts in zip(parts[1:], following, strict=True):
                index = bisect_right(starts, end - 1)
                if index == len(starts) or starts[index] > end + _WIDEST_GAP:
                    break
                end = starts[index] + len(part)
            else:
                places.append(self._set_otherwise(self._cleaned.to_original(start, end)))
        return places

    # --- nearly the same words -------------------------------------------------------------------

    def _fuzzy(self, needle: str) -> list[QuotePlace]:
        """The nearest stretches that are similar enough, the most similar first."""
        if not _SHORTEST_FUZZY <= len(needle) <= _LONGEST_FUZZY:
            return []
        text = self._cleaned.text
        slack = len(needle) // 4 + 8
        most_edits = int((1.0 - LEAST_SIMILARITY) * len(needle) + 1e-9)
        found: dict[Span, float] = {}
        for diagonal in _most_voted(self._grams.diagonals(needle), slack):
            first = max(0, diagonal - slack)
            window = text[first : diagonal + len(needle) + 2 * slack]
            near = align(needle, window, most_edits)
            if near is not None:
                similarity = 1.0 - near.edits / len(needle)
                start, end = _snap(text, first + near.start, first + near.end)
                span = self._cleaned.to_original(start, end)
                found[trim(self._original, span.start, span.end)] = similarity
        return [
            QuotePlace(span, round(min(similarity, 0.9999), 4), "fuzzy")
            for span, similarity in _distinct(sorted(found.items(), key=lambda item: (-item[1], item[0])))
        ]


def _find_all(text: str, needle: str, limit: int) -> list[int]:
    """Where `needle` is, in order, without overlaps, at most `limit` places."""
    places: list[int] = []
    at = text.find(needle)
    while at != -1 and len(places) < limit:
        places.append(at)
        at = text.find(needle, at + len(needle))
    return places


def _variants(needle: str) -> list[str]:
    """The needle, and without what people put round a quote: quotation marks, an ellipsis, their own stop."""
    bare = needle.strip("'… ")
    variants = [needle, bare, bare.rstrip(".,;:!?- "), bare.lstrip("- ") if bare[1:2].isalpha() else ""]
    return [variant for variant in dict.fromkeys(variants) if variant]


def _is_edge(text: str, at: int) -> bool:
    """Whether no word is cut in two at this offset."""
    return not (0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum())


def _cuts_number(text: str, start: int, length: int) -> bool:
    """Whether a slice begins or ends inside a number: `5%` is not in `15%`, nor `1.5` in `1.54`."""
    end = start + length
    if start > 0 and text[start].isdigit():
        before = text[max(0, start - 2) : start]
        if before[-1].isdigit() or (before[-1] in ".," and before[0].isdigit() and len(before) == 2):
            return True
    if end < len(text) and text[end - 1].isdigit():
        after = text[end : end + 2]
        return after[0].isdigit() or (after[0] in ".," and after[1:].isdigit())
    return False


def _most_voted(diagonals: list[int], reach: int) -> list[int]:
    """The places where most runs of the quote agree, within `reach`, best first."""
    votes = [(bisect_right(diagonals, at + reach) - index, at) for index, at in enumerate(diagonals)]
    votes.sort(key=lambda vote: (-vote[0], vote[1]))
    chosen: list[int] = []
    for count, diagonal in votes:
        if 2 * count < votes[0][0]:
            break
        if all(abs(diagonal - other) > reach for other in chosen):
            chosen.append(diagonal)
            if len(chosen) == _MOST_CANDIDATES:
                break
    return chosen


def _snap(text: str, start: int, end: int) -> tuple[int, int]:
    """Move each end to the nearest edge of a word, and off white space."""
    start, end = _nearest_edge(text, start), _nearest_edge(text, end)
    while start < end and text[start] == " ":
        start += 1
    while end > start and text[end - 1] == " ":
        end -= 1
    return start, end


def _nearest_edge(text: str, at: int) -> int:
    for distance in range(4):
        for place in (at - distance, at + distance):
            if 0 <= place <= len(text) and _is_edge(text, place):
                return place
    return at


def _distinct(found: list[tuple[Span, float]]) -> list[tuple[Span, float]]:
    """The best of those that overlap."""
    kept: list[tuple[Span, float]] = []
    for span, similarity in found:
        if len(span) and all(span.end <= other.start or other.end <= span.start for other, _ in kept):
            kept.append((span, similarity))
    return kept


class GramIndex:
    """Where short runs of characters are in a text: the seeds from which an edited quote is found.

    A text gets a sorted list of hashes of its runs, made once; of a very long one only every so many hashes,
    the same ones in every text, so that the list keeps to its size.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._rate = max(1, -(-len(text) // _MOST_HASHES))

    def diagonals(self, needle: str) -> list[int]:
        """Where `needle` would begin, by each of its rare runs: sorted, one vote each."""
        if len(needle) < GRAM or len(self._text) < GRAM:
            return []
        hashes, positions = self._hashes
        wanted, offsets = _kept_hashes(needle, self._rate)
        first, last = hashes.searchsorted(wanted, "left"), hashes.searchsorted(wanted, "right")
        counts = last - first
        telling = ((counts > 0) & (counts <= _MOST_PLACES)).nonzero()[0]
        rarest = telling[counts[telling].argsort(kind="stable")][:_MOST_SEEDS]
        found: list[int] = []
        for seed in rarest:
            found.extend((positions[first[seed] : last[seed]] - int(offsets[seed])).tolist())
        found.sort()
        return found

    @cached_property
    def _hashes(self) -> tuple[NDArray[Any], NDArray[Any]]:
        import numpy as np

        pieces = []
        for start in range(0, len(self._text), _PIECE):
            piece = self._text[start : start + _PIECE + GRAM - 1]
            hashes, positions = _kept_hashes(piece, self._rate)
            if self._rate > 1 and 2 * len(hashes) * self._rate > 3 * len(piece):
                hashes, positions = _without_many(hashes, positions)
            pieces.append((hashes, positions + start))
        hashes, positions = (np.concatenate(part) for part in zip(*pieces, strict=True))
        pieces.clear()
        order = hashes.argsort(kind="stable")
        return hashes[order], positions[order]


def _kept_hashes(text: str, rate: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The hashes of the runs of a text, one in `rate` of them, and where the runs begin."""
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    count = max(0, len(codes) - GRAM + 1)
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(GRAM):
        hashes *= np.uint64(_MULTIPLIER)
        hashes += codes[offset : offset + count]
    hashes ^= hashes >> np.uint64(29)
    positions = np.arange(count, dtype=np.int64)
    if rate == 1:
        return hashes, positions
    kept = (hashes >> np.uint64(7)) % np.uint64(rate) == 0
    return hashes[kept], positions[kept]


def _without_many(hashes: NDArray[Any], positions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of a run that comes too often to tell a place, as in a text of one letter, as many as show that."""
    import numpy as np

    order = hashes.argsort(kind="stable")
    hashes, positions = hashes[order], positions[order]
    place = np.arange(len(hashes)) - hashes.searchsorted(hashes, "left")
    kept = place <= _MOST_PLACES
    return hashes[kept], positions[kept]
