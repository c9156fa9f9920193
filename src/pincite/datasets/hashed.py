"""Texts that come again, found by hashes of 64 bits.

This is our own because it is measurably better: a million ids take 10 MB here, and 64 MB while repeats are
looked for. A dict of the ids takes 127 MB, a set of their hashes 80 MB and does not know where the first was.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import blake2b

from pincite.base import np


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
