"""`pincite data stats`: what a dataset holds, counted."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from pincite.cli.options import Parser

EXAMPLES = """\
examples:
  pincite data stats sample
  pincite data stats data/evaluation/datasets/sample_1.0.0.eval.json --output-format json

exit codes: 0 counted, 2 could not run
"""


def parser() -> Parser:
    made = Parser("data stats", "Count what a dataset holds.", EXAMPLES)
    made.add_argument("dataset", metavar="FILE", help="a dataset's file, or `sample` for the bundled one")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print")
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit
    from pincite.datasets.load import open_dataset
    from pincite.datasets.stats import dataset_stats

    with open_dataset(options.dataset) as dataset:
        stats = dataset_stats(dataset)
    if options.output_format == "json":
        from pincite.reports.findings.json_report import dump

        emit(dump(stats))
    else:
        emit(_as_text(stats))
    return 0


def _as_text(stats: dict[str, Any]) -> str:
    from pincite.reports.display import safe

    version = f" {safe(stats['version'])}" if stats["version"] else ""
    lines = [f"{safe(stats['dataset_id'] or '(no id)')}{version}: {safe(stats['name'])}"]
    for group in ("queries", "citations", "documents"):
        lines.append("")
        lines.append(f"{group}: {stats[group]['total']:,}")
        for key, value in stats[group].items():
            if isinstance(value, dict):
                shown = ", ".join(f"{safe(name)} {count:,}" for name, count in value.items()) or "–"
            elif key == "total":
                continue
            else:
                shown = "–" if value is None else f"{value:,}"
            lines.append(f"  {key.replace('_', ' '):<34} {shown}")
    return "\n".join(lines) + "\n"
