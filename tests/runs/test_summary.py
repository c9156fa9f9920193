from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from plain_metrics import Mean, Share, item, mean, share

from pincite.config import Evaluation, Settings, Thresholds
from pincite.metrics import HallucinationRate
from pincite.runs import metric_table as summary
from pincite.runs.metric_table import MetricTable, PackedColumns
from pincite.stats import ratio_intervals, wilson

FAST = Settings(evaluation=Evaluation(resamples=500))


def drawn(rows: int, seed: int = 1, **fields: object) -> list[object]:
    chance = random.Random(seed)
    return [
        item(
            position,
            mean(round(chance.random(), 3)),
            share(chance.randrange(4), chance.randrange(4, 8)),
            query_type=chance.choice(["lookup", "compare"]),
            difficulty=chance.choice(["easy", "hard", None]),
            documents=tuple(chance.sample(["a.pdf", "b.pdf", "c.pdf"], chance.randrange(3))),
            **fields,
        )
        for position in range(rows)
    ]


def summed(items: list[object]) -> MetricTable:
    columns = MetricTable([Mean(), Share()])
    for one in items:
        columns.add(one)
    return columns


def test_a_mean_metric_is_the_mean_and_a_pooled_one_the_ratio_of_the_sums() -> None:
    columns = summed([item(0, mean(1.0), share(1, 4)), item(1, mean(0.25), share(0, 1))])
    first, second = columns.scores(FAST)
    assert (first.value, first.numerator, first.denominator, first.n) == (0.625, 1.25, 2.0, 2)
    assert (second.value, second.numerator, second.denominator, second.n) == (0.2, 1.0, 5.0, 2)


def test_every_query_is_scored_not_scorable_or_unjudged() -> None:
    columns = summed(
        [
            item(0, mean(0.5), share(1, 2, unjudged=1, reasons={"time-out": 1})),
            item(1, mean(None, reasons={"no ground truth": 1}), share(0, 0, unjudged=3)),
            item(2, mean(0.7)),
            item(3, failure="the target hung"),
        ]
    )
    first, second = columns.scores(FAST)
    assert (first.n, first.not_scorable, first.unjudged) == (2, 2, 0)
    assert first.reasons == {"no answer": 1, "no ground truth": 1}
    assert (second.n, second.not_scorable, second.unjudged) == (1, 2, 1)
    assert second.unjudged_units == 4
    assert second.reasons == {"no answer": 1, "not measured": 1, "time-out": 1}


def test_a_score_that_is_no_number_is_unjudged_and_spoils_nothing() -> None:
    columns = summed([item(0, mean(0.5)), item(1, mean(float("nan"))), item(2, mean(float("inf")))])
    score = columns.scores(FAST)[0]
    assert (score.value, score.n, score.unjudged) == (0.5, 1, 2)


def test_nothing_at_all_is_none_and_no_number() -> None:
    for columns in (summed([]), summed([item(0), item(1)])):
        for score in columns.scores(FAST):
            assert score.value is None
            assert score.confidence_interval is None
            assert score.method == "none: nothing to score"
            assert score.passed is None
    assert summed([]).breakdown(FAST) == {}


def test_further_counts_add_up() -> None:
    columns = summed([item(place, mean(0.5, counts={"perfect": 1, "cited": place})) for place in range(4)])
    assert columns.scores(FAST)[0].counts == {"cited": 6.0, "perfect": 4.0}


def test_the_intervals_are_those_of_the_statistics() -> None:
    items = drawn(60)
    settings = Settings(evaluation=Evaluation(resamples=700, random_seed=5, confidence_level=0.9))
    first, second = summed(items).scores(settings)
    results = [one.results for one in items]
    tops = np.array([[a.score, b.numerator] for a, b in results])
    bottoms = np.array([[1.0, b.denominator] for _, b in results])
    expected = ratio_intervals(tops, bottoms, resamples=700, seed=5, level=0.9)
    assert [first.confidence_interval, second.confidence_interval] == [one.bounds for one in expected]
    assert first.method == second.method == "bca"


def test_the_order_in_which_results_come_changes_nothing() -> None:
    items = drawn(80, cluster=None)
    shuffled = random.Random(2).sample(items, len(items))
    one, other = summed(items), summed(shuffled)
    assert one.scores(FAST) == other.scores(FAST)
    assert one.breakdown(FAST) == other.breakdown(FAST)


def test_queries_that_share_a_cluster_are_resampled_together() -> None:
    apart = [msgspec.structs.replace(one, cluster=f"c{one.position}") for one in drawn(40)]
    paired = [msgspec.structs.replace(one, cluster=f"c{one.position // 4}") for one in drawn(40)]
    assert {score.method for score in summed(apart).scores(FAST)} == {"bca"}
    assert {score.method for score in summed(paired).scores(FAST)} == {"bca, clustered"}
    some = [
        msgspec.structs.replace(one, cluster=None if one.position < 30 else "the same") for one in drawn(40)
    ]
    assert {score.method for score in summed(some).scores(FAST)} == {"bca, clustered"}


