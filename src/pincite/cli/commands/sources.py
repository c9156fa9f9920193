"""`pincite sources`: what was read, and the text that offsets count in."""

from __future__ import annotations

from pincite.cli.options import CommonOptions, arg, command, formats, load_settings, open_library, opt
from pincite.cli.output import (
    CANNOT_RUN,
    emit,
    emit_json,
    emit_quoted,
    emit_table,
    note,
)
from pincite.errors import InputError
from pincite.reports import pick
from pincite.sources import Library


class SourcesOptions(CommonOptions):
    paths: list[str] = arg("PATH", "source files, folders or JSON documents", nargs="*")
    text: str | None = opt("--text NAME", "print the text of this source, as offsets count it")
    output_format: str = formats("table", "json", help="how to print the list")


@command(SourcesOptions)
def run(options: SourcesOptions) -> int:
    settings = load_settings(options)
    given = options.paths or settings.sources
    if not given:
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
