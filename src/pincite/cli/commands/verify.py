"""`pincite verify`: whether a saved answer's citations hold, filled into the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pincite.answering import Verified, verify
from pincite.base import read_json, read_limited
from pincite.cli.options import (
    OUTPUT,
    QUIET,
    SOURCES,
    CommonOptions,
    JudgeOptions,
    arg,
    command,
    formats,
    load_settings,
    open_library,
)
from pincite.cli.output import CANNOT_RUN, emit, emit_lines, note, read_stdin, write_file
from pincite.cli.progress import patience
from pincite.errors import InputError
from pincite.findings import chosen_judge
from pincite.reports import dump, safe


class VerifyOptions(JudgeOptions, CommonOptions):
    answer: str = arg(
        "ANSWER",
        "a saved answer as JSON (ours, or citeformer's schema 2 or 3), a .jsonl file of them, or -",
    )
    sources: list[str] | None = SOURCES
    output: str | None = OUTPUT
    output_format: str = formats("text", "json", help="how to print what was found")
    quiet: bool = QUIET


@command(
    VerifyOptions,
    epilog="""\
examples:
  pincite verify answer.json --sources docs/
  pincite verify answers.jsonl --sources docs/
  pincite verify citeformer.json --output verified.json

exit codes: 0 every citation is verified, 1 some are not, 2 could not run
""",
)
def run(options: VerifyOptions) -> int:
    settings = load_settings(options)
    many = options.answer.lower().endswith((".jsonl", ".ndjson"))
    given = _read(options.answer, settings.limits.answer_bytes, many)
    with patience("reading the sources", options.quiet):
        library = open_library(settings.sources, settings)
    with chosen_judge(None, settings) as (judge, run_here):
        checked: list[Verified] = [run_here(verify(one, library, judge, settings)) for one in given]
    filled = "".join(_filled(one, found, many) for one, found in zip(given, checked, strict=True))
    if options.output:
        write_file(Path(options.output), filled.encode("utf-8", "backslashreplace"))
    if options.output_format == "json":
        emit(filled)
    else:
        for one, found in zip(given, checked, strict=True):
            name = f"{one.get('id')}: " if many and isinstance(one, dict) else ""
            emit_lines(_lines(found, name))
    if not options.quiet:
        for problem in dict.fromkeys(problem for found in checked for problem in found.problems):
            note(problem, "warning")
    unjudged = sum(found.report.summary.unjudged for found in checked)
    if unjudged and not any(found.report.summary.judged for found in checked):
        note("no citation could be judged, so this says nothing about the answer", "error")
        return CANNOT_RUN
    return 0 if all(found.ok for found in checked) else 1


def _filled(given: Any, found: Verified, many: bool) -> str:
    """The answer with what was found; one of many on a line, under the id and the key that it had."""
    if not many:
        return dump(found.shape)
    known = {
        name: given[name] for name in ("key", "id", "query_id") if isinstance(given, dict) and name in given
    }
    return f"{json.dumps({**known, **found.shape}, ensure_ascii=False)}\n"


def _read(path: str, most: int, many: bool) -> list[Any]:
    """The saved answer, or one for each line."""
    try:
        if path == "-":
            raw = read_stdin(most + 1)
        else:
            raw = read_limited(Path(path), most + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read the answer: {error.strerror or error}") from error
    if len(raw) > most:
        raise InputError(f"{path}: the answer is over {most:,} bytes")
    found = []
    for number, line in enumerate(raw.splitlines() if many else [raw], 1):
        where = f"{path}:{number}" if many else path
        if many and not line.strip():
            continue
        try:
            found.append(read_json(line))
        except ValueError as error:
            raise InputError(f"{where}: the answer is not JSON: {error}"[:300]) from None
    if not found:
        raise InputError(f"{path}: there are no answers in it")
    return found


def _lines(found: Verified, name: str = "") -> list[str]:
    lines = [safe(name) + f"{found.right} of {found.total} citations verified"]
    for entry in found.shape.get("citations") or ():
        if not isinstance(entry, dict):
            continue
        score = entry.get("entailment_score")
        told = "no score" if score is None else f"{score:.2f}"
        marker = entry.get("marker") or f"source {entry.get('source_id')}"
        where = entry.get("document") or entry.get("document_title") or ""
        span = entry.get("source_span")
        place = f" {span[0]}-{span[1]}" if isinstance(span, list | tuple) and len(span) == 2 else ""
        reason = f": {entry['reason']}" if entry.get("reason") and not entry.get("verified") else ""
        word = "verified" if entry.get("verified") else "not verified"
        lines.append(safe(f"  {marker} {where}{place}  {word}, {told}{reason}"))
    return lines
