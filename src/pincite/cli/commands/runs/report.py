"""`pincite runs report ID`: which failures dominate a run, in which documents, and what follows from it."""

from __future__ import annotations

import sys
from argparse import Namespace

from pincite.cli.history import add_history, open_kept_history
from pincite.cli.options import Parser

EPILOG = """\
`--output-format json` has summary, visualizations (Vega-Lite), analysis and recommendations.
"""


def parser() -> Parser:
    made = Parser("runs report", "Show which failures dominate a run, where, and what to do.", EPILOG)
    made.add_argument("run", nargs="?", default="latest", metavar="RUN", help="which run (default: latest)")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit, terminal_width
    from pincite.reports.findings.json_report import dump
    from pincite.reports.runs.report import report_text, run_report
    from pincite.runs.alerts.rules import threshold_alerts
    from pincite.runs.analysis import Failures

    failures = Failures()
    with open_kept_history(options) as store:
        found = store.find(options.run)
        for item in store.items(found.run_id):
            failures.add(item.failures, failed=item.failure is not None)
    analysis, alerts = failures.analysis(), threshold_alerts(found.scores)
    if options.output_format == "json":
        emit(dump(run_report({"run": found.run_id}, found.scores, analysis, alerts)))
    else:
        emit(report_text(found.run_id, analysis, alerts, terminal_width(sys.stdout)))
    return 0
