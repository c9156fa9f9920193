"""Which metrics a run has, and what each of them must reach."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from pincite.config import Settings
from pincite.datasets import Dataset, EvaluationQuery
from pincite.errors import ConfigError
from pincite.metrics import NO_ANSWER, Metric, meets, parse_metric, usual_metrics
from pincite.records import Score
from pincite.runs.targets.target import Target

LOOKED_AT = 1000
"""Queries that are looked at to see what there is to measure."""
NO_RETRIEVAL = "retrieval is not measured: the recorded answers have no retrieval_results"
_WEB = re.compile(r"https?://|\bdoi\.org|\b10\.\d{4,9}/|\barXiv:", re.IGNORECASE)


def choose_metrics(
    asked: Iterable[str | Metric], dataset: Dataset, target: Target, settings: Settings
) -> tuple[tuple[Metric, ...], str | None]:
    """The metrics that were asked for, by flag or by settings; else the usual ones.

    Beside them, what one might expect to be measured and is not, and why.
    """
    names: Sequence[str | Metric] = tuple(asked) or settings.evaluation.metrics
    left_out = None
    if not names:
        names, left_out = _usual(list(islice(dataset.queries(), LOOKED_AT)), target)
    metrics = tuple(parse_metric(name) for name in names)
    return tuple({metric.full_name: metric for metric in metrics}.values()), left_out


def _usual(queries: Sequence[EvaluationQuery], target: Target) -> tuple[tuple[str, ...], str | None]:
    answers = [answer for query in queries if (answer := target.look_up(query)) is not None]
    judged = any(query.relevant is not None for query in queries)
    # Zeros would say that a system found nothing, where it was only not written down what it found.
    silent = judged and bool(answers) and all(answer.retrieved is None for answer in answers)
    names = usual_metrics(
        retrieval=(judged and not silent) or not queries,
        spans=not queries or any(query.citations is not None for query in queries),
        web=any(_WEB.search(answer.answer or "") for answer in answers),
        data=any(isinstance(query.expected_output, dict | list) for query in queries),
        references=any(query.references is not None for query in queries),
    )
    return names, NO_RETRIEVAL if silent else None


# --- thresholds ----------------------------------------------------------------------------------


def read_thresholds(given: Iterable[str]) -> dict[str, float]:
    """`METRIC=VALUE` each, the metric under the name that it prints as."""
    thresholds: dict[str, float] = {}
    for item in given:
        name, equals, value = item.rpartition("=")
        if not equals or _number(value) is None:
            raise ConfigError(
                f"--threshold is METRIC=VALUE, such as citation_correctness=0.9, not {item!r:.60}"
            )
        thresholds |= named_thresholds({name: value})
    return thresholds


def named_thresholds(given: Mapping[str, Any]) -> dict[str, float]:
    """Thresholds by metric, each under the name that its metric prints as."""
    if not isinstance(given, Mapping):
        raise ConfigError("thresholds are a dict of metric and value, as {'citation_correctness': 0.9}")
    thresholds: dict[str, float] = {}
    for name, value in given.items():
        number = _number(value)
        if number is None:
            raise ConfigError(f"the threshold of {name} is a number, not {value!r:.60}")
        thresholds[parse_metric(name).full_name] = number
    return thresholds


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return None if number != number else number


def require_measured(given: Mapping[str, float], metrics: Sequence[Metric]) -> None:
    """A threshold of a metric that the run does not have would never be checked."""
    measured = {metric.full_name for metric in metrics}
    missing = [name for name in given if name not in measured]
    if missing:
        raise ConfigError(f"{missing[0]} has a threshold and is not measured: ask for the metric too")


def with_thresholds(scores: Iterable[Score], given: Mapping[str, float]) -> tuple[Score, ...]:
    """The scores, those that were given a threshold with it in the place of the usual one."""
    return tuple(
        msgspec.structs.replace(
            score,
            threshold=given[score.metric],
            passed=meets(score.value, given[score.metric], score.higher_is_better),
        )
        if score.metric in given
        else score
        for score in scores
    )


def thin_passes(scores: Sequence[Score]) -> Iterator[str]:
    """Which thresholds are met by the smaller part of the queries, the rest having no answer."""
    for score in scores:
        if score.passed and is_thin(score):
            queries = "query" if score.n == 1 else "queries"
            yield (
                f"{score.metric} meets its threshold on {score.n:,} {queries} only: "
                f"{score.reasons[NO_ANSWER]:,} have no answer to measure"
            )


def is_thin(score: Score) -> bool:
    """Whether more queries have no answer than have a value."""
    return score.reasons.get(NO_ANSWER, 0) > score.n
