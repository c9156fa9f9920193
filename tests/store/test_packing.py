"""Records as bytes and back."""

from __future__ import annotations

import zlib

import pytest
from history_items import finished, new_item, new_run
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import StoreError
from pincite.records import ItemResult, Run
from pincite.store import pack
from pincite.store.packing import as_text, unpack

_ANY_TEXT = st.text(st.characters(), max_size=600)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_ANY_TEXT, inner, max_size=3),
    max_leaves=10,
)


@given(_ANY_TEXT, _JSON)
def test_an_item_comes_back_as_it_was_whatever_its_texts_hold(text: str, value: object) -> None:
    item = new_item(3, answer=text, usage={"value": value})
    assert unpack(pack(item), ItemResult) == item


@given(st.text(st.characters(categories=["Cs", "Lu", "Cc"]), min_size=1))
def test_half_surrogate_pairs_are_kept(text: str) -> None:
    item = new_item(3, answer=text)
    assert unpack(pack(item), ItemResult) == item


def test_a_run_comes_back_as_it_was() -> None:
    run = finished(new_run())
    assert unpack(pack(run), Run) == run


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
    ],
)
def test_a_damaged_row_is_an_error_that_says_so(stored: bytes) -> None:
    with pytest.raises(StoreError, match="damaged"):
        unpack(stored, ItemResult)


def test_a_row_that_unfolds_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.store.packing.MOST_BYTES", 1_000_000)
    with pytest.raises(StoreError, match="far too large"):
        unpack(b"z" + zlib.compress(bytes(2_000_000)), ItemResult)


@given(_ANY_TEXT)
def test_text_for_a_column_can_be_stored_anywhere(text: str) -> None:
    stored = as_text(text)
    assert stored is not None and "\0" not in stored
    stored.encode("utf-8")
