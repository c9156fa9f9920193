"""How well what a judge says agrees with what people say.

Labels and answers are any two or more values (`True`/`False`, or verdicts). A figure that a sample cannot
give, because it is empty or holds one class only, is None and never a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from pincite.base import np
from pincite.stats.counts import aurocs
from pincite.stats.intervals import Z95, wilson


def accuracy(labels: Sequence[Any], said: Sequence[Any]) -> float | None:
    """The share of rows where both say the same."""
    true, answered = _columns(labels, said)
    return float(np.mean(true == answered)) if len(true) else None


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
