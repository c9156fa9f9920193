"""`pincite metrics`: every metric that can be asked for."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.options import Parser

if TYPE_CHECKING:
    from pincite.metrics.names import Listed


def parser() -> Parser:
    made = Parser("metrics", "List every metric: its meaning, threshold and inputs.")
    made.choice("-f", "--output-format", of=("table", "json"), default="table", help="how to print the list")
    return made


def run(options: Namespace) -> int:
    import msgspec

    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, terminal_width
    from pincite.cli.tables import table
    from pincite.metrics.names import list_metrics

    listed = list_metrics(load_settings())
    if options.output_format == "json":
        from pincite.records import SCHEMA_VERSION
        from pincite.reports.findings.json_report import dump

        emit(dump({"schema_version": SCHEMA_VERSION, "metrics": msgspec.to_builtins(listed)}))
        return 0
    rows = [(one.name, _threshold(one), ", ".join(one.needs), one.summary) for one in listed]
    emit(table(("metric", "threshold", "needs", "summary"), rows, terminal_width(sys.stdout), wrap=True))
    return 0


def _threshold(one: Listed) -> str:
    return "" if one.threshold is None else f"{'≥' if one.higher_is_better else '≤'} {one.threshold:g}"
