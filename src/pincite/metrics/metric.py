"""What a metric is: a frozen value with a name, and two pure halves.

`pairs(case)` lists what a judge must be asked, `score(case, verdicts)` makes a result of the answers.
`measure_cases` runs several metrics and asks the union of their pairs once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct, ValidationError, convert, inspect, structs, to_builtins

from pincite.base import one_line
from pincite.config import Settings, describe_type
from pincite.errors import ConfigError, JudgeError
from pincite.judges import Judge, open_judge
from pincite.metrics.case import Case, open_case, to_item
from pincite.reading import Verdicts as Verdicts
from pincite.reading import ask
from pincite.records import DatasetItem, Pair, Result, Verdict

_DEFAULTS = Settings()


class Metric(Struct, frozen=True, kw_only=True, dict=True):
    """The base of every metric. The parameters of a metric are its fields."""

    title: ClassVar[str] = ""
    """The name without parameters: `nDCG`, `span_f1`."""
    higher_is_better: ClassVar[bool] = True
    has_direction: ClassVar[bool] = True
    """False where neither a high nor a low value is good in itself."""
    unit: ClassVar[str] = ""
    usual_threshold: ClassVar[float | None] = None
    per_answer: ClassVar[str] = ""
    """A figure that is also listed per answer: `counts` has its `FIGURE_sum` and `FIGURE_scored`."""
    counted_by: ClassVar[tuple[str, ...]] = ()
    """Metrics that count the answers which this one leaves out, as those that cite nothing."""
    short: ClassVar[str] = ""
    """Its name at the head of a narrow column; empty is the name itself."""
    needs: ClassVar[tuple[str, ...]] = ()
    """What a query must have besides an answer, in words for a list."""

    threshold: float | None = None
    """What `.passed` requires; None takes the metric's usual one."""

    def __post_init__(self) -> None:
        types = {field.name: field.type for field in parameters_of(type(self))}
        for name, value in non_default_parameters(self).items():
            structs.force_setattr(self, name, _checked(name, value, types[name]))

    @cached_property
    def full_name(self) -> str:
        """As it prints: `nDCG@10`, `span_f1(tolerance=10)`. It parses and hashes as itself."""
        given = non_default_parameters(self).items()
        shown = ", ".join(f"{name}={_shown(value)}" for name, value in given if name != "k")
        return metric_title(self) + (f"({shown})" if shown else "")

    def __str__(self) -> str:
        return self.full_name

    # A subclass may set these five as class variables.

    @property
    def headline(self) -> int | None:
        """Its rank among the figures that a breakdown shows first; None for all others."""
        return None

    @property
    def note(self) -> str:
        """What a reader of a table with it should know."""
        return ""

    @property
    def place(self) -> str:
        """Its place in a results document: `retrieval_metrics`, `citation_metrics.span_accuracy`."""
        return ""

    @property
    def figure(self) -> str:
        """The field there that holds its value."""
        return "value"

    @property
    def pooled(self) -> bool:
        """Over a dataset: the sum of numerators over the sum of denominators, or else the mean of scores."""
        return False

    def threshold_for(self, settings: Settings) -> float | None:
        """The threshold: the metric's own, or that of the settings, or the usual one."""
        return self.usual_threshold if self.threshold is None else self.threshold

    def pairs(self, case: Case) -> Sequence[Pair]:
        """What a judge must be asked about this case; nothing by default."""
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
        """Measure many items, one result per item, in order. All their pairs go to the judge as one batch."""
        settings = settings or Settings()
        shared = open_case(DatasetItem(), sources, settings).library
        cases = [Case(to_item(item), shared, settings) for item in items]

        def opened() -> Judge:
            return open_judge(judge, settings)

        measured = await measure_cases(cases, [self], opened, settings.batch_size, passing=(Exception,))
        return [results[0] for results in measured.results]

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
        settings: Settings | None = None,
    ) -> Result:
        """A result of this metric. With nothing to divide by there is no score, never a 0 or a 1."""
        score = numerator / denominator if denominator else None
        bar = self.threshold_for(settings or _DEFAULTS)
        return Result(
            metric=self.full_name,
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


def metric_title(metric: Metric) -> str:
    """The title, with `@k` where the metric looks at the first k documents."""
    k = getattr(metric, "k", None)
    return metric.title if k is None else f"{metric.title}@{k}"


def non_default_parameters(metric: Metric) -> dict[str, Any]:
    """The parameters of a metric that differ from the defaults of its class."""
    given = ((field, getattr(metric, field.name)) for field in parameters_of(type(metric)))
    return {field.name: value for field, value in given if value != field.default}


@cache
def parameters_of(kind: type[Metric]) -> tuple[structs.FieldInfo, ...]:
    """The parameters of a class of metrics, looked up once: every result names its metric."""
    return structs.fields(kind)


def _checked(name: str, value: Any, kind: Any) -> Any:
    try:
        read = convert(value, kind)
    except (ValidationError, ValueError):
        read = math.nan
    if isinstance(read, float) and not math.isfinite(read):
        raise ConfigError(f"{name} is {describe_type(inspect.type_info(kind))}, not {value!r:.40}")
    return read


def _shown(value: Any) -> str:
    value = to_builtins(value)
    return value if isinstance(value, str) else json.dumps(value)


def meets(value: float | None, threshold: float | None, higher_is_better: bool) -> bool | None:
    """Whether a value reaches its threshold; None where one of the two is missing."""
    if value is None or threshold is None:
        return None
    return value >= threshold if higher_is_better else value <= threshold


class Measured(NamedTuple):
    """What the metrics say about some cases."""

    results: list[list[Result]]
    """One list per case, in the order of the metrics."""
    verdicts: dict[Pair, Verdict]


async def measure_cases(
    cases: Sequence[Case],
    metrics: Sequence[Metric],
    judge: Judge | Callable[[], Judge],
    batch_size: int | None = None,
    passing: tuple[type[Exception], ...] = (JudgeError,),
) -> Measured:
    """Measure cases with metrics: the union of their pairs is judged once, then every metric is scored.

    Everything is measured this way. A metric that raises gives a result that says so; only errors of the
    types in `passing` are raised. If `judge` is a function, it is called to open the judge when there is
    something to judge, and the judge is closed afterwards.
    """
    broken: dict[tuple[int, int], Result] = {}
    asked: dict[Pair, None] = {}
    for row, case in enumerate(cases):
        for column, metric in enumerate(metrics):
            try:
                asked.update(dict.fromkeys(metric.pairs(case)))
            except passing:
                raise
            except Exception as error:
                broken[row, column] = _broken(metric, error)
    verdicts: dict[Pair, Verdict] = {}
    if asked and isinstance(judge, Judge):
        verdicts = await ask(judge, asked, batch_size=batch_size)
    elif asked and not isinstance(judge, Judge):
        async with judge() as opened:
            verdicts = await ask(opened, asked, batch_size=batch_size)

    def scored(row: int, column: int) -> Result:
        try:
            return broken.get((row, column)) or metrics[column].score(cases[row], verdicts)
        except passing:
            raise
        except Exception as error:
            return _broken(metrics[column], error)

    results = [[scored(row, column) for column in range(len(metrics))] for row in range(len(cases))]
    return Measured(results, verdicts)


def _broken(metric: Metric, error: Exception) -> Result:
    """A metric that raised says nothing about the answer: unjudged, with the reason."""
    said = one_line(error, 120)
    reason = f"the metric failed: {type(error).__name__}" + (f": {said}" if said else "")
    return Result(metric=metric.full_name, score=None, unjudged=1, reasons={reason: 1}, unit=metric.unit)
