"""Evaluating a system on a dataset, and comparing what came out.

`evaluate(dataset, answers=…)` measures a system and returns its run; `run_evaluation(request)` does the same
for a command, which wants the notes, the alerts and the comparison too. `compare(a, b)` says with a test
whether the second run is better. A run is kept where a `History` is given, which `pincite.store` implements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.runs.alerts import threshold_alerts
    from pincite.runs.analysis import Analysis, FailureCounter, analysis_of, recommend
    from pincite.runs.benchmark import (
        BenchmarkComparison,
        benchmark_of,
        compare_with_benchmark,
        read_benchmark,
    )
    from pincite.runs.comparison import ChangedQuery, Comparison, compare, tell_differences
    from pincite.runs.evaluation import evaluate, look_ahead, run_evaluation
    from pincite.runs.evaluation_events import EventsFile
    from pincite.runs.harness import Progress
    from pincite.runs.journal import decode, encode
    from pincite.runs.metric_comparison import MetricComparison, told_dropouts
    from pincite.runs.metric_selection import is_thin, named_thresholds, read_thresholds
    from pincite.runs.metric_table import MOST_SHOWN
    from pincite.runs.notify import CHANNELS, deliver, message
    from pincite.runs.plan import EvalRequest, RunPlan, make_plan
    from pincite.runs.results_document import brief, plain_document, query_result
    from pincite.runs.results_files import (
        is_results_file,
        read_results,
        read_results_items,
        require_writable,
        results_head,
        write_results,
    )
    from pincite.runs.summary import RunResult
    from pincite.runs.tally import leave_out
    from pincite.runs.targets.http import HttpTarget
    from pincite.runs.targets.replies import read_reply
    from pincite.runs.targets.target import Target, TargetFailed, ask
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "alerts": "threshold_alerts",
            "analysis": "Analysis FailureCounter analysis_of recommend",
            "benchmark": "BenchmarkComparison benchmark_of compare_with_benchmark read_benchmark",
            "comparison": "ChangedQuery Comparison compare tell_differences",
            "evaluation": "evaluate look_ahead run_evaluation",
            "evaluation_events": "EventsFile",
            "harness": "Progress",
            "journal": "decode encode",
            "metric_comparison": "MetricComparison told_dropouts",
            "metric_selection": "is_thin named_thresholds read_thresholds",
            "metric_table": "MOST_SHOWN",
            "notify": "CHANNELS deliver message",
            "plan": "EvalRequest RunPlan make_plan",
            "results_document": "brief plain_document query_result",
            "results_files": (
                "is_results_file read_results read_results_items require_writable results_head write_results"
            ),
            "summary": "RunResult",
            "tally": "leave_out",
            "targets.http": "HttpTarget",
            "targets.replies": "read_reply",
            "targets.target": "Target TargetFailed ask",
        },
    )
