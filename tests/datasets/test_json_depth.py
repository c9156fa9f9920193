"""How deep a JSON file may be nested, whatever stands in its texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.datasets import parse_json
from pincite.errors import InputError

TEXTS = st.text(alphabet='[]{}"\\,: ax\n')
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda held: st.lists(held, max_size=3) | st.dictionaries(TEXTS, held, max_size=3),
    max_leaves=20,
)


def depth(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(
        (depth(held) for held in (value.values() if isinstance(value, dict) else value)), default=0
    )


@given(VALUES)
def test_a_value_is_read_unless_it_is_deeper_than_allowed(value: Any) -> None:
    raw = json.dumps(value).encode()
    if depth(value) <= 2:
        assert parse_json(raw, "x.json", deepest=2) == value
    else:
        with pytest.raises(
            InputError, match=r"^x\.json: line 1, column \d+: nested more than 2 levels deep$"
        ):
            parse_json(raw, "x.json", deepest=2)


@pytest.mark.parametrize("cut", ['["[[[[', '["[[[[\\', '{"a": "[[[[\\"'])
def test_brackets_in_a_text_that_never_ends_are_no_depth(cut: str) -> None:
    with pytest.raises(InputError, match="the text that begins there never ends"):
        parse_json(cut.encode(), "x.json", deepest=2)
