"""`pincite data validate|check|stats`: whether a file keeps to its format, how good it is, what it holds."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path
from typing import Any, get_args

from msgspec import structs

from pincite.cli.options import CONFIG, NO_COLOR, arg, choice, flag, formats, load_settings, on_command, opt
from pincite.cli.output import CANNOT_RUN, emit, emit_either, emit_json, emit_lines, note, wants_color
from pincite.datasets import Kind, open_dataset, sample_path
from pincite.errors import InputError
from pincite.reports import Paint, dump, pick, plural, safe

LISTED = 50


@on_command(
    "data validate",
    arg("files", "FILE", "files to check", nargs="+"),
    choice("--kind", "the kind of the files, overriding names and content", of=get_args(Kind)),
    formats("text", "json"),
    opt("--max-problems N", "print at most N per file (default: 50)", int, default=50),
    epilog="""\
A file's kind follows from its ending (.eval.json, .gt.json, .results.json, .benchmark.json, .config.yaml;
also YAML, CSV, .gz and .zst), or else from its content. JSON Lines (.jsonl) are recorded answers.

examples:
  pincite data validate data/evaluation/datasets/sample_1.0.0.eval.json
  pincite data validate answers.jsonl --output-format json

exit codes: 0 valid, 1 problems found, 2 could not run
""",
)
def _validate(options: Namespace) -> int:
    results = [_validated(name, options) for name in options.files]
    lines = (line for result in results for line in _told(result))
    emit_either(options.output_format, {"files": results}, lines)
    if any(result["valid"] is None for result in results):
        return CANNOT_RUN
    return 0 if all(result["valid"] for result in results) else 1


def _validated(name: str, options: Namespace) -> dict[str, Any]:
    """What is wrong with one file; `valid` is None where it could not even be opened."""
    from pincite.datasets import validate_file

    told: list[dict[str, str]] = []
    count = 0
    path = sample_path() if name == "sample" and not Path(name).exists() else Path(name)
    valid: bool | None = None
    try:
        for problem in validate_file(path, options.kind):
            count += 1
            if len(told) < options.max_problems:
                told.append(pick(problem, "pointer", "expected", "found"))
        valid = count == 0
    except InputError as error:
        note(str(error), "error")
        told, count = [], 0
    return {"file": str(path), "valid": valid, "problem_count": count, "problems": told}


def _told(result: dict[str, Any]) -> list[str]:
    lines = []
    file, count = safe(result["file"]), result["problem_count"]
    for problem in result["problems"]:
        place = f"{file}: {safe(problem['pointer'])}" if problem["pointer"] else file
        lines.append(f"{place}: expected {safe(problem['expected'])}, found {safe(problem['found'])}")
    if left := count - len(result["problems"]):
        lines.append(f"{file}: and {left:,} more; --max-problems prints more of them")
    outcome = {True: "valid", None: "not checked", False: plural(count, "problem")}[result["valid"]]
    return [*lines, f"{file}: {outcome}"]


@on_command(
    "data check",
    arg("file", "FILE", "a dataset, or `sample` for the bundled one"),
    formats("text", "json", help="how to print the issues"),
    opt("-n, --limit", f"issues listed per code (default: {LISTED})", int, default=LISTED),
    flag("--strict", "exit 1 on warnings too"),
    *CONFIG,
    NO_COLOR,
    epilog="""\
examples:
  pincite data check sample
  pincite data check my.eval.json --output-format json

exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 could not run
""",
)
def _check(options: Namespace) -> int:
    from pincite.datasets import QUALITY_CODES, QualityIssue, check_quality

    if options.limit < 0:
        raise InputError(f"--limit is at least 0, not {options.limit}")
    settings = load_settings(options)
    counts: Counter[str] = Counter()
    listed: list[QualityIssue] = []
    with open_dataset(options.file, settings) as dataset:
        for found in check_quality(dataset, settings.offsets):
            counts[found.code] += 1
            if counts[found.code] <= options.limit:
                listed.append(found)
        queries = dataset.count()
    totals = Counter({"error": 0, "warning": 0, "note": 0})
    for code, count in counts.items():
        totals[QUALITY_CODES[code].severity] += count
    if options.output_format == "json":
        shape = {**pick(dataset, "dataset_id", "version"), "queries": queries}
        shape["issues"] = [{"name": QUALITY_CODES[one.code].name, **structs.asdict(one)} for one in listed]
        shape["counts"] = dict(sorted(counts.items()))
        emit_json({**shape, **{f"{severity}s": count for severity, count in totals.items()}})
    else:
        paint = Paint(wants_color(options.no_color, sys.stdout))
        for one in listed:
            whose = f"{safe(one.query_id)}: " if one.query_id else ""
            emit(f"{safe(one.pointer)}: {paint(f'{one.code} {one.severity}', one.severity)}\n")
            emit(f"    {whose}{safe(one.message)}\n")
        more = counts - Counter(one.code for one in listed)
        emit_lines(f"{code}: {more[code]:,} more" for code in sorted(more))
        total = ", ".join(plural(count, severity) for severity, count in totals.items())
        name = safe(f"{dataset.dataset_id} {dataset.version}".strip()) or "the dataset"
        emit(f"{name}: {plural(queries, 'query', 'queries')}, {total}\n")
    return 1 if totals["error"] or (options.strict and totals["warning"]) else 0


@on_command(
    "data stats",
    arg("dataset", "FILE", "a dataset's file, or `sample` for the bundled one"),
    formats("text", "json"),
    epilog="""\
examples:
  pincite data stats sample
  pincite data stats data/evaluation/datasets/sample_1.0.0.eval.json --output-format json

exit codes: 0 counted, 2 could not run
""",
)
def _stats(options: Namespace) -> int:
    from pincite.datasets import dataset_stats

    with open_dataset(options.dataset) as dataset:
        stats = dataset_stats(dataset)
    if options.output_format == "json":
        emit(dump(stats))
        return 0
    version = f" {safe(stats['version'])}" if stats["version"] else ""
    lines = [f"{safe(stats['dataset_id'] or '(no id)')}{version}: {safe(stats['name'])}"]
    for group in ("queries", "citations", "documents"):
        lines += ["", f"{group}: {stats[group]['total']:,}"]
        for key, value in stats[group].items():
            if key == "total":
                continue
            if isinstance(value, dict):
                shown = ", ".join(f"{safe(name)} {count:,}" for name, count in value.items()) or "–"
            else:
                shown = "–" if value is None else f"{value:,}"
            lines.append(f"  {key.replace('_', ' '):<34} {shown}")
    emit_lines(lines)
    return 0
