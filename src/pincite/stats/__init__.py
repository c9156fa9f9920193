"""Intervals, tests, agreement and calibration: plain numbers in, plain numbers out.

`ratio_intervals(numerators, denominators)` gives every metric of a run its interval,
`permutation_tests(pair_up(a, b))` compares two runs, and `corrected_rate(labels, predicted, others)` corrects
what a judge said by what people said. A figure that the numbers cannot give is None, never NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.stats.agreement import (
        auroc,
        aurocs,
        balanced_accuracy,
        balanced_accuracy_interval,
        best_cuts,
        by_score,
        cohen_kappa,
        cohen_kappas,
        kappas,
        macro_f1,
        macro_f1s,
    )
    from pincite.stats.annotators import (
        alpha_of,
        category_counts,
        fleiss_of,
        mean_jaccard,
        rating_matrix,
        span_jaccard,
    )
    from pincite.stats.calibration import (
        BINS,
        Bin,
        Calibration,
        best_threshold,
        calibration_error,
        cross_fitted,
        fit_platt,
        reliability,
        sigmoid,
    )
    from pincite.stats.eprocess import betting
    from pincite.stats.figures import Interval, Pairs
    from pincite.stats.intervals import RESAMPLES, bootstrap_interval, counted_interval, wilson
    from pincite.stats.paired_tests import (
        cohen_dz,
        cohen_g,
        difference_intervals,
        group_tests,
        holm,
        mcnemar,
        name_of_group_test,
        pair_up,
        paired_differences,
        permutation_tests,
        spread_with_none,
    )
    from pincite.stats.power import (
        mcnemar_queries_needed,
        queries_needed,
        sequential_queries_needed,
        units_for_least_p,
    )
    from pincite.stats.ppi import RateEstimate, corrected_rate, labels_alone
    from pincite.stats.ratios import MOST_RESAMPLED, ratio_intervals
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "agreement": (
                "auroc aurocs balanced_accuracy balanced_accuracy_interval best_cuts by_score "
                "cohen_kappa cohen_kappas kappas macro_f1 macro_f1s"
            ),
            "annotators": "alpha_of category_counts fleiss_of mean_jaccard rating_matrix span_jaccard",
            "calibration": (
                "BINS Bin Calibration best_threshold calibration_error cross_fitted fit_platt "
                "reliability sigmoid"
            ),
            "eprocess": "betting",
            "figures": "Interval Pairs",
            "intervals": "RESAMPLES bootstrap_interval counted_interval wilson",
            "paired_tests": (
                "cohen_dz cohen_g difference_intervals group_tests holm mcnemar name_of_group_test "
                "pair_up paired_differences permutation_tests spread_with_none"
            ),
            "power": ("mcnemar_queries_needed queries_needed sequential_queries_needed units_for_least_p"),
            "ppi": "RateEstimate corrected_rate labels_alone",
            "ratios": "MOST_RESAMPLED ratio_intervals",
        },
    )
