"""Where short runs of characters stand in a text: the seeds from which an edited quote is found.

A short text is searched as it is. A long one gets a sorted list of hashes of its runs, made once; of a very
long one only every so many hashes, the same ones in every text, so that the list keeps to its size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAM = 8
"""Characters a run. With one character in ten changed, about four runs in ten are still whole."""

_SHORT_TEXT = 150_000
_MOST_HASHES = 2_000_000
_PIECE = 250_000
_MOST_PLACES = 64
"""A run that stands in more places than this says nothing about where a quote stands."""
_MOST_SEEDS = 64
_MULTIPLIER = 0x9E3779B97F4A7C15


class GramIndex:
    """The runs of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sorted: tuple[NDArray[Any], NDArray[Any]] | None = None
        self._rate = max(1, -(-len(text) // _MOST_HASHES))

    def find_all(self, needle: str, limit: int) -> list[int]:
        """Where `needle` stands, in order, without overlaps, at most `limit` places."""
        if len(self._text) > _SHORT_TEXT and len(needle) >= GRAM:
            places = self._rarest_places(needle)
            if places is not None:
                found = [at for at in places if at >= 0 and self._text.startswith(needle, at)]
                return _apart(found, len(needle))[:limit]
        return self._scan(needle, limit)

    def diagonals(self, needle: str) -> list[int]:
        """Where `needle` would begin, by each of its rare runs: sorted, a vote each."""
        if len(needle) < GRAM:
            return []
        found = self._scanned_seeds(needle) if len(self._text) <= _SHORT_TEXT else self._indexed_seeds(needle)
        found.sort()
        return found

    # --- short texts -----------------------------------------------------------------------------

    def _scan(self, needle: str, limit: int) -> list[int]:
        places: list[int] = []
        at = self._text.find(needle) if needle else -1
        while at != -1 and len(places) < limit:
            places.append(at)
            at = self._text.find(needle, at + len(needle))
        return places

    def _scanned_seeds(self, needle: str) -> list[int]:
        step = max(1, (len(needle) - GRAM + 1) // _MOST_SEEDS)
        found: list[int] = []
        for offset in range(0, len(needle) - GRAM + 1, step):
            places = self._scan(needle[offset : offset + GRAM], _MOST_PLACES + 1)
            if len(places) <= _MOST_PLACES:
                found.extend(place - offset for place in places)
        return found

    # --- long texts ------------------------------------------------------------------------------

    def _rarest_places(self, needle: str) -> list[int] | None:
        """Every place where the needle can begin, by the rarest run of its head; None when no run tells."""
        offsets, first, last = self._lookup(needle[: GRAM + _MOST_SEEDS * self._rate])
        if not len(offsets):
            return None
        rarest = int((last - first).argmin())
        if last[rarest] - first[rarest] > 16 * _MOST_PLACES:
            return None
        _, positions = self._hashes()
        places = positions[first[rarest] : last[rarest]] - int(offsets[rarest])
        places.sort()
        return [int(place) for place in places]

    def _indexed_seeds(self, needle: str) -> list[int]:
        offsets, first, last = self._lookup(needle)
        counts = last - first
        telling = ((counts > 0) & (counts <= _MOST_PLACES)).nonzero()[0]
        rarest = telling[counts[telling].argsort(kind="stable")][:_MOST_SEEDS]
        _, positions = self._hashes()
        found: list[int] = []
        for seed in rarest:
            found.extend((positions[first[seed] : last[seed]] - int(offsets[seed])).tolist())
        return found

    def _lookup(self, needle: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The needle's runs that the index keeps, and where each begins and ends in the sorted list."""
        hashes, _ = self._hashes()
        wanted, offsets = _kept_hashes(needle, self._rate)
        return offsets, hashes.searchsorted(wanted, "left"), hashes.searchsorted(wanted, "right")

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


def _apart(places: list[int], length: int) -> list[int]:
    """The places that do not overlap the one before."""
    apart: list[int] = []
    for place in places:
        if not apart or place >= apart[-1] + length:
            apart.append(place)
    return apart
