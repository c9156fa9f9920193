"""Lists of numbers in arrays, and what can be asked of them in one sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

_BLOCK = 64


class Lists(Struct, frozen=True, eq=False):
    """Many lists of numbers end to end, by the number of the list."""

    starts: memoryview
    """Where each list begins among the values; one more at the end."""
    values: Ints

    def of(self, number: int) -> Ints:
        start, end = self.bounds(number)
        return self.values[start:end]

    def bounds(self, number: int, within: range | None = None) -> tuple[int, int]:
        """Where a list lies among the values, or where its values in a range do: every list is in order."""
        start, end = self.starts[number], self.starts[number + 1]
        if within is None:
            return start, end
        first, last = self.values[start:end].searchsorted((within.start, within.stop))
        return start + int(first), start + int(last)

    @property
    def nbytes(self) -> int:
        return int(self.starts.nbytes + self.values.nbytes)


def make_lists(keys: Ints, count: int, values: Ints) -> Lists:
    """The values by their key; keys are in order, and from 0 up to `count`."""
    import numpy as np

    starts = np.searchsorted(keys, np.arange(count + 1)).astype(np.int64)
    return Lists(starts.data, values)


def changes(units: Ints) -> Bools:
    """Which of them differ from the one before."""
    import numpy as np

    new = np.ones(len(units), np.bool_)
    new[1:] = units[1:] != units[:-1]
    return new


def summed(parts: Sequence[tuple[Ints, Floats]], allowed: range) -> Floats:
    """What each allowed unit gets in all, added up in the order of the parts."""
    import numpy as np

    if not parts:
        return np.zeros(len(allowed))
    units = np.concatenate([units for units, _ in parts])
    if allowed.start:
        units -= allowed.start
    worth = np.concatenate([worth for _, worth in parts])
    return np.asarray(np.bincount(units, worth, len(allowed)), np.float64)


def as_many_reach(values: Floats, limit: int) -> float:
    """A value that at least `limit` of these reach, and not many more; 0 where there are too few."""
    import numpy as np

    if len(values) > limit * _BLOCK:
        # The best of every block will do, and finding those is cheap however many values are equal.
        values = np.maximum.reduceat(values, np.arange(0, len(values), _BLOCK))
    return float(np.partition(values, -limit)[-limit]) if len(values) > limit else 0.0


def among(values: NDArray[Any], ordered: Ints) -> Bools:
    """Which of the values are in a list that is in order."""
    import numpy as np

    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    places = np.minimum(ordered.searchsorted(values), len(ordered) - 1)
    same: Bools = ordered[places] == values
    return same
