"""numpy, imported when it is first used: it takes longer to load than most commands take altogether."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)  # from then on it is found without this method
            return found

    np = _Numpy()

__all__ = ["np"]
