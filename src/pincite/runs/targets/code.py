"""What a function's code says now, so that edited code is known to be another system."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any


def code_digest(function: Callable[..., Any]) -> str | None:
    """A hash of the file that defines it, or of the function alone where there is none; None if neither is.

    Modules that the file imports are not looked at.
    """
    while isinstance(function, partial):
        function = function.func
    defined = function if hasattr(function, "__qualname__") else type(function)
    source = _file_of(defined) or _text_of(defined)
    return None if source is None else blake2b(source, digest_size=8).hexdigest()


def _file_of(defined: Any) -> bytes | None:
    module = sys.modules.get(getattr(defined, "__module__", None) or "")
    try:
        return Path(getattr(module, "__file__", None) or "").read_bytes()
    except (OSError, ValueError, TypeError):
        return None


def _text_of(defined: Any) -> bytes | None:
    """As a notebook has it, where a cell is no file."""
    try:
        return inspect.getsource(defined).encode("utf-8", "surrogatepass")
    except (OSError, TypeError, SyntaxError):
        return None
