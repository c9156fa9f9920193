"""What a quantity is, and how a claimed one compares with one in a source.

A quantity is an interval: `84,115` is a point, `over 70,000` has no upper end, `in 2014` is the whole year.
A claim is borne out when the source's interval lies inside the claim's, and contradicted when the two lie
apart.

Numbers are rounded by the people who write them, so the coarser side decides how close is close enough:
- a claim that is coarser than the source (`$10M` for `$10.2 million`) is inside when the source's number
  rounds to it and is at most 5% away; between that and half a unit of its last digit nothing is decided;
- a claim with more digits than the source (`3.75%` for `3.7%`) is undecided: the source does not say that
  much;
- a share in words (`two thirds`) stands for what is within a hundredth of it, and `67%` rounds it;
- two numbers of the same precision must be the same number.
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from pincite.text.numbers.calendar import day_range

Comparison = Literal["inside", "apart", "overlap", "unrelated"]

CLOSE = 0.05
"""How far, relatively, a rounded claim may be from the number that it rounds."""


class Quantity(Struct, frozen=True, gc=False):
    """A number, a measure or a date as an interval in the base unit of its kind."""

    text: str
    start: int
    end: int
    kind: str
    """count, share, money, ordinal, score, date, day (without a year), clock, or a physical dimension."""
    low: float
    high: float
    unit: str = ""
    """In a canonical spelling (`km`, `%`, `USD`). Units of one kind convert, currencies do not."""
    low_open: bool = False
    high_open: bool = False
    nominal: float = 0.0
    """The number that the words around it bound or blur, in the base unit."""
    slack: float = 0.0
    """Half a unit of the last digit that was written, in the base unit."""
    loose: float = 0.0
    """The same when trailing zeros are taken for rounding: 500 for `84,000`."""
    blurred: bool = False
    """`about`, `nearly`, `roughly`: the writer says that the number is not exact."""
    begins: tuple[float, float] | None = None
    """The date on which something began: `since 1990`, `from 1990 to 1995`. `before 1990` names none."""
    ends: tuple[float, float] | None = None
    """The date on which something ended: `until 1995`, `from 1990 to 1995`."""

    @property
    def is_point(self) -> bool:
        return self.low == self.high

    @property
    def is_bounded(self) -> bool:
        """True for a one-sided interval: more than, at most, before, since."""
        return math.isinf(self.low) or math.isinf(self.high)


def compare(claim: Quantity, source: Quantity) -> Comparison:
    """How the source's quantity answers to the claim's."""
    if claim.kind != source.kind:
        in_days = {claim.kind, source.kind} == {"date", "day"}
        return _compare_day(claim, source) if in_days else "unrelated"
    if claim.kind in ("money", "degrees") and claim.unit != source.unit:
        return "unrelated"
    if claim.kind == "score":
        same = {(claim.low, claim.high), (claim.high, claim.low)}
        return "inside" if (source.low, source.high) in same else "apart"
    period = _compare_periods(claim, source)
    if period is not None:
        return period
    if (claim.blurred or source.blurred) and _same_number(claim, source):
        return "inside"
    if claim.low == claim.high and source.low == source.high:
        return _compare_points(claim, source)
    if _contains(claim, source):
        return "inside"
    if _disjoint(claim, source):
        return "overlap" if _may_yet_meet(claim, source) else "apart"
    return "overlap"


def _same_number(claim: Quantity, source: Quantity) -> bool:
    """Of two numbers of which one is blurred."""
    if claim.kind == "date" or claim.is_bounded or source.is_bounded:
        return False
    both_plain = (claim.is_point or claim.blurred) and (source.is_point or source.blurred)
    return both_plain and _near(claim.nominal, source.nominal)


def _near(a: float, b: float) -> bool:
    return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def _compare_points(claim: Quantity, source: Quantity) -> Comparison:
    if _near(claim.low, source.low):
        return "inside"
    gap = abs(claim.low - source.low)
    room = 1.0 + 1e-9
    if claim.kind == "ordinal":
        return "apart"
    if claim.slack > source.slack * room and gap <= claim.slack * room:
        return "inside" if gap <= CLOSE * abs(source.low) * room else "overlap"
    if (source.unit == "part" or source.unit.startswith("/")) and gap <= claim.slack * room:
        return "inside"
    if source.slack > claim.slack * room and gap <= source.slack * room:
        return "overlap"
    if claim.loose > source.loose * room and gap <= claim.loose * room and gap <= CLOSE * abs(source.low):
        return "overlap"
    if source.loose > claim.loose * room and gap <= source.loose * room and gap <= CLOSE * abs(claim.low):
        return "overlap"
    return "apart"


def _compare_periods(claim: Quantity, source: Quantity) -> Comparison | None:
    """Two stretches of time must begin and end alike: what ran until 1995 did not run until 1996."""
    if claim.begins is None and claim.ends is None:
        return None
    both = ((claim.begins, source.begins), (claim.ends, source.ends))
    edges = [(mine, theirs) for mine, theirs in both if mine is not None and theirs is not None]
    if not edges or claim.unit != source.unit:
        return None
    if any(mine[1] <= theirs[0] or theirs[1] <= mine[0] for mine, theirs in edges):
        return "apart"
    told = len(edges) == (claim.begins is not None) + (claim.ends is not None)
    return "inside" if told and all(m[0] <= t[0] and t[1] <= m[1] for m, t in edges) else "overlap"


def _contains(outer: Quantity, inner: Quantity) -> bool:
    same_low = _near(outer.low, inner.low) and (not outer.low_open or inner.low_open)
    same_high = _near(outer.high, inner.high) and (not outer.high_open or inner.high_open)
    low_fits = same_low or outer.low < inner.low or outer.low == -math.inf
    return low_fits and (same_high or outer.high > inner.high or outer.high == math.inf)


def _disjoint(a: Quantity, b: Quantity) -> bool:
    first, second = (a, b) if (a.low, a.high) <= (b.low, b.high) else (b, a)
    if _near(first.high, second.low):
        return first.high_open or second.low_open
    return first.high < second.low


def _may_yet_meet(a: Quantity, b: Quantity) -> bool:
    """Whether two intervals lie apart by less than rounding took away, or a fiscal year may shift."""
    gap = max(a.low, b.low) - min(a.high, b.high)
    if a.kind == "date":  # a fiscal year may begin up to a year away from the calendar's
        return a.unit != b.unit and gap < 366
    return (a.blurred or b.blurred) and gap <= max(a.slack, b.slack)


def _compare_day(claim: Quantity, source: Quantity) -> Comparison:
    """A date with its year against one without: the days can be apart, the year stays open."""
    full, part = (claim, source) if claim.kind == "date" else (source, claim)
    days = day_range(full.low, full.high)
    if days is None or full.is_bounded or part.is_bounded:
        return "overlap"
    low, high = days
    if high < part.low or low > part.high:
        return "apart"
    if claim is part and part.low <= low and high <= part.high:
        return "inside"
    return "overlap"
