from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.metrics import ApiUsage, LatencyStats, ResourceSampler
from pincite.metrics.performance import resident_megabytes

times = st.floats(0, 1e9)


def stats_of(values):
    stats = LatencyStats()
    for value in values:
        stats.add(value)
    return stats.summary()


@given(st.lists(times, min_size=1))
def test_percentiles_are_those_of_numpy(values):
    summary = stats_of(values)
    for name, percent in (("p50", 50), ("p95", 95), ("p99", 99)):
        assert summary[name] == pytest.approx(float(np.percentile(values, percent)), rel=1e-12)
        assert summary["min"] <= summary[name] <= summary["max"]
    assert summary["mean"] == pytest.approx(float(np.mean(values)))


def test_a_missing_latency_is_left_out_and_counted():
    summary = stats_of([100.0, None, 300.0, float("nan"), -1.0])
    assert (summary["mean"], summary["n"], summary["not_scorable"]) == (200.0, 2, 3)


def test_no_latency_at_all_is_no_figure():
    assert stats_of([None]) == {
        **dict.fromkeys(("mean", "p50", "p95", "p99", "min", "max")),
        "n": 0,
        "not_scorable": 1,
    }


def test_usage_is_summed_and_what_nobody_told_stays_unknown():
    usage = ApiUsage()
    for one in (None, {}, {"total_tokens": 10}, {"total_tokens": 5, "estimated_cost_usd": 0.1}):
        usage.add(one)
    assert usage.summary() == {
        "total_tokens": 15,
        "total_requests": None,
        "estimated_cost_usd": 0.1,
        "n": {"total_tokens": 2, "total_requests": 0, "estimated_cost_usd": 1},
    }


@given(st.lists(st.floats(0, 1e6)))
def test_costs_add_up_without_rounding(costs):
    usage = ApiUsage()
    for cost in costs:
        usage.add({"estimated_cost_usd": cost})
    assert usage.summary()["estimated_cost_usd"] == (math.fsum(costs) if costs else None)


@pytest.mark.parametrize("amount", ["12", True, float("nan"), float("inf"), -1, 10**400, [1]])
def test_an_amount_that_is_none_is_not_counted(amount):
    usage = ApiUsage()
    usage.add({"total_tokens": amount})
    assert usage.summary()["total_tokens"] is None


def test_a_run_is_sampled_and_stops_being_so():
    with ResourceSampler(interval=0.01) as sampler:
        # As long as it takes: on a busy machine a thread may wait for its turn.
        until = time.monotonic() + 10
        while sampler.summary()["samples"] < 2 and time.monotonic() < until:
            sum(range(1000))
    summary = sampler.summary()
    assert summary["samples"] >= 2
    assert summary["memory_mb"]["peak"] >= summary["memory_mb"]["mean"] > 1
    assert summary["cpu_percent"]["peak"] > 0
    time.sleep(0.03)
    assert sampler.summary() == summary


def test_a_run_shorter_than_the_interval_has_one_sample():
    with ResourceSampler(interval=60) as sampler:
        pass
    assert sampler.summary()["samples"] == 1


def test_nothing_is_known_when_nothing_was_sampled():
    nothing = {"mean": None, "peak": None, "std": None}
    assert ResourceSampler().summary() == {"memory_mb": nothing, "cpu_percent": nothing, "samples": 0}


def test_this_process_holds_some_memory():
    assert (resident_megabytes() or 0) > 1
