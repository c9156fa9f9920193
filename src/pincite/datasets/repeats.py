"""Texts that come again, word for word or nearly, found with a few numbers per text.

Texts that are the same share a hash of 64 bits: a million ids take 10 MB so, and 64 MB while repeats are
looked for, where a dict of the ids takes 127 MB.

Of queries, the words that carry meaning are reduced to their MinHash, in bands: two queries that share most
words share a band with near certainty. Sorting brings those together; the texts of such pairs, a bounded
number of them, are then read again and compared word by word.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any
from zlib import crc32

from pincite.base import np
from pincite.text import find_terms


class HashedTexts:
    """Texts by their places, at eight bytes each."""

    def __init__(self) -> None:
        self.hashes = array("Q")

    def add(self, text: str | None) -> None:
        """Note the text of the next place. None is like no other."""
        self.hashes.append(text_hash(f"-{len(self.hashes)}" if text is None else f"+{text}"))

    def repeated(self) -> Iterator[tuple[int, int]]:
        """Each place whose text an earlier one has, and the first such place."""
        _, first, group = np.unique(
            np.frombuffer(self.hashes, np.uint64), return_index=True, return_inverse=True
        )
        firsts = first[group]
        for place in np.flatnonzero(firsts < np.arange(len(firsts))).tolist():
            yield place, int(firsts[place])


def text_hash(text: str) -> int:
    """A hash of 64 bits, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


BANDS = 8
ROWS = 3
BATCH = 4096
SMALL_GROUP = 20
"""In a band's group up to this size every two queries are compared, in a larger one neighbours only."""
NEIGHBOURS = 3
MOST_PAIRS = 50_000
"""Pairs that are compared word by word; a dataset with more is a heap of copies, and these show it."""
ALIKE = 0.8
"""Two queries with this share of words in common ask nearly the same, if neither has a word of its own that
the other replaces."""
LONGEST = 2000
"""Characters of a query that are compared."""


def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning; all words of a text that has only others."""
    terms = find_terms(text[:LONGEST])
    return frozenset(term.stem for term in terms if not term.stop) or frozenset(term.stem for term in terms)


class NearRepeats:
    """Takes queries one by one, then says which ones may be repeats of each other."""

    def __init__(self) -> None:
        self._bands = [array("Q") for _ in range(BANDS)]
        self._waiting: list[frozenset[str]] = []

    def add(self, text: str) -> None:
        """Note the next query."""
        self._waiting.append(telling_words(text))
        if len(self._waiting) == BATCH:
            self._sign()

    def candidates(self, texts: array[int]) -> tuple[list[tuple[int, int]], int]:
        """Pairs of queries to compare, and how many more there would have been.

        They are given by their places: those that share a band and not the hash of their whole text.
        """
        self._sign()
        pairs: set[tuple[int, int]] = set()
        left_out = 0
        for band in self._bands:
            keys = np.frombuffer(band, dtype=np.uint64)
            order = np.argsort(keys, kind="stable")
            bounds = np.concatenate(([0], np.flatnonzero(np.diff(keys[order])) + 1, [len(order)]))
            for at in np.flatnonzero(np.diff(bounds) > 1).tolist():
                group = order[bounds[at] : bounds[at + 1]]
                if not keys[group[0]]:
                    continue  # no words at all
                for one, other in _pairs(group.tolist()):
                    if texts[one] == texts[other] or (one, other) in pairs:
                        continue
                    if len(pairs) < MOST_PAIRS:
                        pairs.add((one, other))
                    else:
                        left_out += 1
        return sorted(pairs), left_out

    def _sign(self) -> None:
        """The bands of the waiting queries, all at once."""
        if not self._waiting:
            return
        words = [sorted(one) or [""] for one in self._waiting]
        hashed = np.array(
            [crc32(word.encode("utf-8", "surrogatepass")) for one in words for word in one], dtype=np.uint64
        )
        starts = np.cumsum([0, *(len(one) for one in words[:-1])])
        empty = np.array([not one for one in self._waiting])
        for number, band in enumerate(self._bands):
            key = np.full(len(words), np.uint64(number + 1))
            for row in range(ROWS):
                least = np.minimum.reduceat(_mixed(hashed, number * ROWS + row + 1), starts)
                key = _mixed(key ^ least, 0)
            key[key == 0] = 1
            key[empty] = 0
            band.frombytes(key.tobytes())
        self._waiting.clear()


def nearly_the_same(one: str, other: str) -> bool:
    """Whether two queries ask nearly the same thing.

    They have the same numbers, and the same words but for a few more in one of them. A word in place of
    another makes it another question.
    """
    from rapidfuzz.distance import OSA

    first, second = telling_words(one), telling_words(other)
    only_first, only_second = sorted(first - second), sorted(second - first)
    shared = len(first & second)
    for word in list(only_first):
        near = next((w for w in only_second if _is_slip(word, w, OSA.distance)), None)
        if near is not None:
            only_first.remove(word)
            only_second.remove(near)
            shared += 1
    more = only_first or only_second
    if (only_first and only_second) or any(character.isdigit() for word in more for character in word):
        return False
    return shared > 0 and shared / (shared + len(more)) >= ALIKE


def _is_slip(one: str, other: str, distance: Any) -> bool:
    """Whether one word is the other with a slip of the pen: never so for numbers and short words."""
    if min(len(one), len(other)) < 5 or any(character.isdigit() for character in one + other):
        return False
    return bool(distance(one, other, score_cutoff=1) <= 1)


def _mixed(values: Any, seed: int) -> Any:
    """The values of 64 bits stirred, each seed in its own way (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = values + np.uint64((seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def _pairs(group: list[int]) -> Iterator[tuple[int, int]]:
    reach = len(group) if len(group) <= SMALL_GROUP else NEIGHBOURS
    for i, one in enumerate(group):
        for other in group[i + 1 : i + 1 + reach]:
            yield one, other
