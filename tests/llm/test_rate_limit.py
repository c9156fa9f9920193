"""How long a caller waits: for its turn, and after a failure."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.llm import RateLimiter


@settings(deadline=None)
@given(st.integers(1, 6), st.lists(st.floats(0, 40), min_size=1, max_size=40))
def test_no_minute_sees_more_requests_than_allowed_and_none_waits_needlessly(
    most: int, gaps: list[float]
) -> None:
    now = 0.0
    limiter = RateLimiter(most, lambda: now)
    begun: list[float] = []
    for gap in gaps:
        now += gap
        wait = limiter.take_turn()
        start = now + wait
        if wait > 0:
            assert sum(1 for other in begun if other > start - 60.0 - 1e-6) >= most, (
                "it could have gone before"
            )
        begun.append(start)
        now = start
    for start in begun:
        assert sum(1 for other in begun if start <= other < start + 60.0 - 1e-6) <= most


def test_without_a_limit_nobody_waits() -> None:
    limiter = RateLimiter(None)
    assert [limiter.take_turn() for _ in range(100)] == [0.0] * 100


def test_a_hold_lasts_as_long_as_the_longest_that_was_asked_for() -> None:
    now = 100.0
    limiter = RateLimiter(None, lambda: now)
    limiter.hold(5)
    limiter.hold(2)
    assert limiter.held() == 5 == limiter.take_turn()
    now = 105.0
    assert limiter.held() == 0 == limiter.take_turn()
