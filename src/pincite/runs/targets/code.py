"""What a function's code says now, so that edited code is known to be another system."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pincite.runs.targets.imported import project_files


def code_digest(function: Callable[..., Any]) -> str | None:
    """A hash of the file that defines it and of those of the same project that the file imports.

    Where there is no file, as in a notebook, it is one of the function alone; None if there is neither.
    """
    while isinstance(function, partial):
        function = function.func
    defined = function if hasattr(function, "__qualname__") else type(function)
    files = _files_of(defined)
    if files:
        hashed = blake2b(digest_size=8)
        for name, content in files:
            hashed.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogatepass"))
            hashed.update(content)
        return hashed.hexdigest()
    text = _text_of(defined)
    return None if text is None else blake2b(text, digest_size=8).hexdigest()


def _files_of(defined: Any) -> list[tuple[str, bytes]]:
    name = getattr(defined, "__module__", None) or ""
    file = getattr(sys.modules.get(name), "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py"):
        return []
    try:
        return sorted(project_files(name, Path(file).absolute()))
    except (OSError, ValueError):
        return []


def _text_of(defined: Any) -> bytes | None:
    """As a notebook has it, where a cell is no file."""
    try:
        return inspect.getsource(defined).encode("utf-8", "surrogatepass")
    except (OSError, TypeError, SyntaxError):
        return None
