"""Results as bytes, whatever stands in them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite.records import ItemResult
from pincite.runs import decode, encode
from pincite.runs.journal import storable

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters()), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(st.characters()), st.dictionaries(st.text(st.characters()), VALUES, max_size=3))
def test_every_result_can_be_kept_and_read_back(answer: str, citation: dict[str, Any]) -> None:
    result = storable(ItemResult(key="k", position=1, query_id="q", answer=answer, citations=(citation,)))
    assert decode(encode(result)) == result
    assert isinstance((result.answer or "").encode("utf-8"), bytes)


def test_what_can_be_kept_is_left_as_it_is() -> None:
    result = ItemResult(key="k", position=1, query_id="q", answer="ü", citations=({"start_char": 5},))
    assert storable(result) is result
