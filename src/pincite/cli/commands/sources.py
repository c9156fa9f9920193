"""`pincite sources` and `pincite locate`: what was read, the text that offsets count in, what is where."""

from __future__ import annotations

import sys
from argparse import Namespace

from pincite.cli.options import COMMON, SOURCES, arg, formats, load_settings, on_command, open_library, opt
from pincite.cli.output import (
    CANNOT_RUN,
    emit,
    emit_json,
    emit_lines,
    emit_quoted,
    emit_table,
    note,
    read_stdin,
    terminal_width,
    wants_color,
)
from pincite.errors import InputError
from pincite.records import Match
from pincite.reports import Paint, folded, pick, safe
from pincite.sources import Library


@on_command(
    "sources",
    arg("paths", "PATH", "source files, folders or JSON documents", nargs="*"),
    opt("--text NAME", "print the text of this source, as offsets count it"),
    formats("table", "json", help="how to print the list"),
    *COMMON,
)
def _sources(options: Namespace) -> int:
    settings = load_settings(options)
    if options.paths:
        given = options.paths
    elif not (given := settings.sources):
        raise InputError("no sources: name files or folders, or set `sources` in the configuration")
    library = open_library(given, settings, tell=False)
    if options.text is not None:
        emit_quoted(_text_of(library, options.text))
        return 0
    if options.output_format == "json":
        emit_json(_shape(library))
    elif library.sources:
        rows = []
        for source in library.sources:
            pages = "-" if source.page_starts is None else str(len(source.page_starts))
            size, digest = f"{len(source.text):,}", source.sha256[:12]
            rows.append((source.name, source.kind, pages, size, digest, source.title or ""))
        emit_table(("name", "kind", "pages", "characters", "sha256", "title"), rows)
    else:
        emit("no sources could be read\n")
    for unread in library.unread:
        note(f"could not read {unread.name}: {unread.reason}", "warning")
    return 0 if library.sources else CANNOT_RUN


def _text_of(library: Library, name: str) -> str:
    exact = library.get(name)
    found = (exact,) if exact is not None else library.find(name)
    if len(found) == 1:
        return found[0].text
    if found:
        raise InputError(f"{name!r} fits several sources: {', '.join(source.name for source in found)}")
    unread = library.find_unread(name)
    if unread is not None:
        raise InputError(f"{unread.name} could not be read: {unread.reason}")
    near = library.near(name)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InputError(f"there is no source {name!r}{hint}")


def _shape(library: Library) -> dict[str, object]:
    listed = [
        {
            **pick(source, "name", "kind", "title", "document_id", "url"),
            "pages": None if source.page_starts is None else len(source.page_starts),
            "page_starts": source.page_starts,
            "characters": len(source.text),
            "sha256": source.sha256,
        }
        for source in library.sources
    ]
    return {"sources": listed, "unread": [pick(source, "name", "reason") for source in library.unread]}


@on_command(
    "locate",
    arg("text", "TEXT", "a quote or a claim, or - to read it from standard input"),
    SOURCES,
    opt("-n, --limit", "at most this many places (default: 5)", int, default=5),
    formats("text", "json", help="how to print the places"),
    *COMMON,
    epilog="exit codes: 0 found, 1 found nowhere, 2 could not run",
)
def _locate(options: Namespace) -> int:
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
