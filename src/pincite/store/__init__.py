"""The history of runs: SQLite in a file by default, PostgreSQL by address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.store.history import Store

PATIENCE_SECONDS = 30.0
"""How long a database that is locked or has gone away is waited for, before what was wanted is given up."""


def open_store(url: str | Path, *, patience: float = PATIENCE_SECONDS) -> Store:
    """The history at a path, `sqlite:///path` or `postgresql://user@host/name`; made where there is none yet.

    Raises `StoreError` where it can neither be opened nor made, with what to do about it.
    """
    from pincite.store.history import Store

    return Store(url, patience)
