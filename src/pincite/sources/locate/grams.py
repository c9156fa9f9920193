"""Where short runs of characters are in a text: the seeds from which an edited quote is found.

A text gets a sorted list of hashes of its runs, made once; of a very long one only every so many hashes, the
same ones in every text, so that the list keeps to its size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAM = 8
"""Characters in a run. With one character in ten changed, about four runs in ten are still whole."""

_MOST_HASHES = 2_000_000
_PIECE = 250_000
_MOST_PLACES = 64
"""A run that is in more places than this says nothing about where a quote is."""
_MOST_SEEDS = 64
_MULTIPLIER = 0x9E3779B97F4A7C15


class GramIndex:
    """The runs of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sorted: tuple[NDArray[Any], NDArray[Any]] | None = None
        self._rate = max(1, -(-len(text) // _MOST_HASHES))

    def diagonals(self, needle: str) -> list[int]:
        """Where `needle` would begin, by each of its rare runs: sorted, one vote each."""
        if len(needle) < GRAM or len(self._text) < GRAM:
            return []
        hashes, positions = self._hashes()
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

    def _hashes(self) -> tuple[NDArray[Any], NDArray[Any]]:
        if self._sorted is None:
            import numpy as np

            pieces = []
            for start in range(0, len(self._text), _PIECE):
                piece = self._text[start : start + _PIECE + GRAM - 1]
                hashes, positions = _kept_hashes(piece, self._rate)
                pieces.append((hashes, positions + start))
            hashes, positions = (np.concatenate(part) for part in zip(*pieces, strict=True))
            pieces.clear()
            order = hashes.argsort(kind="stable")
            self._sorted = hashes[order], positions[order]
        return self._sorted


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
