"""`pincite rules`, `pincite explain CODE` and `pincite metrics`: what can be found and measured."""

from __future__ import annotations

import sys
from argparse import Namespace

import msgspec

from pincite.cli.options import NO_COLOR, arg, formats, load_settings, on_command
from pincite.cli.output import emit, emit_json, emit_table, is_terminal, terminal_width, wants_color
from pincite.findings import RULES, explain
from pincite.reports import pick

_FIELDS = ("code", "name", "severity", "summary")
_TABLE = formats("table", "json", help="how to print the list")


@on_command("rules", _TABLE)
def _rules(options: Namespace) -> int:
    if options.output_format == "json":
        emit_json({"rules": [pick(rule, *_FIELDS) for rule in RULES.values()]})
    else:
        rows = [(rule.code, rule.severity, rule.name, rule.summary) for rule in RULES.values()]
        emit_table(("code", "severity", "name", "summary"), rows, wrap=True)
    return 0


@on_command(
    "explain",
    arg("code", "CODE", "a code (PIN203) or its name (number-differs)"),
    formats("text", "markdown", "json"),
    NO_COLOR,
)
def _explain(options: Namespace) -> int:
    rule = explain(options.code)
    if options.output_format == "json":
        emit_json(pick(rule, *_FIELDS, "explanation"))
        return 0
    text = f"# {rule.code} {rule.name} ({rule.severity})\n\n{rule.summary}\n\n{rule.explanation}\n"
    if options.output_format == "text" and is_terminal(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        columns = min(terminal_width(sys.stdout) or 100, 100)
        console = Console(no_color=not wants_color(options.no_color, sys.stdout), width=columns)
        console.print(Markdown(text))
    else:
        emit(text)
    return 0


@on_command("metrics", _TABLE)
def _metrics(options: Namespace) -> int:
    from pincite.metrics import list_metrics

    listed = list_metrics(load_settings(options))
    if options.output_format == "json":
        emit_json({"metrics": msgspec.to_builtins(listed)})
        return 0
    rows = []
    for one in listed:
        limit = "" if one.threshold is None else f"{'≥' if one.higher_is_better else '≤'} {one.threshold:g}"
        rows.append((one.name, limit, ", ".join(one.needs), one.summary))
    emit_table(("metric", "threshold", "needs", "summary"), rows, wrap=True)
    return 0
