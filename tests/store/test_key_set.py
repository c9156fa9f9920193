"""The set of hashes is a set, and small."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from pincite.store.keys import SIZE, KeySet, key_hash


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)), st.integers(0, 5000))
def test_it_holds_what_a_set_would(added: list[str], asked: list[str], expected: int) -> None:
    keys, oracle = KeySet(expected), set[str]()
    for key in added:
        assert keys.add(key_hash(key)) is (key not in oracle)
        oracle.add(key)
    assert len(keys) == len(oracle)
    assert [key_hash(key) in keys for key in asked] == [key in oracle for key in asked]


def test_it_grows_and_keeps_all() -> None:
    keys = KeySet()
    for number in range(5_000):
        keys.add(key_hash(str(number)))
    assert len(keys) == 5_000
    assert all(key_hash(str(number)) in keys for number in range(5_000))
    assert not any(key_hash(str(number)) in keys for number in range(5_000, 10_000))


def test_keys_that_collide_are_told_apart() -> None:
    keys = KeySet()
    alike = [bytes(8) + number.to_bytes(8, "little") for number in range(1, 300)]
    assert all(keys.add(key) for key in alike)
    assert all(key in keys for key in alike)
    assert bytes(8) + (300).to_bytes(8, "little") not in keys


def test_any_text_is_a_key() -> None:
    assert len({key_hash("\ud800"), key_hash(""), key_hash("\0")}) == 3
    assert len(key_hash("")) == SIZE


def test_a_million_keys_take_at_most_64_mb() -> None:
    tracemalloc.start()
    try:
        keys = KeySet(1_000_000)
        keys.add(key_hash("a"))
        assert (
            tracemalloc.get_traced_memory()[1] < 64 * 1024 * 1024 / 1.5
        )  # half as much again while it grows
    finally:
        tracemalloc.stop()
