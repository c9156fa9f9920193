"""Evaluating a system on a dataset, and comparing what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.runs.alerts.notify import (
        CHANNELS,
        UNDELIVERED,
        Undelivered,
        deliver,
        forget,
        keep,
        message,
        send_again,
        undelivered,
    )
    from pincite.runs.alerts.rules import is_thin, threshold_alerts
    from pincite.runs.analysis import Analysis, Failures, analysis_of, recommend
    from pincite.runs.choosing import named_thresholds, read_thresholds
    from pincite.runs.comparison.benchmark import (
        BenchmarkComparison,
        benchmark_of,
        compare_with_benchmark,
        read_benchmark,
    )
    from pincite.runs.comparison.changes import ChangedQuery
    from pincite.runs.comparison.comparing import Comparison, compare
    from pincite.runs.comparison.conditions import tell_differences
    from pincite.runs.comparison.paired_figures import MetricComparison
    from pincite.runs.comparison.verdicts import told_dropouts
    from pincite.runs.environment import timestamp
    from pincite.runs.evaluation import Request, carry_out, evaluate, look_ahead, make_plan
    from pincite.runs.finishing import Finished
    from pincite.runs.grouping import MOST_SHOWN
    from pincite.runs.journal import decode, encode
    from pincite.runs.merging import merge_runs
    from pincite.runs.plan import Plan, shard_fingerprint
    from pincite.runs.progress import Progress
    from pincite.runs.results.document import brief, plain_document, query_result
    from pincite.runs.results.evaluation_events import EventsFile
    from pincite.runs.results.files import is_run_file, read_run_file, refuse_file, write_file, write_results
    from pincite.runs.results.items import is_results_file, read_results, read_results_items, results_head
    from pincite.runs.tally import leave_out
    from pincite.runs.targets.http import HttpTarget
    from pincite.runs.targets.replies import read_reply
    from pincite.runs.targets.target import Target, TargetFailed, ask
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "alerts.notify": (
                "CHANNELS UNDELIVERED Undelivered deliver forget keep message send_again undelivered"
            ),
            "alerts.rules": "is_thin threshold_alerts",
            "analysis": "Analysis Failures analysis_of recommend",
            "choosing": "named_thresholds read_thresholds",
            "comparison.benchmark": "BenchmarkComparison benchmark_of compare_with_benchmark read_benchmark",
            "comparison.changes": "ChangedQuery",
            "comparison.comparing": "Comparison compare",
            "comparison.conditions": "tell_differences",
            "comparison.paired_figures": "MetricComparison",
            "comparison.verdicts": "told_dropouts",
            "environment": "timestamp",
            "evaluation": "Request carry_out evaluate look_ahead make_plan",
            "finishing": "Finished",
            "grouping": "MOST_SHOWN",
            "journal": "decode encode",
            "merging": "merge_runs",
            "plan": "Plan shard_fingerprint",
            "progress": "Progress",
            "results.document": "brief plain_document query_result",
            "results.evaluation_events": "EventsFile",
            "results.files": "is_run_file read_run_file refuse_file write_file write_results",
            "results.items": "is_results_file read_results read_results_items results_head",
            "tally": "leave_out",
            "targets.http": "HttpTarget",
            "targets.replies": "read_reply",
            "targets.target": "Target TargetFailed ask",
        },
    )
