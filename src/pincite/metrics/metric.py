"""What a metric is: a frozen value with a name, and two pure halves.

`pairs(case)` says what a judge must be asked, `score(case, verdicts)` makes a result of the answers. Whoever
runs several metrics asks the union of their pairs once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from pincite.config import Settings
from pincite.findings.questions import Questions
from pincite.judges.judge import Judge, open_judge
from pincite.measured import DatasetItem, Result
from pincite.metrics.case import Case, open_case
from pincite.records import Pair, Verdict

Verdicts = Mapping[Pair, Verdict]


class Metric(Struct, frozen=True, kw_only=True):
    """The base of every metric. The parameters of a metric are its fields."""

    title: ClassVar[str] = ""
    """The name without parameters: `nDCG`, `span_f1`."""
    higher_is_better: ClassVar[bool] = True
    has_direction: ClassVar[bool] = True
    """False where neither a high nor a low value is good in itself."""
    unit: ClassVar[str] = ""
    usual_threshold: ClassVar[float | None] = None
    needs: ClassVar[tuple[str, ...]] = ()
    """What a query must have for it beside an answer, in words for a list."""

    threshold: float | None = None
    """What `.passed` asks for; None takes the metric's usual one."""

    # A subclass may set these three as class variables.

    @property
    def place(self) -> str:
        """Where it stands in a results document: `retrieval_metrics`, `citation_metrics.span_accuracy`."""
        return ""

    @property
    def figure(self) -> str:
        """The field there that holds its value."""
        return "value"

    @property
    def pooled(self) -> bool:
        """Over a dataset: all queries' numerators over all denominators, or else the mean of their scores."""
        return False

    def bar(self, settings: Settings) -> float | None:
        """The threshold: the metric's own, or that of the settings, or the usual one."""
        return self.usual_threshold if self.threshold is None else self.threshold

    def pairs(self, case: Case) -> Sequence[Pair]:
        """What a judge is to be asked about this case. None, for most."""
        return ()

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        """The result, given a verdict for each of `pairs(case)`."""
        raise NotImplementedError

    async def execute(
        self,
        item: DatasetItem | Mapping[str, Any],
        sources: Any = None,
        *,
        judge: str | Judge | None = None,
        settings: Settings | None = None,
    ) -> Result:
        """Measure one item. `item` may be a dict of `DatasetItem`'s fields."""
        results = await self.execute_many([item], sources, judge=judge, settings=settings)
        return results[0]

    async def execute_many(
        self,
        items: Iterable[DatasetItem | Mapping[str, Any]],
        sources: Any = None,
        *,
        judge: str | Judge | None = None,
        settings: Settings | None = None,
    ) -> list[Result]:
        """Measure many items, a result each, in order. The pairs of all go to the judge as one batch."""
        from pincite.metrics.items import to_item

        settings = settings or Settings()
        shared = open_case(DatasetItem(), sources, settings).library
        cases = [Case(to_item(item), shared, settings) for item in items]
        wanted = [self.pairs(case) for case in cases]
        if not any(wanted):
            return [self.score(case, {}) for case in cases]
        async with open_judge(judge, settings) as chosen:
            asked = [pair for pairs in wanted for pair in pairs]
            verdicts = await judge_pairs(asked, chosen, settings.batch_size)
        return [self.score(case, verdicts) for case in cases]

    def result(
        self,
        numerator: float,
        denominator: float,
        *,
        unjudged: int = 0,
        not_scorable: int = 0,
        reasons: Mapping[str, int] | None = None,
        counts: Mapping[str, float] | None = None,
        signals: Any = None,
    ) -> Result:
        """A result of this metric; nothing to divide by is no score, and never a 0 or a 1."""
        score = numerator / denominator if denominator else None
        bar = self.usual_threshold if self.threshold is None else self.threshold
        return Result(
            metric=str(self),
            score=score,
            numerator=numerator,
            denominator=denominator,
            not_scorable=not_scorable,
            unjudged=unjudged,
            reasons=dict(reasons or {}),
            counts=dict(counts or {}),
            threshold=bar,
            passed=meets(score, bar, self.higher_is_better),
            signals=signals,
            unit=self.unit,
        )

    def __str__(self) -> str:
        from pincite.metrics.names import metric_name

        return metric_name(self)


def meets(value: float | None, threshold: float | None, higher_is_better: bool) -> bool | None:
    """Whether a value reaches its threshold; None where one of the two is missing."""
    if value is None or threshold is None:
        return None
    return value >= threshold if higher_is_better else value <= threshold


async def judge_pairs(
    pairs: Iterable[Pair], judge: Judge, batch_size: int | None = None
) -> dict[Pair, Verdict]:
    """A verdict for each different pair, in one batch or as many as its size asks for.

    A judge that breaks leaves the pairs of a batch unjudged.
    """
    questions = Questions(judge, batch_size)
    tickets = {pair: questions.ask(pair) for pair in pairs}
    await questions.answer()
    return {pair: questions.verdict(ticket) for pair, ticket in tickets.items()}
