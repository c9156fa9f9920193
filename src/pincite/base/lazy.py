"""What is imported when it is first used: the names of a room, and numpy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """numpy takes longer to load than most commands take altogether."""

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)  # from then on it is found without this method
            return found

    np = _Numpy()

__all__ = ["lazy_names", "np"]


def lazy_names(room: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], list[str]]:
    """`__getattr__` and `__all__` of a room: each name is loaded from its module when it is first used.

    `homes` has the names that each module of the room gives, separated by spaces. A name must not be that
    of a module of the room: once that module is loaded, it would stand in its place.
    """
    home_of = {name: f"{room}.{module}" for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        found = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[room], name, found)  # from then on it is found without this function
        return found

    return find, sorted(home_of)
