"""What a judge says about labelled rows, and how well that agrees with people, with intervals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench._labelled import Row, word_coverage
from pincite.judges import Judge
from pincite.records import Pair, Passage, Verdict
from pincite.stats import auroc, balanced_accuracy, bootstrap_interval, calibration_error, macro_f1

COVERAGE_THRESHOLD = 0.6
BATCH = 256
RESAMPLES = 1_000
FEWER_RESAMPLES = 200
"""For figures whose interval nothing rests on."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Difference:
    """How much the second figure is above the first on the same rows."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0.0 or self.high < 0.0


@dataclass(frozen=True)
class Answers:
    """One judge's answers, a place a row."""

    judge: str
    judged: Array
    supported: Array
    scores: Array
    errors: Array
    """Whether the claim would get an error."""
    warned: Array
    """Whether it would get an error or a warning."""
    contradicted: Array

    def at(self, places: Sequence[int]) -> Answers:
        """The answers about some of the rows."""
        arrays = (self.judged, self.supported, self.scores, self.errors, self.warned, self.contradicted)
        return Answers(self.judge, *(array[list(places)] for array in arrays))


def ask(name: str, judge: Judge, rows: Sequence[Row]) -> Answers:
    """Every row judged, in batches and in order."""

    async def judge_all() -> list[Verdict]:
        verdicts: list[Verdict] = []
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            verdicts += await judge.judge([Pair(row.claim, (Passage(row.evidence),)) for row in batch])
        return verdicts

    return _answers(name, asyncio.run(judge_all()))


def _answers(name: str, verdicts: Sequence[Verdict]) -> Answers:
    against = ("contradicted", "not_enough")
    return Answers(
        judge=name,
        judged=np.array([verdict.outcome != "unjudged" for verdict in verdicts]),
        supported=np.array([verdict.outcome == "supported" for verdict in verdicts]),
        scores=np.array([verdict.score or 0.0 for verdict in verdicts]),
        errors=np.array([verdict.outcome in against and verdict.sure for verdict in verdicts]),
        warned=np.array([verdict.outcome in against and not verdict.doubtful for verdict in verdicts]),
        contradicted=np.array([verdict.outcome == "contradicted" for verdict in verdicts]),
    )


def ask_coverage(rows: Sequence[Row]) -> Answers:
    """The baseline: supported when the evidence holds three fifths of the claim's content words."""
    scores = np.array([word_coverage(row.claim, row.evidence) for row in rows])
    supported = scores >= COVERAGE_THRESHOLD
    return Answers(
        "coverage",
        np.ones(len(rows), bool),
        supported,
        scores,
        ~supported,
        ~supported,
        np.zeros(len(rows), bool),
    )


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95% interval, where the rows are enough for one."""

    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Agreement:
    """How one judge agrees with people on one group of rows. Shares are in percent."""

    rows: int
    unjudged: int
    accuracy: Estimate
    macro_f1: Estimate
    auroc: Estimate
    calibration_error: Estimate
    recall: float
    """The share of unsupported rows that would get an error."""
    false_errors: float
    """The share of supported rows that would get one."""
    found: float
    """The share of unsupported rows that would get a warning or an error."""
    false_warnings: float
    """The share of supported rows that would get one."""


def measure(answers: Answers, labels: Array, places: Sequence[int]) -> Agreement | None:
    """None when the group lacks supported or unsupported rows. Unjudged rows are counted apart."""
    chosen = np.array([place for place in places if answers.judged[place]], dtype=int)
    truth = labels[chosen]
    if truth.all() or not truth.any():
        return None
    said, scores, errors = answers.supported[chosen], answers.scores[chosen], answers.errors[chosen]
    warned = answers.warned[chosen]
    return Agreement(
        rows=len(chosen),
        unjudged=len(places) - len(chosen),
        accuracy=_estimate(lambda at: _percent(balanced_accuracy(truth[at], said[at])), len(chosen)),
        macro_f1=_estimate(lambda at: _percent(macro_f1(truth[at], said[at])), len(chosen), FEWER_RESAMPLES),
        auroc=_estimate(lambda at: auroc(truth[at], scores[at]), len(chosen), FEWER_RESAMPLES),
        calibration_error=_estimate(
            lambda at: calibration_error(truth[at].tolist(), scores[at].tolist()),
            len(chosen),
            FEWER_RESAMPLES,
        ),
        recall=100 * float(errors[~truth].mean()),
        false_errors=100 * float(errors[truth].mean()),
        found=100 * float(warned[~truth].mean()),
        false_warnings=100 * float(warned[truth].mean()),
    )


def compare(first: Answers, second: Answers, labels: Array, places: Sequence[int]) -> Difference | None:
    """The second judge's balanced accuracy less the first's, on the rows that both judged."""
    chosen = np.array([place for place in places if first.judged[place] and second.judged[place]], dtype=int)
    truth = labels[chosen]

    def of(answers: Answers) -> Callable[[Any], float | None]:
        said = answers.supported[chosen]
        return lambda at: _percent(balanced_accuracy(truth[at], said[at]))

    return paired_difference(of(first), of(second), len(chosen), resamples=RESAMPLES)


def paired_difference(
    first: Callable[[Any], float | None],
    second: Callable[[Any], float | None],
    rows: int,
    resamples: int = RESAMPLES,
) -> Difference | None:
    """The second statistic less the first, both on the same resampled rows; None when it cannot be had."""
    random = np.random.default_rng(0)

    def apart(chosen: Any) -> float | None:
        one, other = first(chosen), second(chosen)
        return None if one is None or other is None else other - one

    value = apart(np.arange(rows))
    if rows < 2 or value is None:
        return None
    drawn = [apart(random.integers(0, rows, rows)) for _ in range(resamples)]
    known = [one for one in drawn if one is not None]
    if len(known) < 0.95 * resamples:
        return None
    low, high = np.quantile(known, (0.025, 0.975))
    return Difference(value, float(low), float(high))


def share_right(answers: Answers, labels: Array, places: Sequence[int]) -> float:
    """Accuracy in percent; a row left unjudged is not right."""
    return 100 * float(np.mean([answers.judged[at] and answers.supported[at] == labels[at] for at in places]))


def groups_right(answers: Answers, labels: Array, rows: Sequence[Row]) -> float:
    """The share of written groups, in percent, of which every claim is judged as it is labelled."""
    right: dict[str, bool] = {}
    for place, row in enumerate(rows):
        fine = bool(answers.judged[place] and answers.supported[place] == labels[place])
        right[row.group] = right.get(row.group, True) and fine
    return 100 * sum(right.values()) / len(right)


def _estimate(statistic: Callable[[Any], float | None], rows: int, resamples: int = RESAMPLES) -> Estimate:
    value = statistic(np.arange(rows))
    assert value is not None
    return Estimate(value, bootstrap_interval(statistic, rows, resamples=resamples))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
