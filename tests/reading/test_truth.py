"""What verdicts decide when some are missing: what every way to fill them in decides, or else nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.reading import Truth, any_of, is_outcome, opposite, precise
from pincite.records import Verdict

truths = st.sampled_from([True, False, None])


@pytest.mark.parametrize(
    ("decide", "parts"),
    [(precise, 3), (opposite, 1), (lambda *parts: any_of(parts), 4)],
    ids=["precise", "opposite", "any_of"],
)
def test_a_rule_says_what_all_ways_to_fill_in_an_unknown_say(
    decide: Callable[..., Truth], parts: int
) -> None:
    for known in itertools.product((True, False, None), repeat=parts):
        ways = itertools.product(*[(True, False) if one is None else (one,) for one in known])
        decided = {decide(*way) for way in ways}
        assert decide(*known) == (decided.pop() if len(decided) == 1 else None)


@given(st.lists(truths, max_size=5))
def test_any_is_that_of_python_where_everything_is_known(parts: list[Truth]) -> None:
    known = [one for one in parts if one is not None]
    assert any_of(known) == any(known)


def test_an_outcome_is_unknown_where_there_is_no_verdict() -> None:
    assert is_outcome(Verdict("supported", 0.9, ""), "supported") is True
    assert is_outcome(Verdict("not_enough", 0.1, ""), "supported") is False
    assert is_outcome(Verdict("unjudged", None, ""), "supported") is None
