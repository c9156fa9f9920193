"""`pincite sources`: what was read, how long it is, and the text that offsets count in."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.options import Parser, add_common, limit_flags, source_paths

if TYPE_CHECKING:
    from pincite.sources.library import Library


def parser() -> Parser:
    made = Parser("sources", "List the sources: names, pages, lengths, hashes, and what could not be read.")
    made.add_argument("paths", nargs="*", metavar="PATH", help="source files, folders or JSON documents")
    made.add_argument("--text", metavar="NAME", help="print the text of this source, as offsets count it")
    made.choice("-f", "--output-format", of=("table", "json"), default="table", help="how to print the list")
    add_common(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import CANNOT_RUN, emit, note
    from pincite.errors import InputError
    from pincite.sources.library import open_sources

    settings = load_settings(options.config, sources=options.paths or None, **limit_flags(options))
    if not settings.sources:
        raise InputError("no sources: name files or folders, or set `sources` in the configuration")
    library = open_sources(source_paths(settings.sources), settings.limits)
    if options.text is not None:
        _print_text(library, options.text)
        return 0
    emit(_as_json(library) if options.output_format == "json" else _as_table(library))
    for unread in library.unread:
        note(f"could not read {unread.name}: {unread.reason}", "warning")
    return 0 if library.sources else CANNOT_RUN


def _print_text(library: Library, name: str) -> None:
    from pincite.cli.output import emit, is_terminal, may_be_ci_log
    from pincite.errors import InputError
    from pincite.reports.display import safe
    from pincite.text.log_commands import break_commands

    exact = library.get(name)
    found = (exact,) if exact is not None else library.find(name)
    if len(found) == 1:
        text = found[0].text
        if is_terminal(sys.stdout):
            text = "\n".join(safe(line) for line in text.replace("\r\n", "\n").split("\n")) + "\n"
        elif may_be_ci_log(sys.stdout):
            text = break_commands(text)
        emit(text)
        return
    if found:
        raise InputError(f"{name!r} fits several sources: {', '.join(source.name for source in found)}")
    unread = library.find_unread(name)
    if unread is not None:
        raise InputError(f"{unread.name} could not be read: {unread.reason}")
    near = library.near(name)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InputError(f"there is no source {name!r}{hint}")


def _as_json(library: Library) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    listed = [
        {
            "name": source.name,
            "kind": source.kind,
            "title": source.title,
            "document_id": source.document_id,
            "url": source.url,
            "pages": None if source.page_starts is None else len(source.page_starts),
            "page_starts": source.page_starts,
            "characters": len(source.text),
            "sha256": source.sha256,
        }
        for source in library.sources
    ]
    unread = [{"name": source.name, "reason": source.reason} for source in library.unread]
    return dump({"schema_version": SCHEMA_VERSION, "sources": listed, "unread": unread})


def _as_table(library: Library) -> str:
    from pincite.cli.output import terminal_width
    from pincite.cli.tables import table

    rows = [
        (
            source.name,
            source.kind,
            "-" if source.page_starts is None else str(len(source.page_starts)),
            f"{len(source.text):,}",
            source.sha256[:12],
            source.title or "",
        )
        for source in library.sources
    ]
    header = ("name", "kind", "pages", "characters", "sha256", "title")
    return table(header, rows, terminal_width(sys.stdout)) if rows else "no sources could be read\n"
