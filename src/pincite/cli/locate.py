"""`pincite locate TEXT`: where does this stand? Prints citations."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.options import Config, MaxSource, NoColor, Sources, limit_flags

if TYPE_CHECKING:
    from pincite.records import Match


class LocateFormat(StrEnum):
    """How matches are printed."""

    text = "text"
    json = "json"


def locate(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="A quote or a claim, or - to read it from standard input.")
    ],
    sources: Sources = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many places.")] = 5,
    output_format: Annotated[
        LocateFormat, typer.Option("--output-format", "-f", help="How to print the places.")
    ] = LocateFormat.text,
    config: Config = None,
    max_source_mb: MaxSource = None,
    no_color: NoColor = False,
) -> None:
    """Find where a quote or a claim stands in the sources.

    Exits 0 when it was found, 1 when it stands nowhere, 2 when it could not run.
    """
    from pathlib import Path

    from pincite.cli.output import emit, note
    from pincite.config import load_settings
    from pincite.errors import InputError
    from pincite.sources.library import open_sources
    from pincite.sources.locate import locate as find_places

    settings = load_settings(config, sources=sources or None, **limit_flags(None, max_source_mb))
    if text == "-":
        from pincite.findings.inputs import decode_answer

        text = decode_answer(sys.stdin.buffer.read(settings.limits.answer_bytes), "<stdin>").strip()
    if not text.strip():
        raise InputError("there is nothing to look for: give a quote or a claim")
    given = [Path(path) for path in settings.sources]
    if not given:
        raise InputError("no sources: name them with --sources, or set `sources` in the configuration")
    library = open_sources(given[0] if len(given) == 1 else given, settings.limits)
    for unread in library.unread:
        note(f"could not read {unread.name}: {unread.reason}", "warning")
    matches = find_places(text, library, limit)
    emit(_as_json(matches) if output_format is LocateFormat.json else _as_text(matches, no_color))
    if not matches:
        note("it was not found in any source")
        raise typer.Exit(1)


def _as_json(matches: list[Match]) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.json_report import dump

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
    from pincite.reports.excerpt import wrap

    paint = Paint(wants_color(no_color, sys.stdout))
    columns = terminal_width(sys.stdout) or 100
    lines = []
    for match in matches:
        lines.append(f"{paint(safe(match.citation), 'bold')}  {match.method} {match.score:.2f}")
        lines += [f"    {shown.text}" for shown in wrap(folded(match.text), [], columns - 4, most=2)]
    return "".join(f"{line}\n" for line in lines)
