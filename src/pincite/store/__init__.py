"""The history of runs: SQLite in a file by default, PostgreSQL by address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.store.history import Store

PATIENCE_SECONDS = 30.0
"""How long a database that is locked or has gone away is waited for, before what was wanted is given up."""


STATEMENT_SECONDS = 60.0
"""How long one question may take: a file can be built so that it never ends."""


def open_store(
    url: str | Path, *, patience: float = PATIENCE_SECONDS, statement_seconds: float = STATEMENT_SECONDS
) -> Store:
    """The history at a path, `sqlite:///path` or `postgresql://user@host/name`; made where there is none yet.

    Raises `StoreError` where it can neither be opened nor made, with what to do about it.
    """
    from pincite.store.history import Store

    return Store(url, patience, statement_seconds)
