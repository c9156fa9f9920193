"""Comparisons, trends, alerts, datasets and judges."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from web_server import Client, served

import pincite
from pincite.config import Settings
from pincite.store import AGREEMENT, Store, open_store
from pincite.web import GivenDatasets, dashboard_sections


def test_two_runs_are_compared_with_the_older_as_the_baseline(dashboard: Client, good: str, bad: str) -> None:
    for query in (f"run={good}&run={bad}", f"run={bad}&run={good}"):
        text = dashboard.get(f"/compare?{query}").text
        assert f'A is <a href="/runs/{good}">good</a>' in text
        assert "worse" in text.partition("<h1>")[2].partition("</h1>")[0]
    assert f'A is <a href="/runs/{bad}">bad</a>' in dashboard.get(f"/compare?baseline={bad}&run={good}").text


def test_of_two_runs_begun_in_the_same_second_the_first_is_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings, datasets: GivenDatasets
) -> None:
    monkeypatch.setattr("pincite.runs.evaluation.timestamp", lambda: "2026-03-05T10:00:00Z")
    with open_store(tmp_path / "history.db") as store:
        for name in ("first", "second"):
            pincite.evaluate("sample", target="answer", judge="rules", name=name, store=store)
        first, second = store.find("first"), store.find("second")
        assert first.started_at == second.started_at
        with served(dashboard_sections(store, settings, datasets)) as client:
            for query in ("run=first&run=second", "run=second&run=first"):
                assert (
                    f'A is <a href="/runs/{first.run_id}">first</a>' in client.get(f"/compare?{query}").text
                )


def test_several_runs_are_each_compared_with_the_baseline(
    dashboard: Client, store: Store, good: str, bad: str
) -> None:
    third = next(run.run_id for run in store.runs() if run.run_id not in (good, bad))
    text = dashboard.get(f"/compare?run={good}&run={bad}&run={third}").text
    assert "3 runs compared" in text and text.count("Details</a>") == 2
    rows = list(
        csv.DictReader(
            io.StringIO(dashboard.get(f"/compare?run={good}&run={bad}&run={third}&format=csv").text)
        )
    )
    assert {row["run"] for row in rows} == {bad, third}
    assert {row["standing"] for row in rows if row["metric"] == "citation_correctness"} == {"worse"}


def test_without_two_runs_some_can_be_chosen(dashboard: Client, good: str) -> None:
    text = dashboard.get(f"/compare?run={good}").text
    assert f'value="{good}" checked' in text and text.count('type="checkbox"') == 3


def test_a_run_compared_with_itself_or_with_nothing_is_refused(dashboard: Client, good: str) -> None:
    assert dashboard.get(f"/compare?run={good}&baseline={good}").status == 400
    assert dashboard.get(f"/compare?run={good}&run=nothing").status == 404
    assert dashboard.get("/compare?" + "&".join(f"run={n}" for n in range(7))).status == 400


def test_a_trend_shows_the_main_figures_or_those_that_are_named(dashboard: Client) -> None:
    assert dashboard.get("/trends").text.count('<svg class="trend"') == 3
    text = dashboard.get("/trends?metric=MRR&metric=hit%401&dataset=sample").text
    assert text.count('<svg class="trend"') == 2 and "<h2>MRR</h2>" in text
    assert (
        dashboard.get("/trends?metric=MRR&name=good&format=json").json["trends"]["MRR"][0]["name"] == "good"
    )
    assert "No run has a value" in dashboard.get("/trends?metric=nothing").text


def test_a_trend_marks_runs_with_an_alert_and_changes_of_the_system(dashboard: Client, bad: str) -> None:
    asked = "/trends?metric=citation_correctness"
    data = dashboard.get(f"{asked}&format=json").json
    assert [alert["metric"] for alert in data["events"][bad]["alerts"]].count("citation_correctness") == 1
    assert data["events"][bad]["changes"][0].startswith("system: answer/1 ")
    for page in (dashboard.get(asked).text, dashboard.get(f"{asked}&format=html").text):
        assert page.count('class="alert-mark"') == 2 and page.count('<g class="change">') == 1
        assert "below its threshold" in page


def test_alerts_are_listed_by_run(dashboard: Client, bad: str) -> None:
    data = dashboard.get("/alerts?format=json").json
    assert bad in [run["run_id"] for run in data["runs"]]
    text = dashboard.get("/alerts").text
    assert f'href="/runs/{bad}"' in text and "threshold" in text


def test_a_dataset_shows_its_runs_and_its_quality(dashboard: Client) -> None:
    text = dashboard.get("/datasets").text
    assert '<a href="/runs?dataset=sample">3</a>' in text and "<strong>Quality:</strong> 0 errors" in text


def test_a_judge_shows_how_well_it_agrees_with_people(dashboard: Client, store: Store) -> None:
    name = store.runs()[0].judge
    figure = {"value": 0.875, "interval": [0.8, 0.95], "reason": None}
    store.put(AGREEMENT, name, {"date": "2026-03-05", "agreement": {"rows": 40, "accuracy": figure}})
    text = dashboard.get("/judges").text
    store.remove(AGREEMENT, name)
    assert "0.875" in text and "0.800–0.950" in text and "2026-03-05" in text
    assert "0.875" not in dashboard.get("/judges").text


@pytest.mark.parametrize("path", ["/trends", "/alerts", "/datasets", "/judges", "/compare?run=good&run=bad"])
def test_each_of_these_views_downloads_as_a_page_a_table_and_json(dashboard: Client, path: str) -> None:
    joint = "&" if "?" in path else "?"
    page = dashboard.get(f"{path}{joint}format=html")
    assert "attachment" in page.headers["content-disposition"]
    assert "<style>" in page.text and "/static/" not in page.text and "<form" not in page.text
    table = list(csv.reader(io.StringIO(dashboard.get(f"{path}{joint}format=csv").text)))
    assert len({len(row) for row in table}) == 1 and len(table) > 1
    assert dashboard.get(f"{path}{joint}format=json").json
