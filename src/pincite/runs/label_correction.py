"""Scores corrected by people: a judge's mistakes, measured on labelled queries, are taken out of the rest.

A query counts as labelled for a metric when people said something about each of its pairs. It is then scored
once more with their verdicts; `stats.ppi` joins both scores with those of the queries that nobody looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from math import nan
from typing import cast

import msgspec

from pincite.annotation import VERDICTS, Labels, Said, said_of, says_yes
from pincite.base import np
from pincite.citations import parse
from pincite.datasets import make_item
from pincite.metrics import Case, Metric
from pincite.records import (
    ItemResult,
    JudgedPair,
    Outcome,
    Pair,
    Question,
    RecordedAnswer,
    Result,
    Score,
    Verdict,
)
from pincite.runs.item import judged_pair
from pincite.runs.metric_table import Clusters, parts
from pincite.runs.plan import RunPlan, Task
from pincite.stats import corrected_rate

BY_PEOPLE = "people"


def with_labels(
    scores: Sequence[Score], plan: RunPlan, items: Iterable[ItemResult], labels: Labels
) -> tuple[Score, ...]:
    """The scores, those that labels say something about with their corrected value."""
    pooled = {metric.full_name: metric.pooled for metric in plan.metrics}
    columns = {score.metric: LabelledColumn() for score in scores}
    clusters = Clusters()
    for row, (item, task) in enumerate(_with_queries(items, plan)):
        clusters.add(item.cluster)
        said = _said_by_people(plan, task, item, labels)
        for result in item.results:
            if result.score is not None:
                columns[result.metric].add(row, result, said.get(result.metric), pooled[result.metric])
    return tuple(columns[score.metric].correct(score, clusters) for score in scores)


def _with_queries(items: Iterable[ItemResult], plan: RunPlan) -> Iterator[tuple[ItemResult, Task]]:
    """Each item beside its query; both come in the order of the dataset."""
    tasks = (task for task in plan.tasks(lambda key: False) if task is not None)
    task = next(tasks, None)
    for item in items:
        while task is not None and task.position < item.position:
            task = next(tasks, None)
        if task is None:
            return
        yield item, task


def _said_by_people(plan: RunPlan, task: Task, item: ItemResult, labels: Labels) -> dict[str, Result]:
    """The results of the metrics of which people decided every pair."""
    if not any(said_of(item.query_id, pair, labels) is not None for pair in item.verdicts):
        return {}
    again = make_item(task.query, task.recorded or _answer_of(item), plan.settings)
    case = Case(again, plan.library_for(again), plan.settings)
    judged = {_asked(pair): pair for pair in item.verdicts}
    found: dict[str, Result] = {}
    for metric in plan.metrics:
        verdicts = _verdicts(metric, case, item.query_id, labels, judged)
        if verdicts:
            found[metric.full_name] = metric.score(case, verdicts)
    return found


def _verdicts(
    metric: Metric, case: Case, query_id: str, labels: Labels, judged: Mapping[Hashable, JudgedPair]
) -> dict[Pair, Verdict] | None:
    verdicts: dict[Pair, Verdict] = {}
    for pair in metric.pairs(case):
        asked = judged_pair(pair, Verdict("unjudged", None, "", judge=BY_PEOPLE))
        said = said_of(query_id, asked, labels)
        if said is None:
            return None
        verdicts[pair] = _verdict(said, pair.question, judged.get(_asked(asked)))
    return verdicts


def _asked(pair: JudgedPair) -> Hashable:
    """What makes two pairs the same question."""
    return pair.question, pair.claim, pair.documents, pair.evidence


def _verdict(said: Said, question: Question, judged: JudgedPair | None) -> Verdict:
    """What people say, in the judge's own verdict and score where they agree with it."""
    yes = says_yes(said, question)
    if judged is not None and judged.outcome in VERDICTS:
        same_side = said in ("yes", "no") and says_yes(judged.outcome, question) == yes
        if same_side or said == judged.outcome:
            return Verdict(cast("Outcome", judged.outcome), judged.score, judged.reason, judge=BY_PEOPLE)
    no: Outcome = "contradicted" if said == "contradicted" or question == "consistency" else "not_enough"
    return Verdict("supported" if yes else no, float(yes), "as people said", judge=BY_PEOPLE)


def _answer_of(item: ItemResult) -> RecordedAnswer:
    """What a live system answered; citations inside the answer are parsed again."""
    inside = bool(parse(item.answer or "").citations)
    return RecordedAnswer(
        query_id=item.query_id,
        answer=item.answer,
        citations=None if inside else item.citations,
        retrieved=item.retrieved,
        failure=item.failure,
    )


class LabelledColumn:
    """What the queries say in one metric: a number each, since a dataset may have millions."""

    def __init__(self) -> None:
        self._others = array("d")
        """What the judge said of the queries that nobody labelled; NaN for those that have no such value."""
        self._labelled: dict[int, tuple[float, float]] = {}
        """By the query's row: what people said of it, and what the judge said."""
        self._bottom = 0.0
        """The sum of the denominators."""
        self._agreed = True
        """Whether people said of every query that they labelled what the judge said."""

    def add(self, row: int, judged: Result, people: Result | None, pooled: bool) -> None:
        """Add a query: what the judge gave, and what people did where they decided it."""
        self._others.extend(repeat(nan, row - len(self._others)))
        self._bottom += parts(judged, pooled)[1]
        if people is None or people.score is None:
            self._others.append(parts(judged, pooled)[0])
        else:
            self._others.append(nan)
            self._labelled[row] = parts(people, pooled)[0], parts(judged, pooled)[0]
            same = (people.numerator, people.denominator) == (judged.numerator, judged.denominator)
            self._agreed = self._agreed and same

    def correct(self, score: Score, clusters: Clusters) -> Score:
        """The score with its corrected value; `clusters` has the one of each query, by row."""
        if not self._labelled:
            return score
        others = np.frombuffer(self._others)
        rest = np.flatnonzero(~np.isnan(others))
        rows = np.fromiter(self._labelled, dtype=np.int64)
        people, judged = np.array(list(self._labelled.values())).T
        # A pooled metric is the mean of its queries, each weighed by its share of the units.
        mean = self._bottom / (len(rows) + len(rest))
        found = corrected_rate(
            people / mean,
            judged / mean,
            others[rest] / mean,
            clusters=clusters.codes(np.concatenate([rows, rest])),
        )
        rate, interval = found.rate, found.interval
        if self._agreed and score.value is not None and interval is not None:
            # Where people find nothing to correct, the figure stays as it is.
            rate, interval = score.value, (min(interval[0], score.value), max(interval[1], score.value))
        return msgspec.structs.replace(
            score, corrected=rate, corrected_interval=interval, labelled=len(self._labelled)
        )
