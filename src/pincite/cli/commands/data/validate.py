"""`pincite data validate`: whether files keep to their formats, all problems at once."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, get_args

from pincite.cli.options import Parser

EXAMPLES = """\
A file's kind follows from its ending (.eval.json, .gt.json, .results.json, .benchmark.json, .config.yaml;
also YAML, CSV, .gz and .zst), or else from its content. JSON Lines (.jsonl) are recorded answers.

examples:
  pincite data validate data/evaluation/datasets/sample_1.0.0.eval.json
  pincite data validate answers.jsonl --output-format json

exit codes: 0 valid, 1 problems found, 2 could not run
"""


def parser() -> Parser:
    from pincite.datasets.formats.records import Kind

    made = Parser("data validate", "Check files against their formats.", EXAMPLES)
    made.add_argument("files", nargs="+", metavar="FILE", help="files to check")
    kinds = get_args(Kind)
    made.choice("--kind", of=kinds, default=None, help="the kind of the files, overriding names and content")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print")
    made.add_argument(
        "--max-problems", type=int, default=50, metavar="N", help="print at most N per file (default: 50)"
    )
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import CANNOT_RUN, emit

    results = [_validate(name, options) for name in options.files]
    emit(_as_json(results) if options.output_format == "json" else _as_text(results))
    if any(result["valid"] is None for result in results):
        return CANNOT_RUN
    return 0 if all(result["valid"] for result in results) else 1


def _validate(name: str, options: Namespace) -> dict[str, Any]:
    """What is wrong with one file; `valid` is None where it could not even be opened."""
    from pathlib import Path

    from pincite.cli.output import note
    from pincite.datasets.validate import validate_file
    from pincite.errors import InputError

    told: list[dict[str, str]] = []
    count = 0
    path = _sample() if name == "sample" and not Path(name).exists() else Path(name)
    try:
        for problem in validate_file(path, options.kind):
            count += 1
            if len(told) < options.max_problems:
                told.append(
                    {"pointer": problem.pointer, "expected": problem.expected, "found": problem.found}
                )
    except InputError as error:
        note(str(error), "error")
        return {"file": str(path), "valid": None, "problem_count": 0, "problems": []}
    return {"file": str(path), "valid": count == 0, "problem_count": count, "problems": told}


def _sample() -> Any:
    from pincite.datasets.sample import sample_path

    return sample_path()


def _as_json(results: list[dict[str, Any]]) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    return dump({"schema_version": SCHEMA_VERSION, "files": results})


def _as_text(results: list[dict[str, Any]]) -> str:
    from pincite.reports.display import safe

    lines: list[str] = []
    for result in results:
        file = safe(result["file"])
        for problem in result["problems"]:
            place = f"{file}: {safe(problem['pointer'])}" if problem["pointer"] else file
            lines.append(f"{place}: expected {safe(problem['expected'])}, found {safe(problem['found'])}")
        left = result["problem_count"] - len(result["problems"])
        if left:
            lines.append(f"{file}: and {left:,} more; --max-problems prints more of them")
        if result["valid"]:
            lines.append(f"{file}: valid")
        elif result["valid"] is None:
            lines.append(f"{file}: not checked")
        else:
            problems = (
                "1 problem" if result["problem_count"] == 1 else f"{result['problem_count']:,} problems"
            )
            lines.append(f"{file}: {problems}")
    return "\n".join(lines) + "\n"
