"""Which rows belong together: labels as numbers during a run, sets of rows afterwards."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from pincite.base import np

MOST_SHOWN = 50
MOST_KNOWN = 200_000
"""Different labels that are kept by name; a label that comes later counts as one of the others."""
OTHER = "other"
NOT_GIVEN = "not given"


class Labels:
    """The labels of rows: none, one or several each."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows = array("i")
        self._labels = array("i")

    def add(self, row: int, labels: Iterable[str]) -> None:
        for label in dict.fromkeys(labels):
            number = self._numbers.get(label)
            if number is None:
                number = len(self._numbers) if len(self._numbers) < MOST_KNOWN else -1
                if number >= 0:
                    self._numbers[label] = number
            self._rows.append(row)
            self._labels.append(number)

    def groups(self, places: Any) -> dict[str, Any]:
        """The rows of each of the most frequent labels, and of all others together; none without labels.

        `places` maps each row to its place in the order of the dataset; rows are returned by place.
        """
        if not len(self._rows):
            return {}
        numbers = np.frombuffer(self._labels, dtype=np.int32)
        rows = np.frombuffer(self._rows, dtype=np.int32)
        names = list(self._numbers)
        counts = np.bincount(numbers[numbers >= 0], minlength=len(names))
        ranked = sorted(range(len(names)), key=lambda number: (-int(counts[number]), names[number]))
        shown = ranked[:MOST_SHOWN]
        found = {names[number]: np.sort(places[rows[numbers == number]]) for number in shown}
        rest = ~np.isin(numbers, shown)
        if rest.any():
            label = OTHER if OTHER not in found else f"{OTHER} (of the rest)"
            found[label] = np.unique(places[rows[rest]])
        return found


class Clusters:
    """The cluster of each row, as a number that needs no memory of names."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, cluster: str | None) -> None:
        self._hashes.append(text_number(cluster or ""))

    def codes(self, order: Any) -> Any | None:
        """A number for each row in the order of the dataset, equal where the cluster is; None without any."""
        hashes = np.frombuffer(self._hashes, dtype=np.int64)[order]
        alone = hashes == 0
        if alone.all():
            return None
        _, codes = np.unique(hashes, return_inverse=True)
        codes = codes.astype(np.int32)
        codes[alone] = len(hashes) + np.arange(int(alone.sum()))
        return codes


def text_number(text: str) -> int:
    """A hash of a text, 0 for none: the names of a million queries need not be held."""
    if not text:
        return 0
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1
