"""`pincite verify`: whether a saved answer's citations hold, filled into the answer."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from pincite.answering.verifying import Verified, verify
from pincite.any_json import read_json
from pincite.cli.options import (
    COMMON,
    JUDGE,
    OUTPUT,
    QUIET,
    SOURCES,
    Command,
    arg,
    formats,
    load_settings,
    open_library,
)
from pincite.cli.output import CANNOT_RUN, emit, emit_lines, note, read_stdin, write_file
from pincite.cli.progress import patience
from pincite.errors import InputError
from pincite.findings.check import chosen_judge
from pincite.reports.display import dump, safe


def _run(options: Namespace) -> int:
    settings = load_settings(options)
    given = _read(options.answer, settings.limits.answer_bytes)
    with patience("reading the sources", options.quiet):
        library = open_library(settings.sources, settings)
    with chosen_judge(None, settings) as (judge, run_here):
        found: Verified = run_here(verify(given, library, judge, settings))
    filled = dump(found.shape)
    if options.output:
        write_file(Path(options.output), filled.encode("utf-8", "backslashreplace"))
    if options.output_format == "json":
        emit(filled)
    else:
        emit_lines(_lines(found))
    if not options.quiet:
        for problem in found.problems:
            note(problem, "warning")
    unjudged = found.report.summary.unjudged
    if unjudged and not found.report.summary.judged:
        note("no citation could be judged, so this says nothing about the answer", "error")
        return CANNOT_RUN
    return 0 if found.ok else 1


def _read(path: str, most: int) -> Any:
    try:
        if path == "-":
            raw = read_stdin(most + 1)
        else:
            with Path(path).open("rb") as file:
                raw = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read the answer: {error.strerror or error}") from error
    if len(raw) > most:
        raise InputError(f"{path}: the answer is over {most:,} bytes")
    try:
        return read_json(raw)
    except ValueError as error:
        raise InputError(f"{path}: the answer is not JSON: {error}"[:300]) from None


def _lines(found: Verified) -> list[str]:
    lines = [f"{found.right} of {found.total} citations verified"]
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


VERIFY = Command(
    "verify",
    _run,
    (
        arg("answer", "ANSWER", "a saved answer as JSON (ours, or citeformer's schema 2 or 3), or -"),
        SOURCES,
        OUTPUT,
        formats("text", "json", help="how to print what was found"),
        *JUDGE,
        QUIET,
        *COMMON,
    ),
    """\
examples:
  pincite verify answer.json --sources docs/
  pincite verify citeformer.json --output verified.json

exit codes: 0 every citation is verified, 1 some are not, 2 could not run
""",
)
