"""How long a caller waits: for its turn, and after a failure."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.llm.rate_limit import FIRST_PAUSE, LONGEST_PAUSE, RateLimiter, pause


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_pauses_double_up_to_a_limit_and_are_shaken(attempt: int) -> None:
    whole = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt, 30))
    assert whole / 2 <= pause(attempt) <= whole
    assert len({pause(3) for _ in range(20)}) > 1


@settings(deadline=None)
@given(st.integers(1, 6), st.lists(st.floats(0, 40), min_size=1, max_size=40))
def test_no_minute_sees_more_requests_than_allowed_and_none_waits_needlessly(
    most: int, gaps: list[float]
) -> None:
    now = 0.0
    pace = RateLimiter(most, lambda: now)
    begun: list[float] = []
    for gap in gaps:
        now += gap
        wait = pace.take_turn()
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
    pace = RateLimiter(None)
    assert [pace.take_turn() for _ in range(100)] == [0.0] * 100


def test_a_hold_lasts_as_long_as_the_longest_that_was_asked_for() -> None:
    now = 100.0
    pace = RateLimiter(None, lambda: now)
    pace.hold(5)
    pace.hold(2)
    assert pace.held() == 5 == pace.take_turn()
    now = 105.0
    assert pace.held() == 0 == pace.take_turn()
