"""The records of span scoring: what is compared, and what comes out."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pincite.records import Place as Place

Key = tuple[str, ...] | str
"""What all names of one document have in common."""
Item = tuple[int, int, int, int | None]
"""Start, end, index and page of one span, as the matching takes it; start < end."""
Side = Literal["true", "predicted"]
SpanProblem = Literal["reversed", "empty", "negative", "too_large", "no_offsets"]


class Ratio(Struct, frozen=True):
    """A fraction that keeps both its parts. Its value is None when there is nothing to divide by."""

    numerator: float
    denominator: int

    @property
    def value(self) -> float | None:
        return self.numerator / self.denominator if self.denominator else None


class Figures(Struct, frozen=True):
    """The five measures of one kind, each a ratio."""

    precision: Ratio
    recall: Ratio
    f1: Ratio
    jaccard: Ratio
    dice: Ratio


class Averages(Struct, frozen=True):
    """`micro` pools the units of all spans; `macro` is the mean over pairs and unmatched spans."""

    micro: Figures
    macro: Figures


class Level(Struct, frozen=True):
    """The figures at characters or at tokens, with the spans as given and with their ends forgiven."""

    exact: Averages
    tolerant: Averages


class Sizes(Struct, frozen=True):
    """What a pair shares, in characters or in tokens, before and after its ends are forgiven."""

    shared: int
    true: int
    predicted: int
    tolerant_shared: int
    tolerant_predicted: int


class MatchedPair(Struct, frozen=True):
    """A true span and the prediction assigned to it, each by its place in the list that was given."""

    true: int
    predicted: int
    characters: Sizes
    tokens: Sizes | None = None


class UnmatchedSpan(Struct, frozen=True):
    """A span that found no partner, by its place in its list, and what is wrong with it, if anything."""

    index: int
    problem: SpanProblem | None = None


class NotScorable(Struct, frozen=True):
    """A span left out of every ratio (`spans`) or only of those at tokens, by its place, and why."""

    what: Literal["spans", "tokens"]
    side: Side
    index: int
    reason: str


class SpanScores(Struct, frozen=True):
    """Everything there is to say about how well predicted spans hit the true ones."""

    characters: Level
    tokens: Level | None
    """None when no text was given, or none of the spans has a text."""
    matched: tuple[MatchedPair, ...]
    unmatched_true: tuple[UnmatchedSpan, ...]
    unmatched_predicted: tuple[UnmatchedSpan, ...]
    perfect_matches: int
    """Pairs whose exact Jaccard is 1."""
    good_matches: int
    """Pairs whose tolerant Jaccard is at least 0.8."""
    tolerance: int
    not_scorable: tuple[NotScorable, ...] = ()
    ambiguous_names: tuple[str, ...] = ()
    """Names that fit several documents, and so match none."""
    exact_assignment: bool = True
    """False when so many spans overlap that the best assignment was sought among near neighbours only."""

    @property
    def units(self) -> int:
        """What the means divide by: pairs, unmatched truths and unmatched predictions."""
        return len(self.matched) + len(self.unmatched_true) + len(self.unmatched_predicted)

    @property
    def mean_exact_jaccard(self) -> float | None:
        return self.characters.exact.macro.jaccard.value

    @property
    def mean_tolerance_jaccard(self) -> float | None:
        return self.characters.tolerant.macro.jaccard.value

    @property
    def micro_f1(self) -> float | None:
        return self.characters.exact.micro.f1.value
