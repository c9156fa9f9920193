"""`pincite explain`: all codes and metrics, or one of them closely."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pincite.base import did_you_mean
from pincite.cli.options import CommonOptions, arg, command, formats, load_settings
from pincite.cli.output import emit, emit_json, emit_table, is_terminal, terminal_width, wants_color
from pincite.errors import InputError
from pincite.findings import RULES, Rule, explain
from pincite.reports import listed, pick

if TYPE_CHECKING:
    from pincite.metrics import ListedMetric

_OF_RULE = ("code", "name", "severity", "summary")
_OF_METRIC = ("name", "summary", "threshold", "higher_is_better", "needs")


class ExplainOptions(CommonOptions):
    what: str | None = arg(
        "WHAT", "a code (PIN203, number-differs) or a metric (nDCG); all without it", nargs="?"
    )
    output_format: str = formats("text", "markdown", "json")


@command(
    ExplainOptions,
    epilog="""\
examples:
  pincite explain
  pincite explain PIN203
  pincite explain citation_correctness
""",
)
def run(options: ExplainOptions) -> int:
    rule = None if options.what is None else _find_rule(options.what)
    if rule is not None:
        text = f"# {rule.code} {rule.name} ({rule.severity})\n\n{rule.summary}\n\n{rule.explanation}\n"
        _print(options, text, pick(rule, *_OF_RULE, "explanation"))
        return 0
    from pincite.metrics import list_metrics

    metrics = list_metrics(load_settings(options))
    if options.what is None:
        _list(options, metrics)
        return 0
    metric = _find_metric(options.what, metrics)
    text = f"# {metric.name}\n\n{metric.summary}\n"
    if metric.threshold is not None:
        text += f"\nThreshold: {_bound(metric)}\n"
    if metric.needs:
        text += f"\nNeeds {listed(metric.needs)}.\n"
    _print(options, text, pick(metric, *_OF_METRIC))
    return 0


def _find_rule(given: str) -> Rule | None:
    try:
        return explain(given)
    except InputError:
        return None


def _find_metric(given: str, metrics: Sequence[ListedMetric]) -> ListedMetric:
    """The metric of that name, with or without its parameters: `nDCG`, `ndcg@10`."""
    titles = {_title(one.name).lower(): one for one in metrics}
    found = titles.get(_title(given).strip().lower())
    if found is None:
        known = [*(rule.name for rule in RULES.values()), *(_title(one.name) for one in metrics)]
        hint = did_you_mean(given, known, "; `pincite explain` lists them all")
        raise InputError(f"there is no code or metric {given!r:.60}{hint}")
    return found


def _title(name: str) -> str:
    return re.split(r"[@(]", name)[0]


def _print(options: ExplainOptions, text: str, shape: dict[str, Any]) -> None:
    if options.output_format == "json":
        emit_json(shape)
    elif options.output_format == "text" and is_terminal(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        columns = min(terminal_width(sys.stdout) or 100, 100)
        console = Console(no_color=not wants_color(options.no_color, sys.stdout), width=columns)
        console.print(Markdown(text))
    else:
        emit(text)


def _list(options: ExplainOptions, metrics: Sequence[ListedMetric]) -> None:
    if options.output_format == "json":
        rules = [pick(rule, *_OF_RULE) for rule in RULES.values()]
        emit_json({"rules": rules, "metrics": [pick(one, *_OF_METRIC) for one in metrics]})
        return
    rows = [(rule.code, rule.severity, rule.name, rule.summary) for rule in RULES.values()]
    emit_table(("code", "severity", "name", "summary"), rows, wrap=True)
    emit("\n")
    measured = [(one.name, _bound(one), ", ".join(one.needs), one.summary) for one in metrics]
    emit_table(("metric", "threshold", "needs", "summary"), measured, wrap=True)


def _bound(metric: ListedMetric) -> str:
    if metric.threshold is None:
        return ""
    return f"{'≥' if metric.higher_is_better else '≤'} {metric.threshold:g}"
