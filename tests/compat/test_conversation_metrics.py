"""The names of documents 003 and 004 and the runner of several metrics.

The documents' own examples are in `tests/specification/`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite import ConfigError, InputError, compat
from pincite.compat import (
    CitationAccuracy,
    CitationFidelity,
    CitationRelevancy,
    DatasetItem,
    EvaluationMode,
    MetricRunner,
)
from pincite.judges import Judge
from pincite.metrics import Metric
from pincite.records import Pair, Result, Verdict

GREEN_TEA = DatasetItem(
    query="What are the health benefits of green tea?",
    actual_output="""
    Green tea has numerous health benefits:

    1. Rich in antioxidants [Source](https://healthline.com/green-tea-benefits)
    2. May improve brain function (Smith et al., 2020)
    3. Great for parties! [Party Guide](https://party-planning.com)
    """,
)
PREMIUM = DatasetItem(
    actual_output="The premium is $1,200 [quote.premium].",
    expected_output={"quote": {"premium": 1200}},
)


class Yes(Judge):
    """Finds everything relevant, and notes how many calls wait at once."""

    name = "yes/1"

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.now = self.most = 0

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.batches.append(len(pairs))
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return [Verdict("supported", 1.0, "yes") for _ in pairs]


# --- the runner -----------------------------------------------------------------------------------


def run(runner: MetricRunner, dataset: Any, *sources: Any, **more: Any) -> list[Result]:
    return asyncio.run(runner.run(dataset, *sources, **more))


def test_results_are_a_flat_list_item_by_item() -> None:
    runner = MetricRunner(
        metrics=[CitationRelevancy(), "citation_fidelity(check_values=true)"], judge="rules"
    )
    results = run(runner, [GREEN_TEA, PREMIUM])
    assert [result.metric for result in results] == [
        "citation_relevancy",
        "citation_fidelity(check_values=true)",
    ] * 2
    assert [result.score for result in results] == [pytest.approx(2 / 3), None, None, 1.0]


def test_items_may_be_dicts_and_a_generator() -> None:
    items = ({"actual_output": "So [1].", "references": ["a"] * n} for n in (0, 1))
    assert [result.score for result in run(MetricRunner(metrics=[CitationAccuracy()]), items)] == [0.0, 1.0]


def test_conversations_may_be_dicts_too() -> None:
    messages = [
        {"role": "user", "content": "Why?"},
        {"role": "assistant", "content": "So https://tea.org/x"},
    ]
    judge = Yes()
    for conversation in (messages, {"messages": messages}):
        (result,) = run(
            MetricRunner(metrics=[CitationRelevancy()], judge=judge), [{"conversation": conversation}]
        )
        assert result.signals.citation_breakdown[0].original_query == "Why?"


@pytest.mark.parametrize("wrong", [[{"role": "system", "content": "x"}], ["Why?"], "Why?", {"turns": []}])
def test_a_conversation_that_cannot_be_read_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="conversation"):
        run(MetricRunner(metrics=[CitationRelevancy()], judge="rules"), [{"conversation": wrong}])


def test_pairs_of_an_item_are_one_batch_and_items_wait_together_up_to_a_bound() -> None:
    judge = Yes()
    metrics = [CitationRelevancy(), CitationRelevancy(threshold=0.5), CitationRelevancy(mode="holistic")]
    run(MetricRunner(metrics=metrics, judge=judge), [GREEN_TEA] * 120)
    assert judge.batches == [4] * 120, "three citations and one answer, each asked about once"
    assert 1 < judge.most <= 50


def test_an_opened_dataset_is_measured_with_its_recorded_answers(tmp_path: Path) -> None:
    from pincite.datasets import open_answers, open_dataset

    content = {
        "dataset_id": "tea",
        "name": "Tea",
        "version": "1.0.0",
        "queries": [
            {"query_id": "q1", "query_text": GREEN_TEA.query},
            {"query_id": "q2", "query_text": "And coffee?"},
        ],
        "documents": [],
    }
    lines = tmp_path / "answers.jsonl"
    lines.write_text(
        '{"query_id": "q1", "answer": "Green tea benefits health [Tea](https://tea.org/health)."}\n'
    )
    runner = MetricRunner(metrics=[CitationRelevancy()], judge="rules")
    with open_dataset(content) as dataset, open_answers(lines) as answers:
        opened = run(runner, dataset, answers=answers)
        by_path = run(runner, dataset, answers=lines)
    assert [result.score for result in opened] == [1.0, None] == [result.score for result in by_path]
    assert opened[1].reasons == {"no answer": 1}


def test_a_metric_that_breaks_is_a_result_that_says_so() -> None:
    class Broken(Metric, frozen=True):
        title = "broken"

        def score(self, case: Any, verdicts: Any) -> Result:
            raise RuntimeError("oh no")

    results = run(MetricRunner(metrics=[Broken(), CitationFidelity()]), [PREMIUM])
    assert [result.score for result in results] == [None, 1.0]
    assert results[0].reasons == {"the metric failed: RuntimeError: oh no": 1}


@pytest.mark.parametrize("given", [7, None, b"abc"])
def test_what_is_no_dataset_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="list of items"):
        run(MetricRunner(metrics=[CitationFidelity()]), given)


def test_without_a_metric_there_is_nothing_to_run() -> None:
    with pytest.raises(ConfigError, match="metric"):
        run(MetricRunner(metrics=[]), [])


def test_the_runner_also_works_from_synchronous_code() -> None:
    from pincite.base import run_sync as run_now

    assert run_now(MetricRunner(metrics=[CitationFidelity()]).run([PREMIUM]))[0].score == 1.0


def test_every_name_of_both_documents_is_here() -> None:
    names = "DatasetItem MultiTurnConversation HumanMessage AIMessage EvaluationMode CitationRelevancy"
    names += " CitationFidelity CitationAccuracy MetricRunner CitationRelevancyResult CitationFidelityResult"
    assert set(names.split()) <= set(compat.__all__)
    assert EvaluationMode.GRANULAR is not EvaluationMode.HOLISTIC


def test_the_names_cost_no_heavy_import() -> None:
    import subprocess

    code = (
        "import sys, pincite.compat;"
        "heavy = {'numpy', 'scipy', 'onnxruntime', 'sqlalchemy', 'rich', 'pyarrow'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
