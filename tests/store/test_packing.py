"""Records as bytes and back."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from history_items import finished, new_item, new_run
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import StoreError
from pincite.store import MOST_CHARACTERS, Store, open_store, pack

_ANY_TEXT = st.text(st.characters(), max_size=600)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_ANY_TEXT, inner, max_size=3),
    max_leaves=10,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(tmp_path_factory.mktemp("packing") / "runs.sqlite") as store:
        yield store


@given(_ANY_TEXT, _JSON)
def test_a_document_comes_back_as_it_was_whatever_it_holds(store: Store, text: str, value: object) -> None:
    store.put("kind", "key", {"text": text, "value": value})
    assert store.get("kind", "key") == {"text": text, "value": value}


@given(_ANY_TEXT.filter(lambda text: len(text) <= MOST_CHARACTERS))
def test_whatever_a_document_is_called_it_is_found_again(store: Store, name: str) -> None:
    store.put("named", name, {"name": name})
    assert store.get("named", name) == {"name": name}
    store.remove("named", name)
    assert store.keys("named") == []


def test_items_and_runs_come_back_as_they_were(store: Store) -> None:
    texts = ["\ud800", "\0", "a\udfffb", "\U0001f6a2"]
    items = [new_item(place, answer=text, usage={text: 2**70}) for place, text in enumerate(texts)]
    run, journal = store.begin(new_run())
    for item in items:
        journal.append(item)
    done = finished(run)
    store.finish(done)
    assert list(store.items(run.run_id)) == items
    found = store.find(run.run_id)
    assert (found.scores, found.document) == (done.scores, done.document)


def test_long_text_is_compressed() -> None:
    item = new_item(0, answer="All of this is said again. " * 500)
    assert len(pack(item)) < 2_000


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"?",
        b"m",
        b"m\xc1",
        b"z",
        b"zabc",
        b"j",
        b"x" + b"a" * 20,
        b"j" + zlib.compress(b"[1]"),
        b"m\x01",
        1,  # SQLite keeps any value in any column
        "text",
    ],
)
def test_a_damaged_row_is_an_error_that_says_so(stored: object, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="damaged"):
        read_back(stored, tmp_path / "runs.sqlite")


def test_a_row_that_unfolds_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.store.packing.MOST_BYTES", 1_000_000)
    with pytest.raises(StoreError, match="far too large"):
        read_back(b"z" + zlib.compress(bytes(2_000_000)), tmp_path / "runs.sqlite")


def read_back(stored: object, path: Path) -> dict[str, Any] | None:
    """A document whose row holds something else than was put there."""
    with open_store(path) as store:
        store.put("kind", "key", {})
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE pincite_documents SET body = ?", (stored,))
        connection.close()
        return store.get("kind", "key")
