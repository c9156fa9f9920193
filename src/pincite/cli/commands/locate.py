"""`pincite locate`: where a quote or a claim appears in the sources."""

from __future__ import annotations

import sys

from pincite.cli.options import (
    SOURCES,
    CommonOptions,
    arg,
    command,
    formats,
    load_settings,
    open_library,
    opt,
)
from pincite.cli.output import (
    emit_json,
    emit_lines,
    note,
    read_stdin,
    terminal_width,
    wants_color,
)
from pincite.errors import InputError
from pincite.records import Match
from pincite.reports import Paint, folded, pick, safe


class LocateOptions(CommonOptions):
    text: str = arg("TEXT", "a quote or a claim, or - to read it from standard input")
    sources: list[str] | None = SOURCES
    limit: int = opt("-n, --limit", "at most this many places (default: 5)", int, default=5)
    output_format: str = formats("text", "json", help="how to print the places")


@command(LocateOptions, epilog="exit codes: 0 found, 1 found nowhere, 2 could not run")
def run(options: LocateOptions) -> int:
    from pincite.sources import locate

    settings = load_settings(options)
    text = options.text
    if text == "-":
        from pincite.answers import decode_answer

        text = decode_answer(read_stdin(settings.limits.answer_bytes), "<stdin>").strip()
    if not text.strip():
        raise InputError("nothing to look for: give a quote or a claim")
    if options.limit < 1:
        raise InputError(f"--limit is at least 1, not {options.limit}")
    if not settings.sources:
        raise InputError("no sources: name them with --sources, or set `sources` in the configuration")
    matches = locate(text, open_library(settings.sources, settings), options.limit)
    if options.output_format == "json":
        names = ("document", "page", "start", "end", "text", "score", "citation")
        shapes = [{**pick(match, *names), "score": round(match.score, 6)} for match in matches]
        emit_json({"matches": shapes})
    else:
        _print_matches(matches, options.no_color)
    if not matches:
        note("not found in any source")
    return 0 if matches else 1


def _print_matches(matches: list[Match], no_color: bool) -> None:
    from pincite.reports import wrap

    paint = Paint(wants_color(no_color, sys.stdout))
    columns = terminal_width(sys.stdout) or 100
    lines = []
    for match in matches:
        lines.append(f"{paint(safe(match.citation), 'bold')}  {match.method} {match.score:.2f}")
        lines += [f"    {shown.text}" for shown in wrap(folded(match.text), [], columns - 4, most=2)]
    emit_lines(lines)
