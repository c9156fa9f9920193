"""JSON and hashes of values that msgspec refuses."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.base import hashed_form, read_json, read_lenient_json, write_json

TEXTS = st.text(st.characters(exclude_categories=[])) | st.sampled_from(["\ud800", "a\udfffb", "\0"])
WHOLE = st.integers() | st.sampled_from([2**63, 2**64, -(2**63) - 1, 10**400])
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXTS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 2]))
def test_every_json_value_is_written_as_utf8_and_read_back_unchanged(value: Any, indent: int | None) -> None:
    written = write_json(value, indent)
    assert read_json(written) == value
    assert read_lenient_json(written.decode("utf-8")) == (value, False)
    assert read_json(json.dumps(value)) == value


@given(VALUES, VALUES)
def test_two_values_have_one_hashed_form_only_where_they_are_written_alike(one: Any, other: Any) -> None:
    alike = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (hashed_form(one) == hashed_form(other)) == alike


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400", "-1e999", "1" * 5000])
def test_what_is_no_number_is_refused_or_counts_as_null(number: str) -> None:
    text = f'{{"n": {number}, "half": "\\ud800", "big": {2**70}}}'
    with pytest.raises(msgspec.DecodeError):
        read_json(text)
    assert read_lenient_json(text) == ({"n": None, "half": "\ud800", "big": 2**70}, True)


@pytest.mark.parametrize("text", ['{"a": "\\ud800"', '["\\ud800', "{", "", '{"a": NaN', '"\ud800'])
def test_what_is_not_json_is_a_decode_error(text: str) -> None:
    for read in (read_json, read_lenient_json):
        with pytest.raises(msgspec.DecodeError):
            read(text)


def test_nan_beside_half_a_character_is_written_as_null() -> None:
    assert json.loads(write_json(["\ud800", float("nan"), {"x": float("inf")}])) == [
        "\ud800",
        None,
        {"x": None},
    ]
