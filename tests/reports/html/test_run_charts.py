"""The charts of a run's page: the same figures as in the report, and in the table behind each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.annotation import Labels, read_labels, said_of
from pincite.records import ItemResult, Run
from pincite.reports import run_report, write_run_page
from pincite.runs import FailureCounter
from pincite.stats import reliability
from pincite.store import open_store
from reports.html.pages import Element, read_page


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, list[ItemResult]]:
    url = f"sqlite:///{tmp_path_factory.mktemp('history') / 'history.db'}"
    with open_store(url) as store:
        run = pincite.evaluate("sample", target="answer", judge="rules", limit=6, store=store)
        return store.find(run.run_id), list(store.items(run.run_id))


def section(page: Element, title: str) -> Element:
    return next(one for one in page.every("section") if one.every("h2") and one.every("h2")[0].text == title)


def test_the_page_draws_the_figures_of_the_report(measured: tuple[Run, list[ItemResult]]) -> None:
    run, items = measured
    counted = FailureCounter()
    for item in items:
        counted.add(item.failures, item.failure)
    specified = run_report({}, run.scores, counted.analysis(), [])["visualizations"]
    page = read_page(write_run_page(run, items))
    drawn = {}
    for row in section(page, "Metrics").every("tbody")[0].every("tr"):
        if dots := row.every("circle"):
            drawn[row.every("th")[0].text] = float(dots[0].attributes["cx"])
    values = {row["metric"]: row["value"] for row in specified["scores"]["data"]["values"]}
    assert drawn
    assert drawn == {name: round(6 + 288 * values[name], 2) for name in drawn}
    kinds = {
        row["kind"].replace("_", " "): row["count"] for row in specified["failures_by_kind"]["data"]["values"]
    }
    rows = section(page, "What went wrong").every("tbody")[0].every("tr")
    assert {row.every("th")[0].text: int(row.every("td")[0].text) for row in rows} == kinds


def labels_file(folder: Path, *rows: dict[str, Any]) -> Labels:
    path = folder / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return read_labels(path)


def test_labels_draw_the_curve_of_the_judge(measured: tuple[Run, list[ItemResult]], tmp_path: Path) -> None:
    run, items = measured
    pairs = [
        (item, pair)
        for item in items
        for pair in item.verdicts
        if pair.question == "support" and pair.score is not None
    ]
    labels = labels_file(
        tmp_path,
        *(
            {"query_id": item.query_id, "claim": pair.claim, "label": int(number % 3 > 0)}
            for number, (item, pair) in enumerate(pairs)
        ),
    )
    expected = [
        (said == "yes", pair.score)
        for item, pair in pairs
        if (said := said_of(item.query_id, pair, labels)) is not None
    ]
    bins = reliability([yes for yes, _ in expected], [score for _, score in expected])
    assert len(pairs) > 5
    shown = section(read_page(write_run_page(run, items, labels=labels)), "The judge against people")
    assert len(shown.every("circle")) == len(shown.every("tbody")[0].every("tr")) == len(bins)
    assert str(len(pairs)) in shown.text
    rates = [row.every("td")[1].text.split()[0] for row in shown.every("tbody")[0].every("tr")]
    assert rates == [f"{one.rate:.3f}" for one in bins]


def test_without_labels_there_is_no_curve_and_with_others_that_is_said(
    measured: tuple[Run, list[ItemResult]], tmp_path: Path
) -> None:
    run, items = measured
    assert "The judge against people" not in write_run_page(run, items)
    other = labels_file(tmp_path, {"claim": "nobody said this", "label": 1})
    assert "No label is about a claim" in write_run_page(run, items, labels=other)
