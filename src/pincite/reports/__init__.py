"""Findings and runs as people and machines read them, one module per format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.reports.agreement import (
        JudgeCounts,
        agreement_json,
        agreement_text,
        judge_json,
        judge_text,
        reliability_svg,
    )
    from pincite.reports.ci import add_to_job_summary
    from pincite.reports.display import (
        JSON_ESCAPE,
        Paint,
        cells,
        dump,
        fitting,
        fold_words,
        folded,
        hanging,
        listed,
        pick,
        plural,
        safe,
        visible,
        width,
    )
    from pincite.reports.findings.excerpt import ExcerptLines, wrap
    from pincite.reports.findings.summary import Presentation, statistics_lines, usage_figures
    from pincite.reports.html.answer_page import answer_values
    from pincite.reports.html.charts import TrendEvents, day, trend_events
    from pincite.reports.html.page import FOLDER, ServedFrame, render_file, templates
    from pincite.reports.html.queries import KnownTruth, cited_spans, query_row, query_values, write_query
    from pincite.reports.html.run_page import (
        comparison_values,
        run_overview,
        trend_values,
        write_comparison,
        write_run_page,
        write_trends,
    )
    from pincite.reports.runs.comparison import (
        benchmark_json,
        benchmark_text,
        comparison_json,
        comparison_markdown,
        comparison_text,
        in_short,
        interval,
        number,
        percent,
        signed,
        standing,
    )
    from pincite.reports.runs.eval_table import headlines, interval_text, run_markdown, run_text
    from pincite.reports.runs.report import report_text, run_report
    from pincite.reports.runs.trend import trend_json, trend_text
    from pincite.reports.writer import FOR_PEOPLE, FORMATS, RUN_FORMATS, write, write_run
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "agreement": "JudgeCounts agreement_json agreement_text judge_json judge_text reliability_svg",
            "ci": "add_to_job_summary",
            "display": (
                "JSON_ESCAPE Paint cells dump fitting fold_words folded hanging listed pick plural safe "
                "visible width"
            ),
            "findings.excerpt": "ExcerptLines wrap",
            "findings.summary": "Presentation statistics_lines usage_figures",
            "html.answer_page": "answer_values",
            "html.charts": "TrendEvents day trend_events",
            "html.page": "FOLDER ServedFrame render_file templates",
            "html.queries": "KnownTruth cited_spans query_row query_values write_query",
            "html.run_page": (
                "comparison_values run_overview trend_values write_comparison write_run_page write_trends"
            ),
            "runs.comparison": (
                "benchmark_json benchmark_text comparison_json comparison_markdown comparison_text "
                "in_short interval number percent signed standing"
            ),
            "runs.eval_table": "headlines interval_text run_markdown run_text",
            "runs.report": "report_text run_report",
            "runs.trend": "trend_json trend_text",
            "writer": "FORMATS FOR_PEOPLE RUN_FORMATS write write_run",
        },
    )