def test_a_plain_rate_has_wilsons_interval() -> None:
    columns = summed([item(place, mean(float(place < 7))) for place in range(10)])
    score = columns.scores(FAST)[0]
    assert score.method == "wilson"
    assert score.confidence_interval == pytest.approx(wilson(7, 10))


def test_the_breakdown_counts_a_query_in_each_of_its_documents() -> None:
    columns = summed(
        [
            item(0, mean(1.0), query_type="lookup", documents=("a", "b")),
            item(1, mean(0.0), query_type="lookup", documents=("b",)),
            item(2, mean(0.5), query_type="compare"),
        ]
    )
    found = columns.breakdown(FAST)
    assert set(found) == {"query_type", "document"}
    assert {label: scores[0].value for label, scores in found["query_type"].items()} == {
        "lookup": 0.5,
        "compare": 0.5,
    }
    assert {label: scores[0].value for label, scores in found["document"].items()} == {"b": 0.5, "a": 1.0}


def test_the_breakdown_shows_the_fifty_most_frequent_and_the_rest_together() -> None:
    items = [item(place, mean(0.5), documents=(f"doc {place % 60:02}",)) for place in range(90)]
    found = summed(items).breakdown(FAST)["document"]
    assert len(found) == 51
    assert list(found)[:30] == [f"doc {place:02}" for place in range(30)]
    assert found["other"][0].n == 10


def test_a_threshold_is_the_metrics_own_or_the_settings_or_the_usual_one() -> None:
    settings = Settings(thresholds=Thresholds(hallucination_tolerance=0.3))
    for metric, threshold, passed in (
        (HallucinationRate(), 0.3, False),
        (HallucinationRate(threshold=0.6), 0.6, True),
    ):
        columns = MetricTable([metric])
        columns.add(item(0, mean(0.4, str(metric))))
        (score,) = columns.scores(settings)
        assert (score.threshold, score.passed) == (threshold, passed)
    (_, usual) = summed([item(0, mean(0.5), share(1, 4))]).scores(settings)
    assert (usual.threshold, usual.passed, usual.higher_is_better) == (0.2, False, False)


def test_columns_that_were_spilled_read_as_they_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "BLOCK", 8)
    columns = PackedColumns()
    columns.begin("early")
    for row in range(37):
        if row == 21:
            columns.begin("late", "b", -1)
        columns.append({"early": row / 3, **({"late": row} if row % 2 else {})} if row != 30 else {})
    early, late = columns.column("early"), columns.column("late")
    assert np.isnan(early[30])
    assert [value for value in early if not np.isnan(value)] == [row / 3 for row in range(37) if row != 30]
    assert late.tolist() == [row if row >= 21 and row % 2 else -1 for row in range(37)]
    columns.close()


def test_a_spilled_run_has_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    items = drawn(100)
    whole = summed(items).scores(FAST)
    monkeypatch.setattr(summary, "BLOCK", 16)
    spilled = summed(items)
    assert spilled.scores(FAST) == whole
    spilled.close()


SUMMING = """
import json, random, sys
sys.path.insert(0, sys.argv[1])
from plain_metrics import Mean, Share
from pincite.config import Settings
from pincite.records import ItemResult, Result
from pincite.runs import metric_table as summary
from pincite.runs.metric_table import MetricTable

summary.AT_ONCE = 1  # so many metrics as fit are read at once, whatever the number of queries
metrics = [Mean(name=f"m{number}") for number in range(20)]
metrics += [Share(threshold=number / 10) for number in range(10)]
names = [str(metric) for metric in metrics]
columns = MetricTable(metrics)
chance = random.Random(1)
for position in range(int(sys.argv[2])):
    score = chance.random()
    results = tuple(Result(metric=name, score=score, numerator=score * 3, denominator=3.0) for name in names)
    columns.add(ItemResult(key="", position=position, query_id="", results=results, query_type="a",
        documents=(f"document number {position % 10_000}",), cluster=f"c{position // 3}"))
scores = columns.scores(Settings())
groups = columns.breakdown(Settings())
(line,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
print(json.dumps({"megabytes": int(line.split()[1]) / 1024, "n": scores[0].n, "method": scores[0].method,
    "groups": len(groups["document"])}))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_a_query_of_thirty_metrics_takes_less_than_three_hundred_bytes() -> None:
    """So that a million fit; held in memory, the numbers of the metrics alone would take more."""
    few, many = (summed_up(queries) for queries in (70_000, 130_000))
    assert (many["n"], many["method"], many["groups"]) == (130_000, "delta, clustered", 51)
    assert (many["megabytes"] - few["megabytes"]) * 2**20 / 60_000 < 300


def summed_up(queries: int) -> dict[str, Any]:
    """What a process tells that sums up so many queries and does nothing else."""
    done = subprocess.run(
        [sys.executable, "-c", SUMMING, str(Path(__file__).parent), str(queries)],
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told
