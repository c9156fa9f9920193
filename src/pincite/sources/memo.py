"""What is worked out once for a source or a library, and lives as long as it does."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
V = TypeVar("V")


def per_object(make: Callable[[T], V]) -> Callable[[T], V]:
    """`make`, called once for each object: the second question is cheap."""
    known: WeakKeyDictionary[T, V] = WeakKeyDictionary()

    @wraps(make)
    def get(given: T) -> V:
        found = known.get(given)
        if found is None:
            found = known[given] = make(given)
        return found

    return get
