"""DeepEval: a metric for the citations of an answer, with a reason for each of them."""

from __future__ import annotations

import asyncio
from typing import Any

from pincite.config import Settings
from pincite.integrations.extras import cannot_import
from pincite.integrations.outcome import CheckOutcome
from pincite.integrations.rows import check_row, citation_rows, comment_of, name_of
from pincite.judges import Judge
from pincite.reports import safe

try:
    from deepeval.errors import MissingTestCaseParamsError
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase, RetrievedContextData
except ImportError as error:
    raise cannot_import(error, "deepeval", "deepeval") from error


class CitationMetric(BaseMetric):
    """The share of judged citations that their source supports: `[1]` is the first retrieval context.

    An answer of which nothing could be judged has an `error` and no score. `score_breakdown` has the value of
    each citation, None where it is unjudged; `citations` has a row for each, and `reason` a line.
    """

    # DeepEval copies a metric by the arguments of its constructor, which it looks up among the attributes.
    def __init__(
        self, threshold: float = 1.0, *, judge: str | Judge | None = None, settings: Settings | None = None
    ) -> None:
        self.threshold = threshold
        self.judge = judge
        self.settings = settings
        self.evaluation_model = judge if judge is None or isinstance(judge, str) else judge.name
        self.include_reason = True
        self.verbose_mode = False
        self.error: str | None = None
        self.citations: list[dict[str, Any]] = []

    @property
    def __name__(self) -> str:
        return "Citations"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """Check the actual output against the retrieval context."""
        return self._keep(self._check(test_case))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """The same beside other work: a judge may wait for a network."""
        return self._keep(await asyncio.to_thread(self._check, test_case))

    def _check(self, test_case: LLMTestCase) -> CheckOutcome:
        missing = [
            name for name in ("actual_output", "retrieval_context") if getattr(test_case, name) is None
        ]
        if missing:
            self.error = f"{' and '.join(missing)} cannot be None for the metric {self.__name__}"
            raise MissingTestCaseParamsError(self.error)
        contexts = [_context(given) for given in test_case.retrieval_context]
        return check_row(
            test_case.actual_output,
            contexts=contexts,
            query=test_case.input,
            judge=self.judge,
            settings=self.settings,
        )

    def _keep(self, outcome: CheckOutcome) -> float | None:
        """Leave the results where DeepEval looks for them."""
        self.score = outcome.score
        self.reason = comment_of(outcome)
        self.error = f"unjudged: {safe(outcome.reason)}" if outcome.score is None else None
        self.citations = citation_rows(outcome)
        self.score_breakdown = {
            f"{number} {name_of(one)}": one.value for number, one in enumerate(outcome.citations, start=1)
        }
        self.success = self.is_successful()
        return self.score


def _context(given: str | RetrievedContextData) -> Any:
    return given if isinstance(given, str) else {"text": given.context, "source": given.source}
