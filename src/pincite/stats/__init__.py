"""Intervals, tests, agreement and calibration. Plain numbers in, plain numbers out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.stats.agreement import (
        auroc,
        balanced_accuracy,
        balanced_accuracy_interval,
        by_score,
        cohen_kappa,
        cohen_kappas,
        macro_f1,
    )
    from pincite.stats.annotators import (
        alpha_of,
        category_counts,
        fleiss_of,
        mean_jaccard,
        rating_matrix,
        span_jaccard,
    )
    from pincite.stats.bootstrap import RESAMPLES, bootstrap_interval, counted_interval
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
    from pincite.stats.counts import aurocs, best_cuts, kappas, macro_f1s
    from pincite.stats.eprocess import betting
    from pincite.stats.figures import Interval, Pairs
    from pincite.stats.intervals import wilson
    from pincite.stats.power import (
        mcnemar_queries_needed,
        queries_needed,
        sequential_queries_needed,
        units_for_least_p,
    )
    from pincite.stats.ppi import RateEstimate, corrected_rate, labels_alone
    from pincite.stats.ratios import MOST_RESAMPLED, ratio_intervals
    from pincite.stats.tests import (
        cohen_dz,
        cohen_g,
        difference_intervals,
        group_tests,
        holm,
        mcnemar,
        named,
        pair_up,
        paired_differences,
        permutation_tests,
        spread_with_none,
    )
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "agreement": (
                "auroc balanced_accuracy balanced_accuracy_interval by_score cohen_kappa cohen_kappas "
                "macro_f1"
            ),
            "annotators": "alpha_of category_counts fleiss_of mean_jaccard rating_matrix span_jaccard",
            "bootstrap": "RESAMPLES bootstrap_interval counted_interval",
            "calibration": (
                "BINS Bin Calibration best_threshold calibration_error cross_fitted fit_platt reliability "
                "sigmoid"
            ),
            "counts": "aurocs best_cuts kappas macro_f1s",
            "eprocess": "betting",
            "figures": "Interval Pairs",
            "intervals": "wilson",
            "power": "mcnemar_queries_needed queries_needed sequential_queries_needed units_for_least_p",
            "ppi": "RateEstimate corrected_rate labels_alone",
            "ratios": "MOST_RESAMPLED ratio_intervals",
            "tests": (
                "cohen_dz cohen_g difference_intervals group_tests holm mcnemar named pair_up "
                "paired_differences permutation_tests spread_with_none"
            ),
        },
    )
