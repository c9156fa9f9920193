"""Turns what pairs share into precision, recall, F1, Jaccard and Dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum

from pincite.metrics.spans.records import Averages, Figures, Level, Ratio, Sizes

Row = tuple[int, int, int]
"""Shared, true and predicted units of one pair."""


def level(pairs: Sequence[Sizes], alone_true: int, alone_predicted: int, units: int) -> Level:
    """Both averages, exact and tolerant. `alone_*` are the characters or tokens of unmatched spans."""
    exact = [(pair.shared, pair.true, pair.predicted) for pair in pairs]
    tolerant = [(pair.tolerant_shared, pair.true, pair.tolerant_predicted) for pair in pairs]
    return Level(
        exact=_averages(exact, alone_true, alone_predicted, units),
        tolerant=_averages(tolerant, alone_true, alone_predicted, units),
    )


def _averages(rows: Sequence[Row], alone_true: int, alone_predicted: int, units: int) -> Averages:
    shared = true = predicted = 0
    precision, recall, jaccard, dice = [], [], [], []
    for row_shared, row_true, row_predicted in rows:
        shared += row_shared
        true += row_true
        predicted += row_predicted
        if row_shared:
            both = row_true + row_predicted
            precision.append(row_shared / row_predicted)
            recall.append(row_shared / row_true)
            jaccard.append(row_shared / (both - row_shared))
            dice.append(2 * row_shared / both)
    mean_dice = Ratio(fsum(dice), units)
    # For one pair F1 and Dice are the same number, and so are their means.
    macro = Figures(
        precision=Ratio(fsum(precision), units),
        recall=Ratio(fsum(recall), units),
        f1=mean_dice,
        jaccard=Ratio(fsum(jaccard), units),
        dice=mean_dice,
    )
    return Averages(micro=micro_figures(shared, true + alone_true, predicted + alone_predicted), macro=macro)


def micro_figures(shared: int, true: int, predicted: int) -> Figures:
    """The figures of pooled units."""
    dice = Ratio(2 * shared, true + predicted)
    return Figures(
        precision=Ratio(shared, predicted),
        recall=Ratio(shared, true),
        f1=dice,
        jaccard=Ratio(shared, true + predicted - shared),
        dice=dice,
    )


def combine_levels(levels: Sequence[Level]) -> Level:
    """Over queries: micro figures pool the units, macro figures are means of each query's own value."""
    return Level(
        exact=_combine([one.exact for one in levels]),
        tolerant=_combine([one.tolerant for one in levels]),
    )


def _combine(averages: Sequence[Averages]) -> Averages:
    return Averages(
        micro=_each_figure(lambda name: _pool([getattr(one.micro, name) for one in averages])),
        macro=_each_figure(lambda name: _mean([getattr(one.macro, name) for one in averages])),
    )


def _each_figure(make: Callable[[str], Ratio]) -> Figures:
    return Figures(make("precision"), make("recall"), make("f1"), make("jaccard"), make("dice"))


def _pool(ratios: Sequence[Ratio]) -> Ratio:
    return Ratio(sum(ratio.numerator for ratio in ratios), sum(ratio.denominator for ratio in ratios))


def _mean(ratios: Sequence[Ratio]) -> Ratio:
    values = [ratio.value for ratio in ratios]
    known = [value for value in values if value is not None]
    return Ratio(fsum(known), len(known))
