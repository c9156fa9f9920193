"""`pincite data check`: whether files keep to their formats, and of datasets how good they are."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

from msgspec import structs

from pincite.cli.options import (
    CommonOptions,
    arg,
    choice,
    command,
    flag,
    formats,
    load_settings,
    opt,
)
from pincite.cli.output import CANNOT_RUN, emit_either, note, wants_color
from pincite.datasets import QUALITY_CODES, FileCheck, Kind, check_file
from pincite.errors import InputError
from pincite.reports import Paint, pick, plural, safe

LISTED = 50


class DataCheckOptions(CommonOptions):
    files: list[str] = arg("FILE", "files to check, or `sample` for the bundled dataset", nargs="+")
    kind: Kind | None = choice(
        "--kind", "the kind of the files, overriding names and content", of=get_args(Kind)
    )
    output_format: str = formats("text", "json")
    limit: int = opt(
        "-n, --limit N", f"problems, and issues per code, listed (default: {LISTED})", int, default=LISTED
    )
    statistics: bool = flag("--statistics", "count what a dataset holds")
    strict: bool = flag("--strict", "exit 1 on warnings too")


@command(
    DataCheckOptions,
    epilog="""\
A file's kind follows from its ending (.eval.json, .gt.json, .results.json, .benchmark.json, .config.yaml;
also YAML, CSV, .gz and .zst), or else from its content. JSON Lines (.jsonl) are recorded answers.

examples:
  pincite data check sample
  pincite data check my.eval.json answers.jsonl --output-format json

exit codes: 0 valid and without errors, 1 problems or errors (with --strict also warnings), 2 could not run
""",
)
def run(options: DataCheckOptions) -> int:
    if options.limit < 0:
        raise InputError(f"--limit is at least 0, not {options.limit}")
    settings = load_settings(options)
    checks: dict[str, FileCheck] = {}
    unread: list[dict[str, Any]] = []
    for name in options.files:
        try:
            checks[name] = check_file(name, options.kind, settings, options.limit)
        except InputError as error:
            note(str(error), "error")
            unread.append({"file": name, "valid": None})
    paint = Paint(wants_color(options.no_color, sys.stdout))
    lines = (
        line for name, check in checks.items() for line in _lines(name, check, paint, options.statistics)
    )
    emit_either(options.output_format, {"files": [*map(_shape, checks, checks.values()), *unread]}, lines)
    if unread:
        return CANNOT_RUN
    totals = sum(map(_totals, checks.values()), Counter())
    failed = totals["error"] or (options.strict and totals["warning"])
    return 0 if all(check.valid for check in checks.values()) and not failed else 1


def _totals(check: FileCheck) -> Counter[str]:
    totals = Counter({"error": 0, "warning": 0, "note": 0})
    for code, count in check.counts.items():
        totals[QUALITY_CODES[code].severity] += count
    return totals


def _shape(name: str, check: FileCheck) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "file": name,
        "valid": check.valid,
        "problem_count": check.problem_count,
        "problems": [pick(problem, "pointer", "expected", "found") for problem in check.problems],
    }
    if check.statistics is not None:
        shape["issues"] = [
            {"name": QUALITY_CODES[one.code].name, **structs.asdict(one)} for one in check.issues
        ]
        shape["counts"] = check.counts
        shape |= {f"{severity}s": count for severity, count in _totals(check).items()}
        shape["statistics"] = check.statistics
    return shape


def _lines(name: str, check: FileCheck, paint: Paint, statistics: bool) -> Iterator[str]:
    file = safe(name)
    for problem in check.problems:
        place = f"{file}: {safe(problem.pointer)}" if problem.pointer else file
        yield f"{place}: expected {safe(problem.expected)}, found {safe(problem.found)}"
    if more := check.problem_count - len(check.problems):
        yield f"{file}: {more:,} more; --limit lists more of them"
    yield f"{file}: {'valid' if check.valid else plural(check.problem_count, 'problem')}"
    if check.statistics is None:
        return
    for one in check.issues:
        whose = f"{safe(one.query_id)}: " if one.query_id else ""
        yield f"{safe(one.pointer)}: {paint(f'{one.code} {one.severity}', one.severity)}"
        yield f"    {whose}{safe(one.message)}"
    left = Counter(check.counts) - Counter(one.code for one in check.issues)
    yield from (f"{code}: {left[code]:,} more" for code in sorted(left))
    if statistics:
        yield from _statistics(check.statistics)
    dataset = (
        " ".join(safe(check.statistics[key]) for key in ("dataset_id", "version")).strip() or "the dataset"
    )
    total = ", ".join(plural(count, severity) for severity, count in _totals(check).items())
    yield f"{dataset}: {plural(check.statistics['queries']['total'], 'query', 'queries')}, {total}"


def _statistics(stats: dict[str, Any]) -> Iterator[str]:
    for group in ("queries", "citations", "documents"):
        yield f"{group}: {stats[group]['total']:,}"
        for key, value in stats[group].items():
            if isinstance(value, dict):
                shown = ", ".join(f"{safe(name)} {count:,}" for name, count in value.items()) or "–"
            else:
                shown = "–" if value is None else f"{value:,}"
            if key != "total":
                yield f"  {key.replace('_', ' '):<34} {shown}"
        yield ""
