from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.stats import wilson


def test_known_values() -> None:
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)


def test_nothing_measured_has_no_interval() -> None:
    assert wilson(0, 0) is None


@given(st.integers(1, 10_000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    hits, total = counts
    interval, mirrored = wilson(hits, total), wilson(total - hits, total)
    assert interval is not None and mirrored is not None
    assert 0 <= interval[0] <= hits / total <= interval[1] <= 1
    assert interval[0] == pytest.approx(1 - mirrored[1], abs=1e-12)
