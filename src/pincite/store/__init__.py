"""The history of runs: SQLite in a file by default, PostgreSQL by address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.store.address import read_address
    from pincite.store.browsing import ListedRun, RunFilter, RunOrder, Which
    from pincite.store.database import PATIENCE_SECONDS, STATEMENT_SECONDS
    from pincite.store.history import AGREEMENT, Store, open_store
    from pincite.store.packing import MOST_CHARACTERS, pack
    from pincite.store.schema import RUNS, SCORES
    from pincite.store.trends import TrendPoint
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "address": "read_address",
            "browsing": "ListedRun RunFilter RunOrder Which",
            "database": "PATIENCE_SECONDS STATEMENT_SECONDS",
            "history": "AGREEMENT Store open_store",
            "packing": "MOST_CHARACTERS pack",
            "schema": "RUNS SCORES",
            "trends": "TrendPoint",
        },
    )
