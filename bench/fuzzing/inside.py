"""The modules behind a room's door, by their files: what no door gives and a fuzzer has to reach."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def module_at(file: str) -> Any:
    """The module of a file of the package: `cli/output.py`."""
    return import_module(f"pincite.{file.removesuffix('.py').replace('/', '.')}")
