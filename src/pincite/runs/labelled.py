"""Scores corrected by people: a judge's mistakes, measured on labelled queries, are taken out of the rest.

A query counts as labelled for a metric when people said something about each of its pairs. It is then scored
once more with their verdicts; `stats.ppi` joins both scores with those of the queries that nobody looked at.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from pincite.annotation.labels import VERDICTS, Labels, Said, said_of, says_yes
from pincite.citations.parse import parse
from pincite.datasets.items import make_item
from pincite.measured import ItemResult, JudgedPair, RecordedAnswer, Result, Score
from pincite.metrics.case import Case
from pincite.metrics.metric import Metric
from pincite.records import Outcome, Pair, Question, Verdict
from pincite.runs.evaluate import judged_pair
from pincite.runs.grouping import Clusters
from pincite.runs.labelled_column import LabelledColumn
from pincite.runs.plan import Plan, Task

BY_PEOPLE = "people"


def with_labels(
    scores: Sequence[Score], plan: Plan, items: Iterable[ItemResult], labels: Labels
) -> tuple[Score, ...]:
    """The scores, those that labels say something about with their corrected value."""
    pooled = {str(metric): metric.pooled for metric in plan.metrics}
    columns = {score.metric: LabelledColumn() for score in scores}
    clusters = Clusters()
    for row, (item, task) in enumerate(_with_queries(items, plan)):
        clusters.add(item.cluster)
        said = _said_by_people(plan, task, item, labels)
        for result in item.results:
            if result.score is not None:
                columns[result.metric].add(row, result, said.get(result.metric), pooled[result.metric])
    return tuple(columns[score.metric].correct(score, clusters) for score in scores)


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


def _said_by_people(plan: Plan, task: Task, item: ItemResult, labels: Labels) -> dict[str, Result]:
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
            found[str(metric)] = metric.score(case, verdicts)
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
    """What a live system answered; citations that stand in the answer are read from it again."""
    inside = bool(parse(item.answer or "").citations)
    return RecordedAnswer(
        query_id=item.query_id,
        answer=item.answer,
        citations=None if inside else item.citations,
        retrieved=item.retrieved,
        failure=item.failure,
    )
