"""Scores corrected by people: a judge's mistakes, measured on labelled queries, are taken out of the rest.

A query counts as labelled for a metric when people said something about each of its pairs. It is then scored
once more with their verdicts; `stats.ppi` joins both scores with those of the queries that nobody looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pincite.citations.parse import parse
from pincite.datasets.items import make_item
from pincite.datasets.labels import LabelKey, label_for
from pincite.measured import ItemResult, JudgedPair, RecordedAnswer, Result, Score
from pincite.metrics.case import Case
from pincite.metrics.metric import Metric
from pincite.records import Pair, Verdict
from pincite.runs.plan import Plan, Task
from pincite.stats.ppi import corrected_rate

BY_PEOPLE = "people"


def with_labels(
    scores: Sequence[Score], plan: Plan, items: Iterable[ItemResult], labels: Mapping[LabelKey, bool]
) -> tuple[Score, ...]:
    """The scores, those that labels say something about with their corrected value."""
    pooled = {str(metric): metric.pooled for metric in plan.metrics}
    # What people said of each labelled query, what the judge said of it, and what it said of the rest.
    columns = {score.metric: (_Column(), _Column(), _Column()) for score in scores}
    for item, task in _with_queries(items, plan):
        said = _said_by_people(plan, task, item, labels)
        for result in item.results:
            if result.score is None:
                continue
            people, judged, others = columns[result.metric]
            corrected = said.get(result.metric)
            if corrected is None or corrected.score is None:
                others.add(result, pooled[result.metric])
            else:
                judged.add(result, pooled[result.metric])
                people.add(corrected, pooled[result.metric])
    return tuple(_corrected(score, *columns[score.metric]) for score in scores)


class _Column:
    """What some of a metric's queries say: a number each, since a dataset may have millions."""

    def __init__(self) -> None:
        self.tops = array("d")
        self.bottom = 0.0
        """The sum of the denominators."""

    def add(self, result: Result, pooled: bool) -> None:
        self.tops.append(result.numerator if pooled else result.score or 0.0)
        self.bottom += result.denominator if pooled else 1.0


def _corrected(score: Score, people: _Column, judged: _Column, others: _Column) -> Score:
    if not people.tops:
        return score
    # A pooled metric is the mean of its queries, each weighed by its share of the units.
    mean = (judged.bottom + others.bottom) / (len(judged.tops) + len(others.tops))
    columns = [array("d", (top / mean for top in column.tops)) for column in (people, judged, others)]
    found = corrected_rate(*columns)
    return msgspec.structs.replace(score, corrected=found.rate, corrected_interval=found.interval)


def _with_queries(items: Iterable[ItemResult], plan: Plan) -> Iterator[tuple[ItemResult, Task]]:
    """Each item beside its query; both come in the order of the dataset."""
    tasks = (task for task in plan.tasks(lambda key: False) if task is not None)
    task = next(tasks, None)
    for item in items:
        while task is not None and task.position < item.position:
            task = next(tasks, None)
        if task is None:
            return
        yield item, task


def _said_by_people(
    plan: Plan, task: Task, item: ItemResult, labels: Mapping[LabelKey, bool]
) -> dict[str, Result]:
    """The results of the metrics of which people decided every pair."""
    if not any(label_for(item.query_id, pair, labels) is not None for pair in item.verdicts):
        return {}
    again = make_item(task.query, task.recorded or _answer_of(item), plan.settings)
    case = Case(again, plan.library_for(again), plan.settings)
    found: dict[str, Result] = {}
    for metric in plan.metrics:
        verdicts = _verdicts(metric, case, item.query_id, labels)
        if verdicts:
            found[str(metric)] = metric.score(case, verdicts)
    return found


def _verdicts(
    metric: Metric, case: Case, query_id: str, labels: Mapping[LabelKey, bool]
) -> dict[Pair, Verdict] | None:
    verdicts: dict[Pair, Verdict] = {}
    for pair in metric.pairs(case):
        documents = tuple(dict.fromkeys(passage.document for passage in pair.passages))
        asked = JudgedPair(pair.question, pair.claim, documents, "", None, "", BY_PEOPLE)
        label = label_for(query_id, asked, labels)
        if label is None:
            return None
        verdicts[pair] = _verdict(pair, label)
    return verdicts


def _verdict(pair: Pair, label: bool) -> Verdict:
    no: Any = "contradicted" if pair.question == "consistency" else "not_enough"
    return Verdict("supported" if label else no, float(label), "as people said", judge=BY_PEOPLE)


def _answer_of(item: ItemResult) -> RecordedAnswer:
    """What a live system answered; citations that stand in the answer are read from it again."""
    inside = bool(parse(item.answer or "").citations)
    return RecordedAnswer(
        query_id=item.query_id,
        answer=item.answer,
        citations=None if inside else item.citations,
        retrieved=item.retrieved,
        failure=item.failure,
    )
