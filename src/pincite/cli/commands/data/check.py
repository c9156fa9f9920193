"""`pincite data check FILE`: what is wrong with a dataset that no schema can tell."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from typing import TYPE_CHECKING

from pincite.cli.options import Parser

if TYPE_CHECKING:
    from pincite.datasets.load import Dataset
    from pincite.datasets.quality.codes import QualityIssue

EXAMPLES = """\
examples:
  pincite data check sample
  pincite data check my.eval.json --output-format json

exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 could not run
"""
LISTED = 50


def parser() -> Parser:
    made = Parser("data check", "Check the quality of a dataset.", EXAMPLES)
    made.add_argument("file", metavar="FILE", help="a dataset, or `sample` for the bundled one")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print the issues")
    made.add_argument(
        "-n", "--limit", type=int, default=LISTED, help=f"issues listed per code (default: {LISTED})"
    )
    made.add_argument("--strict", action="store_true", help="exit 1 on warnings too")
    made.add_argument("--config", metavar="FILE", help="read settings from this TOML or YAML file")
    made.add_argument("--no-color", action="store_true", help="disable colour; NO_COLOR works too")
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit
    from pincite.datasets.load import open_dataset
    from pincite.datasets.quality.check import check_quality
    from pincite.datasets.quality.codes import QUALITY_CODES
    from pincite.errors import InputError

    if options.limit < 0:
        raise InputError(f"--limit is at least 0, not {options.limit}")
    settings = load_settings(options.config)
    counts: Counter[str] = Counter()
    listed: list[QualityIssue] = []
    with open_dataset(options.file, settings) as dataset:
        for found in check_quality(dataset, settings.offsets):
            counts[found.code] += 1
            if counts[found.code] <= options.limit:
                listed.append(found)
        of_each = Counter(dict.fromkeys(("error", "warning", "note"), 0))
        for code, count in counts.items():
            of_each[QUALITY_CODES[code].severity] += count
        if options.output_format == "json":
            emit(_as_json(dataset, listed, counts, of_each))
        else:
            emit(_as_text(dataset, listed, counts, of_each, options.no_color))
    return 1 if of_each["error"] or (options.strict and of_each["warning"]) else 0


def _as_json(
    dataset: Dataset, listed: list[QualityIssue], counts: Counter[str], of_each: Counter[str]
) -> str:
    from msgspec import structs

    from pincite.datasets.quality.codes import QUALITY_CODES
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "dataset_id": dataset.dataset_id,
            "version": dataset.version,
            "queries": dataset.count(),
            "issues": [{"name": QUALITY_CODES[one.code].name, **structs.asdict(one)} for one in listed],
            "counts": dict(sorted(counts.items())),
            "errors": of_each["error"],
            "warnings": of_each["warning"],
            "notes": of_each["note"],
        }
    )


def _as_text(
    dataset: Dataset,
    listed: list[QualityIssue],
    counts: Counter[str],
    of_each: Counter[str],
    no_color: bool,
) -> str:
    from pincite.cli.output import wants_color
    from pincite.reports.colour import Paint
    from pincite.reports.display import safe

    paint = Paint(wants_color(no_color, sys.stdout))
    lines = []
    for one in listed:
        whose = f"{safe(one.query_id)}: " if one.query_id else ""
        lines.append(f"{safe(one.pointer)}: {paint(f'{one.code} {one.severity}', one.severity)}")
        lines.append(f"    {whose}{safe(one.message)}")
    shown = Counter(one.code for one in listed)
    for code in sorted(counts):
        if counts[code] > shown[code]:
            lines.append(f"{code}: {counts[code] - shown[code]:,} more")
    total = ", ".join(f"{of_each[kind]:,} {kind}{'' if of_each[kind] == 1 else 's'}" for kind in of_each)
    name = safe(f"{dataset.dataset_id} {dataset.version}".strip()) or "the dataset"
    queries = dataset.count()
    lines.append(f"{name}: {queries:,} {'query' if queries == 1 else 'queries'}, {total}")
    return "".join(f"{line}\n" for line in lines)
