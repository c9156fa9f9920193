"""`pincite locate TEXT`: where does this stand? Prints citations."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.options import Parser, add_common, add_sources, limit_flags, source_paths

if TYPE_CHECKING:
    from pincite.records import Match


def parser() -> Parser:
    made = Parser(
        "locate",
        "Find where a quote or claim appears in the sources.",
        "exit codes: 0 found, 1 found nowhere, 2 could not run",
    )
    made.add_argument("text", metavar="TEXT", help="a quote or a claim, or - to read it from standard input")
    add_sources(made)
    made.add_argument("-n", "--limit", type=int, default=5, help="at most this many places (default: 5)")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print the places")
    add_common(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, note, read_stdin
    from pincite.errors import InputError
    from pincite.sources.library import open_sources
    from pincite.sources.locate import locate

    settings = load_settings(options.config, sources=options.sources, **limit_flags(options))
    text = options.text
    if text == "-":
        from pincite.answers.read import decode_answer

        text = decode_answer(read_stdin(settings.limits.answer_bytes), "<stdin>").strip()
    if not text.strip():
        raise InputError("nothing to look for: give a quote or a claim")
    if options.limit < 1:
        raise InputError(f"--limit is at least 1, not {options.limit}")
    if not settings.sources:
        raise InputError("no sources: name them with --sources, or set `sources` in the configuration")
    library = open_sources(source_paths(settings.sources), settings.limits)
    for unread in library.unread:
        note(f"could not read {unread.name}: {unread.reason}", "warning")
    matches = locate(text, library, options.limit)
    emit(_as_json(matches) if options.output_format == "json" else _as_text(matches, options.no_color))
    if not matches:
        note("not found in any source")
    return 0 if matches else 1


def _as_json(matches: list[Match]) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    listed = [
        {
            "document": match.document,
            "page": match.page,
            "start": match.start,
            "end": match.end,
            "text": match.text,
            "score": round(match.score, 6),
            "citation": match.citation,
        }
        for match in matches
    ]
    return dump({"schema_version": SCHEMA_VERSION, "matches": listed})


def _as_text(matches: list[Match], no_color: bool) -> str:
    from pincite.cli.output import terminal_width, wants_color
    from pincite.reports.colour import Paint
    from pincite.reports.display import folded, safe
    from pincite.reports.findings.excerpt import wrap

    paint = Paint(wants_color(no_color, sys.stdout))
    columns = terminal_width(sys.stdout) or 100
    lines = []
    for match in matches:
        lines.append(f"{paint(safe(match.citation), 'bold')}  {match.method} {match.score:.2f}")
        lines += [f"    {shown.text}" for shown in wrap(folded(match.text), [], columns - 4, most=2)]
    return "".join(f"{line}\n" for line in lines)
