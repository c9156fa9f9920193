"""Figures of a judge that says supported or not, from counts: one sample, or a thousand resamples at once.

Arrays have the resamples first and what is counted last. A figure that a sample cannot give is NaN here, and
nobody outside `stats` sees that.
"""

from __future__ import annotations

from typing import Any

from pincite.base import np


def macro_f1s(tables: Any) -> Any:
    """From both supported, only people, only the judge, neither: the mean of both classes' F1."""
    both, people, judge, neither = np.moveaxis(np.asarray(tables, dtype=float), -1, 0)
    wrong = people + judge
    yes, no = 2 * both + wrong, 2 * neither + wrong
    present = (yes > 0).astype(float) + (no > 0)
    hit = np.divide(2 * both, yes, out=np.zeros_like(yes), where=yes > 0)
    hit += np.divide(2 * neither, no, out=np.zeros_like(no), where=no > 0)
    return np.divide(hit, present, out=np.full_like(hit, np.nan), where=present > 0)


def kappas(tables: Any) -> Any:
    """From both supported, only people, only the judge, neither: agreement beyond chance."""
    both, people, judge, neither = np.moveaxis(np.asarray(tables, dtype=float), -1, 0)
    total = both + people + judge + neither
    by_chance = (both + people) * (both + judge) + (neither + judge) * (neither + people)
    beyond = total * total - by_chance
    return np.divide(
        total * (both + neither) - by_chance, beyond, out=np.full_like(total, np.nan), where=beyond > 0
    )


def aurocs(yes: Any, no: Any) -> Any:
    """From how many supported and other rows have each score, lowest first; ties count half."""
    yes, no = np.asarray(yes, dtype=float), np.asarray(no, dtype=float)
    beaten = np.cumsum(no, axis=-1) - no / 2.0
    pairs = yes.sum(axis=-1) * no.sum(axis=-1)
    won = (yes * beaten).sum(axis=-1)
    return np.divide(won, pairs, out=np.full_like(won, np.nan), where=pairs > 0)


def best_cuts(yes: Any, no: Any, between: Any) -> tuple[Any, Any]:
    """Which place between two scores has the highest balanced accuracy, and how high that is.

    Of several that are equally good, the one nearest to one half; NaN where one class has no rows.
    """
    yes, no = np.asarray(yes, dtype=float), np.asarray(no, dtype=float)
    all_yes, all_no = yes.sum(axis=-1, keepdims=True), no.sum(axis=-1, keepdims=True)
    known = (all_yes > 0) & (all_no > 0)
    held = 1.0 - np.cumsum(yes, axis=-1)[..., :-1] / np.maximum(all_yes, 1)
    refused = np.cumsum(no, axis=-1)[..., :-1] / np.maximum(all_no, 1)
    agreement = (held + refused) / 2.0
    best = agreement.max(axis=-1, keepdims=True)
    far = np.where(agreement >= best - 1e-12, np.abs(between - 0.5), np.inf)
    chosen = np.argmin(far, axis=-1)
    unknown = ~known[..., 0]
    return np.where(unknown, np.nan, between[chosen]), np.where(unknown, np.nan, best[..., 0])
