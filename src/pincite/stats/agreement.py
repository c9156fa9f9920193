"""How well what a judge says agrees with what people say.

Labels and answers are any two or more values (`True`/`False`, or verdicts). A figure that a sample cannot
give, because it is empty or holds one class only, is None and never a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from pincite.base import np
from pincite.stats.intervals import Z95, wilson


def balanced_accuracy(labels: Sequence[Any], said: Sequence[Any]) -> float | None:
    """The mean, over the labels' classes, of the share of its rows that were called so."""
    true, answered = _columns(labels, said)
    classes = np.unique(true)
    if len(classes) < 2:
        return None
    return float(np.mean([np.mean(answered[true == one] == one) for one in classes]))


def balanced_accuracy_interval(
    labels: Sequence[bool], said: Sequence[bool], z: float = Z95
) -> tuple[float, float] | None:
    """An interval of the balanced accuracy of two classes that stays honest where every row is right.

    Each class's own share gets Wilson's interval, and the distances of their bounds add up as independent
    errors do. A resampling interval would have no width at all for ten rows that are all right.
    """
    true, answered = _columns(labels, said)
    if len(np.unique(true)) != 2:
        return None
    middle = below = above = 0.0
    for one in np.unique(true):
        right, total = int(np.sum(answered[true == one] == one)), int(np.sum(true == one))
        bounds = wilson(right, total, z)
        assert bounds is not None
        share = right / total
        middle += share / 2
        below += (share - bounds[0]) ** 2
        above += (bounds[1] - share) ** 2
    return max(0.0, middle - sqrt(below) / 2), min(1.0, middle + sqrt(above) / 2)


def macro_f1(labels: Sequence[Any], said: Sequence[Any]) -> float | None:
    """The mean F1 of every class that either side names; a class that is never hit counts 0."""
    true, answered = _columns(labels, said)
    classes = np.unique(np.concatenate([true, answered]))
    if not len(classes):
        return None
    scores = []
    for one in classes:
        hit = int(np.sum((true == one) & (answered == one)))
        scores.append(2 * hit / (int(np.sum(true == one)) + int(np.sum(answered == one))))
    return float(np.mean(scores))


def cohen_kappa(labels: Sequence[Any], said: Sequence[Any]) -> float | None:
    """Agreement beyond what chance would give; None when both sides name one and the same class only."""
    true, answered = _columns(labels, said)
    if not len(true):
        return None
    by_chance = sum(
        float(np.mean(true == one) * np.mean(answered == one))
        for one in np.unique(np.concatenate([true, answered]))
    )
    if by_chance >= 1.0:
        return None
    return (float(np.mean(true == answered)) - by_chance) / (1.0 - by_chance)


def cohen_kappas(labels: Any, said: Any, classes: int) -> Any:
    """The same for many samples at once, one per line, with classes numbered from 0; NaN where undefined."""
    by_chance = np.zeros(len(labels))
    for one in range(classes):
        by_chance += np.mean(labels == one, axis=1) * np.mean(said == one, axis=1)
    beyond = np.where(by_chance < 1.0, 1.0 - by_chance, np.nan)
    return (np.mean(labels == said, axis=1) - by_chance) / beyond


def auroc(labels: Sequence[bool], scores: Sequence[float]) -> float | None:
    """How likely a supported row scores above an unsupported one; ties count half."""
    positive, values = _columns(labels, scores)
    positive = positive.astype(bool)
    if not positive.any() or positive.all():
        return None
    yes, no, _ = by_score(positive, values)
    return float(aurocs(yes, no))


def by_score(labels: Any, scores: Any) -> tuple[Any, Any, Any]:
    """How many supported and how many other rows have each score, and the scores, lowest first."""
    truth = np.asarray(labels, dtype=bool)
    distinct, place = np.unique(np.asarray(scores, dtype=float), return_inverse=True)
    place = place.reshape(-1)
    yes = np.bincount(place[truth], minlength=len(distinct))
    return yes, np.bincount(place[~truth], minlength=len(distinct)), distinct


def _columns(labels: Sequence[Any], said: Sequence[Any]) -> tuple[Any, Any]:
    if len(labels) != len(said):
        raise ValueError(f"{len(labels)} labels for {len(said)} answers")
    return np.asarray(labels), np.asarray(said)


# --- from counts: one sample, or a thousand resamples at once ------------------------------------------
#
# Arrays have the resamples first and what is counted last. A figure that a sample cannot give is NaN here,
# and nobody outside `stats` sees that.


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
