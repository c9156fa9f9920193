"""A trend with what happened at its runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import pincite
from pincite.records import Alert, Run
from pincite.reports import trend_events, write_trends
from pincite.reports.html.charts import round_steps
from pincite.store import TrendPoint, open_store
from reports.html.pages import read_page

METRIC = "citation_correctness"
ALERT = Alert(kind="regression", metric=METRIC, value=0.4, message=f"{METRIC} fell from 0.9 to 0.4")
OF_RUN = Alert(kind="failed", metric="", value=None, message="3 queries failed")
OF_OTHER = Alert(kind="drift", metric="MRR", value=0.1, message="MRR drifted")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    url = f"sqlite:///{tmp_path_factory.mktemp('history') / 'history.db'}"
    with open_store(url) as store:
        return pincite.evaluate("sample", target="answer", judge="rules", limit=2, store=store)


def later(run: Run, number: int, **changed: Any) -> Run:
    return structs.replace(run, run_id=f"run_{number}", **changed)


def point(number: int, value: float | None) -> TrendPoint:
    return TrendPoint(
        run_id=f"run_{number}",
        name=None,
        started=1e9 + number,
        dataset_id="sample",
        value=value,
        confidence_interval=None if value is None else (value - 0.1, value + 0.05),
        n=2,
        not_scorable=0,
        unjudged=0,
    )


def test_each_change_since_the_run_before_is_named_once(run: Run) -> None:
    first = later(run, 1, system_version="1.0")
    found = trend_events(
        [
            first,
            later(first, 2, system_version="1.1", judge="rules/9"),
            later(first, 3, system_version="1.1", judge="rules/9"),
            later(first, 4, system_version="1.1", judge="rules/9", dataset_digest="other"),
            later(first, 5, dataset_version="99", environment={"pincite": "9.9"}),
        ]
    )
    assert [found[f"run_{number}"].changes for number in (1, 3)] == [(), ()]
    assert found["run_2"].changes == (
        f"system: {run.target} 1.0 → {run.target} 1.1",
        f"judge: {run.judge} → rules/9",
    )
    assert found["run_4"].changes == (f"dataset: the content of {run.dataset_id} changed",)
    assert [one.split(":")[0] for one in found["run_5"].changes] == ["dataset", "system", "judge", "Pincite"]


def test_alerts_and_changes_are_marked_in_the_chart_and_told_in_the_table(run: Run) -> None:
    runs = [
        later(run, 1, alerts=()),
        later(run, 2, alerts=(ALERT, OF_OTHER), system_version="2"),
        later(run, 3, alerts=(OF_RUN,), system_version="2"),
    ]
    runs[0] = structs.replace(runs[0], system_version="1")
    points = [point(1, 0.9), point(2, 0.4), point(3, None)]
    page = read_page(write_trends({METRIC: points, "MRR": points}, events=trend_events(runs)))
    first, second = page.every("svg", "trend")
    assert [one.text for one in first.every("path", "alert-mark")] == [ALERT.message]
    assert [one.text for one in second.every("path", "alert-mark")] == ["MRR drifted"]
    (change,) = first.every("g", "change")
    assert change.every("title")[0].text == f"system: {run.target} 1 → {run.target} 2"
    assert change.every("line")[0].attributes["x1"] == first.every("circle")[1].attributes["cx"]
    rows = page.every("tbody")[0].every("tr")
    assert [row.every("td")[-2].text for row in rows] == ["", ALERT.message, OF_RUN.message]
    assert "system" in rows[1].every("td")[-1].text


@given(st.floats(-1e6, 1e6, allow_nan=False), st.floats(0, 1e6, allow_nan=False))
def test_the_scale_has_a_few_round_numbers_and_holds_all_values(low: float, width: float) -> None:
    steps = round_steps(low, low + width)
    near = 1e-6 * max(1.0, width)
    assert steps[0] <= low + near and steps[-1] >= low + width - near
    assert 3 <= len(steps) <= 7
    assert all(len(f"{one:.6g}".strip("-")) <= 12 for one in steps)
    gaps = [after - before for before, after in pairwise(steps)]
    assert max(gaps) - min(gaps) <= 1e-6 * max(1.0, max(gaps))


@pytest.mark.parametrize(
    ("low", "high", "steps"),
    [
        (0.103, 0.979, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.574, 1.0, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
        (0.91, 0.93, [0.91, 0.915, 0.92, 0.925, 0.93]),
        (0.5, 0.5, [0.44, 0.46, 0.48, 0.5, 0.52, 0.54, 0.56]),
        (0.0, 0.0, [-0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6]),
    ],
)
def test_the_scale_is_round(low: float, high: float, steps: list[float]) -> None:
    assert round_steps(low, high) == steps


def test_the_days_of_the_first_and_the_last_run_stand_below() -> None:
    points = [structs.replace(point(number, 0.5), started=1e9 + 86_400 * number) for number in range(9)]
    page = read_page(write_trends({METRIC: points}))
    days = [one.text for one in page.every("svg", "trend")[0].every("text") if one.text.startswith("2001-")]
    assert days == ["2001-09-09", "2001-09-11", "2001-09-13", "2001-09-15", "2001-09-17"]


def test_without_events_nothing_is_marked() -> None:
    page = read_page(write_trends({METRIC: [point(1, 0.9), point(2, 0.8)]}))
    assert not page.every("path") and not page.every("g", "change")
    assert "Triangle" not in page.text
