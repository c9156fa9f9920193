"""One query measured, when a part of the measuring breaks."""

from __future__ import annotations

import asyncio

import pytest

from pincite.config import Settings
from pincite.datasets import EvaluationQuery
from pincite.judges import NumberRules
from pincite.metrics import parse_metric
from pincite.records import DatasetItem
from pincite.runs.item import evaluate_item
from pincite.sources import open_sources


def test_an_analysis_that_breaks_is_told_and_costs_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("pincite.runs.item.find_failures", breaks)
    found = asyncio.run(
        evaluate_item(
            DatasetItem(query="How many?", actual_output="It carries 84 cars [f.txt:0-26]."),
            EvaluationQuery(query_id="q", query_text="How many?"),
            [parse_metric("citation_completeness")],
            NumberRules(),
            Settings(),
            open_sources({"f.txt": "The ferry carries 84 cars."}, Settings().limits),
        )
    )
    assert [failure.kind for failure in found.failures] == ["not_analysed"]
    assert found.results[0].score == 1.0
